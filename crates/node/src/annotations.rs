//! Comments, glyphs, clocks, evaluations and drawings of nodes.

use std::time::Duration;

use chess::Color;
use chess::Square;
use chess::annotation::{Eval, Paint, Score, Shape};
use napi::bindgen_prelude::Result;
use napi_derive::napi;

use crate::game::{GameHandle, node_of};
use crate::moves::invalid;

/// The comment after the move.
#[napi(catch_unwind)]
pub fn comment(game: &GameHandle, id: u32) -> Result<String> {
    let game = game.borrow();
    Ok(game.node(node_of(&game, id)?).comment().into_owned())
}

/// Replaces the comment after the move.
#[napi(catch_unwind)]
pub fn set_comment(game: &GameHandle, id: u32, text: String) -> Result<()> {
    let mut game = game.borrow_mut();
    let id = node_of(&game, id)?;
    game.set_comment(id, &text);
    Ok(())
}

/// The comment before the move.
#[napi(catch_unwind)]
pub fn starting_comment(game: &GameHandle, id: u32) -> Result<String> {
    let game = game.borrow();
    Ok(game
        .node(node_of(&game, id)?)
        .starting_comment()
        .into_owned())
}

/// Replaces the comment before the move.
#[napi(catch_unwind)]
pub fn set_starting_comment(game: &GameHandle, id: u32, text: String) -> Result<()> {
    let mut game = game.borrow_mut();
    let id = node_of(&game, id)?;
    game.set_starting_comment(id, &text);
    Ok(())
}

/// The numeric annotation glyphs.
#[napi(catch_unwind)]
pub fn nags(game: &GameHandle, id: u32) -> Result<Vec<u32>> {
    let game = game.borrow();
    Ok(game.nags_at(node_of(&game, id)?).collect())
}

/// Replaces the glyphs.
#[napi(catch_unwind)]
pub fn set_nags(game: &GameHandle, id: u32, nags: Vec<u32>) -> Result<()> {
    let mut game = game.borrow_mut();
    let id = node_of(&game, id)?;
    game.set_nags(id, nags);
    Ok(())
}

/// The clock after the move, in seconds.
#[napi(catch_unwind)]
pub fn clock(game: &GameHandle, id: u32) -> Result<Option<f64>> {
    let game = game.borrow();
    let clock = game.node(node_of(&game, id)?).clock();
    Ok(clock.map(|time| time.as_secs_f64()))
}

/// Sets or removes the clock.
#[napi(catch_unwind)]
pub fn set_clock(game: &GameHandle, id: u32, seconds: Option<f64>) -> Result<()> {
    let mut game = game.borrow_mut();
    let id = node_of(&game, id)?;
    let clock = seconds.map(|seconds| {
        Duration::try_from_secs_f64(seconds).map_err(|_| invalid("not a time in seconds"))
    });
    game.set_clock(id, clock.transpose()?);
    Ok(())
}

/// The evaluation for White: pawns, moves to mate (negative: Black mates), depth.
#[napi(object)]
pub struct Evaluation {
    /// Pawns, if there is no mate.
    pub pawns: Option<f64>,
    /// Moves to mate.
    pub mate: Option<i32>,
    /// The depth of the search.
    pub depth: Option<u32>,
}

/// The evaluation of the position after the move.
#[napi(catch_unwind)]
pub fn eval(game: &GameHandle, id: u32) -> Result<Option<Evaluation>> {
    let game = game.borrow();
    Ok(game.node(node_of(&game, id)?).eval().map(describe))
}

fn describe(eval: Eval) -> Evaluation {
    let (pawns, mate) = match eval.score {
        Score::Centipawns(score) => (Some(f64::from(score) / 100.0), None),
        Score::Mate(Color::White, moves) => (None, Some(moves.cast_signed())),
        Score::Mate(Color::Black, moves) => (None, Some(-moves.cast_signed())),
    };
    Evaluation {
        pawns,
        mate,
        depth: eval.depth,
    }
}

/// Sets or removes the evaluation.
#[napi(catch_unwind)]
pub fn set_eval(game: &GameHandle, id: u32, eval: Option<Evaluation>) -> Result<()> {
    let mut game = game.borrow_mut();
    let id = node_of(&game, id)?;
    game.set_eval(id, eval.and_then(|eval| read(&eval)));
    Ok(())
}

fn read(eval: &Evaluation) -> Option<Eval> {
    let score = match (eval.mate, eval.pawns) {
        (Some(moves), _) if moves < 0 => Score::Mate(Color::Black, moves.unsigned_abs()),
        (Some(moves), _) => Score::Mate(Color::White, moves.unsigned_abs()),
        // Larger numbers than any engine's are cut off by the conversion.
        (None, Some(pawns)) => Score::Centipawns((pawns * 100.0).round() as i32),
        (None, None) => return None,
    };
    Some(Eval {
        score,
        depth: eval.depth,
    })
}

/// The arrows and marked squares: three numbers each, colour (a letter), from, to. A marked square
/// has both squares the same.
#[napi(catch_unwind)]
pub fn shapes(game: &GameHandle, id: u32) -> Result<Vec<u32>> {
    let game = game.borrow();
    let shapes = game.node(node_of(&game, id)?).shapes();
    let number = |shape: Shape| {
        [
            u32::from(shape.paint.char()),
            shape.from.into(),
            shape.to.into(),
        ]
    };
    Ok(shapes.into_iter().flat_map(number).collect())
}

/// Replaces the arrows and marked squares.
#[napi(catch_unwind)]
pub fn set_shapes(game: &GameHandle, id: u32, numbers: Vec<u32>) -> Result<()> {
    let mut game = game.borrow_mut();
    let id = node_of(&game, id)?;
    let shapes: Option<Vec<Shape>> = numbers.chunks(3).map(shape).collect();
    let shapes = shapes.ok_or_else(|| invalid("not an arrow or a marked square"))?;
    game.set_shapes(id, &shapes);
    Ok(())
}

fn shape(numbers: &[u32]) -> Option<Shape> {
    let &[paint, from, to] = numbers else {
        return None;
    };
    let paints = [Paint::Red, Paint::Green, Paint::Yellow, Paint::Blue];
    Some(Shape {
        paint: paints
            .into_iter()
            .find(|known| u32::from(known.char()) == paint)?,
        from: Square::try_from(from).ok()?,
        to: Square::try_from(to).ok()?,
    })
}
