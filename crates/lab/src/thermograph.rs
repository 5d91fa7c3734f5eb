//! Thermographs as text and as pictures.

use draw::{DrawError, Format, Number, Paper};

use crate::answers::points;
use crate::{Dyadic, Player, Thermograph};

/// A drawing of this many columns and lines, axes included.
pub fn text(graph: &Thermograph, columns: usize, lines: usize) -> String {
    draw::thermograph_text(&sketch(graph), columns, lines)
}

/// A picture: SVG, PNG or PDF.
pub fn picture(
    graph: &Thermograph,
    title: &str,
    paper: &Paper,
    format: Format,
) -> Result<Vec<u8>, DrawError> {
    draw::draw_thermograph(&sketch(graph), title, paper, format)
}

fn sketch(graph: &Thermograph) -> draw::Thermograph {
    let wall = |player| {
        let corners = points(graph, player).into_iter();
        corners.map(|(v, t)| (number(&v), number(&t))).collect()
    };
    let stop = |player| number(&graph.wall(player).at(&Dyadic::ZERO));
    draw::Thermograph {
        walls: Player::BOTH.map(wall),
        mean: number(graph.mean()),
        temperature: number(graph.temperature()),
        stops: Player::BOTH.map(stop),
    }
}

fn number(exact: &Dyadic) -> Number {
    Number {
        value: exact.to_f64(),
        text: exact.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Solver, read::read_sum};

    #[test]
    fn every_thermograph_has_axes_and_fits() {
        for sum in [
            "0",
            "{4||2|-1}",
            "{1000000|-1000000}",
            "{99999999999999999999999999999999|-1}",
            "{1/1048576|-1/1048576}",
        ] {
            let sum = read_sum(sum).unwrap();
            let graph = Solver::default().thermograph(&sum).unwrap();
            let drawn = text(&graph, 60, 16);
            let mut axes = drawn
                .lines()
                .take(14)
                .map(|line| line.chars().position(|c| c == '┤'));
            assert!(axes.all(|at| at == Some(8)), "{drawn}");
        }
    }
}
