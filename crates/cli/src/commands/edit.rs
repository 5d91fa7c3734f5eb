//! `gametree edit FILE VERB`: one change to one game, for scripts.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use crate::output::save_over;
use desk::edit::Verb;
use desk::place::Place;
use desk::session::{SaveForm, SaveOptions, Session};
use kit::input::Source;
use kit::save::{Overwrite, Target};

use crate::failure::{Exit, Failure};
use crate::files::game_number;
use crate::sessions::{go, session_failure};
use crate::shell::Shell;

/// Change one game of a file: promote, delete, comment, add moves and more
#[derive(clap::Args, Debug)]
#[command(after_help = VERBS)]
pub struct Args {
    /// The file, or `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The verb and its arguments; see below
    #[arg(value_name = "VERB", required = true, num_args = 1.., allow_negative_numbers = true)]
    verb: Vec<String>,
    /// Number of the game
    #[arg(long, value_name = "N", default_value = "1", value_parser = game_number)]
    game: NonZeroUsize,
    /// Position: 6Wc, 6.Bc4, `e4 c5 Nf3`, a position id, a FEN [default: starting position]
    #[arg(long, value_name = "PLACE")]
    at: Option<Place>,
    /// Find the position in any game, and change the game in which the move is written
    #[arg(long)]
    positions: bool,
    /// With --positions: change this game, if several have the move
    #[arg(long = "in", value_name = "GAME", value_parser = game_number, requires = "positions")]
    in_game: Option<NonZeroUsize>,
    /// Output file [default: standard output]
    #[arg(long, short, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Change FILE itself
    #[arg(long, short, conflicts_with = "output")]
    in_place: bool,
    /// Write the edited game in normal form, not only the edited places
    #[arg(long)]
    normal: bool,
    /// With --in-place: keep the old file as FILE.bak
    #[arg(long, requires = "in_place")]
    backup: bool,
}

const VERBS: &str = "\
Verbs that reorder:
  promote, demote        one place up or down among the alternatives
  first                  make it the first move here
  main                   make the whole path the mainline
Verbs that delete:
  delete                 the move and its continuations
  delete-after           its continuations
  delete-variation       the whole variation the move is in
  delete-others          the alternatives to the move
  keep-only, keep-line   all lines except those through the move; all except one
Verbs that add:
  add MOVES              moves, variations, comments: add 'Nf3 (Nc3 {solid}) Nc6'
  comment, comment-before TEXT
  nag GLYPH, drop-nag [GLYPH]
  arrow [COLOUR] FROMTO, square [COLOUR] SQUARE, drop-shapes
  clock H:MM:SS, eval NUMBER
  tag NAME VALUE, drop-tag NAME, result 1-0|0-1|1/2-1/2|*
  merge PGN              like add, or from the start if the moves only fit there
Verbs that tidy:
  merge-duplicates       merge alternatives with the same move
  bring                  move the continuations of other paths to this position here, leave links
Verbs for chapters, the games of a file:
  chapter-add [NAME]     add a chapter at the end
  chapter-name NAME      name the chapter
  chapter-move N         move it to place N
  chapter-delete         delete it
  chapter-split [NAME]   move the continuations into a new chapter after this one
  chapter-join N         merge chapter N into this one and delete it

Unchanged games are copied byte for byte. In the edited game, moves and comments that did not
change keep their text and line breaks; --normal writes the whole game in normal form.

Examples:
  gametree edit rep.pgn --at 6Bc promote -o new.pgn
  gametree edit rep.pgn --at 'd4 d5' comment 'Closed games' --in-place --backup
  gametree edit rep.pgn --positions --in 2 --at 'd4 Nf6 c4 g6' comment 'Now g3' -i
  gametree edit rep.pgn --at 'd4 d5' chapter-split 'Closed games' > new.pgn
  gametree edit games.pgn --game 3 tag Annotator 'A. Smith' > new.pgn";

/// Edits the game.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let verb = Verb::read(&args.verb.join(" "))
        .map_err(|error| Failure::with_fix(error, "`gametree edit --help` lists the verbs"))?;
    let source = Source::from_arg(&args.file);
    let mut session = Session::open(&[source]).map_err(session_failure)?;
    if args.is_in_place() {
        session.lock().map_err(session_failure)?;
    } else {
        session.disable_journal();
    }
    session.set_joined(args.positions);
    go(&mut session, args.game, args.at.as_ref())?;
    let game = args.in_game.map(|number| number.get() - 1);
    let message = session.edit_in(&verb, game).map_err(session_failure)?;
    write(&mut session, &args, shell)?;
    shell.note(&message);
    Ok(Exit::Fine)
}

impl Args {
    fn form(&self) -> SaveForm {
        if self.normal {
            SaveForm::Normal
        } else {
            SaveForm::Edits
        }
    }

    /// True if the changed file replaces the old one, `-o FILE` included.
    fn is_in_place(&self) -> bool {
        let same_as_output = |output: &PathBuf| {
            let paths = (output.canonicalize(), self.file.canonicalize());
            matches!(paths, (Ok(output), Ok(file)) if output == file)
        };
        self.in_place || self.output.as_ref().is_some_and(same_as_output)
    }
}

fn write(session: &mut Session, args: &Args, shell: &Shell) -> Result<(), Failure> {
    if args.is_in_place() {
        let options = SaveOptions {
            to: None,
            backup: args.backup,
            force: shell.overwrite() == Overwrite::ReadOnly,
            form: args.form(),
        };
        session.save(&options).map_err(session_failure)?;
        return Ok(());
    }
    let target = args
        .output
        .as_ref()
        .map_or(Target::Stdout, Target::from_arg);
    let bytes = session
        .file()
        .new_bytes_in(args.form())
        .map_err(session_failure)?;
    Ok(save_over(target, &bytes, shell.overwrite())?)
}
