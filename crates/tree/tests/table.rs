//! The variations table, row by row.

mod text;

use gametree_tree::table::{
    Caption, Column, NoSuchAlternative, Numbering, Row, Table, label, label_index,
};
use gametree_tree::{LineCounts, NodeId, Tree, View};
use text::read;

fn caption(tree: &Tree<&str>, node: NodeId) -> Caption {
    Caption {
        text: tree.move_to(node).copied().unwrap_or_default().to_owned(),
        ..Caption::default()
    }
}

/// Draws rows in one line each: number, two columns, then `label:move/lines#choice`.
fn draw(tree: &Tree<&str>, view: &View, numbering: Numbering) -> Vec<String> {
    let lines = LineCounts::new(tree);
    let table = Table::new(tree, view, &lines, numbering);
    let rows = table.rows(0..table.row_count(), |node| caption(tree, node));
    rows.iter().map(draw_row).collect()
}

fn draw_row(row: &Row) -> String {
    let cell = |cell: &Option<_>| {
        cell.as_ref()
            .map_or("...", |cell: &gametree_tree::table::Cell| {
                &cell.caption.text
            })
            .to_owned()
    };
    let mut text = format!("{} {} {}", row.number, cell(&row.first), cell(&row.second));
    for (index, other) in row.alternatives.iter().enumerate() {
        text += &format!(
            " {}:{}/{}#{}",
            label(index),
            other.caption.text,
            other.lines,
            other.choice
        );
    }
    text
}

const OPENING: &str = "e4 ( d4 d5 ) ( c4 ) c5 ( e5 Nf3 ( f4 ) ) Nf3 d6 d4 cxd4 ( Nf6 ) Nxd4";

#[test]
fn row_rules() {
    let tree = read(OPENING);
    let drawn = draw(&tree, &View::new(), Numbering::default());
    assert_eq!(
        drawn,
        [
            "1 e4 ... a:d4/1#1 b:c4/1#2",
            "1 ... c5 a:e5/2#1",
            "2 Nf3 d6",
            "3 d4 cxd4 a:Nf6/1#1",
            "4 Nxd4 ...",
        ]
    );
}

#[test]
fn games_that_start_with_the_second_player_at_move_40() {
    let tree = read("Kd7 Ra1 ( Rb1 ) Ke6");
    let numbering = Numbering {
        first_column: Column::Second,
        first_number: 40,
    };
    let drawn = draw(&tree, &View::new(), numbering);
    assert_eq!(drawn, ["40 ... Kd7", "41 Ra1 ... a:Rb1/1#1", "41 ... Ke6"]);
}

#[test]
fn choosing_promotes_for_display_only() {
    let tree = read("e4 e5 ( c5 ) ( c6 ) ( d5 ) ( g6 ) ( d6 ) ( a6 ) ( e6 )");
    let mut view = View::new();
    let child = |n| tree.follow(NodeId::ROOT, [0, n]).expect("is there");
    view.choose(&tree, child(4));
    view.choose(&tree, child(7));
    let drawn = draw(&tree, &view, Numbering::default());
    assert_eq!(
        drawn,
        ["1 e4 e6 a:e5/1#0 b:c5/1#1 c:c6/1#2 d:d5/1#3 e:g6/1#4 f:d6/1#5 g:a6/1#6"]
    );
    assert!(view.is_promoted(&tree, child(7)) && !view.is_promoted(&tree, child(0)));
    view.choose(&tree, child(0));
    assert_eq!(view, View::new());
}

#[test]
fn choices_below_are_remembered() {
    let tree = read(OPENING);
    let mut view = View::new();
    let node = |choices: &[usize]| {
        tree.follow(NodeId::ROOT, choices.iter().copied())
            .expect("is there")
    };
    let e5 = node(&[0, 1]);
    let f4 = node(&[0, 1, 1]);
    view.show(&tree, f4);
    assert_eq!(view.line(&tree, NodeId::ROOT).last(), Some(f4));
    view.choose(&tree, node(&[0, 0]));
    assert_eq!(view.line(&tree, NodeId::ROOT).count(), 8);
    view.choose(&tree, e5);
    assert_eq!(view.line(&tree, NodeId::ROOT).last(), Some(f4));
}

#[test]
fn a_removed_choice_is_ignored() {
    let mut tree = read(OPENING);
    let mut view = View::new();
    let d4 = tree.child(NodeId::ROOT, 1).expect("is there");
    view.choose(&tree, d4);
    let edit = tree.detach(d4);
    assert_eq!(view.next(&tree, NodeId::ROOT), tree.next(NodeId::ROOT));
    tree.apply(&edit.inverse()).expect("undoes");
    assert_eq!(view.next(&tree, NodeId::ROOT), Some(d4));
}

#[test]
fn addresses() {
    let tree = read(OPENING);
    let (view, lines) = (View::new(), LineCounts::new(&tree));
    let table = Table::new(&tree, &view, &lines, Numbering::default());
    let c4 = tree.child(NodeId::ROOT, 2).expect("is there");
    assert_eq!(table.alternative(1, Column::First, "b"), Ok(c4));
    let e4 = table.main_move(1, Column::First).expect("is there");
    assert_eq!(
        table.alternative(1, Column::First, "z"),
        Err(NoSuchAlternative::Label { to: e4 })
    );
    assert_eq!(
        table.alternative(1, Column::First, "7"),
        Err(NoSuchAlternative::Label { to: e4 })
    );
    assert_eq!(
        table.alternative(4, Column::Second, "a"),
        Err(NoSuchAlternative::Move)
    );
    let c5 = table.main_move(1, Column::Second).expect("is there");
    assert_eq!(tree.move_to(c5), Some(&"c5"));
    assert_eq!(table.row_of(c5), Some(1));
    assert_eq!(table.row_of(c4), None);
    let row = table
        .row(0, 1, |node| caption(&tree, node))
        .expect("is there");
    assert_eq!((row.alternatives.len(), row.more), (1, 1));
    assert!(row.alternatives[0].lines == 1 && !row.alternatives[0].ends);
    assert!(table.row(5, 1, |node| caption(&tree, node)).is_none());
}

#[test]
fn a_tree_without_moves_has_no_rows() {
    assert!(draw(&Tree::new(), &View::new(), Numbering::default()).is_empty());
}

#[test]
fn labels_go_past_z() {
    let some = [
        (0, "a"),
        (25, "z"),
        (26, "aa"),
        (27, "ab"),
        (51, "az"),
        (52, "ba"),
        (702, "aaa"),
    ];
    for (index, text) in some {
        assert_eq!(label(index), text);
    }
    for index in 0..20_000 {
        assert_eq!(label_index(&label(index)), Some(index));
    }
    for bad in ["", "é", "1", "a b", "{"] {
        assert_eq!(label_index(bad), None);
    }
    assert_eq!(label_index(&"z".repeat(40)), None);
    assert_eq!(label_index("AA"), Some(26));
}

/// The published sample of 638 lines, if available: moves, numbers and parentheses only.
fn published_sample() -> Option<String> {
    let file =
        outside::find("corpora/trees/pgn4people/src/pgn4people_poc/example_pgns/demo_pgn_1.pgn")?;
    let text = std::fs::read_to_string(file).expect("a readable file");
    let lines = text.lines().filter(|line| !line.starts_with('['));
    let text = lines
        .collect::<Vec<_>>()
        .join(" ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let moves = text
        .split_whitespace()
        .filter_map(|token| token.rsplit('.').next());
    let moves = moves.filter(|token| !token.is_empty() && !token.starts_with('$') && *token != "*");
    Some(moves.collect::<Vec<_>>().join(" "))
}

#[test]
fn the_published_sample() {
    let Some(text) = published_sample() else {
        return;
    };
    let tree = read(&text);
    assert_eq!(tree.node_count(), 3494);
    assert_eq!(tree.terminals().count(), 638);
    assert_eq!(tree.terminals().map(|end| tree.ply(end)).max(), Some(63));
    let drawn = draw(&tree, &View::new(), Numbering::default());
    assert_eq!(
        drawn[..3],
        [
            "1 e4 ... a:d4/293#1 b:c4/65#2 c:Nf3/1#3 d:b3/1#4 e:f4/1#5",
            "1 ... c5 a:e5/105#1 b:e6/85#2 c:c6/7#3 d:d6/1#4 e:g6/1#5 f:d5/3#6 g:Nf6/4#7 h:Nc6/1#8",
            "2 Nf3 ... a:Nc3/1#1 b:c3/1#2 c:d4/1#3 d:d3/1#4 e:f4/1#5",
        ]
    );
    assert_eq!(drawn[drawn.len() - 1], "16 h4 ...");
}
