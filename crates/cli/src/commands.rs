//! The commands: one file each, one line here.
//!
//! A command's file has `Args` (the arguments, with help and examples) and `run`.

use crate::failure::{Exit, Failure};
use crate::shell::Shell;

pub mod sample;

/// Declares the modules, the enum that clap parses into, and the call of each `run`.
macro_rules! commands {
    ($($name:ident => $module:ident),* $(,)?) => {
        $(pub mod $module;)*

        #[derive(clap::Subcommand, Debug)]
        #[allow(missing_docs, reason = "each command's help is on its Args")]
        pub enum Command {
            $($name($module::Args),)*
        }

        impl Command {
            /// Adds one command by its name, if that is the name of its module.
            pub fn add_only(parent: clap::Command, name: &str) -> Option<clap::Command> {
                $(if name == stringify!($module) {
                    let command = clap::Command::new(stringify!($module));
                    let command = <$module::Args as clap::Args>::augment_args(command);
                    return Some(parent.subcommand(command));
                })*
                None
            }

            /// True for a name that [`Command::add_only`] adds.
            pub fn has(name: &str) -> bool {
                [$(stringify!($module)),*].contains(&name)
            }

            /// Runs the command.
            pub fn run(self, shell: &mut Shell) -> Result<Exit, Failure> {
                match self {
                    $(Command::$name(args) => $module::run(args, shell),)*
                }
            }
        }
    };
}

commands! {
    Check => check,
    Stats => stats,
    Report => report,
    Convert => convert,
    Shards => shards,
    Draw => draw,
    Show => show,
    Paths => paths,
    Merge => merge,
    Link => link,
    Audit => audit,
    Diff => diff,
    CheckBook => check_book,
    Archive => archive,
    Opening => opening,
    Games => games,
    Query => query,
    Cql => cql,
    Debug => debug,
    Solve => solve,
    Outcome => outcome,
    Moves => moves,
    Compare => compare,
    Bounds => bounds,
    Value => value,
    Thermograph => thermograph,
    Why => why,
    Play => play,
    Sums => sums,
    Explore => explore,
    Serve => serve,
    Edit => edit,
    Completions => completions,
    Man => man,
}
