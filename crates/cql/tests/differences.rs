//! Each difference between the original, CQLi and this implementation in `docs/differences.md`.

use gametree_chess::pgn::{Game, read_game};
use gametree_cql::{Dialect, GameResult, Level, Options, Query};

const TREE: &str = "1. e4 e5 (1... c5 (1... e6 2. d4) 2. Nf3) 2. Nf3 *";

fn game(pgn: &str) -> Game {
    read_game(pgn.as_bytes()).unwrap()
}

fn with_fen(fen: &str, moves: &str) -> Game {
    game(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{moves} *\n"))
}

fn run_in(dialect: Dialect, game: &Game, query: &str) -> GameResult {
    let options = Options::default()
        .with_dialect(dialect)
        .with_variations(true);
    let compiled = Query::compile(query, &options);
    let compiled = compiled.unwrap_or_else(|e| panic!("{e}"));
    compiled.matcher().run(game, 1)
}

/// The result of both dialects, which must be the same.
fn found(game: &Game, query: &str) -> Vec<u32> {
    let ours = run_in(Dialect::Cqli, game, query).positions;
    assert_eq!(
        ours,
        run_in(Dialect::Cql62, game, query).positions,
        "{query}"
    );
    ours
}

/// The result of each dialect.
fn both(game: &Game, query: &str) -> (Vec<u32>, Vec<u32>) {
    let in_dialect = |dialect| run_in(dialect, game, query).positions;
    (in_dialect(Dialect::Cqli), in_dialect(Dialect::Cql62))
}

mod where_the_original_is_wrong {
    use super::*;

    #[test]
    fn alternatives_nested_at_a_first_move_are_visited() {
        // 0 start, 1 e4, 2 e5, 3 Nf3, 4 c5, 5 Nf3, 6 e6, 7 d4
        assert_eq!(found(&game(TREE), "true").len(), 8);
        assert_eq!(found(&game(TREE), "pe6"), [6, 7]);
        let beside = game("1. e4 e5 (1... c5 2. Nf3) (1... e6 2. d4) 2. Nf3 *");
        assert_eq!(found(&beside, "pe6"), [6, 7]);
    }

    #[test]
    fn every_comment_of_a_move_is_read() {
        let game = game("1. e4 {sharp} {or not} *");
        assert_eq!(found(&game, "originalcomment ~~ \"sharp\""), [1]);
        assert_eq!(found(&game, "hascomment \"not\""), [1]);
    }

    #[test]
    fn positions_that_differ_compare() {
        assert_eq!(found(&game(TREE), "position 2 != currentposition").len(), 7);
    }

    #[test]
    fn a_position_is_at_least_itself() {
        assert_eq!(
            found(&game(TREE), "x=position 4 currentposition [>=] x"),
            [4, 5]
        );
    }

    #[test]
    fn a_null_move_captures_nothing() {
        let passing = game("1. e4 -- 2. e5 d5 3. exd6 *");
        assert_eq!(found(&passing, "[x]."), [4]);
        assert_eq!(found(&passing, "path focus capture p -- -- --").len(), 0);
    }

    #[test]
    fn castling_needs_the_right() {
        let board = "4k3/8/8/8/8/8/8/4K2R w";
        assert_eq!(
            found(&with_fen(&format!("{board} - - 0 1"), ""), "move legal o-o"),
            [0u32; 0]
        );
        assert_eq!(
            found(&with_fen(&format!("{board} K - 0 1"), ""), "move legal o-o"),
            [0]
        );
    }

    #[test]
    fn sort_max_puts_the_greatest_first() {
        let query = Query::compile("mate sort max \"plies\" ply", &Options::default()).unwrap();
        let mut matcher = query.matcher();
        let short = matcher.run(&game("1. f3 e5 2. g4 Qh4# 0-1"), 1);
        let long = matcher.run(&game("1. a3 e5 2. f3 a6 3. g4 Qh4# 0-1"), 2);
        assert!(query.compare(&long, &short).is_lt());
    }

    #[test]
    fn any_tag_has_its_value() {
        let tagged = game("[WhiteElo \"2500\"]\n[Round \"3\"]\n[Annotator \"N\"]\n\n1. e4 *");
        for query in [
            "tag \"WhiteElo\" == \"2500\"",
            "tag \"Round\" == \"3\"",
            "tag \"Annotator\" == \"N\"",
        ] {
            assert_eq!(found(&tagged, query).len(), 2, "{query}");
        }
    }

    #[test]
    fn sets_compare_by_their_sizes() {
        assert_eq!(found(&game("1. e4 d5 2. exd5 *"), "a < A"), [3]);
    }

    #[test]
    fn consecutive_moves_of_any_two_positions() {
        let twice = game("1. e4 (1. d4 Nf6 2. Nf3) 1... Nf6 2. Nf3 *");
        assert_eq!(
            found(
                &twice,
                "initial consecutivemoves(position 3 position 6) == 2"
            ),
            [0]
        );
    }

    #[test]
    fn long_games_take_steps_in_proportion() {
        let steps_for = |moves: usize| {
            let cycle = ["Nf3", "Nf6", "Ng1", "Ng8"];
            let text: Vec<&str> = (0..moves).map(|n| cycle[n % 4]).collect();
            let long = game(&text.join(" "));
            // each position may cost a few dozen steps, independent of the length of the game
            let options = Options::default().with_steps(60 * moves as u64);
            let query = "line --> (.+ --> .+ --> .+)";
            let query = Query::compile(query, &options).unwrap();
            query.matcher().run(&long, 1).given_up.is_some()
        };
        assert!(!steps_for(400) && !steps_for(4_000));
    }

    #[test]
    fn values_as_conditions_are_refused_before_anything_runs() {
        for query in ["3", "\"text\"", "ply + 3"] {
            assert!(
                Query::compile(query, &Options::default()).is_err(),
                "{query}"
            );
        }
    }

    #[test]
    fn an_unbound_variable_has_no_value() {
        let query = "(if ply > 99 x = 1) x == 1";
        assert_eq!(found(&game(TREE), query), [0u32; 0]);
        assert_eq!(
            found(&game(TREE), "(if ply > 99 x = 1) not x == 1").len(),
            8
        );
    }

    #[test]
    fn long_comments_are_kept() {
        let comment = "word ".repeat(2_000);
        let said = game(&format!("1. e4 {{ {comment} }} *"));
        let result = run_in(Dialect::Cql62, &said, "ply == 1 comment(\"found\")");
        assert!(result.comments.iter().any(|c| c.text.contains("found")));
    }

    #[test]
    fn transforms_are_distinguished_by_name() {
        let mate = game("1. f3 e5 2. g4 Qh4# 0-1");
        assert_eq!(
            found(&mate, "flipcolor {currenttransform ~~ \"invert\" mate}"),
            [4]
        );
    }
}

mod where_the_dialects_differ {
    use super::*;

    fn all(positions: impl IntoIterator<Item = u32>) -> Vec<u32> {
        positions.into_iter().collect()
    }

    #[test]
    fn order_of_positions() {
        let (by_ancestry, by_id) = both(&game(TREE), "position 2 < currentposition");
        assert_eq!((by_ancestry, by_id), (all([3]), all(3..8)));
    }

    #[test]
    fn unequal_to_nothing() {
        let (ours, cql) = both(&game("1. e4 *"), "initial parent:ply != 3");
        assert_eq!((ours, cql), (all([]), all([0])));
    }

    #[test]
    fn move_numbers() {
        let late = with_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 41", "41. e4");
        let (printed, counted) = both(&late, "movenumber == 41");
        assert_eq!((printed, counted), (all([0, 1]), all([])));
        assert_eq!(both(&late, "movenumber == 1"), (all([]), all([0, 1])));
    }

    #[test]
    fn fen_texts() {
        let late = with_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 7 41", "");
        assert_eq!(both(&late, "fen ~~ \" 7 41$\""), (all([0]), all([])));
        assert_eq!(both(&late, "fen ~~ \" 0 1$\""), (all([]), all([0])));
    }

    #[test]
    fn promotions_counted() {
        let pawn = with_fen("7k/P7/8/8/8/8/8/K7 w - - 0 1", "");
        for query in ["move legal from P count == 4", "countmoves legal P-- == 4"] {
            assert_eq!(both(&pawn, query), (all([0]), all([])), "{query}");
        }
    }

    #[test]
    fn null_moves_on_the_virtual_mainline() {
        let passing = game("1. e4 -- 2. d4 *");
        assert_eq!(both(&passing, "virtualmainline"), (all(0..4), all(0..2)));
    }
}

/// The results are the same in quiet mode.
#[test]
fn levels_change_comments_only() {
    let options = |level| Options::default().with_level(level).with_variations(true);
    let on = |level| {
        let query = Query::compile("find check or line --> .{3}", &options(level)).unwrap();
        query.matcher().run(&game(TREE), 1).positions
    };
    assert_eq!(on(Level::Normal), on(Level::Silent));
}
