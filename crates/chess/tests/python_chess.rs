//! Every node of every game compared with python-chess: SAN, FEN, comments, NAGs, structure.
//!
//! Needs a Python with the package `chess`: the one that `./test` installs in `target/oracle`, or
//! `python3`. Without it the tests count as skipped. With `GAMETREE_LONG` all games of the corpora are
//! compared, otherwise the first ones of each file. `docs/differences.md` explains the intended
//! differences; here they are recognised by the complaints about the game.

use gametree_chess::pgn::{
    Builder, ComplaintKind, Cursor, ExportOptions, Game, NoteKind, NotePlace, RawGame, Style,
    decode, export, nag, split, to_utf8,
};
use gametree_tree::NodeId;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A running python-chess process.
struct Oracle {
    child: Child,
    answers: BufReader<ChildStdout>,
}

impl Oracle {
    fn start() -> Option<Oracle> {
        let mut child = Command::new(outside::python_chess()?)
            .arg(root().join("oracle/python_chess.py"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let answers = BufReader::new(child.stdout.take()?);
        Some(Oracle { child, answers })
    }

    /// Reads a game with python-chess.
    fn ask(&mut self, text: &str) -> Answer {
        let input = self.child.stdin.as_mut().expect("a pipe");
        write!(input, "{}\n{text}", text.len()).expect("python reads");
        input.flush().expect("python reads");
        let mut answer = Answer::default();
        loop {
            let mut line = String::new();
            let len = self.answers.read_line(&mut line).expect("python writes");
            assert!(len > 0, "python-chess died on {text:?}");
            let line = line.trim_end_matches('\n');
            match line.split_once('\t') {
                _ if line == "E" => return answer,
                Some(("X", _)) => answer.crashed = true,
                Some(("G", errors)) => answer.errors = errors.parse().expect("a number"),
                Some(("N", node)) => answer.nodes.push(usual_fen(node)),
                _ => {}
            }
        }
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

#[derive(Default)]
struct Answer {
    crashed: bool,
    errors: usize,
    nodes: Vec<String>,
}

/// Sorts the pieces in hand, and ignores the half-move clock after a drop, which python-chess
/// continues and shakmaty resets.
fn usual_fen(node: &str) -> String {
    let mut fields: Vec<String> = node.split('\t').map(str::to_owned).collect();
    if let Some((before, rest)) = fields[1].clone().split_once('[') {
        let (hand, after) = rest.split_once(']').expect("a closed pocket");
        let mut hand: Vec<char> = hand.chars().collect();
        hand.sort_unstable();
        let mut after: Vec<&str> = after.split(' ').collect();
        if let Some(halfmoves) = after.get_mut(4) {
            *halfmoves = "-";
        }
        fields[1] = format!("{before}[{}]{}", String::from_iter(hand), after.join(" "));
    }
    fields.join("\t")
}

fn escape(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('\t', "\\t");
    text.replace('\n', "\\n").replace('\r', "\\r")
}

/// The expected output of python-chess: it drops `;` comments and joins the others by spaces.
fn nodes(game: &Game) -> Vec<String> {
    let mut cursor = game.cursor();
    let mut lines = vec![node(game, &cursor)];
    while cursor.walk() {
        lines.push(node(game, &cursor));
    }
    lines
}

fn node(game: &Game, cursor: &Cursor) -> String {
    let node = cursor.node();
    let comments = |wanted: fn(NotePlace) -> bool| {
        let comments = game.comments_at(node.id());
        let braces = comments.filter(|(note, _)| note.kind == NoteKind::Comment(Style::Brace));
        let texts = braces
            .filter(|(note, _)| wanted(note.place))
            .map(|(_, text)| text);
        escape(&texts.collect::<Vec<_>>().join(" "))
    };
    let mut nags: Vec<u32> = node.nags().collect();
    nags.sort_unstable();
    let nags: Vec<String> = nags.iter().map(u32::to_string).collect();
    let fields = [
        cursor.san().to_string(),
        cursor.board().fen(),
        nags.join(" "),
        comments(|place| place == NotePlace::Before),
        comments(|place| place != NotePlace::Before),
        node.variations().count().to_string(),
    ];
    usual_fen(&fields.join("\t"))
}

/// Kinds of complaints that explain a difference, the most likely first.
const REASONS: &[ComplaintKind] = &[
    ComplaintKind::IllegalMove,
    ComplaintKind::AmbiguousMove,
    ComplaintKind::UnreadableMove,
    ComplaintKind::BadFen,
    ComplaintKind::OddFen,
    ComplaintKind::UnknownVariant,
    ComplaintKind::GluedMoves,
    ComplaintKind::VariationBeforeMove,
    ComplaintKind::ResultInVariation,
    ComplaintKind::UnclosedVariation,
    ComplaintKind::UnclosedBrace,
    ComplaintKind::BraceInComment,
    ComplaintKind::BlankLine,
    ComplaintKind::UnknownWord,
    ComplaintKind::OddMark,
    ComplaintKind::TagUnterminated,
];

/// The reason for a difference; `None` if it is unexplained.
fn reason(game: &Game, text: &str, answer: &Answer) -> Option<&'static str> {
    let complaints = game.complaints();
    let kind = REASONS
        .iter()
        .find(|kind| complaints.iter().any(|c| c.kind == **kind));
    match kind {
        _ if answer.crashed => Some("python-chess raises"),
        Some(kind) => Some(kind.name()),
        None if answer.errors > 0 => Some("python-chess gives up"),
        None => layout_reason(text),
    }
}

/// Notations that we read without complaint.
fn layout_reason(text: &str) -> Option<&'static str> {
    let text = text.replace('\r', "");
    let mut tags = text
        .lines()
        .filter(|line| line.trim_start().starts_with('['));
    let several_on_a_line =
        tags.any(|line| !line.trim_end().ends_with(']') || line.matches("\"]").count() > 1);
    let lines: Vec<&str> = text.trim().lines().map(str::trim).collect();
    let two_blank_lines = lines.windows(2).any(|pair| pair == ["", ""]);
    match (several_on_a_line, two_blank_lines) {
        (true, _) => Some("several tags, or tags and moves, on a line"),
        (_, true) => Some("two blank lines"),
        _ if text.contains(['±', '∓', '∞', '⩲', '⩱', '□', '‼', '⁇', '⁉', '⁈']) => {
            Some("signs")
        }
        _ if text.contains(" N ") || text.contains("+-") || text.contains("-+") => Some("signs"),
        _ => None,
    }
}

/// Files of the project, and of the corpora if available.
fn files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root().join("testdata")];
    folders.extend(outside::find("corpora"));
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == "pgn") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Calls `each` with the games in the first bytes of every file.
fn each_game(mut each: impl FnMut(&Path, RawGame, Game)) {
    let limit = match std::env::var_os("GAMETREE_LONG") {
        Some(_) => u64::MAX,
        None => 5_000,
    };
    let mut builder = Builder::new();
    for path in files() {
        let text = std::fs::read(&path).expect("a readable file");
        let end = |raw: &RawGame| raw.place.offset + raw.bytes.len() as u64;
        for raw in split(&to_utf8(&text)).take_while(|raw| end(raw) < limit) {
            let game = builder.read(raw);
            each(&path, raw, game);
        }
    }
}

#[test]
fn nag_constants_are_those_of_python_chess() {
    let Some(python) = outside::python_chess() else {
        return;
    };
    let script = "import chess.pgn as p\n\
        print(*sorted(f'{n[4:]}={v}' for n, v in vars(p).items() if n[:4] == 'NAG_'))";
    let output = Command::new(python).args(["-c", script]).output();
    let theirs = String::from_utf8(output.expect("python runs").stdout).expect("ASCII");
    let ours = nag::ALL.iter().map(|(name, nag)| format!("{name}={nag}"));
    let mut ours: Vec<String> = ours.collect();
    ours.sort_unstable();
    assert_eq!(theirs.split_whitespace().collect::<Vec<_>>(), ours);
}

#[test]
fn every_node_equals_that_of_python_chess() {
    let Some(mut oracle) = Oracle::start() else {
        return;
    };
    let mut reasons: BTreeMap<&str, u32> = BTreeMap::new();
    let mut unexplained = Vec::new();
    each_game(|path, raw, game| {
        let text = decode(raw.bytes);
        let answer = oracle.ask(&text);
        if nodes(&game) == answer.nodes {
            *reasons.entry("equal").or_default() += 1;
        } else if let Some(reason) = reason(&game, &text, &answer) {
            *reasons.entry(reason).or_default() += 1;
        } else {
            unexplained.push(format!("{}:{}", path.display(), raw.place.line));
        }
    });
    assert!(
        reasons.get("equal") > Some(&10),
        "hardly a game is equal: {reasons:#?}"
    );
    assert!(
        unexplained.is_empty(),
        "differ from python-chess: {unexplained:#?}"
    );
}

/// The game without unreadable text, which python-chess does not accept.
fn readable(mut game: Game) -> Game {
    let noted: Vec<NodeId> = game.notes().rows().iter().map(|(node, _)| *node).collect();
    for node in noted {
        let braces =
            |note: &&gametree_chess::pgn::Note| note.kind == NoteKind::Comment(Style::Brace);
        let notes: Vec<_> = game.notes_at(node).filter(braces).copied().collect();
        game.set_notes(node, notes);
    }
    game
}

#[test]
fn python_chess_reads_what_we_write() {
    let Some(mut oracle) = Oracle::start() else {
        return;
    };
    let mut wrong = Vec::new();
    each_game(|path, raw, game| {
        let unplayable = [
            ComplaintKind::BadFen,
            ComplaintKind::OddFen,
            ComplaintKind::UnknownVariant,
        ];
        if game
            .complaints()
            .iter()
            .any(|c| unplayable.contains(&c.kind))
        {
            return;
        }
        let mut game = readable(game);
        game.set_nags(NodeId::ROOT, []);
        let text = export(&game, &ExportOptions::default());
        let answer = oracle.ask(&text);
        let ours: Vec<String> = nodes(&game).iter().map(|line| squeezed(line)).collect();
        let theirs: Vec<String> = answer.nodes.iter().map(|line| squeezed(line)).collect();
        if ours != theirs || answer.errors > 0 {
            let pair = ours.iter().zip(&theirs).find(|(a, b)| a != b);
            wrong.push(format!("{}:{} {pair:?}", path.display(), raw.place.line));
        }
    });
    assert!(
        wrong.is_empty(),
        "python-chess reads something else: {wrong:#?}"
    );
}

/// python-chess trims all spaces at the ends of comments.
fn squeezed(line: &str) -> String {
    let fields = line
        .split('\t')
        .map(|field| field.split_whitespace().collect::<Vec<_>>().join(" "));
    fields.collect::<Vec<_>>().join("\t")
}
