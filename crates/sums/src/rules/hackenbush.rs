//! Hackenbush: players cut edges of their colour; what is no longer tied to the ground is gone.

use super::graph::each_field;
use super::{Complaint, Move, POSITION_LIMIT, Ruleset};
use crate::value::Player;

/// The ruleset `hackenbush`: five bytes an edge, two for either end and one for its colour.
pub struct Hackenbush;

/// An edge between two vertices; vertex 0 is the ground. The colour is `L`, `R` or `E` (either).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Edge {
    ends: [u16; 2],
    colour: u8,
}

impl Ruleset for Hackenbush {
    fn name(&self) -> &'static str {
        "hackenbush"
    }

    fn summary(&self) -> &'static str {
        "a stalk from the ground up, as LRRE, or edges as 0-1L,1-2R,1-3E with ground 0: cut an edge of your colour (E is anybody's)"
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

    fn moves(&self, position: &[u8], player: Player, visit: &mut dyn FnMut(Move, &[u8])) {
        let edges = read(position);
        let own = if player == Player::Left { b'L' } else { b'R' };
        for cut in
            (0..edges.len()).filter(|&at| edges[at].colour == own || edges[at].colour == b'E')
        {
            let mut rest = edges.clone();
            rest.remove(cut);
            visit(Move::of([cut, 0, 0]), &write(&grounded(&rest)));
        }
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

    /// Plants that share nothing but the ground are independent.
    fn split(&self, position: &[u8], part: &mut dyn FnMut(&[u8])) {
        let edges = read(position);
        let mut seen = vec![false; edges.len()];
        for start in 0..edges.len() {
            if seen[start] {
                continue;
            }
            let mut plant = vec![start];
            seen[start] = true;
            let mut next = 0;
            while next < plant.len() {
                let touching = |other: usize| touch(edges[plant[next]], edges[other]);
                let found: Vec<usize> = (0..edges.len())
                    .filter(|&other| !seen[other] && touching(other))
                    .collect();
                found.iter().for_each(|&other| seen[other] = true);
                plant.extend(found);
                next += 1;
            }
            part(&write(
                &plant.iter().map(|&at| edges[at]).collect::<Vec<_>>(),
            ));
        }
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

/// Do two edges meet above the ground?
fn touch(one: Edge, other: Edge) -> bool {
    one.ends
        .iter()
        .any(|&end| end != 0 && other.ends.contains(&end))
}

/// The edges still tied to the ground.
fn grounded(edges: &[Edge]) -> Vec<Edge> {
    let mut tied = vec![false; edges.len()];
    let mut reached = vec![0];
    while let Some(vertex) = reached.pop() {
        for at in 0..edges.len() {
            if !tied[at] && edges[at].ends.contains(&vertex) {
                tied[at] = true;
                reached.extend(edges[at].ends);
            }
        }
    }
    (0..edges.len())
        .filter(|&at| tied[at])
        .map(|at| edges[at])
        .collect()
}

fn renumbered(edges: &[Edge]) -> Vec<Edge> {
    let mut numbers = vec![0];
    let mut next = 0;
    while next < numbers.len() {
        let vertex: u16 = numbers[next];
        let mut around: Vec<(u8, usize, u16)> = edges
            .iter()
            .filter(|edge| edge.ends.contains(&vertex))
            .map(|edge| {
                let to = if edge.ends[0] == vertex {
                    edge.ends[1]
                } else {
                    edge.ends[0]
                };
                (
                    edge.colour,
                    edges
                        .iter()
                        .filter(|other| other.ends.contains(&to))
                        .count(),
                    to,
                )
            })
            .collect();
        around.sort_unstable();
        around.iter().for_each(|&(_, _, to)| {
            if !numbers.contains(&to) {
                numbers.push(to);
            }
        });
        next += 1;
    }
    let number = |vertex: u16| {
        numbers
            .iter()
            .position(|&found| found == vertex)
            .unwrap_or(0) as u16
    };
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
                Complaint::new(span, format!("'{letter}' is no colour: expected L, R or E"))
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
    if text.len() > POSITION_LIMIT / 16 {
        return Err(Complaint::new(0..text.len(), "the picture is too large"));
    }
    let mut edges = Vec::new();
    each_field(text, |field, span| {
        let wrong = || {
            Complaint::new(
                span.clone(),
                format!("'{field}' is no edge: expected two vertices and a colour, as 0-1L"),
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
            "some edges are not tied to the ground, vertex 0",
        ));
    }
    Ok(edges)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_laws, moves, options, parts};
    use super::*;

    #[test]
    fn what_is_cut_off_falls() {
        assert_eq!(options(&Hackenbush, "LRE", Player::Left), ["", "0-1L,1-2R"]);
        assert_eq!(moves(&Hackenbush, "0-1L,0-1R", Player::Right), ["0-1R"]);
    }

    #[test]
    fn plants_are_independent() {
        assert_eq!(parts(&Hackenbush, "0-5L,0-7R,7-9E"), ["0-1L", "0-1R,1-2E"]);
        ["LRRE", "0-1L,1-2R,1-3E,2-3L", ""]
            .iter()
            .for_each(|text| check_laws(&Hackenbush, text));
    }

    #[test]
    fn bad_pictures_are_refused() {
        assert_eq!(Hackenbush.parse("LR?").unwrap_err().span, 2..3);
        ["0-1", "1-2L", "0-xL", "é-1L", "0-1é"]
            .iter()
            .for_each(|text| assert!(Hackenbush.parse(text).is_err(), "{text}"));
    }
}
