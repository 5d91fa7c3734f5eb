//! Every spelling of a place, and every message.

use super::*;
use chess::Variant;

/// The moves in preorder: `e4 e5 (c5 Nf3 (d4)) ...` with one blank between words.
fn plant(start: &Board, text: &str) -> Game {
    let mut game = Game::from_board(start.clone());
    let mut at = NodeId::ROOT;
    let mut open = Vec::new();
    for word in text.split(' ') {
        match word {
            "(" => {
                open.push(at);
                at = game
                    .tree()
                    .parent(at)
                    .expect("a move to be an alternative to");
            }
            ")" => at = open.pop().expect("an open parenthesis"),
            san => {
                let mv = read_move(&game.board_at(at), san).expect("a legal move");
                at = game.add_variation(at, mv);
            }
        }
    }
    game
}

const SICILIAN: &str = "e4 ( d4 d5 c4 ) ( c4 ) c5 ( e5 Nf3 Nc6 ) Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be2 ( Bg5 e6 f4 ( Qe2 ) ) ( Bc4 e6 ) ( Be3 ) e5";

fn path_of(text: &str, from: &str) -> Result<String, String> {
    let start = Board::new();
    let game = plant(&start, SICILIAN);
    let game_view = GameView {
        game: &game,
        view: &View::new(),
    };
    let at = |text: &str, from| Place::read(text).and_then(|place| place.find(game_view, from));
    let from = match from {
        "" => NodeId::ROOT,
        from => at(from, NodeId::ROOT).expect("a place"),
    };
    at(text, from)
        .map(|node| game_view.path(node))
        .map_err(|error| error.to_string())
}

fn check(text: &str, last: &str) {
    let path = path_of(text, "").unwrap_or_else(|error| panic!("{text}: {error}"));
    assert!(path.ends_with(last), "{text}: {path}");
}

#[test]
fn spellings() {
    let to_bishop = "5.Nc3 a6 6.Bc4";
    for text in [
        "6Wb",
        "6 W b",
        "6wB",
        "6 white b",
        "6.b",
        "6. b",
        "6.Bc4",
        "6. Bc4",
        "6Bc4",
        "6 Bc4",
        "6.Bc4!?",
        "6 W Bc4",
    ] {
        check(text, to_bishop);
    }
    for text in [
        "1Ba",
        "1 b a",
        "1...a",
        "1…a",
        "1. ... e5",
        "1...e5",
        "1 Black A",
        "e4 e5",
        "1. e4 e5",
    ] {
        check(text, "1.e4 e5");
    }
    check("6W", "6.Be2");
    check("1 B", "1.e4 c5");
    check("6Wa 7Wa", "6.Bg5 e6 7.Qe2");
    check("6Wa 7W", "6.Bg5 e6 7.f4");
    check("1. d4 d5 2. c4", "1.d4 d5 2.c4");
    check("e2e4 c7c5 nf3", "1.e4 c5 2.Nf3");
    check("0", "");
    check("#1", "1.e4");
    check("20", "1.e4 e5");
    check("rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR", "1.d4 d5");
    check(
        "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2",
        "1.d4 d5",
    );
}

#[test]
fn moves_from_the_current_node() {
    assert_eq!(path_of("Nf3", "1Ba"), Ok("1.e4 e5 2.Nf3".to_owned()));
    assert_eq!(
        path_of("2.Nf3 Nc6", "1Ba"),
        Ok("1.e4 e5 2.Nf3 Nc6".to_owned())
    );
    assert_eq!(path_of("2W", "1Wa"), Ok("1.d4 d5 2.c4".to_owned()));
}

fn complains(text: &str, message: &str) {
    assert_eq!(path_of(text, "").expect_err(text), message);
}

#[test]
fn messages_name_the_valid_choices() {
    complains(
        "",
        "missing position; use 6Wc, 6.Bc4, moves such as `e4 c5 Nf3`, a position id or a FEN",
    );
    complains(
        "hello",
        "\"hello\" is not a position; use 6Wc, 6.Bc4, moves such as `e4 c5 Nf3`, a position id or a FEN",
    );
    complains(
        "e4 6",
        "\"6\" is not a position; use 6Wc, 6.Bc4, moves such as `e4 c5 Nf3`, a position id or a FEN",
    );
    complains(
        "6Wz",
        "no alternative z at 6 W; on this line 6 W has: a Bg5, b Bc4, c Be3",
    );
    complains("2Wa", "no alternative a at 2 W; on this line 2 W has none");
    complains("40Wa", "no move 40 W on this line: it goes from 1 W to 6 B");
    complains("0Wa", "no move 0 W on this line: it goes from 1 W to 6 B");
    complains(
        "6.Bd3",
        "the tree has no Bd3 after 5...a6; it has: Be2, Bg5, Bc4, Be3",
    );
    complains(
        "7.Nb3 Nbd7",
        "the tree has no Nb3 after 6...e5; the line ends there",
    );
    complains("e5", "e5: illegal move at the start; it has: e4, d4, c4");
    complains("77", "no position 77: position ids go from 0 to 26");
    complains("8/8/8 w - -", "FEN with 3 ranks instead of 8");
    complains("8/8/4k3/8/8/4K3/8/8 w - - 0 1", "position not found");
}

#[test]
fn games_that_start_with_black_at_move_40() {
    let start =
        Board::from_fen("8/4k3/8/8/8/8/8/R3K3 b - - 0 40", Variant::Standard).expect("a position");
    let game = plant(&start, "Kd7 Ra1b1 ( Ra1c1 ) Ke6");
    let game_view = GameView {
        game: &game,
        view: &View::new(),
    };
    let find =
        |text| Place::read(text).and_then(|place: Place| place.find(game_view, NodeId::ROOT));
    for (text, path) in [
        ("40B", "40...Kd7"),
        ("41Wa", "40...Kd7 41.Rc1"),
        ("41...Ke6", "40...Kd7 41.Rb1 Ke6"),
    ] {
        assert_eq!(
            find(text).map(|node| game_view.path(node)),
            Ok(path.to_owned())
        );
    }
    let error = find("40Wa").expect_err("White has no move 40");
    assert_eq!(
        error.to_string(),
        "no move 40 W on this line: it goes from 40 B to 41 B"
    );
}

#[test]
fn no_input_panics() {
    for text in [
        "99999999999",
        "99999999999Wa",
        "6é",
        "6.…",
        "…",
        "6Wé",
        "4294967295Wa",
        "((",
        "////",
        "6 W c d e",
        "é",
        "6. . .",
        "W",
        "6W6W6W",
    ] {
        path_of(text, "").ok();
    }
}

#[test]
fn moves_that_do_not_fit_here_start_at_the_root() {
    let from_here = |text| path_of(text, "e4 c5 Nf3");
    assert_eq!(from_here("d6 d4").as_deref(), Ok("1.e4 c5 2.Nf3 d6 3.d4"));
    assert_eq!(from_here("d4 d5").as_deref(), Ok("1.d4 d5"));
    // Errors describe the place of the current node.
    let error = from_here("d4 e6").expect_err("no such line");
    assert!(error.contains("2.Nf3"), "{error}");
    assert!(from_here("d4").is_err());
}
