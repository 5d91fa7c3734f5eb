//! The explorer on the full screen.

mod backend;
mod blocks;
mod board;
mod draw;
mod graphics;
mod keys;
mod mouse;
mod palette;
mod plan;
mod prompt;
mod terminal;

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::explore::command::{self, Command, Look, Reply};
use crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
    Event, KeyEventKind,
};
use crossterm::execute;
use crossterm::terminal::{Clear, ClearType};
use desk::session::{Session, SessionError};
use desk::{Color, Square};
use kit::Stop;

use super::notation::Folds;
use super::pages;
use crate::failure::{Exit, Failure};
use crate::ink::{Ink, Line};
use crate::shell::Shell;
use backend::FullScreen;
use blocks::BlockCell;
use board::Picture;
use desk::game_list::{GameList, Order};
use mouse::Areas;
use palette::Palette;
use prompt::Prompt;
use terminal::Graphics;

pub use terminal::Pictures;

/// How often to check whether another program changed the file.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often to check for a signal.
const TICK: Duration = Duration::from_millis(50);

/// True while the terminal is in the state that [`restore`] ends.
static OPEN: AtomicBool = AtomicBool::new(false);

/// Runs until the user quits or a signal arrives.
pub fn run(session: Session, pictures: Pictures, shell: &mut Shell) -> Result<Exit, Failure> {
    let stop = shell.stop();
    OPEN.store(true, Ordering::SeqCst);
    let mut terminal = backend::open().map_err(Failure::new)?;
    execute!(io::stdout(), EnableMouseCapture, EnableBracketedPaste).ok();
    let mut screen = Screen::new(session, Palette::new(shell.is_coloured()));
    let ended = screen.start(pictures, &mut terminal, &stop);
    restore();
    super::remember_mode(&screen.session);
    let exit = super::report_unsaved(&screen.session, shell);
    ended.map(|()| exit).map_err(Failure::new)
}

/// Restores the terminal if the explorer is open on it.
pub fn restore() {
    if OPEN.swap(false, Ordering::SeqCst) {
        execute!(io::stdout(), DisableBracketedPaste, DisableMouseCapture).ok();
        backend::close();
    }
}

/// The state of the screen.
struct Screen {
    session: Session,
    palette: Palette,
    /// The side at the bottom of the board.
    below: Color,
    /// The first visible row of the table.
    top: usize,
    /// Shows the notation beside the table.
    has_notation: bool,
    /// Shows the opening statistics there instead.
    has_opening: bool,
    folds: GameFolds,
    mode: Mode,
    /// The command that waits for the number of a game.
    pending: Option<Command>,
    /// The game whose comment is being edited, in positions mode.
    comment_game: Option<usize>,
    /// The last message.
    message: Option<(String, Ink)>,
    /// The last search text.
    wanted: String,
    /// Commands that were typed.
    history: Vec<String>,
    /// The square that was clicked first.
    picked: Option<Square>,
    /// How the terminal shows pictures, if it can.
    graphics: Option<Graphics>,
    /// The picture that is on the screen.
    shown: Option<Picture>,
    /// The board in block characters, as it was drawn last.
    blocks: Option<(Picture, Vec<BlockCell>)>,
    areas: Areas,
    over: bool,
}

/// The folded variations of a game.
#[derive(Default)]
struct GameFolds {
    /// The game, and whether the mode is positions mode.
    game: (usize, bool),
    folds: Folds,
}

/// What keys do.
enum Mode {
    /// Step through the game.
    Walk,
    /// Type into the prompt.
    Type(Prompt),
    /// Read a page.
    Read(Page),
    /// Choose a game.
    Choose(Chooser),
    /// Answer a question.
    Ask(Question),
}

/// A page of text.
struct Page {
    title: String,
    lines: Vec<Line>,
    scroll: usize,
}

/// The list of games.
struct Chooser {
    list: GameList,
    filter: String,
    order: Order,
    games: Vec<usize>,
    selected: usize,
}

/// Questions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    /// There are unsaved changes.
    Quit,
    /// An earlier session left changes behind.
    Leftover,
}

impl Screen {
    fn new(session: Session, palette: Palette) -> Screen {
        let mode = match session.file().obstacle() {
            Some(SessionError::Leftover(_)) => Mode::Ask(Question::Leftover),
            _ => Mode::Walk,
        };
        let file = session.file();
        let new = file.is_new().then(|| (super::new_file(file), Ink::Plain));
        let obstacle = file.obstacle();
        let obstacle = obstacle.map(|obstacle| (obstacle.to_string(), Ink::Wrong));
        Screen {
            message: obstacle.or(new),
            session,
            palette,
            below: Color::White,
            top: 0,
            has_notation: false,
            has_opening: false,
            folds: GameFolds::default(),
            mode,
            pending: None,
            comment_game: None,
            wanted: String::new(),
            history: Vec::new(),
            picked: None,
            graphics: None,
            shown: None,
            blocks: None,
            areas: Areas::default(),
            over: false,
        }
    }

    /// Asks the terminal for pictures, then runs.
    fn start(
        &mut self,
        pictures: Pictures,
        terminal: &mut FullScreen,
        stop: &Stop,
    ) -> io::Result<()> {
        let (graphics, typed) = terminal::ask(pictures);
        self.graphics = graphics;
        // Some terminals print questions that they do not know.
        execute!(io::stdout(), Clear(ClearType::All))?;
        typed.into_iter().for_each(|key| self.key(key));
        let ended = self.run(terminal, stop);
        self.areas.picture = None;
        self.update_picture()?;
        ended
    }

    fn run(&mut self, terminal: &mut FullScreen, stop: &Stop) -> io::Result<()> {
        while !self.over && !stop.is_raised() {
            terminal.draw(|frame| self.draw(frame))?;
            self.update_picture()?;
            // The marks of a large game take a moment: the table is drawn first.
            if !self.session.has_marks() && !event::poll(Duration::ZERO)? {
                self.session.find_marks();
                continue;
            }
            if wait_for_event(stop)? {
                self.take(event::read()?);
            } else {
                self.check_disk();
            }
        }
        Ok(())
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Mouse(mouse) => self.mouse(mouse),
            Event::Paste(text) => self.paste_text(&text),
            // The screen is cleared.
            Event::Resize(..) => self.shown = None,
            _ => {}
        }
    }

    fn check_disk(&mut self) {
        if self.session.is_changed() && self.session.file().seems_changed_on_disk() {
            let name = self.session.file().name();
            self.message = Some((format!("{name} was changed by another program"), Ink::Wrong));
        }
    }
}

/// Waits for a key or a click. Returns false if none came for a while, or if a signal did.
fn wait_for_event(stop: &Stop) -> io::Result<bool> {
    let started = Instant::now();
    while started.elapsed() < PATIENCE && !stop.is_raised() {
        if event::poll(TICK)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Running commands.
impl Screen {
    /// Runs a typed line.
    fn type_line(&mut self, line: &str) {
        match Command::read(line) {
            Ok(Command::Quit { force: true }) => {
                self.session.drop_changes();
                self.over = true;
            }
            Ok(command) => self.act(&command),
            Err(error) => self.show_message(error.to_string(), Ink::Wrong),
        }
    }

    fn act(&mut self, command: &Command) {
        match command::run(&mut self.session, command) {
            Ok(Reply::Moved) => self.message = None,
            Ok(Reply::Done(message)) => self.show_done(message),
            Ok(Reply::Look(look)) => self.look(look),
            Ok(Reply::Games(filter)) => self.choose(filter),
            Ok(Reply::Quit) => self.over = true,
            Err(command::Refusal::Session(error @ SessionError::SeveralGames(_))) => {
                self.ask_game(command, &error);
            }
            Err(command::Refusal::Unsaved) => self.mode = Mode::Ask(Question::Quit),
            Err(refusal) => self.show_message(refusal.to_string(), Ink::Wrong),
        }
    }

    /// Asks into which game a change is to be written.
    fn ask_game(&mut self, command: &Command, error: &SessionError) {
        self.pending = Some(command.clone());
        self.show_message(error.to_string(), Ink::Plain);
        self.mode = Mode::Type(Prompt::new(prompt::Kind::Game, ""));
    }

    /// Runs the waiting command in the game of this number.
    fn answer_game(&mut self, number: &str) {
        let Some(game) = game_index(number) else {
            return self.show_message(format!("invalid game number {number:?}"), Ink::Wrong);
        };
        match self.pending.take() {
            Some(Command::Edit(verb, _)) => self.act(&Command::Edit(verb, Some(game))),
            Some(Command::Play(place, _)) => self.act(&Command::Play(place, Some(game))),
            Some(Command::PasteFile(path, _)) => self.act(&Command::PasteFile(path, Some(game))),
            Some(Command::PasteText(text, _)) => self.act(&Command::PasteText(text, Some(game))),
            _ => {}
        }
    }

    fn show_message(&mut self, text: String, ink: Ink) {
        self.message = Some((text, ink));
    }

    fn show_done(&mut self, message: String) {
        let file = self.session.file();
        match file.journal_trouble().filter(|_| file.is_changed()) {
            Some(trouble) => {
                let warning = super::not_in_journal(trouble);
                self.show_message(format!("{message}; {warning}"), Ink::Wrong);
            }
            None => self.show_message(message, Ink::Good),
        }
    }

    /// True if a journal keeps all unsaved changes.
    fn keeps_changes(&self) -> bool {
        self.session.unprotected().next().is_none()
    }

    fn look(&mut self, look: Look) {
        let title = match look {
            Look::Table | Look::Board => return,
            Look::Flip => {
                self.below = self.below.other();
                return;
            }
            Look::Notation => {
                self.has_notation = !self.has_notation;
                self.has_opening = false;
                return;
            }
            Look::Opening if self.session.has_archives() => {
                self.has_opening = !self.has_opening;
                return;
            }
            Look::Opening => "opening statistics",
            Look::Report => "report",
            Look::Here => "this position",
            Look::Origins => "ways to reach this position",
            Look::Nodes => "nodes",
            Look::Fen => "FEN",
            Look::Pgn => "PGN",
            Look::Tags => "tags",
            Look::Help => "help",
        };
        let columns = self.areas.width.saturating_sub(2).max(20);
        let mut lines = pages::page(&mut self.session, look, self.below, columns);
        if look == Look::Help {
            lines = keys::help(columns).into_iter().chain(lines).collect();
        }
        let lines = lines
            .into_iter()
            .flat_map(|line| line.fold(columns))
            .collect();
        self.mode = Mode::Read(Page {
            title: title.to_owned(),
            lines,
            scroll: 0,
        });
    }

    /// The folded variations of the current game; those of another game are forgotten.
    fn folds_here(&mut self) -> &mut Folds {
        let game = (self.session.game(), self.session.is_joined());
        if self.folds.game != game {
            self.folds = GameFolds {
                game,
                folds: Folds::default(),
            };
        }
        &mut self.folds.folds
    }

    fn fold(&mut self) {
        self.folds_here();
        if !self.has_notation {
            self.show_message(
                "z folds variations in the notation; V shows it".to_owned(),
                Ink::Wrong,
            );
        } else if !self.folds.folds.toggle(self.session.walk()) {
            self.show_message("this move has no variations to fold".to_owned(), Ink::Wrong);
        }
    }

    fn choose(&mut self, filter: String) {
        let mut list = GameList::default();
        let games = list.find(&self.session, &filter, Order::default());
        let here = self.session.game();
        let selected = games.iter().position(|&game| game == here).unwrap_or(0);
        self.mode = Mode::Choose(Chooser {
            list,
            filter,
            order: Order::default(),
            games,
            selected,
        });
    }
}

/// The index of a game by its number from 1.
fn game_index(number: &str) -> Option<usize> {
    number.trim().parse::<usize>().ok()?.checked_sub(1)
}
