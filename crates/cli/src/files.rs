//! The games a command reads, and how its run ended.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use desk::GAME_FILES;
use desk::choose::{BadTagRule, Choice, Numbers, TagRule};
use desk::games::{Games, Run};
use kit::input::{InputError, Source, gather};

use crate::failure::{Exit, Failure};
use crate::shell::Shell;

/// The files and games to read, as typed.
#[derive(Args, Clone, Debug)]
pub struct Files {
    /// PGN files, plain or compressed (.gz, .bz2, .zst), folders of them, or `-` for standard input;
    /// FILE:RULE selects games of this file only, see --tag; FILE#START-END is a part of a file, see
    /// `gametree shards`
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    which: Which,
}

impl Files {
    /// The selected games.
    pub fn games(self) -> Result<Games, Failure> {
        self.which.games(self.files)
    }
}

/// The selection of games, as typed.
#[derive(Args, Clone, Debug, Default)]
pub struct Which {
    /// Only games with these numbers in their file: 3, 1-10,15,20-
    #[arg(
        long,
        visible_alias = "game",
        value_name = "NUMBERS",
        help_heading = "Which games"
    )]
    games: Option<Numbers>,
    /// Only games whose tag matches: White=carlsen (contains), Event~^Tata (regular expression),
    /// WhiteElo>=2700, Date<2000, White!=NN, Annotator (tag exists); repeat to require all
    #[arg(long, value_name = "RULE", help_heading = "Which games")]
    tag: Vec<TagRule>,
}

impl Which {
    /// These games of these files.
    pub fn games(self, files: Vec<PathBuf>) -> Result<Games, Failure> {
        let mut chosen = Vec::new();
        for file in files {
            let (file, own) = with_rules(file)?;
            let choice = Choice {
                numbers: self.games.clone(),
                tags: self.tag.iter().cloned().chain(own).collect(),
            };
            let sources = gather([file], GAME_FILES)?.into_iter();
            chosen.extend(sources.map(|source| (source, choice.clone())));
        }
        match chosen
            .iter()
            .filter(|(source, _)| *source == Source::Stdin)
            .count()
        {
            0 | 1 => Ok(Games::of(chosen)),
            _ => Err(InputError::StdinTwice.into()),
        }
    }
}

/// Splits `games.pgn:White=carlsen` into the file and its rules. A file whose name contains a colon
/// is not split.
fn with_rules(arg: PathBuf) -> Result<(PathBuf, Vec<TagRule>), Failure> {
    let text = arg.to_string_lossy();
    let is_file = |name: &str| {
        let source = Source::from_arg(name);
        source == Source::Stdin || source.path().is_some_and(Path::exists)
    };
    let mut colons = text.match_indices(':').map(|(at, _)| at);
    let Some(at) = colons.find(|&at| !is_file(&text) && is_file(&text[..at])) else {
        drop(text);
        return Ok((arg, Vec::new()));
    };
    let rules = text[at + 1..].split(':').map(str::parse);
    let rules: Result<Vec<TagRule>, BadTagRule> = rules.collect();
    let rules = rules.map_err(|error| Failure::new(format_args!("{text}: {error}")))?;
    Ok((PathBuf::from(&text[..at]), rules))
}

/// The games of one file, for commands whose answers name games by their number.
pub fn one_file(file: &Path) -> Result<Games, Failure> {
    let sources = gather([file], GAME_FILES)?;
    match sources.len() {
        1 => Ok(Games::new(sources, Choice::default())),
        _ => Err(Failure::with_fix(
            format_args!("{}: expected one file, found a folder", file.display()),
            "combine the files with `gametree merge FOLDER -o OUT`",
        )),
    }
}

/// The number of a game, for options that take one game.
pub fn game_number(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse();
    number.map_err(|_| "expected the number of one game, such as 3".to_owned())
}

/// The failure of a command that writes a file and found no games for it.
pub fn no_games(command: &str) -> Failure {
    Failure::with_fix(
        format_args!("no games to {command}; nothing was written"),
        "check the files and the rules: --games, --tag, FILE:RULE",
    )
}

/// Reports sources that could not be read. Returns `exit`, or a worse one if there were any or if
/// the run was stopped.
pub fn ending<T>(shell: &mut Shell, run: &Run<T>, exit: Exit) -> Exit {
    for error in &run.unread {
        shell.error(&error.to_string(), error.fix().as_deref());
    }
    if run.stopped {
        Exit::Interrupted
    } else if run.unread.is_empty() {
        exit
    } else {
        Exit::Failed
    }
}
