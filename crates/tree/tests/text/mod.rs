//! Trees from text: moves and parentheses.

use gametree_tree::{NodeId, Tree};

/// Reads moves and parentheses; a variation is an alternative to the move before it.
pub fn read(text: &str) -> Tree<&str> {
    let mut tree = Tree::new();
    let (mut at, mut open) = (NodeId::ROOT, Vec::new());
    for token in text.split_whitespace() {
        match token {
            "(" => {
                open.push(at);
                at = tree.parent(at).expect("a variation follows a move");
            }
            ")" => at = open.pop().expect("balanced"),
            mv => at = tree.add_child(at, mv),
        }
    }
    tree
}
