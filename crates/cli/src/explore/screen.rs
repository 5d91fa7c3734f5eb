//! The explorer on the full screen.

use desk::session::Session;

use super::line;
use crate::failure::{Exit, Failure};
use crate::shell::Shell;

/// Runs until somebody quits.
pub fn run(session: Session, shell: &mut Shell) -> Result<Exit, Failure> {
    line::run(session, shell)
}
