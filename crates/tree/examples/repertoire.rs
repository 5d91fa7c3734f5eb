//! Builds a small repertoire, finds its transpositions, and prints its variations table.
//!
//! `cargo run -p gametree-tree --example repertoire`

#![allow(clippy::print_stdout, reason = "an example prints its result")]

use gametree_tree::graph::{Graph, Identity};
use gametree_tree::table::{Caption, Numbering, Table, label};
use gametree_tree::{LineCounts, NodeId, Tree, View};

fn main() {
    let mut tree = Tree::new();
    tree.add_line(NodeId::ROOT, ["d4", "Nf6", "c4", "e6"]);
    tree.add_line(NodeId::ROOT, ["c4", "Nf6", "d4"]);
    tree.add_line(NodeId::ROOT, ["d4", "d5"]);

    // 1. Positions: here the set of moves played is enough to tell them apart.
    let key = |node| {
        let mut moves: Vec<&str> = tree
            .ancestors(node)
            .filter_map(|above| tree.move_to(above).copied())
            .collect();
        moves.sort_unstable();
        moves.concat().bytes().fold(0u64, |hash, byte| {
            hash.wrapping_mul(31).wrapping_add(byte.into())
        })
    };
    let (graph, vertices) = Graph::of_tree(Identity::Position, &tree, key);
    for (vertex, node) in tree
        .preorder()
        .filter_map(|node| Some((vertices.get(node)?, node)))
    {
        if graph.is_transposition(vertex) {
            println!("transposition after {}", line_text(&tree, node));
        }
    }

    // 2. The table of the mainline.
    let (view, lines) = (View::new(), LineCounts::new(&tree));
    let table = Table::new(&tree, &view, &lines, Numbering::default());
    let caption = |node| Caption {
        text: tree
            .move_to(node)
            .map_or_else(String::new, ToString::to_string),
        ..Caption::default()
    };
    for row in table.rows(0..table.row_count(), caption) {
        let text = |cell: &Option<gametree_tree::table::Cell>| {
            cell.as_ref()
                .map_or("...", |cell| cell.caption.text.as_str())
                .to_owned()
        };
        print!("{}. {} {}", row.number, text(&row.first), text(&row.second));
        for (index, other) in row.alternatives.iter().enumerate() {
            print!("  {}: {}", label(index), other.caption.text);
        }
        println!();
    }
}

fn line_text(tree: &Tree<&str>, node: NodeId) -> String {
    let moves = tree.line(node).into_iter();
    let moves: Vec<&str> = moves
        .filter_map(|node| tree.move_to(node).copied())
        .collect();
    moves.join(" ")
}
