use super::*;
use crate::interrupt::Interrupt;
use crate::naive::Naive;
use crate::solver::{Budget, Solver};

/// Bytes for the smallest table, for one that replaces entries, and for one that keeps all.
const TABLES: [usize; 3] = [0, 512, 1 << 22];

type New = fn(&[Game], usize) -> Option<Box<dyn BoundedSearch>>;

fn game(name: &str, text: &str) -> Game {
    Game::parse(name, text).unwrap()
}

/// Searches in slices of this effort, which double, so that small tables suffice.
fn wins(search: &mut dyn BoundedSearch, mut effort: u64) -> bool {
    loop {
        match search.wins(effort, &mut LimitCheck::new(0)).unwrap() {
            Answer::Wins(wins) => return wins,
            Answer::Unknown => effort *= 2,
            Answer::Unsuitable => panic!("unsuitable"),
        }
    }
}

/// Compares a search with minimax, with all tables, for both players.
fn check(new: New, games: &[Game]) {
    for bytes in TABLES {
        let mut search = new(games, bytes).unwrap();
        for first in Player::BOTH {
            let expected = Naive::new(1 << 20).wins(games, first).unwrap();
            assert!(search.ask(games, first));
            let found = wins(&mut *search, 50);
            assert_eq!(found, expected, "{games:?} {first:?} {bytes}");
        }
    }
}

/// Numbers that look random, the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005) + 1;
        (self.0 >> 33) as usize % end
    }

    fn board(&mut self, sizes: &[(usize, usize)], letters: &[u8]) -> String {
        let (rows, cols) = sizes[self.below(sizes.len())];
        let row = |_| -> String {
            let cell = |_| char::from(letters[self.below(letters.len())]);
            (0..cols).map(cell).collect()
        };
        (0..rows).map(row).collect::<Vec<String>>().join("|")
    }
}

#[test]
fn nogo_agrees_with_minimax() {
    let sizes = [(1, 6), (2, 4), (3, 3), (2, 5), (3, 4), (4, 3)];
    let mut numbers = Numbers(1);
    let mut checked = 0;
    while checked < 60 {
        let text = numbers.board(&sizes, b"....XO#");
        if let Ok(game) = Game::parse("nogo", &text) {
            check(board_search, &[game]);
            checked += 1;
        }
    }
    check(board_search, &[game("nogo", "...|...|...")]);
}

/// Normal forms have letters of their own.
#[test]
fn nogo_reads_normal_forms() {
    let kind = crate::game::Kind::named("nogo").unwrap();
    let mut numbers = Numbers(2);
    for _ in 0..60 {
        let text = numbers.board(&[(2, 4), (3, 3)], b"...XO#BW+");
        let game = Game::read_stored(kind, &text).unwrap();
        if is_legal(&text) {
            check(board_search, &[game]);
        }
    }
}

/// No group has lost its last empty neighbour, closed cells included.
fn is_legal(text: &str) -> bool {
    let text = text.replace('+', ".").replace('B', "X").replace('W', "O");
    Game::parse("nogo", &text).is_ok()
}

/// Short strips have values; these are long enough for walls as well.
#[test]
fn strips_agree_with_minimax() {
    let strip_search: New = search::<strips::Strips>;
    let kind = crate::game::Kind::named("nogo_1xn").unwrap();
    let mut numbers = Numbers(6);
    let mut checked = 0;
    while checked < 300 {
        let letters = [&b"....XO"[..], b"......XOBW+"][checked % 2];
        let text = numbers.board(&[(1, 5), (1, 8), (1, 11), (1, 12), (1, 13)], letters);
        let game = Game::read_stored(kind, &text).unwrap();
        if is_legal(&text) {
            check(strip_search, &[game]);
            checked += 1;
        }
    }
    for cells in 1..=12 {
        check(strip_search, &[game("nogo_1xn", &".".repeat(cells))]);
    }
}

/// The walls of long strips decide most positions; compared with the main search.
#[test]
fn long_strips_agree_with_the_main_search() {
    let mut numbers = Numbers(7);
    let mut solver = Solver::default();
    let mut checked = 0;
    while checked < 40 {
        let text = numbers.board(&[(1, 17), (1, 19), (1, 21)], b".........XO");
        let Ok(game) = Game::parse("nogo_1xn", &text) else {
            continue;
        };
        let games = [game];
        let mut search = search::<strips::Strips>(&games, 1 << 24).unwrap();
        for first in Player::BOTH {
            assert!(search.ask(&games, first));
            let expected = solver.wins(&games, first).unwrap();
            assert_eq!(wins(&mut *search, 1 << 20), expected, "{text} {first:?}");
        }
        checked += 1;
    }
}

#[test]
fn amazons_agrees_with_minimax() {
    let sizes = [(1, 6), (2, 3), (2, 4), (3, 3), (4, 2)];
    let mut numbers = Numbers(3);
    for _ in 0..60 {
        let text = numbers.board(&sizes, b"...XO##");
        if text.matches('.').count() <= 6 {
            check(board_search, &[game("amazons", &text)]);
        }
    }
    check(board_search, &[game("amazons", "X..|..O")]);
}

#[test]
fn king_dirt_agrees_with_minimax() {
    let sizes = [(1, 6), (2, 3), (2, 4), (3, 3), (4, 2), (2, 5)];
    let mut numbers = Numbers(8);
    let mut checked = 0;
    while checked < 150 {
        let board = numbers.board(&sizes, b"...XO##");
        let [left, right, must] = [3, 3, 2].map(|end| numbers.below(end));
        let most = if left + right > 0 { 5 } else { 8 };
        if board.matches('.').count() <= most {
            let text = format!("{left},{right},{must}:{board}");
            check(board_search, &[game("gen_king_dirt", &text)]);
            checked += 1;
        }
    }
    check(board_search, &[game("gen_king_dirt", "1,1,1:...|...")]);
}

#[test]
fn domineering_agrees_with_minimax() {
    let sizes = [(2, 5), (3, 3), (3, 5), (4, 4), (5, 2), (2, 7)];
    let mut numbers = Numbers(5);
    for _ in 0..80 {
        let text = numbers.board(&sizes, b"....#");
        check(board_search, &[game("domineering", &text)]);
    }
    for text in ["....|....|....|....", "...|...|...|...|..."] {
        check(board_search, &[game("domineering", text)]);
    }
}

/// Bounds alone do not decide these boards. Turning a board exchanges the players.
#[test]
fn domineering_on_larger_boards() {
    let winners = |rows: usize, cols: usize| {
        let games = [game("domineering", &vec![".".repeat(cols); rows].join("|"))];
        let mut search = board_search(&games, 1 << 22).unwrap();
        let found = Player::BOTH.map(|first| {
            assert!(search.ask(&games, first));
            wins(&mut *search, 1 << 20)
        });
        assert!(search.take_nodes() > 0, "{rows}x{cols}");
        found
    };
    // By its canonical form the first player wins.
    assert_eq!(winners(4, 6), [true, true]);
    let [left, right] = winners(6, 8);
    assert_eq!(winners(8, 6), [right, left]);
}

/// Boards of one large group, of small groups, and of both.
#[test]
fn clobber_agrees_with_minimax() {
    let sizes = [(1, 9), (2, 4), (3, 3), (2, 6), (3, 4), (4, 3)];
    for letters in [&b"XO"[..], b".XXOO", b"..XO"] {
        let mut numbers = Numbers(5);
        for _ in 0..30 {
            let text = numbers.board(&sizes, letters);
            check(board_search, &[game("clobber", &text)]);
        }
    }
}

/// With more memory groups are replaced by their values, with little memory they stay on the board.
#[test]
fn clobber_does_not_depend_on_memory() {
    for (text, outcome) in [
        ("XOXOX|OXOXO|XOXOX|OXOXO", [true, true]),
        ("XOXOXO|OXOXOX|XOXOXO", [false, false]),
    ] {
        let games = [game("clobber", text)];
        for bytes in [1 << 18, 1 << 22, 1 << 26] {
            let mut search = board_search(&games, bytes).unwrap();
            for (first, expected) in Player::BOTH.into_iter().zip(outcome) {
                assert!(search.ask(&games, first));
                assert_eq!(wins(&mut *search, 50), expected, "{text} {first:?} {bytes}");
            }
        }
    }
}

/// With moves in the order of their number of replies this board takes 6,000 nodes.
#[test]
fn clobber_finds_winning_moves_early() {
    let games = [game("clobber", "XOXOX|OXOXO|XOXOX|OXOXO")];
    let mut search = board_search(&games, 1 << 26).unwrap();
    assert!(search.ask(&games, Player::Left));
    assert!(wins(&mut *search, u64::MAX));
    let nodes = search.take_nodes();
    assert!(nodes < 5_000, "{nodes}");
}

#[test]
fn sums_agree_with_minimax() {
    for (name, sizes, letters) in [
        ("clobber", &[(2, 4), (3, 3)][..], &b".XXOO"[..]),
        ("domineering", &[(3, 3), (2, 4)], b"..#"),
        ("nogo", &[(2, 3)], b"...XO"),
        ("amazons", &[(2, 3)], b"..XO#"),
    ] {
        let mut numbers = Numbers(4);
        let mut checked = 0;
        while checked < 15 {
            let texts = [0; 2].map(|_| numbers.board(sizes, letters));
            // Some random boards of NoGo are illegal.
            let [Ok(first), Ok(second)] = texts.map(|text| Game::parse(name, &text)) else {
                continue;
            };
            checked += 1;
            check(sum_search, std::slice::from_ref(&first));
            if first.position.len() + second.position.len() < 18 {
                check(sum_search, &[first, second]);
            }
        }
    }
    for [(name, text), (other, more)] in [
        [("clobber_1xn", "XXOXO"), ("up_star", "-1")],
        [("gen_toads", "1,1,1,0:XX.OO"), ("switch_game", "3,-1")],
        [("kayles", "4"), ("integer_game", "-2")],
        [("hackenbush", "LRE"), ("toppling_dominoes", "XOX")],
        [("col", "path4"), ("gen_king_dirt", "1,0,0:X.|#.")],
        [("sheep", "3 0|0 -3"), ("nimber", "2")],
    ] {
        check(sum_search, &[game(name, text), game(other, more)]);
    }
}

#[test]
fn boards_that_do_not_fit_are_refused() {
    let wide = [60, 61, 62].map(|cells| game("nogo", &".".repeat(cells)));
    assert!(board_search(&wide[..1], 0).is_none());
    assert!(board_search(&[game("impartial nogo", "...")], 0).is_none());
    let mut search = sum_search(&wide, 0).unwrap();
    assert!(!search.ask(&wide, Player::Left));
    assert_eq!(
        search.wins(100, &mut LimitCheck::new(0)),
        Ok(Answer::Unsuitable)
    );
}

#[test]
fn interrupts_end_a_search() {
    let games = [game("nogo", "......|......|......|......|......")];
    let mut search = board_search(&games, 1 << 16).unwrap();
    assert!(search.ask(&games, Player::Left));
    let mut limits = LimitCheck::new(0);
    limits.signal = Interrupt::after_checks(3);
    assert_eq!(search.wins(u64::MAX, &mut limits), Err(GaveUp::Stopped));
    assert!(search.take_nodes() > 0);
    assert_eq!(search.take_nodes(), 0);
    assert!(search.bytes_used() <= 1 << 16);
}

/// The tables of the main search are full at once, and still the question is answered.
#[test]
fn questions_do_not_end_by_memory() {
    for (name, text) in [
        ("clobber", "XOXO|OXOX|XOXO"),
        ("domineering", "......|......|......|......"),
        ("nogo", "...|...|..."),
    ] {
        let sum = [game(name, text)];
        let mut full = Solver::new(Budget::default().with_bytes(1_000));
        let mut solver = Solver::default();
        assert_eq!(full.outcome(&sum), solver.outcome(&sum), "{name} {text}");
        assert!(full.stats().nodes > 0);
    }
}

#[test]
fn nodes_are_limited_when_memory_is_full() {
    let sum = [game("clobber", "XOXOX|OXOXO|XOXOX|OXOXO")];
    let budget = Budget::default().with_bytes(1_000).with_nodes(500);
    let mut solver = Solver::new(budget);
    assert_eq!(solver.wins(&sum, Player::Left), Err(GaveUp::Nodes));
}
