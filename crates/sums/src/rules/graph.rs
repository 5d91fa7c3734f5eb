//! Graphs with a letter on each vertex, for games on graphs.

use super::{Complaint, Flow, LONGEST_TEXT};
use std::ops::Range;

/// The bytes of a position before the letters.
pub(crate) const LETTERS: usize = 2;

/// A graph without loops; vertices are numbered from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Graph {
    /// The letter of each vertex.
    pub letters: Vec<u8>,
    /// Each edge once, the smaller vertex first, in order.
    pub edges: Vec<(u16, u16)>,
}

impl Graph {
    /// Reads `path5`, `cycle6`, `star4`, `complete4`, `grid3x4`, `1-2,2-3,4` or `edges 1-2,2-3,4`;
    /// then, after a colon, optionally a letter for each vertex.
    pub fn parse(text: &str, letters: &str) -> Result<Graph, Complaint> {
        let (shape, colours) = text.split_once(':').unwrap_or((text, ""));
        let mut graph = parse_shape(shape)?;
        let at = shape.len() + 1;
        if !colours.trim().is_empty() {
            let found = super::gen_toads::shifted(at, super::strip::parse(colours, letters))?;
            graph.colour(found, at..text.len())?;
        }
        Ok(graph)
    }

    fn colour(&mut self, found: Vec<u8>, span: Range<usize>) -> Result<(), Complaint> {
        let vertices = self.letters.len();
        if found.len() < vertices {
            return Err(Complaint::new(
                span,
                format!("{} letters for {vertices} vertices", found.len()),
            ));
        }
        self.letters = found;
        Ok(())
    }

    /// Writes edges and letters.
    pub fn print(&self) -> String {
        let edges: Vec<String> = self
            .edges
            .iter()
            .map(|(a, b)| format!("{}-{}", a + 1, b + 1))
            .collect();
        let edges = if edges.is_empty() && !self.letters.is_empty() {
            "1".into()
        } else {
            edges.join(",")
        };
        format!("{edges}:{}", super::strip::print(&self.letters))
    }

    /// The bytes of a position.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = (self.letters.len() as u16).to_le_bytes().to_vec();
        bytes.extend_from_slice(&self.letters);
        for &(a, b) in &self.edges {
            bytes.extend(a.to_le_bytes());
            bytes.extend(b.to_le_bytes());
        }
        bytes
    }

    /// Decodes the bytes of [`Graph::write`].
    pub fn read(bytes: &[u8]) -> Graph {
        let vertices = usize::from(u16::from_le_bytes([bytes[0], bytes[1]]));
        let (letters, edges) = bytes[LETTERS..].split_at(vertices);
        let edge = |pair: &[u8]| {
            (
                u16::from_le_bytes([pair[0], pair[1]]),
                u16::from_le_bytes([pair[2], pair[3]]),
            )
        };
        Graph {
            letters: letters.to_vec(),
            edges: edges.chunks(4).map(edge).collect(),
        }
    }

    /// The neighbours of every vertex.
    pub fn neighbours(&self) -> Neighbours {
        let ends = || self.edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
        let mut starts = vec![0; self.letters.len() + 1];
        ends().for_each(|(from, _)| starts[usize::from(from) + 1] += 1);
        for vertex in 0..self.letters.len() {
            starts[vertex + 1] += starts[vertex];
        }
        let mut next = starts.clone();
        let mut vertices = vec![0; 2 * self.edges.len()];
        for (from, to) in ends() {
            let place = &mut next[usize::from(from)];
            vertices[*place] = to;
            *place += 1;
        }
        Neighbours { starts, vertices }
    }

    /// Visits the parts that are connected by edges that matter between live vertices.
    pub fn parts(
        &self,
        live: impl Fn(u8) -> bool,
        matters: impl Fn(u8, u8) -> bool,
        visit: &mut dyn FnMut(Graph) -> Flow,
    ) -> Flow {
        // 1. The graph without the edges that do not matter.
        let whole = Graph {
            letters: self.letters.clone(),
            edges: self
                .edges
                .iter()
                .copied()
                .filter(|&(a, b)| self.joins(a, b, &live, &matters))
                .collect(),
        };
        // 2. Its connected parts, and the part and new number of each vertex.
        let neighbours = whole.neighbours();
        let mut part_of = vec![(usize::MAX, 0); self.letters.len()];
        let mut parts: Vec<Graph> = Vec::new();
        for start in 0..self.letters.len() {
            if part_of[start].0 != usize::MAX || !live(self.letters[start]) {
                continue;
            }
            let mut members = vec![start];
            part_of[start] = (parts.len(), 0);
            let mut next = 0;
            while next < members.len() {
                for to in neighbours.of(members[next]) {
                    if part_of[to].0 == usize::MAX {
                        part_of[to] = (parts.len(), members.len() as u16);
                        members.push(to);
                    }
                }
                next += 1;
            }
            parts.push(Graph {
                letters: members.iter().map(|&vertex| self.letters[vertex]).collect(),
                edges: Vec::new(),
            });
        }
        // 3. Each edge belongs to the part of its ends.
        for &(a, b) in &whole.edges {
            let [(part, a), (_, b)] = [a, b].map(|vertex| part_of[usize::from(vertex)]);
            parts[part].edges.push((a.min(b), a.max(b)));
        }
        parts.into_iter().try_for_each(|mut part| {
            part.edges.sort_unstable();
            visit(part)
        })
    }

    fn joins(
        &self,
        a: u16,
        b: u16,
        live: &impl Fn(u8) -> bool,
        matters: &impl Fn(u8, u8) -> bool,
    ) -> bool {
        let [a, b] = [a, b].map(|vertex| self.letters[usize::from(vertex)]);
        live(a) && live(b) && matters(a, b)
    }

    /// The graph of these vertices, renumbered in their order.
    pub fn induced(&self, members: &[usize]) -> Graph {
        let mut place = vec![None; self.letters.len()];
        members
            .iter()
            .enumerate()
            .for_each(|(new, &old)| place[old] = Some(new as u16));
        let mut edges: Vec<(u16, u16)> = self
            .edges
            .iter()
            .filter_map(|&(a, b)| Some((place[usize::from(a)]?, place[usize::from(b)]?)))
            .map(|(a, b)| (a.min(b), a.max(b)))
            .collect();
        edges.sort_unstable();
        Graph {
            letters: members.iter().map(|&vertex| self.letters[vertex]).collect(),
            edges,
        }
    }

    /// The same graph renumbered so that most isomorphic graphs become equal.
    pub fn normal(&self) -> Graph {
        let neighbours = self.neighbours();
        let labels = self.refined_labels(&neighbours);
        let least = labels.iter().min();
        let mut starts: Vec<usize> = (0..labels.len())
            .filter(|&vertex| Some(&labels[vertex]) == least)
            .collect();
        // A large graph with many equivalent vertices is renumbered from one of them: trying all
        // would take quadratic time.
        if starts.len() * (self.letters.len() + self.edges.len()) > NORMAL_WORK {
            starts.truncate(1);
        }
        let renumbered = starts
            .into_iter()
            .map(|start| self.induced(&order_from(&neighbours, start, &labels)));
        renumbered
            .min_by(|a, b| (&a.letters, &a.edges).cmp(&(&b.letters, &b.edges)))
            .unwrap_or_else(|| self.clone())
    }

    /// A label for each vertex from its letter and, round by round, the labels of its neighbours.
    fn refined_labels(&self, neighbours: &Neighbours) -> Vec<u64> {
        let mut labels: Vec<u64> = self
            .letters
            .iter()
            .map(|&letter| mix(u64::from(letter)))
            .collect();
        for _ in 0..self.letters.len().min(16) {
            let mixed: Vec<u64> = labels.iter().map(|&label| mix(label)).collect();
            labels = (0..labels.len())
                .map(|vertex| {
                    let around = neighbours.of(vertex).map(|to| mixed[to]);
                    mix(labels[vertex].wrapping_add(around.fold(0, u64::wrapping_add)))
                })
                .collect();
        }
        labels
    }
}

/// Vertices and edges that [`Graph::normal`] may write in all its attempts together.
const NORMAL_WORK: usize = 1 << 17;

/// The neighbours of every vertex, in the order of the edges.
pub(crate) struct Neighbours {
    /// The index of the first neighbour of each vertex.
    starts: Vec<usize>,
    vertices: Vec<u16>,
}

impl Neighbours {
    /// The neighbours of a vertex.
    pub fn of(&self, vertex: usize) -> impl Iterator<Item = usize> + '_ {
        self.vertices[self.starts[vertex]..self.starts[vertex + 1]]
            .iter()
            .map(|&to| usize::from(to))
    }
}

/// Vertices by distance from the start, then by label.
fn order_from(neighbours: &Neighbours, start: usize, labels: &[u64]) -> Vec<usize> {
    let mut order = vec![start];
    let mut seen = vec![false; labels.len()];
    seen[start] = true;
    let mut next = 0;
    while next < order.len() {
        let first = order.len();
        order.extend(neighbours.of(order[next]).filter(|&to| !seen[to]));
        order[first..].sort_by_key(|&vertex| labels[vertex]);
        order[first..].iter().for_each(|&to| seen[to] = true);
        next += 1;
    }
    order.extend((0..labels.len()).filter(|&vertex| !seen[vertex]));
    order
}

/// Hashes a number.
fn mix(number: u64) -> u64 {
    let mixed = (number ^ number >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

/// Reads a named shape or a list of edges; all vertices are blank.
fn parse_shape(text: &str) -> Result<Graph, Complaint> {
    if let Some(edges) = text.trim_start().strip_prefix("edges ") {
        return super::gen_toads::shifted(text.len() - edges.len(), parse_edges(edges));
    }
    let shape = text.trim();
    let name_length = shape
        .find(|letter: char| !letter.is_ascii_alphabetic())
        .unwrap_or(shape.len());
    let (name, size) = shape.split_at(name_length);
    if name.is_empty() {
        return parse_edges(text);
    }
    let sizes: Option<Vec<usize>> = size
        .split('x')
        .map(|size| size.trim().parse().ok())
        .collect();
    let wrong = |message: &str| Err(Complaint::new(0..text.len(), message));
    let Some(sizes) = sizes.filter(|sizes| {
        sizes
            .iter()
            .try_fold(1usize, |all, &size| all.checked_mul(size))
            .is_some_and(|all| all <= 4096)
    }) else {
        return wrong(
            "expected a size of at most 4096 vertices after the name, such as path5 or grid3x4",
        );
    };
    let edges: Vec<(usize, usize)> = match (name, &sizes[..]) {
        ("path", &[n]) => (1..n).map(|vertex| (vertex - 1, vertex)).collect(),
        ("cycle", &[n]) if n >= 3 => (0..n).map(|vertex| (vertex, (vertex + 1) % n)).collect(),
        ("star", &[n]) => (1..=n).map(|leaf| (0, leaf)).collect(),
        ("complete", &[n]) if n <= 256 => (0..n)
            .flat_map(|a| (a + 1..n).map(move |b| (a, b)))
            .collect(),
        ("grid", &[rows, cols]) => grid_edges(rows, cols),
        _ => {
            return wrong(
                "expected pathN, cycleN, starN, completeN, gridRxC or edges such as 1-2,2-3",
            );
        }
    };
    let vertices = match (name, &sizes[..]) {
        ("star", &[n]) => n + 1,
        _ => sizes.iter().product(),
    };
    Ok(build(vertices, edges))
}

fn grid_edges(rows: usize, cols: usize) -> Vec<(usize, usize)> {
    let at = move |row: usize, col: usize| row * cols + col;
    let across =
        (0..rows).flat_map(move |row| (1..cols).map(move |col| (at(row, col - 1), at(row, col))));
    let down =
        (1..rows).flat_map(move |row| (0..cols).map(move |col| (at(row - 1, col), at(row, col))));
    across.chain(down).collect()
}

fn build(vertices: usize, edges: Vec<(usize, usize)>) -> Graph {
    let mut edges: Vec<(u16, u16)> = edges
        .into_iter()
        .map(|(a, b)| (a.min(b) as u16, a.max(b) as u16))
        .collect();
    edges.sort_unstable();
    edges.dedup();
    Graph {
        letters: vec![b'.'; vertices],
        edges,
    }
}

/// Reads `1-2,2-3,4`: edges and lone vertices, numbered from 1.
fn parse_edges(text: &str) -> Result<Graph, Complaint> {
    let mut edges = Vec::new();
    let mut vertices = 0;
    each_field(text, |field, span| {
        let ends: Result<Vec<usize>, Complaint> = field
            .split('-')
            .map(|end| parse_vertex(end, &span))
            .collect();
        let ends = ends?;
        vertices = ends.iter().map(|end| end + 1).fold(vertices, usize::max);
        match ends[..] {
            [_] => {}
            [a, b] if a != b => edges.push((a, b)),
            _ => {
                return Err(Complaint::new(
                    span,
                    "an edge joins two different vertices, such as 1-2",
                ));
            }
        }
        Ok(())
    })?;
    Ok(build(vertices, edges))
}

/// Calls a function with each field between commas and its byte range.
pub(crate) fn each_field(
    text: &str,
    mut each: impl FnMut(&str, Range<usize>) -> Result<(), Complaint>,
) -> Result<(), Complaint> {
    if text.len() > LONGEST_TEXT {
        return Err(Complaint::new(0..text.len(), "the graph is too large"));
    }
    let mut at = 0;
    for field in text.split(',') {
        let span = at..at + field.len();
        if !field.trim().is_empty() {
            each(field.trim(), span)?;
        }
        at += field.len() + 1;
    }
    Ok(())
}

fn parse_vertex(text: &str, span: &Range<usize>) -> Result<usize, Complaint> {
    let vertex = text
        .trim()
        .parse::<usize>()
        .ok()
        .filter(|vertex| (1..=4096).contains(vertex));
    let wrong = || {
        Complaint::new(
            span.clone(),
            format!("'{}' is not a vertex: expected 1 to 4096", text.trim()),
        )
    };
    vertex.map(|vertex| vertex - 1).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_and_edges() {
        assert_eq!(Graph::parse("path3", ".").unwrap().print(), "1-2,2-3:...");
        assert_eq!(
            Graph::parse("cycle3:X..", ".X").unwrap().print(),
            "1-2,1-3,2-3:X.."
        );
        assert_eq!(Graph::parse("grid2x2", ".").unwrap().edges.len(), 4);
        assert_eq!(Graph::parse("star3", ".").unwrap().letters.len(), 4);
        assert_eq!(Graph::parse("1-2, 4", ".").unwrap().print(), "1-2:....");
        assert_eq!(
            Graph::parse("edges 1-2,2-3:X..", ".X").unwrap().print(),
            "1-2,2-3:X.."
        );
        ["path", "1-1", "0-1", "x", "path3:..", "path99999999"]
            .iter()
            .for_each(|text| assert!(Graph::parse(text, ".").is_err(), "{text}"));
    }

    #[test]
    fn the_normal_form_of_a_large_graph_is_its_own() {
        for text in [
            "cycle2000",
            "complete200",
            "path4096",
            "grid60x60",
            "star4095",
        ] {
            let normal = Graph::parse(text, ".").unwrap().normal();
            assert_eq!(normal, normal.normal(), "{text}");
        }
    }

    #[test]
    fn parts_keep_their_edges() {
        let graph = Graph::parse("1-2,2-3,3-1,4-5,5-6:.....#", ".#").unwrap();
        let mut found = Vec::new();
        let _ = graph.parts(|letter| letter == b'.', |_, _| true, &mut |part| {
            found.push(part.print());
            Flow::Continue(())
        });
        assert_eq!(found, ["1-2,1-3,2-3:...", "1-2:.."]);
    }

    #[test]
    fn isomorphic_graphs_have_one_normal_form() {
        let normal = |text: &str| Graph::parse(text, ".XO").unwrap().normal();
        assert_eq!(normal("1-2,2-3,3-4:X..."), normal("4-2,2-1,1-3:..X."));
        assert_eq!(normal("cycle5:.X..."), normal("cycle5:...X."));
    }
}
