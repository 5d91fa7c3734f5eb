//! King Dirt: kings step to a neighbouring cell and leave dirt behind; some wait to be placed.

use super::amazons::rooms;
use super::gen_toads::{parameters, shifted};
use super::grid::{self, ALL, Grid, Symmetry};
use super::{Complaint, Flow, Move, MoveVisitor, PartVisitor, Ruleset};
use crate::value::Player;
use std::ops::ControlFlow;

/// The ruleset `gen_king_dirt`: three parameters, one byte each, then the board.
pub struct GenKingDirt;

/// The bytes before the board.
const HEAD: usize = 3;

/// The bytes before the cells.
const CELLS: usize = HEAD + grid::HEAD;

/// The target of a move that places a king: no cell has this number.
const PLACED: usize = 0x1f_ffff;

/// The parts of a position.
pub(crate) struct KingDirtParts<'a> {
    pub grid: Grid<'a>,
    /// The kings that each player has to place.
    pub waiting: [u8; 2],
    /// A player with such kings must place one.
    pub must_place: bool,
}

impl KingDirtParts<'_> {
    pub fn of(position: &[u8]) -> KingDirtParts<'_> {
        KingDirtParts {
            grid: Grid::of(&position[HEAD..]),
            waiting: [position[0], position[1]],
            must_place: position[2] == 1,
        }
    }
}

impl Ruleset for GenKingDirt {
    fn name(&self) -> &'static str {
        "gen_king_dirt"
    }

    fn summary(&self) -> &'static str {
        "(X to place,O to place,must place first 0 or 1:rows of '.', 'X', 'O', '#'), such as 1,1,0:X..|..O: step like a king leaving dirt '#', or place a king"
    }

    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        let (mut position, board_at) = parameters(text, HEAD)?;
        if position[2] > 1 {
            return Err(Complaint::new(
                0..board_at - 1,
                "the third parameter must be 0 or 1",
            ));
        }
        position.extend(shifted(board_at, grid::parse(&text[board_at..], ".XO#"))?);
        Ok(position)
    }

    fn print(&self, position: &[u8]) -> String {
        let head: Vec<String> = position[..HEAD].iter().map(u8::to_string).collect();
        format!("{}:{}", head.join(","), grid::print(&position[HEAD..]))
    }

    fn moves(&self, position: &[u8], player: Player, visit: &mut MoveVisitor<'_>) -> Flow {
        place(position, player, visit)?;
        if position[2] == 0 || !may_place(position, player) {
            step(position, player, visit)?;
        }
        ControlFlow::Continue(())
    }

    fn print_move(&self, position: &[u8], player: Player, mv: Move) -> String {
        let cols = Grid::of(&position[HEAD..]).cols;
        let [from, to, _] = mv.parts();
        let start = grid::cell_name(cols, from);
        match to {
            PLACED => format!("{start}_{}", player.stone() as char),
            to => format!("{start}-{}", grid::cell_name(cols, to)),
        }
    }

    fn negative(&self, position: &[u8]) -> Vec<u8> {
        let mut negative = vec![position[1], position[0], position[2]];
        negative.extend(grid::swap_stones(&position[HEAD..]));
        negative
    }

    /// Rooms are independent once all kings are placed.
    fn split(&self, position: &[u8], part: &mut PartVisitor<'_>) -> Flow {
        if position[0] > 0 || position[1] > 0 {
            if position[CELLS..].contains(&b'.') {
                part(position)?;
            }
            return ControlFlow::Continue(());
        }
        let mut board = vec![0; HEAD];
        rooms(&position[HEAD..], &mut |room| {
            board.truncate(HEAD);
            board.extend_from_slice(room);
            part(&board)
        })
    }

    /// At most as many kings as cells can be placed; a duty to place kings needs kings.
    fn normalise(&self, position: &mut Vec<u8>) {
        let empty = empty_cells(position);
        let most = u8::try_from(empty).unwrap_or(u8::MAX);
        for waiting in &mut position[..2] {
            *waiting = (*waiting).min(most);
        }
        if position[..2] == [0, 0] {
            position[2] = 0;
        }
        grid::least_image(&mut position[HEAD..], Symmetry::Square);
    }

    /// Both players may move and place all kings, so their colours do not matter, except for the
    /// duty to place kings first.
    fn normalise_impartial(&self, position: &mut Vec<u8>) {
        self.normalise(position);
        if position[2] == 0 {
            position[0] = position[0].saturating_add(position[1]);
            position[1] = 0;
            grid::take_colours_off(&mut position[HEAD..]);
            self.normalise(position);
        } else {
            let mut negative = self.negative(position);
            self.normalise(&mut negative);
            if negative < *position {
                *position = negative;
            }
        }
    }

    fn mobility(&self, position: &[u8]) -> [usize; 2] {
        let grid = Grid::of(&position[HEAD..]);
        let empty = empty_cells(position);
        let mut steps = [0; 2];
        for (from, &cell) in grid.cells.iter().enumerate() {
            if let Some(player) = Player::BOTH
                .into_iter()
                .find(|player| player.stone() == cell)
            {
                let around = grid.around(from, &ALL);
                steps[player as usize] += around.filter(|&to| grid.cells[to] == b'.').count();
            }
        }
        Player::BOTH.map(|player| {
            let steps = steps[player as usize];
            match (may_place(position, player), position[2]) {
                (true, 0) => empty + steps,
                (true, _) => empty,
                (false, _) => steps,
            }
        })
    }

    fn seldom_recurs(&self) -> bool {
        true
    }

    /// The same few kings seldom recur: values are useful for three cells, not for eight.
    fn size(&self, position: &[u8]) -> usize {
        let waiting = usize::from(position[0]) + usize::from(position[1]);
        (empty_cells(position) + waiting) * 5 / 2
    }
}

fn empty_cells(position: &[u8]) -> usize {
    let cells = position[CELLS..].iter();
    cells.filter(|&&cell| cell == b'.').count()
}

/// Returns true if the player has a king to place, and a cell for it.
fn may_place(position: &[u8], player: Player) -> bool {
    position[player as usize] > 0 && position[CELLS..].contains(&b'.')
}

/// Visits the placements of kings.
fn place(position: &[u8], player: Player, visit: &mut MoveVisitor<'_>) -> Flow {
    if !may_place(position, player) {
        return ControlFlow::Continue(());
    }
    let mut next = position.to_vec();
    next[player as usize] -= 1;
    for at in (CELLS..position.len()).filter(|&at| position[at] == b'.') {
        next[at] = player.stone();
        visit(Move::of([at - CELLS, PLACED, 0]), &next)?;
        next[at] = b'.';
    }
    ControlFlow::Continue(())
}

/// Visits the steps of the kings.
fn step(position: &[u8], player: Player, visit: &mut MoveVisitor<'_>) -> Flow {
    let grid = Grid::of(&position[HEAD..]);
    let mut next = position.to_vec();
    for from in (0..grid.cells.len()).filter(|&at| grid.cells[at] == player.stone()) {
        next[CELLS + from] = b'#';
        for to in grid.around(from, &ALL).filter(|&to| grid.cells[to] == b'.') {
            next[CELLS + to] = player.stone();
            visit(Move::of([from, to, 0]), &next)?;
            next[CELLS + to] = b'.';
        }
        next[CELLS + from] = player.stone();
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_impartial_normal_form, check_laws, moves, options, parts};
    use super::*;

    #[test]
    fn kings_step_or_are_placed() {
        assert_eq!(
            moves(&GenKingDirt, "1,0,0:X.|#.", Player::Left),
            ["a1-b1", "a1-b2", "b1_X", "b2_X"]
        );
        assert_eq!(
            moves(&GenKingDirt, "1,0,1:X.|#.", Player::Left),
            ["b1_X", "b2_X"]
        );
        assert_eq!(
            options(&GenKingDirt, "0,1,0:O.", Player::Right),
            ["0,0,0:OO", "0,1,0:#O"]
        );
    }

    #[test]
    fn impartial_normal_forms_have_the_same_nim_value() {
        for text in [
            "0,0,0:X.O|..O",
            "1,1,0:X.|.O",
            "2,1,1:X.|..",
            "0,1,1:X.O|...",
        ] {
            check_impartial_normal_form(&GenKingDirt, text);
        }
    }

    #[test]
    fn rooms_split_when_all_are_placed() {
        assert_eq!(parts(&GenKingDirt, "0,0,1:X.#.O"), ["0,0,0:.O", "0,0,0:.X"]);
        assert_eq!(parts(&GenKingDirt, "9,0,1:X.#.O"), ["2,0,1:O.#.X"]);
        ["1,1,0:.X.|...|.O.", "0,0,0:X.", "3,0,1:..|.."]
            .iter()
            .for_each(|text| check_laws(&GenKingDirt, text));
    }
}
