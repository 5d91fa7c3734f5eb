//! The explorer: browse and edit games, full screen or line by line.

pub mod command;
pub mod games;
pub mod line;
pub mod notation;
pub mod opening;
pub mod pages;
pub mod screen;
pub mod window;

use desk::session::{OpenFile, Session};

use crate::failure::Exit;
use crate::settings::Settings;
use crate::shell::Shell;

/// The warning after a change that could not be recorded.
fn not_in_journal(trouble: &str) -> String {
    format!(
        "this change is not in the journal ({trouble}): `save`, `save NAME` in another folder, \
         or copy the game from `pgn`"
    )
}

/// The message when a file begins.
fn new_file(file: &OpenFile) -> String {
    format!("{}: new file; `save` writes it", file.name())
}

/// Remembers the mode for the next session on a terminal.
fn remember_mode(session: &Session) {
    let settings = Settings {
        positions: session.is_joined(),
    };
    if settings != Settings::load() {
        settings.save();
    }
}

/// Reports what happens to unsaved changes when the session ends. Changes that no journal has are
/// saved in the folder for temporary files, and the session ends as a failure.
pub fn report_unsaved(session: &Session, shell: &mut Shell) -> Exit {
    let changed = session.files().iter().filter(|file| file.is_changed());
    let mut exit = Exit::Fine;
    for file in changed {
        match (file.path(), file.journal_trouble()) {
            (None, _) => shell.warn(&format!(
                "{}: unsaved changes are lost: there is no file to save them to",
                file.name()
            )),
            (Some(_), None) => shell.note(&format!(
                "{}: unsaved changes are kept beside the file: open it again and `resume`",
                file.name()
            )),
            (Some(_), Some(trouble)) => {
                report_unprotected(file, trouble, shell);
                exit = Exit::Failed;
            }
        }
    }
    exit
}

fn report_unprotected(file: &OpenFile, trouble: &str, shell: &mut Shell) {
    let name = file.name();
    match file.rescue() {
        Ok(path) => {
            let path = path.display();
            shell.error(
                &format!("{name}: the journal could not be written ({trouble})"),
                Some(&format!("the file with all changes is {path}: move it to a safe folder")),
            );
        }
        Err(error) => shell.error(
            &format!("{name}: unsaved changes are lost: the journal could not be written ({trouble}), nor a copy ({error})"),
            Some("make space, or use `save NAME` before the end"),
        ),
    }
}
