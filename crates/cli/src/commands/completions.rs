//! `gametree completions SHELL`: the script that completes our commands in a shell.

use clap::CommandFactory;
use clap_complete::Shell as Kind;

use crate::failure::{Exit, Failure};
use crate::shell::Shell;

/// Print a shell completion script
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  gametree completions bash > ~/.local/share/bash-completion/completions/gametree
  gametree completions zsh > ~/.zfunc/_gametree
  gametree completions fish > ~/.config/fish/completions/gametree.fish")]
pub struct Args {
    /// The shell
    shell: Kind,
}

/// Prints the script.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let mut command = crate::Typed::command();
    // The generator panics when it cannot write, a buffer cannot refuse.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "gametree", &mut script);
    std::io::Write::write_all(&mut shell.out.data(), &script)?;
    Ok(Exit::Fine)
}
