//! Hackenbush: players cut edges of their colour; edges not connected to the ground are removed.

use super::graph::each_field;
use super::{Complaint, Flow, LARGEST_BOARD, Move, MoveVisitor, PartVisitor, Ruleset};
use crate::value::Player;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::ops::ControlFlow;

/// The ruleset `hackenbush`: five bytes an edge, two for either end and one for its colour.
pub struct Hackenbush;

/// An edge between two vertices; vertex 0 is the ground. The colour is `L`, `R` or `E` (either).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Edge {
    ends: [u16; 2],
    colour: u8,
}

impl Edge {
    fn other_end(&self, vertex: u16) -> u16 {
        if self.ends[0] == vertex {
            self.ends[1]
        } else {
            self.ends[0]
        }
    }
}

impl Ruleset for Hackenbush {
    fn name(&self) -> &'static str {
        "hackenbush"
    }

    fn summary(&self) -> &'static str {
        "a stalk from the ground up, such as LRRE, or edges such as 0-1L,1-2R,1-3E with ground 0: cut an edge of your colour (E: either player's)"
    }

    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        let edges = if text.contains('-') {
            parse_edges(text)?
        } else {
            parse_stalk(text)?
        };
        Ok(write(&edges))
    }

    fn print(&self, position: &[u8]) -> String {
        let edges: Vec<String> = read(position)
            .iter()
            .map(|edge| format!("{}-{}{}", edge.ends[0], edge.ends[1], edge.colour as char))
            .collect();
        edges.join(",")
    }

    fn moves(&self, position: &[u8], player: Player, visit: &mut MoveVisitor<'_>) -> Flow {
        let edges = read(position);
        let own = if player == Player::Left { b'L' } else { b'R' };
        for cut in
            (0..edges.len()).filter(|&at| edges[at].colour == own || edges[at].colour == b'E')
        {
            let mut rest = edges.clone();
            rest.remove(cut);
            visit(Move::of([cut, 0, 0]), &write(&grounded(&rest)))?;
        }
        ControlFlow::Continue(())
    }

    fn mobility(&self, position: &[u8]) -> [usize; 2] {
        let edges = read(position);
        [b'L', b'R'].map(|own| {
            let own = |edge: &&Edge| edge.colour == own || edge.colour == b'E';
            edges.iter().filter(own).count()
        })
    }

    fn print_move(&self, position: &[u8], _player: Player, mv: Move) -> String {
        let edge = read(position)[mv.parts()[0]];
        format!("{}-{}{}", edge.ends[0], edge.ends[1], edge.colour as char)
    }

    fn negative(&self, position: &[u8]) -> Vec<u8> {
        let mut edges = read(position);
        for edge in &mut edges {
            edge.colour = match edge.colour {
                b'L' => b'R',
                b'R' => b'L',
                other => other,
            };
        }
        write(&edges)
    }

    /// Parts that share only the ground are independent.
    fn split(&self, position: &[u8], part: &mut PartVisitor<'_>) -> Flow {
        let edges = read(position);
        let at_vertex = EdgesByVertex::of(&edges);
        let mut seen = vec![false; edges.len()];
        for start in 0..edges.len() {
            if std::mem::replace(&mut seen[start], true) {
                continue;
            }
            let mut plant = vec![start];
            let mut next = 0;
            while next < plant.len() {
                let ends = edges[plant[next]].ends.into_iter();
                let touching = ends
                    .filter(|&end| end != 0)
                    .flat_map(|end| at_vertex.at(end));
                let mut found: Vec<usize> = touching
                    .filter(|&other| !std::mem::replace(&mut seen[other], true))
                    .collect();
                found.sort_unstable();
                plant.extend(found);
                next += 1;
            }
            part(&write(
                &plant.iter().map(|&at| edges[at]).collect::<Vec<_>>(),
            ))?;
        }
        ControlFlow::Continue(())
    }

    /// Vertices are numbered from the ground up, edges of a vertex in the order of their colours.
    fn normalise(&self, position: &mut Vec<u8>) {
        *position = write(&renumbered(&read(position)));
    }

    fn size(&self, position: &[u8]) -> usize {
        position.len() / EDGE
    }
}

/// Bytes for an edge.
const EDGE: usize = 5;

/// Both ends of every edge with the edge's number, sorted, so that edges at a vertex are adjacent.
struct EdgesByVertex(Vec<(u16, usize)>);

impl EdgesByVertex {
    fn of(edges: &[Edge]) -> EdgesByVertex {
        let ends = edges.iter().enumerate().flat_map(|(at, edge)| {
            let [one, other] = edge.ends;
            let second = (other != one).then_some((other, at));
            [Some((one, at)), second].into_iter().flatten()
        });
        let mut ends: Vec<(u16, usize)> = ends.collect();
        ends.sort_unstable();
        EdgesByVertex(ends)
    }

    /// The numbers of the edges at a vertex, in their order.
    fn at(&self, vertex: u16) -> impl ExactSizeIterator<Item = usize> + '_ {
        let start = self.0.partition_point(|&(end, _)| end < vertex);
        let length = self.0[start..].partition_point(|&(end, _)| end == vertex);
        self.0[start..start + length].iter().map(|&(_, at)| at)
    }
}

/// The edges that are connected to the ground.
fn grounded(edges: &[Edge]) -> Vec<Edge> {
    let at_vertex = EdgesByVertex::of(edges);
    let mut tied = vec![false; edges.len()];
    let mut reached = vec![0];
    while let Some(vertex) = reached.pop() {
        for at in at_vertex.at(vertex) {
            if !std::mem::replace(&mut tied[at], true) {
                reached.extend(edges[at].ends.into_iter().filter(|&end| end != vertex));
            }
        }
    }
    (0..edges.len())
        .filter(|&at| tied[at])
        .map(|at| edges[at])
        .collect()
}

fn renumbered(edges: &[Edge]) -> Vec<Edge> {
    // 1. The vertices in their new order, from the ground up.
    let at_vertex = EdgesByVertex::of(edges);
    let mut order: Vec<u16> = vec![0];
    let mut number_of: FxHashMap<u16, u16> = FxHashMap::default();
    number_of.insert(0, 0);
    let mut next = 0;
    while next < order.len() {
        let vertex = order[next];
        let mut around: Vec<(u8, usize, u16)> = at_vertex
            .at(vertex)
            .map(|at| {
                let to = edges[at].other_end(vertex);
                (edges[at].colour, at_vertex.at(to).len(), to)
            })
            .collect();
        around.sort_unstable();
        for (_, _, to) in around {
            if let Entry::Vacant(unnumbered) = number_of.entry(to) {
                unnumbered.insert(order.len() as u16);
                order.push(to);
            }
        }
        next += 1;
    }
    // 2. The edges between them.
    let number = |vertex: u16| number_of.get(&vertex).copied().unwrap_or(0);
    let mut result: Vec<Edge> = edges
        .iter()
        .map(|edge| Edge {
            ends: edge.ends.map(number),
            ..*edge
        })
        .collect();
    result.iter_mut().for_each(|edge| edge.ends.sort_unstable());
    result.sort_unstable();
    result
}

fn write(edges: &[Edge]) -> Vec<u8> {
    let bytes = |edge: &Edge| {
        let [[a, b], [c, d]] = edge.ends.map(u16::to_le_bytes);
        [a, b, c, d, edge.colour]
    };
    edges.iter().flat_map(bytes).collect()
}

fn read(position: &[u8]) -> Vec<Edge> {
    let edge = |bytes: &[u8]| Edge {
        ends: [
            u16::from_le_bytes([bytes[0], bytes[1]]),
            u16::from_le_bytes([bytes[2], bytes[3]]),
        ],
        colour: bytes[4],
    };
    position.chunks(EDGE).map(edge).collect()
}

/// The colour a letter stands for.
fn parse_colour(letter: char) -> Option<u8> {
    match letter.to_ascii_uppercase() {
        'L' | 'X' | 'B' => Some(b'L'),
        'R' | 'O' | 'W' => Some(b'R'),
        'E' | 'G' | '#' => Some(b'E'),
        _ => None,
    }
}

/// One edge above the other.
fn parse_stalk(text: &str) -> Result<Vec<Edge>, Complaint> {
    let stalk = text.trim();
    let start = text.len() - text.trim_start().len();
    if stalk.len() > 4096 {
        return Err(Complaint::new(
            0..text.len(),
            "a stalk has at most 4096 edges",
        ));
    }
    stalk
        .char_indices()
        .enumerate()
        .map(|(height, (at, letter))| {
            let span = start + at..start + at + letter.len_utf8();
            let colour = parse_colour(letter).ok_or_else(|| {
                Complaint::new(
                    span,
                    format!("'{letter}' is not a colour: expected L, R or E"),
                )
            })?;
            Ok(Edge {
                ends: [height as u16, height as u16 + 1],
                colour,
            })
        })
        .collect()
}

/// Edges as `0-1L`.
fn parse_edges(text: &str) -> Result<Vec<Edge>, Complaint> {
    if text.len() > LARGEST_BOARD {
        return Err(Complaint::new(0..text.len(), "the graph is too large"));
    }
    let mut edges = Vec::new();
    each_field(text, |field, span| {
        let wrong = || {
            Complaint::new(
                span.clone(),
                format!(
                    "'{field}' is not an edge: expected two vertices and a colour, such as 0-1L"
                ),
            )
        };
        let colour = field
            .chars()
            .next_back()
            .and_then(parse_colour)
            .ok_or_else(wrong)?;
        let (a, b) = field[..field.len() - 1].split_once('-').ok_or_else(wrong)?;
        let vertex = |text: &str| text.trim().parse::<u16>().map_err(|_| wrong());
        edges.push(Edge {
            ends: [vertex(a)?, vertex(b)?],
            colour,
        });
        Ok(())
    })?;
    let kept = grounded(&edges);
    if kept.len() < edges.len() {
        return Err(Complaint::new(
            0..text.len(),
            "some edges are not connected to the ground (vertex 0)",
        ));
    }
    Ok(edges)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_laws, moves, options, parts};
    use super::*;

    #[test]
    fn disconnected_edges_are_removed() {
        assert_eq!(options(&Hackenbush, "LRE", Player::Left), ["", "0-1L,1-2R"]);
        assert_eq!(moves(&Hackenbush, "0-1L,0-1R", Player::Right), ["0-1R"]);
    }

    #[test]
    fn parts_are_independent() {
        assert_eq!(parts(&Hackenbush, "0-5L,0-7R,7-9E"), ["0-1L", "0-1R,1-2E"]);
        ["LRRE", "0-1L,1-2R,1-3E,2-3L", ""]
            .iter()
            .for_each(|text| check_laws(&Hackenbush, text));
    }

    #[test]
    fn invalid_positions_are_refused() {
        assert_eq!(Hackenbush.parse("LR?").unwrap_err().span, 2..3);
        ["0-1", "1-2L", "0-xL", "é-1L", "0-1é"]
            .iter()
            .for_each(|text| assert!(Hackenbush.parse(text).is_err(), "{text}"));
    }
}
