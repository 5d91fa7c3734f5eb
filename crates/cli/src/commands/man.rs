//! `gametree man DIR`: the manual pages.

use std::io;
use std::path::{Path, PathBuf};

use clap::CommandFactory;

use kit::save::{SaveError, Target};

use crate::failure::{Exit, Failure};
use crate::output::save_over;
use crate::shell::Shell;

/// Write the manual pages, one per command, into a folder
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  gametree man ~/.local/share/man/man1
  gametree man . && man ./gametree-check.1")]
pub struct Args {
    /// The folder to write into; created if missing
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Writes the pages.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let failed = |error| SaveError {
        target: Target::File(args.folder.clone()),
        error,
    };
    std::fs::create_dir_all(&args.folder).map_err(failed)?;
    let mut program = crate::Typed::command().disable_help_subcommand(true);
    program.build();
    let mut pages = 1;
    write_page(&args.folder, program.clone(), shell)?;
    for command in program.get_subcommands() {
        pages += 1;
        write_page(&args.folder, command.clone(), shell)?;
    }
    shell.note(&format!(
        "{pages} manual pages written to {}",
        args.folder.display()
    ));
    Ok(Exit::Fine)
}

fn write_page(folder: &Path, command: clap::Command, shell: &Shell) -> Result<(), Failure> {
    let page = clap_mangen::Man::new(command);
    let path = folder.join(page.get_filename());
    let text = render(&page).map_err(Failure::new)?;
    Ok(save_over(Target::File(path), &text, shell.overwrite())?)
}

fn render(page: &clap_mangen::Man) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    page.render(&mut text)?;
    Ok(text)
}
