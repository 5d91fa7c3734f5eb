//! Values of whole boards.

mod support;

use support::{Boards, chequered, empty};

/// Work on a board named in the environment, for measuring: `GAMETREE_BOARD="domineering 5 5"`.
#[test]
fn board_named_in_the_environment() {
    let Ok(name) = std::env::var("GAMETREE_BOARD") else {
        return;
    };
    let words: Vec<&str> = name.split_whitespace().collect();
    let size = |i: usize| words[i].parse().expect("a size");
    let (boards, value) = match words[0] {
        "domineering" => Boards::domineering(&empty(size(1), size(2))),
        _ => Boards::clobber(&chequered(size(1), size(2))),
    };
    eprintln!(
        "{name}: {} positions, {} values, {} steps, {} KB, outcome {}, stops {} {}",
        boards.positions(),
        boards.forms.len(),
        boards.forms.steps(),
        boards.forms.bytes() / 1024,
        boards.forms.outcome(value),
        boards.forms.stop(value, sums::value::Player::Left),
        boards.forms.stop(value, sums::value::Player::Right),
    );
}
