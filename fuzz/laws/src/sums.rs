//! Any text is a sum or gives an error; a sum survives writing and reading; any sum of small games
//! is solved or given up, and the search agrees with the value.

use gametree_sums::input::{Fault, read_file, read_short};
use gametree_sums::value::Player;
use gametree_sums::{Budget, Game, GaveUp, Solver};
use std::time::Duration;

pub(crate) const SEEDS: &[&str] = &[
    "{version 1.7} [clobber_1xn] XO (XXO.) [nogo_1xn] ..X. {B win, W loss} /*#1 one */ {thermograph}",
    "[impartial domineering] ..|.. [kayles] 12 [nimber] 5 {N 2, winning moves N a1-b1}",
    "[gen_toads] (1,1,1,0:XX.O) [gen_king_dirt] (1,0,0:..|X.) [sheep] (3 0|0 -2) {B, W}",
    "[integer_game] 99999999999999 -3 [dyadic_rational] -3/4 [switch_game] (3,-1/2) [up_star] (2 *) (*) {B}",
    "[elephants] X.O [toppling_dominoes] XO# [fission] ..|X. [amazons] X.|.O [cannibal_clobber] XO {winning moves W}",
    "3*clobber XO.|OX. - domineering ...|.#. + (XO)^3 + 3/4 + {1|-1} >= ^3* + vv",
    "hackenbush 0-1L,1-2R,1-3E + octal 0.77:9 - snort path4:.X.. + col cycle5 = 0",
    "{2,*|+-1||{0|-1/2},v*2} + 4*{3|1} <| tiny 2 + +_{1/2} - impartial clobber XOX",
    "domineering 3x3 + clobber 2x4 + amazons X..|...|..O || *4",
    "kayles 3+1 + octal 4.07:2+2 - 3*^* + 2**2 ≥ impartial nogo ..|.. ∥ ⇑ <> {B} ≤ 1.5",
];

/// For any bytes.
pub fn sums(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let document = read_file(&text);
    document
        .faults
        .iter()
        .for_each(|fault| points(fault, &text));
    for problem in &document.problems {
        holds(&problem.sum);
    }
    match read_short(&text) {
        Ok(statement) => holds(&statement.sum),
        Err(fault) => points(&fault, &text),
    }
}

fn points(fault: &Fault, text: &str) {
    assert!(fault.span.end <= text.len() + 1, "{fault:?}");
    assert!(fault.render(text).contains('^'));
}

fn holds(sum: &[Game]) {
    let bytes: usize = sum.iter().map(|game| game.position.len()).sum();
    if bytes > 200 {
        return;
    }
    sum.iter().for_each(written_and_read_again);
    agrees(sum);
}

fn written_and_read_again(game: &Game) {
    let again = Game::read(game.kind, &game.text());
    assert_eq!(again.as_ref(), Ok(game), "{game}");
    let twice = game.negative().negative();
    for player in Player::BOTH {
        let count = game.moves(player).len();
        assert_eq!(count, game.negative().moves(!player).len(), "{game}");
        assert_eq!(count, twice.moves(player).len(), "{game}");
    }
}

/// The search and the canonical form give the same winner, where both finish.
fn agrees(sum: &[Game]) {
    let budget = Budget {
        nodes: 200,
        bytes: 1 << 23,
        time: Some(Duration::from_millis(50)),
    };
    let searched = Solver::new(budget).outcome(sum);
    let mut solver = Solver::new(budget);
    let valued = solver.value(sum).map(|value| solver.forms().outcome(value));
    for found in [&searched, &valued] {
        assert_ne!(*found, Err(GaveUp::Contradiction), "{sum:?}");
    }
    if let (Ok(searched), Ok(valued)) = (searched, valued) {
        assert_eq!(searched, valued, "{sum:?}");
    }
}
