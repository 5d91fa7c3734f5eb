//! Segments against the games they were made from.

use std::collections::HashMap;

use gametree_chess::pgn::{Game, read_games};
use gametree_chess::{Board, Color, Identity, Move, NodeId, Role, Square};
use gametree_store::{
    GameSet, Indexed, Part, Position, Segment, SegmentBuilder, Selection, Stats, Tally,
};

/// Games of all kinds: usual ones that share positions, with variations, comments, null moves, set-up
/// positions, variants, odd tags, none.
fn games() -> Vec<Game> {
    let mut text = String::new();
    let openings = [
        "e4 e5 Nf3 Nc6",
        "e4 c5 Nf3 d6",
        "d4 d5 c4 e6",
        "Nf3 Nf6 g3 g6",
    ];
    let results = ["1-0", "0-1", "1/2-1/2", "*"];
    for n in 0..400usize {
        let opening = openings[n % 7 % 4];
        text += &format!(
            "[White \"Player {}\"]\n[Black \"Player {}\"]\n[Date \"{}.05.0{}\"]\n[WhiteElo \"{}\"]\n[BlackElo \"{}\"]\n\n{} {} {}\n\n",
            n % 11,
            n % 13,
            1990 + n % 30,
            1 + n % 9,
            2000 + n % 500,
            2100 + n % 300,
            opening,
            random_line(opening, n as u64, n % 90),
            results[n % 4],
        );
    }
    text += "[White \"Notes\"]\n\n1. e4 {a} e5 (1... c5 $1 2. Nf3 (2. c3)) 2. Nf3 -- 3. Zz *\n\n";
    text += "[FEN \"8/8/4k3/8/4P3/4K3/8/8 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. e5 Kxe5 1/2-1/2\n\n";
    text += "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 P@h3 *\n\n";
    text += "[Variant \"Chess960\"]\n[FEN \"nrkbbrqn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBRQN w KQkq - 0 1\"]\n[SetUp \"1\"]\n\n1. e4 e5 *\n\n";
    text += "[White \"A\"]\n[White \"B\"]\n\n*\n\n";
    read_games(text.as_bytes()).map(Result::unwrap).collect()
}

/// Moves chosen by a fixed generator.
fn random_line(opening: &str, seed: u64, plies: usize) -> String {
    let mut board = Board::new();
    opening.split(' ').for_each(|san| {
        board.play_san(san).unwrap();
    });
    let mut state = seed / 2;
    let mut line = String::new();
    for _ in 0..plies {
        let moves = board.legal_moves();
        if moves.is_empty() {
            break;
        }
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let m = moves[(state >> 33) as usize % moves.len()];
        line += &board.san(m);
        line.push(' ');
        board.play(m);
    }
    line
}

fn segment(games: &[Game], indexed: Indexed) -> Segment<Vec<u8>> {
    let mut builder = SegmentBuilder::new(indexed);
    for some in games.chunks(57) {
        let mut part = Part::new(indexed);
        some.iter().for_each(|game| part.push(game));
        assert!(builder.has_room(&part));
        builder.append(part);
    }
    let sections: Vec<Vec<u8>> = builder
        .into_tasks()
        .into_iter()
        .map(|task| task())
        .collect();
    Segment::open(SegmentBuilder::assemble(&sections)).unwrap()
}

#[test]
fn games_come_back() {
    let games = games();
    for indexed in [Indexed::Nothing, Indexed::Mainlines] {
        let segment = segment(&games, indexed);
        assert_eq!(segment.len() as usize, games.len());
        segment.check().unwrap();
        let mut reader = segment.reader();
        let mut back = Game::default();
        for (number, game) in games.iter().enumerate() {
            reader.read_into(number as u32, &mut back).unwrap();
            assert_eq!(back, *game);
            assert_eq!(back.to_string(), game.to_string());
        }
        assert!(reader.read_into(segment.len(), &mut back).is_err());
    }
}

/// The statistics of every position, counted simply.
fn counted(
    games: &[Game],
    segment: &Segment<Vec<u8>>,
    variations: bool,
) -> HashMap<u128, (Board, Stats)> {
    let mut all: HashMap<u128, (Board, Stats)> = HashMap::new();
    for (number, game) in games.iter().enumerate() {
        let mut first: HashMap<u128, (Board, Option<Move>)> = HashMap::new();
        let mut note = |node: NodeId| {
            let board = game.board_at(node);
            let next = game.tree().next(node);
            let next = next.and_then(|next| game.tree().move_to(next).copied());
            first
                .entry(board.key(Identity::Strict))
                .or_insert((board, next));
        };
        note(NodeId::ROOT);
        game.mainline().for_each(|node| note(node.id()));
        if variations {
            let mut cursor = game.cursor();
            while cursor.walk() {
                note(cursor.id());
            }
        }
        let facts = segment.facts(number as u32).unwrap();
        for (key, (board, next)) in first {
            all.entry(key)
                .or_insert_with(|| (board, Stats::default()))
                .1
                .add(next, facts);
        }
    }
    all
}

#[test]
fn statistics_equal_a_simple_count() {
    let games = games();
    for (indexed, variations) in [
        (Indexed::Mainlines, false),
        (Indexed::Variations, true),
        (Indexed::Nothing, false),
    ] {
        let segment = segment(&games, indexed);
        // Without an index every game is replayed for every position.
        let step = if indexed == Indexed::Nothing { 300 } else { 1 };
        let all = counted(&games, &segment, variations).into_values();
        for (board, mut expected) in all.step_by(step) {
            expected.sort();
            let position = Position::of(&board);
            let found = segment.stats(&position, None).unwrap();
            assert_eq!(found.stats, expected, "{}", board.fen());
            assert_eq!(segment.count_with(&position), Ok(expected.total.games));
            let within = segment.games_with(&position).unwrap();
            assert_eq!(within.len() as u64, expected.total.games);
            let tops = found.best.games().iter().chain(found.latest.games());
            assert!(tops.into_iter().all(|ranked| within.contains(&ranked.game)));
        }
    }
}

/// Games with a long common beginning: some lists of later positions have the bits of hash of one of
/// its positions, and games that hold it.
#[test]
fn a_game_in_two_lists_counts_once() {
    let opening = "e4 e5 Nf3 Nc6";
    for seed in 0..8 {
        let stem = format!("{opening} {}", random_line(opening, 2 * seed, 80));
        let stem = stem.trim();
        let text: String = (0..400)
            .map(|n| format!("{stem} {} *\n\n", random_line(stem, n, 14)))
            .collect();
        let games: Vec<Game> = read_games(text.as_bytes()).map(Result::unwrap).collect();
        let segment = segment(&games, Indexed::Mainlines);
        let mut board = Board::new();
        for san in stem.split(' ') {
            let position = Position::of(&board);
            assert_eq!(segment.count_with(&position), Ok(400), "{}", board.fen());
            board.play_san(san).unwrap();
        }
    }
}

#[test]
fn a_filter_counts_only_its_games() {
    let games = games();
    let segment = segment(&games, Indexed::Mainlines);
    let mut odd = GameSet::new(segment.len(), false);
    (1..segment.len())
        .step_by(2)
        .for_each(|game| odd.insert(game));
    let start = Position::of(&Board::new());
    let found = segment.stats(&start, Some(&odd)).unwrap();
    let all = segment.stats(&start, None).unwrap();
    assert!(found.stats.total.games < all.stats.total.games);
    let sum: u64 = found
        .stats
        .moves
        .iter()
        .map(|(_, tally): &(Move, Tally)| tally.games)
        .sum();
    assert!(sum <= found.stats.total.games);
    assert_eq!(
        found.stats.total.games as usize,
        segment
            .games_with(&start)
            .unwrap()
            .iter()
            .filter(|&&game| game % 2 == 1)
            .count()
    );
}

#[test]
fn a_selection_never_excludes_a_match() {
    let games = games();
    let segment = segment(&games, Indexed::Nothing);
    let mut excluded = 0;
    for square in Square::ALL {
        for color in Color::ALL {
            for role in Role::ALL {
                let mut selection = Selection::default();
                selection.placements.push(vec![(color, role, square)]);
                let set = segment.select(&selection, false).unwrap();
                for (number, game) in games.iter().enumerate() {
                    let has = |board: &Board| board.piece_at(square) == Some(role.of(color));
                    let met = has(game.start()) || game.mainline().any(|node| has(&node.board()));
                    assert_eq!(set.contains(number as u32), met, "{}", number);
                    excluded += u32::from(!met);
                }
            }
        }
    }
    assert!(excluded > 0);
}

#[test]
fn endings_are_found_by_material() {
    let games = games();
    let segment = segment(&games, Indexed::Nothing);
    let mut pawn_ending = Selection {
        counts: [(0, 0); 10],
        ..Selection::default()
    };
    pawn_ending.counts[0] = (1, 1);
    let set = segment.select(&pawn_ending, false).unwrap();
    assert_eq!(set.iter().collect::<Vec<_>>(), [401]);
    let mut no_queens = Selection::default();
    (no_queens.counts[4], no_queens.counts[9]) = ((0, 0), (0, 0));
    let set = segment.select(&no_queens, false).unwrap();
    for (number, game) in games.iter().enumerate() {
        let queenless = |board: &Board| board.by_role(Role::Queen).is_empty();
        let met = queenless(game.start()) || game.mainline().any(|node| queenless(&node.board()));
        assert!(set.contains(number as u32) || !met);
    }
    assert!(set.count() < segment.len());
}

#[test]
fn tags_by_column() {
    let segment = segment(&games(), Indexed::Nothing);
    assert_eq!(segment.tag(12, "White"), Ok(Some("Player 1")));
    assert_eq!(segment.tag(401, "White"), Ok(None));
    assert_eq!(segment.tag(404, "White"), Ok(Some("A")));
    assert_eq!(segment.tag(0, "Nonsense"), Ok(None));
    let column = segment.tag_column("Black").unwrap().unwrap();
    assert_eq!(column.values().unwrap().count(), 13);
}
