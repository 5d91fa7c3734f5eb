//! The explorer line by line: for scripts, pipes, and terminals that cannot do more.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;

use crate::explore::command::{self, COMMANDS, Command, CommandError, Look, Refusal, Reply};
use desk::Color;
use desk::edit::VERBS;
use desk::session::Session;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper};

use super::pages;
use super::window::Window;
use crate::failure::{Exit, Failure};
use crate::history::Prompt;
use crate::ink::{Ink, Line, wrap};
use crate::shell::Shell;
use crate::table::Layout;
use crate::table::other_paths;
use desk::notation::flow;

/// Height of the table if the height of the terminal is unknown.
const HEIGHT: usize = 16;

/// Runs until the input ends or `stop`.
pub fn run(session: Session, shell: &mut Shell) -> Result<Exit, Failure> {
    let mut mode = LineMode {
        session,
        below: Color::White,
        failed: false,
        shell,
    };
    mode.open()?;
    if io::stdin().is_terminal() {
        mode.read_terminal()?;
        super::remember_mode(&mode.session);
    } else {
        mode.read_script(io::stdin().lock())?
    }
    mode.leave()
}

struct LineMode<'a> {
    session: Session,
    below: Color,
    failed: bool,
    shell: &'a mut Shell,
}

/// How to continue after a line.
#[derive(PartialEq, Eq)]
enum Next {
    Line,
    Stop,
    /// Stop and discard unsaved changes.
    Drop,
}

impl LineMode<'_> {
    fn open(&mut self) -> Result<(), Failure> {
        if let Some(obstacle) = self.session.file().obstacle() {
            self.shell.note(&obstacle.to_string());
        }
        if self.session.file().is_new() {
            self.shell.note(&super::new_file(self.session.file()));
        }
        self.show_table()
    }

    /// Reads commands from a terminal.
    fn read_terminal(&mut self) -> Result<(), Failure> {
        let mut prompt = Prompt::new("explore")?;
        loop {
            self.shell.out.flush()?;
            prompt.set_helper(Words(self.words()));
            match prompt.read("> ") {
                Ok(line) if line.trim().is_empty() => self.show_table()?,
                Ok(line) => match self.line(&line, &mut io::stdin().lock())? {
                    Next::Line => {}
                    Next::Stop => return Ok(()),
                    Next::Drop => return self.drop_changes(),
                },
                Err(ReadlineError::Interrupted) => {}
                Err(ReadlineError::Eof) => return Ok(()),
                Err(error) => return Err(Failure::new(error)),
            }
        }
    }

    /// Reads commands from a script; blank lines and lines that begin with `#` are skipped.
    fn read_script(&mut self, mut script: impl BufRead) -> Result<(), Failure> {
        let mut bytes = Vec::new();
        while script.read_until(b'\n', &mut bytes).map_err(unreadable)? > 0 {
            let line = String::from_utf8_lossy(&std::mem::take(&mut bytes)).into_owned();
            let line = line.trim();
            // `#17` is a position id.
            let is_comment =
                line.starts_with('#') && !line[1..].starts_with(|c: char| c.is_ascii_digit());
            if line.is_empty() || is_comment {
                continue;
            }
            let echo = Line::of(format!("> {line}"), Ink::Faint);
            self.print(&[Line::default(), echo])?;
            match self.line(line, &mut script)? {
                Next::Line => {}
                Next::Stop => return Ok(()),
                Next::Drop => return self.drop_changes(),
            }
        }
        Ok(())
    }

    /// Runs a line; `paste -` reads the rest of the input.
    fn line(&mut self, line: &str, input: &mut impl BufRead) -> Result<Next, Failure> {
        let reply = match pasted_input(line) {
            Some(game) => {
                let mut text = Vec::new();
                input.read_to_end(&mut text).map_err(unreadable)?;
                let pasted = self.session.paste_pgn(&text, game);
                pasted.map(Reply::Done).map_err(Refusal::Session)
            }
            None => command::run_line(&mut self.session, line),
        };
        match reply {
            Ok(Reply::Moved) => self.show_table()?,
            Ok(Reply::Done(message)) => {
                self.print(&[Line::of(message, Ink::Good)])?;
                self.show_table()?;
                self.warn();
            }
            Ok(Reply::Look(Look::Table)) => self.show_table()?,
            Ok(Reply::Look(look)) => self.show(look)?,
            Ok(Reply::Games(filter)) => {
                let lines = pages::games(&self.session, &filter, self.shell.columns());
                self.print(&lines)?;
            }
            Ok(Reply::Quit) if line.trim_end().ends_with('!') => return Ok(Next::Drop),
            Ok(Reply::Quit) => return Ok(Next::Stop),
            Err(refusal) => self.refuse(&refusal),
        }
        Ok(Next::Line)
    }

    fn show(&mut self, look: Look) -> Result<(), Failure> {
        if look == Look::Flip {
            self.below = self.below.other();
        }
        let columns = self.shell.columns();
        let lines = pages::page(&mut self.session, look, self.below, columns);
        self.print(&lines)
    }

    fn refuse(&mut self, refusal: &Refusal) {
        self.failed = true;
        let hint = match refusal {
            Refusal::Command(CommandError::Unknown { .. }) => Some(format!(
                "valid here: {}",
                pages::examples(&self.session).join(", ")
            )),
            _ => None,
        };
        self.shell.error(&refusal.to_string(), hint.as_deref());
    }

    /// Warns about journal failures and changes by other programs.
    fn warn(&mut self) {
        let file = self.session.file();
        let trouble = file.journal_trouble().filter(|_| file.is_changed());
        if let Some(trouble) = trouble {
            self.shell.warn(&super::not_in_journal(trouble));
        }
        if file.is_changed() && file.seems_changed_on_disk() {
            let note = format!("{} was changed by another program", file.name());
            self.shell.note(&note);
        }
    }

    fn show_table(&mut self) -> Result<(), Failure> {
        let columns = self.shell.columns();
        let height = self
            .shell
            .lines()
            .map_or(HEIGHT, |lines| lines.saturating_sub(6).max(6));
        self.session.find_marks();
        let walk = self.session.walk();
        let layout = Layout::new(columns);
        let window = Window::new(walk, &layout, height, usize::MAX);
        let mut lines = self.place_lines(columns);
        lines.push(layout.head());
        if window.above > 0 {
            lines.push(Line::of(
                format!("     … {} rows above", window.above),
                Ink::Faint,
            ));
        }
        lines.extend(window.lines);
        if window.below > 0 {
            lines.push(Line::of(
                format!("     … {} rows below", window.below),
                Ink::Faint,
            ));
        }
        self.print(&lines)
    }

    /// The current position and its comments.
    fn place_lines(&self, columns: usize) -> Vec<Line> {
        let walk = self.session.walk();
        let node = walk.game().node(walk.at());
        let mut texts = vec![match walk.path() {
            path if path.is_empty() => "at the starting position".to_owned(),
            path => format!("at {path}"),
        }];
        if self.session.is_joined() {
            texts[0] = format!("positions, {}", texts[0]);
        } else if self.session.game_count() > 1 {
            texts[0] = format!("game {}, {}", self.session.game() + 1, texts[0]);
        }
        texts.extend(walk.opening().map(|opening| opening.to_string()));
        texts.extend([flow(&node.starting_comment()), flow(&node.prose())]);
        texts.extend(other_paths(walk));
        let texts = texts.iter().filter(|text| !text.is_empty());
        let lines = texts.flat_map(|text| wrap(text, columns));
        lines.map(|text| Line::of(text, Ink::Plain)).collect()
    }

    fn print(&mut self, lines: &[Line]) -> Result<(), Failure> {
        let coloured = self.shell.is_coloured();
        for line in lines {
            writeln!(self.shell.out, "{}", line.paint(coloured))?;
        }
        Ok(self.shell.out.flush()?)
    }

    /// The words that Tab completes: commands, the moves of the tree, addresses of the line.
    fn words(&self) -> Vec<String> {
        let walk = self.session.walk();
        let board = walk.board();
        let children = walk.tree().children(walk.at());
        let moves = children.filter_map(|child| walk.tree().move_to(child));
        let mut words: Vec<String> = moves.map(|&mv| board.san(mv).to_string()).collect();
        words.extend(pages::addresses(walk));
        words.extend(
            COMMANDS
                .iter()
                .flat_map(|help| help.words)
                .map(|word| word.to_string()),
        );
        words.extend(VERBS.iter().map(|verb| verb.word.to_owned()));
        words
    }

    /// Discards all unsaved changes, also in the journal.
    fn drop_changes(&mut self) -> Result<(), Failure> {
        self.session.drop_changes();
        Ok(())
    }

    fn leave(self) -> Result<Exit, Failure> {
        let exit = super::report_unsaved(&self.session, self.shell);
        if exit == Exit::Fine && self.failed && !io::stdin().is_terminal() {
            return Ok(Exit::Found);
        }
        Ok(exit)
    }
}

fn unreadable(error: io::Error) -> Failure {
    Failure::new(format_args!("<stdin>: {error}"))
}

/// The chosen game of `paste -`. None if the line is another command.
fn pasted_input(line: &str) -> Option<Option<usize>> {
    match Command::read(line) {
        Ok(Command::PasteFile(path, game)) if path == Path::new("-") => Some(game),
        _ => None,
    }
}

/// Completes the last word.
struct Words(Vec<String>);

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let start = line[..pos].rfind(' ').map_or(0, |blank| blank + 1);
        let begun = &line[start..pos];
        let mut words: Vec<String> = self
            .0
            .iter()
            .filter(|word| word.starts_with(begun))
            .cloned()
            .collect();
        words.dedup();
        Ok((start, words))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}
