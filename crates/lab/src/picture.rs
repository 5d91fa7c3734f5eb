//! Pictures of a winning strategy: a tree with arcs between equal sums, or a page with folding.

use std::fmt::Write;

use draw::{Color, DrawError, Format, Paper, Sketch, SketchNode, TreeOptions, draw_tree, escape};
use tree::{NodeId, Tree};

use super::strategy::StrategyTable;
use super::{Player, sum_text};

const PAGE: &str = include_str!("strategy.html");

/// Moves that the page shows unfolded at first.
const OPEN_PLIES: usize = 4;

impl StrategyTable {
    /// The whole strategy as a picture or a page.
    pub fn draw(&self, paper: &Paper, format: Format) -> Result<Vec<u8>, DrawError> {
        if format == Format::Html {
            return Ok(self.page().into_bytes());
        }
        let options = TreeOptions {
            title: self.heading(),
            ..TreeOptions::default()
        };
        Ok(draw_tree(&self.sketch(), &options, paper, format)?.bytes)
    }

    fn heading(&self) -> String {
        let sum = sum_text(&self.sum_at(NodeId::ROOT));
        format!(
            "{sum}: {} moves first, {} wins",
            self.first(),
            self.winner()
        )
    }

    /// Equal sums have the same key, so that they are joined.
    fn sketch(&self) -> Sketch {
        let mut tree = Tree::new();
        let mut nodes: Vec<SketchNode> = Vec::new();
        let mut numbers = vec![NodeId::ROOT; self.tree().capacity_used()];
        for source in self.tree().preorder() {
            let parent = self.tree().parent(source);
            if let Some(parent) = parent {
                numbers[source.index()] = tree.add_child(numbers[parent.index()], source);
            }
            let same = self.link(source).unwrap_or(source);
            nodes.push(SketchNode {
                source,
                key: u128::from(same.0),
                mover: self.tree().move_to(source).map(|mv| colour(mv.player)),
                number: String::new(),
                text: self.name(source).to_owned(),
                glyphs: String::new(),
            });
        }
        Sketch::new(tree, &nodes)
    }

    fn page(&self) -> String {
        let mut title = String::new();
        escape(&self.heading(), &mut title);
        PAGE.replace("{{title}}", &title)
            .replace("{{loser}}", &(!self.winner()).to_string())
            .replace("{{tree}}", &self.list())
    }

    /// The moves as nested lists, without recursion: a game may be long.
    fn list(&self) -> String {
        let mut out = String::new();
        let mut open: Vec<NodeId> = Vec::new();
        for node in self.tree().preorder().skip(1) {
            let parent = self.tree().parent(node).unwrap_or(NodeId::ROOT);
            while open.last().is_some_and(|&last| last != parent) {
                open.pop();
                out.push_str("</ul></details></li>\n");
            }
            self.item(node, open.len(), &mut out);
            if self.tree().children(node).next().is_some() {
                open.push(node);
            }
        }
        for _ in open {
            out.push_str("</ul></details></li>\n");
        }
        out
    }

    /// A move: a foldable item, an end, or a link to its continuation.
    fn item(&self, node: NodeId, ply: usize, out: &mut String) {
        let class = match self.tree().move_to(node).map(|mv| mv.player) {
            Some(Player::Left) => "left",
            _ => "right",
        };
        let mut name = String::new();
        escape(self.name(node), &mut name);
        let card = format!("<b class=\"{class}\">{name}</b>");
        let id = node.0;
        let _ = match (self.link(node), self.tree().children(node).next()) {
            (Some(to), _) => writeln!(
                out,
                "<li id=\"n{id}\">{card} <a href=\"#n{}\">continues as after {}</a></li>",
                to.0,
                self.escaped_path(to)
            ),
            (None, None) => writeln!(out, "<li id=\"n{id}\">{card} <i>the end</i></li>"),
            (None, Some(_)) => {
                let open = if ply < OPEN_PLIES { " open" } else { "" };
                writeln!(
                    out,
                    "<li id=\"n{id}\"><details{open}><summary>{card}</summary><ul>"
                )
            }
        };
    }

    fn escaped_path(&self, node: NodeId) -> String {
        let mut path = String::new();
        escape(&self.path(node).join(" "), &mut path);
        path
    }
}

/// Left is Black, Right is White.
fn colour(player: Player) -> Color {
    match player {
        Player::Left => Color::Black,
        Player::Right => Color::White,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Solver, read::read_sum, strategy::winning_strategy};

    #[test]
    fn arcs_between_equal_sums_stay_on_the_paper() {
        let sum = read_sum("{1|-1} + *2 + domineering ...|...").unwrap();
        let found = winning_strategy(&mut Solver::default(), &sum, Player::Left, 1000).unwrap();
        let bytes = found.draw(&Paper::default(), Format::Svg).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let document = roxmltree::Document::parse(&text).unwrap();
        let width: f64 = document
            .root_element()
            .attribute("width")
            .unwrap()
            .parse()
            .unwrap();
        let layer = document
            .descendants()
            .find(|node| node.attribute("class") == Some("transpositions"))
            .unwrap();
        let paths = layer.descendants().filter_map(|node| node.attribute("d"));
        let mut arcs = 0;
        for path in paths {
            let numbers = path.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-'));
            let numbers: Vec<f64> = numbers.filter_map(|number| number.parse().ok()).collect();
            let across = numbers.iter().step_by(2);
            assert!(across.clone().all(|&x| x <= width), "{path} on {width}");
            arcs += 1;
        }
        assert!(arcs > 3);
    }
}
