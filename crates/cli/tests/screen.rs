//! The explorer on a terminal, end to end: keys go in, a screen comes out.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

const GAMES: &str = "\
[Event \"Opening lines\"]
[White \"Anna\"]
[Black \"Ben\"]
[Result \"*\"]

1. e4 {Best by test. [%cal Ge2e4]} (1. d4 d5 (1... Nf6 2. c4) 2. c4 e6) (1. c4 Nf6 2. d4) 1... c5
(1... e5 2. Nf3 Nc6) (1... e6) 2. Nf3 d6 (2... Nc6) 3. d4 *

[Event \"Second game\"]
[White \"Clara\"]
[Black \"Dan\"]
[Result \"1-0\"]

1. f3 e5 2. g4 Qh4# 1-0
";

const LEFT: &str = "\x1b[D";
const RIGHT: &str = "\x1b[C";
const DOWN: &str = "\x1b[B";
const UP: &str = "\x1b[A";
const ENTER: &str = "\r";
const ESCAPE: &str = "\x1b";

/// How long anything may take before the test gives up.
const PATIENCE: Duration = Duration::from_secs(60);

/// A terminal with the explorer in it.
struct Terminal {
    screen: Arc<Mutex<vt100::Parser>>,
    /// Every byte that the program wrote.
    written: Arc<Mutex<Vec<u8>>>,
    keyboard: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    _master: Box<dyn MasterPty + Send>,
    folder: tempfile::TempDir,
}

impl Terminal {
    fn new(columns: u16, lines: u16) -> Terminal {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("games.pgn"), GAMES).expect("written");
        Terminal::open(folder, columns, lines, &[])
    }

    fn open(folder: tempfile::TempDir, columns: u16, lines: u16, env: &[(&str, &str)]) -> Terminal {
        Terminal::start(folder, columns, lines, env, &["games.pgn"])
    }

    fn start(
        folder: tempfile::TempDir,
        columns: u16,
        lines: u16,
        env: &[(&str, &str)],
        args: &[&str],
    ) -> Terminal {
        let words = [&["explore"], args].concat();
        Terminal::spawn(folder, columns, lines, env, &words)
    }

    fn spawn(
        folder: tempfile::TempDir,
        columns: u16,
        lines: u16,
        env: &[(&str, &str)],
        words: &[&str],
    ) -> Terminal {
        let size = PtySize {
            rows: lines,
            cols: columns,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size).expect("a terminal");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_gametree"));
        command.args(words);
        command.cwd(folder.path());
        command.env("TERM", "xterm-256color");
        command.env_remove("NO_COLOR");
        command.env("XDG_STATE_HOME", folder.path());
        for (name, value) in env {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).expect("the program");
        let screen = Arc::new(Mutex::new(parser(lines, columns)));
        let mut output = pair.master.try_clone_reader().expect("a reader");
        let shared = screen.clone();
        let written = Arc::new(Mutex::new(Vec::new()));
        let record = written.clone();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n @ 1..) = output.read(&mut bytes) {
                record.lock().expect("a record").extend(&bytes[..n]);
                shared.lock().expect("a screen").process(&bytes[..n]);
            }
        });
        let keyboard = pair.master.take_writer().expect("a keyboard");
        Terminal {
            screen,
            written,
            keyboard,
            child,
            _master: pair.master,
            folder,
        }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("games.pgn")
    }

    fn text(&self) -> String {
        self.screen.lock().expect("a screen").screen().contents()
    }

    fn send(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).expect("typed");
        self.keyboard.flush().expect("typed");
    }

    /// Waits until the screen satisfies `shown`.
    fn wait(&self, what: &str, shown: impl Fn(&str) -> bool) -> String {
        let begun = Instant::now();
        loop {
            let text = self.text();
            if shown(&text) {
                return text;
            }
            assert!(begun.elapsed() < PATIENCE, "waiting for {what}:\n{text}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn wait_for(&self, part: &str) -> String {
        self.wait(part, |text| text.contains(part))
    }

    /// Closes the open page or prompt. A key right after Escape would be taken for one with Alt, so it must
    /// be seen to be open first.
    fn escape(&mut self, open: &str) {
        self.wait_for(open);
        self.send(ESCAPE);
        self.wait("the end of it", |text| !text.contains(open));
    }

    /// Types keys and waits for a text.
    fn type_for(&mut self, keys: &str, part: &str) -> String {
        self.send(keys);
        self.wait_for(part)
    }

    fn wait_for_end(&mut self) {
        let begun = Instant::now();
        while self.child.try_wait().expect("a child").is_none() {
            assert!(
                begun.elapsed() < PATIENCE,
                "it does not end:\n{}",
                self.text()
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn quit(&mut self) {
        self.send("q");
        self.wait_for_end();
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.child.kill().ok();
    }
}

fn parser(lines: u16, columns: u16) -> vt100::Parser {
    let some = |n| std::num::NonZeroU16::new(n).expect("a size");
    vt100::Parser::new(some(lines), some(columns), 0)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("a file")
}

#[test]
fn opening_statistics_follow_every_step() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("games.pgn"), GAMES).expect("written");
    let made = std::process::Command::new(env!("CARGO_BIN_EXE_gametree"))
        .current_dir(folder.path())
        .args(["-q", "archive", "create", "base", "games.pgn"])
        .status();
    assert!(made.expect("started").success());
    let args = ["games.pgn", "--archive", "base"];
    let mut terminal = Terminal::start(folder, 140, 40, &[], &args);
    terminal.wait_for("starting position");
    terminal.type_for("o", "2 games: White 100.0 %");
    terminal.type_for(RIGHT, "1 game");
    let screen = terminal.wait_for("c5 ");
    assert!(screen.contains("100 %"), "{screen}");
    terminal.keyboard.write_all(b"o").expect("typed");
    terminal.wait("no statistics", |screen| !screen.contains("1 game"));
    terminal.type_for("q", "");
}

#[test]
fn everything_fits_at_every_width() {
    for (columns, lines) in [(60, 24), (80, 24), (120, 40), (200, 50)] {
        let mut terminal = Terminal::new(columns, lines);
        let text = terminal.wait_for("↑↓ alternatives");
        for part in [
            "games.pgn",
            "game 1 of 2",
            "Anna – Ben",
            "starting position",
            "e4",
            "d4",
            "c4",
            "a d4",
            "? help",
        ] {
            assert!(text.contains(part), "{columns}: {part} is missing\n{text}");
        }
        let text = terminal.type_for(RIGHT, "Best by test.");
        assert!(text.contains("1.e4") && text.contains(">e4"), "{text}");
        assert!(text.contains("e2→e4 green"), "{text}");
        terminal.type_for("$", "1.e4 c5 2.Nf3 d6 3.d4");
        terminal.quit();
    }
}

#[test]
fn a_narrow_or_low_terminal_does_without_the_board() {
    let mut terminal = Terminal::new(60, 12);
    let text = terminal.wait_for("alternatives");
    assert!(!text.contains('♜'), "{text}");
    terminal.type_for(":tree\r", "no room for the board");
    terminal.type_for(RIGHT, ">e4");
    terminal.quit();
    let mut tiny = Terminal::new(20, 4);
    tiny.send(RIGHT);
    tiny.quit();
}

#[test]
fn keys_walk_as_players_expect() {
    let mut terminal = Terminal::new(80, 24);
    terminal.wait_for("starting position");
    terminal.type_for(RIGHT, ">e4");
    terminal.type_for(DOWN, ">d4");
    terminal.type_for(DOWN, ">c4");
    terminal.type_for(DOWN, ">e4");
    terminal.type_for(UP, ">c4");
    terminal.type_for("$", "1.c4 Nf6 2.d4");
    // The same position after 1.d4 Nf6 2.c4.
    terminal.wait_for("= 1.d4 Nf6 2.c4");
    terminal.type_for("t", "= 1.c4 Nf6 2.d4");
    terminal.type_for("<", ">d5");
    terminal.type_for("0", "starting position");
    // The choice further down is remembered.
    terminal.type_for("$", "1.d4 d5 2.c4 e6");
    terminal.type_for(LEFT, ">c4");
    terminal.type_for("\x1b[1;2D", "1.d4 d5");
    terminal.type_for(":reset\r", "1  e4");
    terminal.type_for(":1Bb\r", "1.e4 e6");
    terminal.type_for("k", "1.e4");
    terminal.type_for("/Nc6\r", "1.e4 c5 2.Nf3 Nc6");
    terminal.quit();
}

#[test]
fn a_move_that_is_typed_is_played_or_added() {
    let mut terminal = Terminal::new(80, 24);
    terminal.wait_for("starting position");
    terminal.type_for("d4", ">d4");
    terminal.type_for("d5", ">d5");
    terminal.type_for("Nf3", "added 2.Nf3");
    let text = terminal.wait_for("games.pgn*");
    assert!(text.contains(">Nf3"), "{text}");
    terminal.type_for("e9", "no legal move starts with this");
    terminal.escape("move: ");
    terminal.type_for("u", "undone: added 2.Nf3");
    terminal.wait("no change", |text| !text.contains("games.pgn*"));
    terminal.type_for("r", "redone: added 2.Nf3");
    terminal.type_for("3", "marked 2.Nf3!!");
    terminal.type_for("{A quiet move\r", "commented 2.Nf3");
    terminal.type_for("s", "saved");
    let saved = read(&terminal.path());
    assert!(
        one_line(&saved).contains("2. c4 (2. Nf3 $3 {A quiet move}) 2... e6"),
        "{saved}"
    );
    let (_, second) = GAMES.split_once("\n\n[Event \"Second").expect("two games");
    assert!(saved.ends_with(second), "{saved}");
    terminal.quit();
}

#[test]
fn order_changes_and_pieces_of_trees_move() {
    let mut terminal = Terminal::new(120, 40);
    terminal.wait_for("starting position");
    terminal.type_for(":1Wb\r", ">c4");
    terminal.type_for("+", "promoted 1.c4 to move 2 of 3 here");
    terminal.type_for("-", "demoted 1.c4 to move 3 of 3 here");
    terminal.type_for("+", "promoted 1.c4");
    terminal.type_for("*", "moved 1.c4 to first place");
    terminal.type_for("x", "cut this move");
    terminal.type_for("v", "added 3 moves");
    terminal.type_for("X", "deleted");
    terminal.type_for("q", "Unsaved changes");
    terminal.escape("Unsaved changes");
    terminal.type_for("q", "Unsaved changes");
    terminal.send("d");
    terminal.wait_for_end();
    assert_eq!(read(&terminal.path()), GAMES);
}

#[test]
fn games_are_found_by_their_tags() {
    let mut terminal = Terminal::new(80, 24);
    terminal.wait_for("starting position");
    let text = terminal.type_for("\t", "games: 2 of 2");
    for part in ["White", "Black", "Result", "Anna", "Ben", "Clara", "1-0"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // By White's name, the other way round, and back to the order of the file.
    terminal.type_for("\t", "White↑");
    let text = terminal.type_for("\x1b[Z", "White↓");
    assert!(text.rfind("Clara") < text.rfind("Anna"), "{text}");
    terminal.type_for("dan anna", "no game has tags with these words");
    terminal.send(&"\x7f".repeat(8));
    terminal.type_for("dan clara", "games: 1 of 2");
    terminal.type_for(ENTER, "game 2 of 2");
    terminal.type_for("$", "1.f3 e5 2.g4 Qh4#");
    terminal.type_for("p", "game 1 of 2");
    terminal.type_for("p", "this is the first game");
    terminal.quit();
}

#[test]
fn the_notation_stands_beside_the_table() {
    for (columns, lines) in [(80, 24), (120, 40), (200, 60)] {
        let mut terminal = Terminal::new(columns, lines);
        terminal.wait_for("starting position");
        let text = terminal.type_for("V", "▾ 1.d4 d5");
        assert!(text.contains("Best by test."), "{text}");
        assert!(text.contains("a d4") == (columns > 80), "{columns}: {text}");
        terminal.type_for("N\r", "a d4");
        terminal.type_for(":notation\r", "▾ 1.d4 d5");
        terminal.type_for("Z", "▸ 1.d4 2 lines");
        // The variation of the current move is open until it is folded by hand.
        terminal.type_for("d4", "▾ 1.d4 d5");
        terminal.type_for("z", "▸ 1.d4 2 lines");
        terminal.type_for(RIGHT, "▾ 1.d4 d5");
        terminal.type_for("J", "positions mode");
        terminal.wait_for("▸ 1.c4");
        terminal.type_for("V", "alternatives");
        terminal.type_for("z", "V shows it");
        terminal.quit();
    }
}

#[test]
fn results_and_ends_of_lines_are_marked() {
    let folder = tempfile::tempdir().expect("a folder");
    let game =
        "1. e4 {[%clk 0:05:00]} e5 {[%eval 0.2]} (1... c5 {Fine.}) 2. Nf3 {First.\nSecond.} 1-0";
    fs::write(folder.path().join("games.pgn"), game).expect("written");
    let mut terminal = Terminal::open(folder, 80, 24, &[]);
    let text = terminal.wait_for("1-0");
    assert!(text.contains("a …c5\" ·"), "{text}");
    assert!(text.contains(" Nf3\" ·"), "{text}");
    assert!(text.contains(" e4 ") && text.contains(" e5 "), "{text}");
    let text = terminal.type_for("$", "Second.");
    assert!(!text.contains("First. Second."), "{text}");
    terminal.quit();
}

#[test]
fn a_chosen_alternative_keeps_its_colour() {
    let mut terminal = Terminal::new(80, 24);
    terminal.wait_for("a d4");
    terminal.type_for("d4", ">d4");
    let screen = terminal.screen.lock().expect("a screen");
    let cells = (0..24).flat_map(|row| (0..80).map(move |column| (row, column)));
    let mut cells = cells.filter_map(|(row, column)| {
        let cell = screen.screen().cell(row, column)?;
        let sign = screen.screen().cell(row, column.checked_sub(1)?)?;
        (sign.contents() == ">").then(|| cell.clone())
    });
    let cell = cells.next().expect("the current move");
    assert_eq!(cell.fgcolor(), vt100::Color::Idx(9));
    assert!(cell.inverse());
    drop(cells);
    drop(screen);
    terminal.quit();
}

/// The bytes that the program wrote, once they contain `part`.
fn wait_for_bytes(terminal: &Terminal, part: &str) -> String {
    let begun = Instant::now();
    loop {
        let written = terminal.written.lock().expect("a record").clone();
        let written = String::from_utf8_lossy(&written).into_owned();
        if written.contains(part) {
            return written;
        }
        assert!(begun.elapsed() < PATIENCE, "waiting for {part:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn with_pictures(pictures: &str, env: &[(&str, &str)]) -> Terminal {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("games.pgn"), GAMES).expect("written");
    Terminal::start(folder, 120, 40, env, &["games.pgn", "--pictures", pictures])
}

#[test]
fn a_terminal_with_sixel_gets_pictures() {
    let mut terminal = with_pictures("auto", &[]);
    wait_for_bytes(&terminal, "\x1b[c");
    terminal.send("\x1b[?62;4c");
    wait_for_bytes(&terminal, "\x1b[16t");
    terminal.send("\x1b[6;20;10t\x1b[?62;4c");
    // Eight squares of six columns and three lines.
    wait_for_bytes(&terminal, "\x1bP0;1;0q\"1;1;480;480#0;2;");
    let pictures = |written: &str| written.matches("\x1bP0;1;0q").count();
    terminal.type_for(RIGHT, ">e4");
    terminal.type_for("i", "position id");
    terminal.escape("Esc close");
    // The start, 1.e4, and 1.e4 again after the page.
    let begun = Instant::now();
    while pictures(&wait_for_bytes(&terminal, "\x1bP")) < 3 {
        assert!(begun.elapsed() < PATIENCE, "no third picture");
        std::thread::sleep(Duration::from_millis(5));
    }
    terminal.quit();
}

#[test]
fn pictures_can_be_turned_on_and_off() {
    let mut terminal = with_pictures("always", &[("TERM", "xterm-kitty")]);
    wait_for_bytes(&terminal, "\x1b_Ga=T,f=100,");
    terminal.wait_for("starting position");
    terminal.quit();
    wait_for_bytes(&terminal, "\x1b_Ga=d,d=I,");
    let mut terminal = with_pictures("never", &[("TERM", "xterm-kitty")]);
    terminal.wait_for("starting position");
    terminal.quit();
    let written = wait_for_bytes(&terminal, "alternatives");
    assert!(!written.contains("\x1b[c") && !written.contains("\x1b_G"));
}

#[test]
fn pieces_are_of_blocks_where_there_is_room() {
    let mut terminal = Terminal::new(120, 40);
    // The rooks and the kings.
    let text = terminal.wait_for("▟██▙");
    assert!(!text.contains('♜'), "{text}");
    terminal.type_for(RIGHT, "e2→e4 green");
    let text = terminal.text();
    assert!(text.contains('↑'), "{text}");
    terminal.quit();
    let mut small = Terminal::new(60, 20);
    small.wait_for("♜ ♞ ♝ ♛");
    small.quit();
}

#[test]
fn keys_without_a_meaning_are_named() {
    let mut terminal = Terminal::new(80, 24);
    terminal.wait_for("starting position");
    terminal.type_for("!", "unknown key !; ? lists all keys");
    terminal.type_for("\x10", "unknown key Ctrl-P; ? lists all keys");
    terminal.type_for("\x1b[20~", "unknown key F9; ? lists all keys");
    terminal.type_for(RIGHT, ">e4");
    terminal.quit();
}

#[test]
fn pages_are_read_and_closed() {
    let mut terminal = Terminal::new(100, 30);
    terminal.wait_for("starting position");
    terminal.type_for("?", "previous move, next move");
    terminal.escape("Esc close");
    terminal.type_for("I", "different positions");
    terminal.escape("Esc close");
    terminal.type_for("i", "position id");
    terminal.escape("Esc close");
    terminal.type_for(":pgn\r", "[Event \"Opening lines\"]");
    terminal.escape("Esc close");
    terminal.type_for(":bord\r", "did you mean \"board\"?");
    terminal.quit();
}

#[test]
fn the_mouse_goes_to_moves_and_plays_them() {
    let mut terminal = Terminal::new(80, 24);
    let text = terminal.wait_for("a d4");
    let (row, line) = text
        .lines()
        .enumerate()
        .find(|(_, line)| line.contains("a d4"))
        .expect("a row");
    let byte = line.find("a d4").expect("a column");
    let column = line[..byte].chars().count();
    let click = |column: usize, row: usize| {
        format!(
            "\x1b[<0;{};{}M\x1b[<0;{};{}m",
            column + 1,
            row + 1,
            column + 1,
            row + 1
        )
    };
    terminal.type_for(&click(column + 2, row), ">d4");
    // g8 and f6, two columns each, after the ranks' names.
    terminal.send(&click(3 + 2 * 6, 1));
    terminal.type_for(&click(3 + 2 * 5, 3), "1.d4 Nf6");
    // The wheel walks.
    terminal.type_for("\x1b[<65;5;5M", "1.d4 Nf6 2.c4");
    terminal.quit();
}

#[test]
fn without_colour_signs_replace_it() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("games.pgn"), GAMES).expect("written");
    let mut terminal = Terminal::open(folder, 80, 24, &[("NO_COLOR", "1")]);
    terminal.wait_for("starting position");
    let text = terminal.type_for(RIGHT, ">e4");
    assert!(text.contains("♙<"), "{text}");
    let screen = terminal.screen.lock().expect("a screen");
    let plain = vt100::Color::Default;
    for row in 0..24 {
        for column in 0..80 {
            let cell = screen.screen().cell(row, column).expect("a cell");
            assert_eq!((cell.fgcolor(), cell.bgcolor()), (plain, plain));
        }
    }
    drop(screen);
    terminal.quit();
}

#[test]
fn a_killed_session_is_offered_again() {
    let mut terminal = Terminal::new(80, 24);
    terminal.wait_for("starting position");
    terminal.type_for("e4", ">e4");
    terminal.type_for("5", "marked 1.e4!?");
    terminal.child.kill().expect("killed");
    terminal.wait_for_end();
    assert_eq!(read(&terminal.path()), GAMES);
    let folder = std::mem::replace(&mut terminal.folder, tempfile::tempdir().expect("a folder"));
    let mut again = Terminal::open(folder, 80, 24, &[]);
    again.wait_for("Unsaved changes from an earlier session");
    again.type_for("r", "resumed 1 change");
    again.wait_for("e4!?");
    again.type_for("s", "saved");
    again.quit();
    assert!(read(&again.path()).contains("1. e4 $5"));
}

#[test]
fn without_arguments_the_sample_opens() {
    let size = PtySize {
        rows: 24,
        cols: 80,
        pixel_width: 0,
        pixel_height: 0,
    };
    let pair = native_pty_system().openpty(size).expect("a terminal");
    let command = CommandBuilder::new(env!("CARGO_BIN_EXE_gametree"));
    let mut child = pair.slave.spawn_command(command).expect("the program");
    drop(pair.slave);
    let mut output = pair.master.try_clone_reader().expect("a reader");
    let mut keyboard = pair.master.take_writer().expect("a keyboard");
    let mut seen = parser(24, 80);
    let mut bytes = [0; 4096];
    while !seen.screen().contents().contains("? help") {
        let n = output.read(&mut bytes).expect("output");
        assert!(n > 0, "it ended");
        seen.process(&bytes[..n]);
    }
    assert!(seen.screen().contents().contains("sample repertoire"));
    keyboard.write_all(b"q").expect("typed");
    keyboard.flush().expect("typed");
    while output.read(&mut bytes).is_ok_and(|n| n > 0) {}
    assert!(child.wait().expect("ends").success());
}

#[test]
fn other_paths_are_visited_and_brought_together() {
    let mut terminal = Terminal::new(80, 24);
    terminal.wait_for("starting position");
    terminal.type_for(":1Wb\r", ">c4");
    terminal.type_for("$", "= 1.d4 Nf6 2.c4");
    terminal.type_for("Nc3", "no legal move");
    terminal.escape("move: ");
    terminal.type_for("e6", "added 2...e6");
    terminal.type_for(LEFT, "1.c4 Nf6 2.d4");
    terminal.type_for("t", "= 1.c4 Nf6 2.d4");
    // Back the way one came, not to 1.d4 Nf6.
    terminal.type_for(LEFT, "= 1.d4 Nf6 2.c4");
    terminal.type_for("t", "= 1.c4 Nf6 2.d4");
    let text = terminal.type_for("T", "moved the continuations of 1 other path");
    assert!(text.contains("e6"), "{text}");
    terminal.type_for("t", "Transposes to 1.d4 Nf6 2.c4");
    terminal.type_for("u", "undone: moved");
    terminal.type_for("r", "redone: moved");
    terminal.type_for("s", "saved");
    let saved = one_line(&read(&terminal.path()));
    assert!(
        saved.contains("1. c4 Nf6 2. d4 {Transposes to 1.d4 Nf6 2.c4}"),
        "{saved}"
    );
    terminal.quit();
}

#[test]
fn positions_mode_joins_all_games() {
    let games = "[Event \"1\"]\n\n1. d4 Nf6 2. c4 e6 (2... g6) *\n\n\
                 [Event \"2\"]\n\n1. c4 g6 2. d4 Nf6 3. g3 *\n";
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("games.pgn"), games).expect("written");
    let mut terminal = Terminal::open(folder, 80, 24, &[]);
    terminal.wait_for("starting position");
    terminal.type_for(":d4 Nf6 c4 g6\r", "= game 2, 1.c4 g6 2.d4 Nf6");
    terminal.type_for("J", "positions of 2 games");
    terminal.wait_for("= 1.c4 g6 2.d4 Nf6");
    terminal.type_for(RIGHT, ">g3");
    terminal.type_for(LEFT, ">g6");
    terminal.send("o");
    terminal.wait_for("2    1.c4 g6 2.d4 Nf6 [2]");
    terminal.escape("ways to reach this position");
    terminal.type_for("h4", "in game: ");
    terminal.type_for("1\r", "added 3.h4");
    terminal.type_for("s", "saved");
    let saved = one_line(&read(&terminal.path()));
    assert!(saved.contains("2... g6 3. h4"), "{saved}");
    terminal.quit();
    let folder = std::mem::replace(&mut terminal.folder, tempfile::tempdir().expect("a folder"));
    let mut again = Terminal::open(folder, 80, 24, &[]);
    again.wait_for("positions of 2 games");
    again.type_for("J", "game 1 of 2");
    again.quit();
}

#[test]
fn query_matches_are_marked() {
    let mut terminal = Terminal::new(120, 40);
    terminal.wait_for("starting position");
    terminal.type_for(")", "no query");
    terminal.type_for("wbtm Pd4\r", "matches, marked *");
    terminal.type_for(")", "1.e4 c5 2.Nf3 d6 3.d4");
    terminal.wait_for(">d4*");
    terminal.type_for(")", "1.d4");
    terminal.type_for("(", "1.e4 c5 2.Nf3 d6 3.d4");
    terminal.type_for("wPz9\r", "invalid query");
    terminal.quit();
}

#[test]
fn the_history_is_kept() {
    let line_mode = |folder: tempfile::TempDir| {
        let terminal = Terminal::start(folder, 80, 40, &[], &["games.pgn", "--line"]);
        terminal.wait_for("at the starting position");
        terminal
    };
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("games.pgn"), GAMES).expect("written");
    let mut first = line_mode(folder);
    first.type_for("1Wb\r", "at 1.c4");
    first.type_for("bra\t\t", "branch-back");
    first.send("\x15\x04");
    first.wait_for_end();
    let folder = std::mem::replace(&mut first.folder, tempfile::tempdir().expect("a folder"));
    let mut again = line_mode(folder);
    again.type_for(UP, "> 1Wb");
    again.type_for(ENTER, "at 1.c4");
    again.send("\x04");
    again.wait_for_end();
}

/// Text from a file is shown, not obeyed.
#[test]
fn hostile_text_is_made_visible() {
    let folder = tempfile::tempdir().expect("a folder");
    let hostile = "\x1b]0;PWNED\x07\u{9b}8mx\u{202e}y\u{200b}";
    let name = format!("{hostile}.pgn");
    let games = format!(
        "[White \"{hostile}\"]\n\n1. e4 {{{hostile}}} *\n\n[Black \"{hostile}\"]\n\n1. d4 *\n"
    );
    fs::write(folder.path().join(&name), games).expect("written");
    let mut terminal = Terminal::start(folder, 120, 40, &[], &[&name]);
    terminal.wait_for("game 1 of 2");
    terminal.type_for(RIGHT, "␛]0;PWNED␇\\u{9b}8mx\\u{202e}y");
    terminal.type_for("i", "this position");
    terminal.escape("this position");
    terminal.type_for(":tags\r", "tags");
    terminal.escape("tags");
    terminal.type_for(":games\r", "search:");
    terminal.escape("search:");
    terminal.type_for(&format!("/{}\r", "zzz"), "zzz");
    terminal.quit();
    let written = terminal.written.lock().expect("a record").clone();
    let written = String::from_utf8_lossy(&written);
    for wrong in ["\x1b]0;", "\u{9b}", "\u{202e}", "\u{200b}"] {
        assert!(!written.contains(wrong), "{wrong:?} reached the terminal");
    }
}

#[cfg(unix)]
#[test]
fn a_signal_restores_the_terminal() {
    for (signal, status) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let mut terminal = Terminal::new(80, 24);
        terminal.wait_for("alternatives");
        assert!(
            terminal
                .screen
                .lock()
                .expect("a screen")
                .screen()
                .alternate_screen()
        );
        let id = terminal.child.process_id().expect("a number").to_string();
        let sent = std::process::Command::new("kill")
            .args([&format!("-{signal}"), &id])
            .status();
        assert!(sent.expect("kill runs").success());
        let ended = terminal.child.wait().expect("it ends");
        assert_eq!(ended.exit_code(), status, "{signal}");
        terminal.wait("the terminal as it was", |_| {
            !terminal
                .screen
                .lock()
                .expect("a screen")
                .screen()
                .alternate_screen()
        });
    }
}

#[test]
fn a_file_without_a_command_is_explored_and_pgn_is_pasted() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("games.pgn"), GAMES).expect("written");
    let mut terminal = Terminal::spawn(folder, 100, 30, &[], &["games.pgn"]);
    terminal.wait_for("starting position");
    let paste = |text: &str| format!("\x1b[200~{text}\x1b[201~");
    terminal.send(&paste("1. e4 g6 2. d4\r\rBg7 *"));
    terminal.wait_for("merged 3 new moves after the start");
    terminal.send(&paste(
        "[White \"X\"]\r\r1. b3 *\r\r[White \"Y\"]\r\r1. g3 *\r",
    ));
    terminal.wait_for("added chapters 3 to 4");
    terminal.send("u");
    terminal.wait_for("undone: added chapters 3 to 4");
    terminal.send("s");
    terminal.wait_for("saved games.pgn");
    let text = fs::read_to_string(terminal.path()).expect("a file");
    assert!(text.contains("1... g6 2. d4 Bg7"), "{text}");
    assert!(text.ends_with("1. f3 e5 2. g4 Qh4# 1-0\n"), "{text}");
}

#[test]
fn openings_are_named_below_the_table_and_in_the_list() {
    let mut terminal = Terminal::new(140, 40);
    terminal.wait_for("starting position");
    terminal.type_for(RIGHT, "B00 King's Pawn Game");
    terminal.type_for("$", "B50 Sicilian Defense");
    // A message takes its place until the next move.
    let text = terminal.type_for(":fail\r", "fail");
    assert!(!text.contains("B50"), "{text}");
    terminal.type_for(LEFT, "B50 Sicilian Defense: Modern Variations");
    terminal.type_for(":games\r", "A00 Barnes Opening");
}
