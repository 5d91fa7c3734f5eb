//! A tree in the Graphviz language.

use std::fmt::Write;

use gametree_tree::layout::Content;

use crate::diagram::Color;
use crate::ink::{Ink, Theme};
use crate::sketch::Sketch;
use crate::tree::{Branches, fold_label, thickness};

/// The visible part of a tree as a digraph.
pub fn dot(branches: &Branches, sketch: &Sketch, title: &str, theme: Theme) -> String {
    let mut out = String::from("digraph gametree {\n");
    let colour = |ink| theme.colour(ink).to_string();
    let _ = write!(
        out,
        "  graph [rankdir=LR, bgcolor=\"{}\", fontcolor=\"{}\", labelloc=t, label={}];\n  \
         node [shape=box, style=\"rounded,filled\", height=0.25, margin=\"0.06,0.02\", \
         fontname=\"DejaVu Sans\", fontsize=10];\n  edge [dir=none, color=\"{}\"];\n",
        colour(Ink::Paper),
        colour(Ink::Text),
        quoted(title),
        colour(Ink::Branch),
    );
    for (index, item) in branches.plan().items().enumerate() {
        let (label, look) = match item.content {
            Content::Node(id) => {
                let mut look = look(sketch.mover(id), theme);
                if branches.is_marked(id) {
                    let _ = write!(look, ", penwidth=3, color=\"{}\"", colour(Ink::Marked));
                }
                (sketch.label(id).to_owned(), look)
            }
            Content::Fold { .. } => (fold_label(item.content), fold_look(theme)),
        };
        let _ = writeln!(out, "  n{index} [label={}, {look}];", quoted(&label));
    }
    for (index, item) in branches.plan().items().enumerate() {
        let Some(parent) = item.parent else { continue };
        let lines = match item.content {
            Content::Node(node) => sketch.lines.through(node),
            Content::Fold { lines, .. } => lines,
        };
        let _ = write!(
            out,
            "  n{parent} -> n{index} [penwidth={:.1}",
            thickness(lines)
        );
        if item.mainline {
            // Graphviz keeps heavy edges straight.
            let _ = write!(out, ", weight=100, color=\"{}\"", colour(Ink::Mainline));
        }
        out.push_str("];\n");
    }
    for &(from, to) in branches.arcs() {
        let _ = writeln!(
            out,
            "  n{from} -> n{to} [style=dashed, constraint=false, color=\"{}\"];",
            colour(branches.arc_style(from).ink)
        );
    }
    out.push_str("}\n");
    out
}

fn look(mover: Option<Color>, theme: Theme) -> String {
    let (fill, text) = match mover {
        None => (Ink::Mainline, Ink::Paper),
        Some(Color::White) => (Ink::WhiteCard, Ink::OnWhiteCard),
        Some(Color::Black) => (Ink::BlackCard, Ink::OnBlackCard),
    };
    inks(fill, text, theme)
}

fn fold_look(theme: Theme) -> String {
    format!(
        "shape=note, style=filled, {}",
        inks(Ink::Fold, Ink::OnFold, theme)
    )
}

fn inks(fill: Ink, text: Ink, theme: Theme) -> String {
    format!(
        "fillcolor=\"{}\", fontcolor=\"{}\"",
        theme.colour(fill),
        theme.colour(text)
    )
}

/// A Graphviz string: quotes and backslashes are escaped, control characters dropped.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars().filter(|c| !c.is_control()) {
        if matches!(c, '"' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn quotes_do_not_end_strings() {
        assert_eq!(quoted("a\"b\\c\n"), r#""a\"b\\c""#);
    }
}
