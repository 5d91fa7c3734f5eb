use std::path::Path;

use chess::{Board, Identity, Variant};

use super::{Options, Stats, stats};
use crate::choose::Choice;
use crate::games::Games;
use crate::positions::tests::{SAMPLE, corpus};
use crate::positions::{PositionCounts, Positions, Shared};
use crate::walk::Transpositions;
use kit::Workers;
use kit::input::Source;
use kit::limits::Size;

fn of_file(path: &Path, options: Options) -> Stats {
    stats(
        &Games::new(vec![Source::from_arg(path)], Choice::default()),
        options,
        &Workers::alone(),
    )
    .value
}

fn counting(same: Identity) -> Options {
    Options {
        same,
        ..Options::default()
    }
}

fn of(pgn: &str) -> Stats {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), pgn).unwrap();
    of_file(file.path(), counting(Identity::Strict))
}

/// games, moves, nodes, lines, positions, transposed, longest line, greatest depth
#[track_caller]
fn check(pgn: &str, expected: [u64; 8]) {
    let s = of(pgn);
    let (positions, transposed) = (s.positions.unwrap(), s.transposed.unwrap());
    let found = [
        s.games,
        s.moves,
        s.nodes,
        s.lines,
        positions,
        transposed,
        s.longest_line.into(),
        s.max_depth.into(),
    ];
    assert_eq!(found, expected, "{pgn}");
}

#[test]
fn small_trees() {
    check("", [0, 0, 0, 0, 0, 0, 0, 0]);
    check("*", [1, 0, 1, 1, 1, 0, 0, 0]);
    check("1. e4 e5 *", [1, 2, 3, 1, 3, 0, 2, 0]);
    check("1. e4 (1. d4) (1. c4) *", [1, 3, 4, 3, 4, 0, 1, 1]);
    check("1. e4 (1. d4 (1. c4)) *", [1, 3, 4, 3, 4, 0, 1, 1]);
    check(
        "1. e4 e5 (1... c5 2. Nf3 (2. c3 d5 (2... Nf6))) *",
        [1, 7, 8, 4, 8, 0, 4, 3],
    );
}

#[test]
fn transpositions_are_one_position_by_several_paths() {
    // The same three moves in two orders: the last position is shared.
    check(
        "1. d4 (1. c4 e6 2. d4) 1... e6 2. c4 *",
        [1, 6, 7, 2, 6, 1, 3, 1],
    );
    // The same path in two games is one path.
    check("1. e4 e5 *\n\n1. e4 e5 *", [2, 4, 6, 2, 3, 0, 2, 0]);
    check(
        "1. d4 e6 2. c4 *\n\n1. c4 e6 2. d4 *",
        [2, 6, 8, 2, 6, 1, 3, 0],
    );
    // A return to the start: a cycle is a second path.
    check("1. Nf3 Nf6 2. Ng1 Ng8 *", [1, 4, 5, 1, 4, 1, 4, 0]);
}

/// transposed, between lines, repeated
#[track_caller]
fn check_paths(pgn: &str, expected: [u64; 3]) {
    let s = of(pgn);
    let found = [s.transposed, s.between_lines, s.repeated];
    assert_eq!(found, expected.map(Some), "{pgn}");
}

#[test]
fn repetition_within_a_line_and_transposition_between_lines() {
    check_paths("1. Nf3 Nf6 2. Ng1 Ng8 *", [1, 0, 1]);
    // Every position of the cycle occurs three times, on one path.
    let chain = "Nf3 Nf6 Ng1 Ng8 ".repeat(3);
    check_paths(&format!("{chain} *"), [4, 0, 4]);
    check_paths("1. d4 (1. c4 e6 2. d4) 1... e6 2. c4 *", [1, 1, 0]);
    // Two lines return to the start: each repeats it, and neither is a prefix of the other.
    check_paths(
        "1. Nf3 (1. Nc3 Nc6 2. Nb1 Nb8) 1... Nf6 2. Ng1 Ng8 *",
        [1, 1, 1],
    );
    // The same two lines in two games, and one of them twice.
    check_paths(
        "1. Nf3 Nf6 2. Ng1 Ng8 *\n\n1. Nc3 Nc6 2. Nb1 Nb8 *",
        [1, 1, 1],
    );
    check_paths(
        "1. Nf3 Nf6 2. Ng1 Ng8 *\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. e4 *",
        [1, 0, 1],
    );
}

#[test]
fn en_passant_can_be_ignored() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let pgn = "1. e4 a6 (1... a5 2. e5 d6 3. h3 d5) 2. e5 a5 3. h3 d5 *";
    std::fs::write(file.path(), pgn).unwrap();
    let transposed = |same| of_file(file.path(), counting(same)).transposed;
    assert_eq!(transposed(Identity::Strict), Some(0));
    assert_eq!(transposed(Identity::Base), Some(1));
}

#[test]
fn all_counts_agree_on_one_game() {
    for pgn in [
        "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 (3. Nf3 Nf6 (3... Nc6)) (3. d4) *",
        "1. Nf3 (1. Nc3 Nc6 2. Nb1 Nb8 3. Nf3) 1... Nf6 2. Ng1 Ng8 3. Nc3 *",
        "1. d4 (1. c4 e6 2. d4) 1... e6 2. c4 Nf6 *",
    ] {
        let s = of(pgn);
        let counted = [s.positions, s.transposed, s.between_lines, s.repeated];
        let game = chess::pgn::read_game(pgn.as_bytes()).unwrap();
        let in_walk = Transpositions::new(&game, Identity::Strict).counts();
        let positions = Positions::of(vec![game], Identity::Strict);
        let in_graph = Shared::new(&positions).counts();
        assert_eq!(in_walk, in_graph, "{pgn}");
        let PositionCounts {
            positions,
            transposed,
            between_lines,
            repeated,
        } = in_walk;
        let walked = [positions, transposed, between_lines, repeated];
        assert_eq!(counted, walked.map(Some), "{pgn}");
    }
}

/// On the pgn4people sample, `stats` found 42 and `show` 40.
#[test]
fn the_published_sample_has_both() {
    let Some(text) = corpus(SAMPLE) else { return };
    let s = of(&String::from_utf8(text).unwrap());
    let found = [s.transposed, s.between_lines, s.repeated];
    assert_eq!(found, [42, 40, 2].map(Some));
}

#[test]
fn castling_rights_and_en_passant_distinguish_positions() {
    check("1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 *", [1, 6, 7, 1, 7, 0, 6, 0]);
    // 3...d5 in one step can be captured en passant, 2...d6 and 3...d5 cannot.
    check(
        "1. e4 a6 (1... a5 2. e5 d6 3. h3 d5) 2. e5 a5 3. h3 d5 *",
        [1, 11, 12, 2, 12, 0, 6, 1],
    );
    // No pawn can capture: the positions are the same.
    check(
        "1. g3 a6 (1... a5 2. f3 d6 3. h3 d5) 2. f3 a5 3. h3 d5 *",
        [1, 11, 12, 2, 11, 1, 6, 1],
    );
}

#[test]
fn histograms_and_results() {
    let s = of(
        "1. e4 (1. d4 d5) (1. c4) 1... e5 1-0\n\n* \n\n1. d4 1/2-1/2\n\n1. c4 0-1\n\n1. e4 e5 1-0",
    );
    assert_eq!(s.depths.into_iter().collect::<Vec<_>>(), [(0, 6), (1, 3)]);
    assert_eq!(
        s.line_lengths.into_iter().collect::<Vec<_>>(),
        [(0, 1), (1, 3), (2, 3)]
    );
    assert_eq!(
        s.branching.into_iter().collect::<Vec<_>>(),
        [(0, 7), (1, 6), (3, 1)]
    );
    assert_eq!(
        (
            s.results.white,
            s.results.black,
            s.results.draw,
            s.results.unknown
        ),
        (2, 1, 1, 1)
    );
}

#[test]
fn positions_can_be_left_out() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "1. e4 *").unwrap();
    let options = Options {
        positions: false,
        ..counting(Identity::Strict)
    };
    let s = of_file(file.path(), options);
    assert_eq!((s.moves, s.positions, s.transposed), (1, None, None));
}

#[test]
fn deep_trees_cost_no_stack() {
    let depth = 20_000;
    let nested = format!("1. Nf3 {} *", "(1. Nc3 ".repeat(depth) + &")".repeat(depth));
    assert_eq!(of(&nested).max_depth, 1);
    let chain = "Nf3 Nf6 Ng1 Ng8 ".repeat(5000);
    let s = of(&chain);
    assert_eq!(
        (s.moves, s.positions, s.longest_line),
        (20_000, Some(4), 20_000)
    );
}

#[test]
fn the_sample_of_pgn4people_has_its_known_counts() {
    let sample = "corpora/trees/pgn4people/src/pgn4people_poc/example_pgns/demo_pgn_1.pgn";
    if let Some(path) = outside::find(sample) {
        let s = of_file(&path, counting(Identity::Strict));
        assert_eq!(
            (s.moves, s.lines, s.positions, s.transposed),
            (3493, 638, Some(3452), Some(42))
        );
    }
}

/// One line of so many moves that hardly ever repeats a position: knights and kings go anywhere.
fn long_line(moves: usize) -> String {
    let fen = "nn2k3/8/8/8/8/8/8/4K1NN w - - 0 1";
    let mut text = format!("[FEN \"{fen}\"]\n[SetUp \"1\"]\n\n");
    let mut board = Board::from_fen(fen, Variant::Standard).unwrap();
    let mut random = 1u64;
    for _ in 0..moves {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let legal = board.legal_moves();
        let start = (random >> 33) as usize % legal.len();
        let mut moves = legal.iter().cycle().skip(start).take(legal.len());
        let san = |mv| board.san(mv).to_string();
        let quiet = moves.find(|&&mv| !san(mv).contains(['x', '+', '#']));
        let mv = *quiet.expect("a move without capture or check");
        text += &san(mv);
        text.push('\n');
        board.play(mv);
    }
    text + "*\n"
}

#[test]
fn positions_beyond_the_memory_are_counted_too() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), long_line(300_000)).unwrap();
    let run = |memory: u64| {
        let memory = Size(memory);
        let options = Options {
            memory,
            ..counting(Identity::Strict)
        };
        of_file(file.path(), options)
    };
    let all = run(1 << 30);
    assert_eq!(all.moves, 300_000);
    assert!(all.positions.is_some_and(|count| count > 1 << 18));
    assert_eq!(run(1 << 20), all);
}

#[test]
fn games_are_counted_by_opening() {
    let pgn =
        "1. d4 *\n\n1. e4 c5 2. a3 a6 *\n\n1. e4 c5 *\n\n1. d4 (1. e4) *\n\n1. e4 c5 *\n\n*\n";
    let counts: Vec<_> = of(pgn)
        .openings
        .into_iter()
        .map(|count| (count.eco, count.name, count.games))
        .collect();
    let expected = [
        ("B20", "Sicilian Defense", 2),
        ("A40", "Queen's Pawn Game", 2),
        ("B20", "Sicilian Defense: Mengarini Variation", 1),
    ];
    assert_eq!(counts.len(), expected.len());
    for row in expected {
        assert!(counts.contains(&row), "{row:?} in {counts:?}");
    }
    assert_eq!(counts[2].2, 1);
}
