use super::*;
use crate::Theme;
use crate::diagram::Diagram;
use crate::sketch::{SketchBuilder, SketchNode};
use crate::svg;

/// Numbers that look random and are the same every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % limit
    }
}

/// A tree in which each node's parent is at most `back` nodes before it, with about `positions`
/// different positions.
fn sketch(count: u32, back: usize, positions: usize, numbers: &mut Numbers) -> Sketch {
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); count as usize];
    for node in 1..count {
        let step = 1 + numbers.below(back.min(node as usize)) as u32;
        children[(node - step) as usize].push(node);
    }
    let mut sketch = SketchBuilder::new(&SketchNode::default(), count as usize);
    let mut open: Vec<(u32, NodeId, u32)> = vec![(0, NodeId::ROOT, 0)];
    while let Some((node, parent, ply)) = open.pop() {
        let mut id = NodeId::ROOT;
        if node > 0 {
            let node = SketchNode {
                source: NodeId(node),
                key: 1 + numbers.below(positions) as u128,
                mover: Some(if ply % 2 == 1 {
                    Color::White
                } else {
                    Color::Black
                }),
                number: format!("{}.", ply.div_ceil(2)),
                text: ["e4", "Nf3", "Qxd8+", "O-O-O"][numbers.below(4)].to_owned(),
                ..SketchNode::default()
            };
            id = sketch.add(parent, &node);
        }
        open.extend(
            children[node as usize]
                .iter()
                .rev()
                .map(|&child| (child, id, ply + 1)),
        );
    }
    sketch.finish()
}

fn rows(width: f64) -> Space {
    Space {
        row_width: Some(width),
        is_page: false,
    }
}

/// True if a part of a polyline lies within a card.
fn hits(polyline: &[Point], card: &Placed) -> bool {
    let (left, right) = (card.along, card.along + card.size.along);
    let (top, bottom) = (
        card.across - card.size.across / 2.0,
        card.across + card.size.across / 2.0,
    );
    polyline.windows(2).any(|ends| {
        let (x1, x2) = (ends[0].0.min(ends[1].0), ends[0].0.max(ends[1].0));
        let (y1, y2) = (ends[0].1.min(ends[1].1), ends[0].1.max(ends[1].1));
        x1 < right && left < x2.max(x1 + 0.01) && y1 < bottom && top < y2.max(y1 + 0.01)
    })
}

/// Fails if an arc passes through a card, or does not end at its two cards.
fn check_arcs(branches: &Branches, places: &Arrangement) {
    assert_eq!(places.arcs().len(), branches.arcs().len());
    for (&(from, to), polyline) in branches.arcs().iter().zip(places.arcs()) {
        for (item, end) in [(from, polyline.first()), (to, polyline.last())] {
            let card = places.item(item as usize);
            let &(x, y) = end.expect("an end");
            assert_eq!(x, card.along + card.size.along);
            assert!((y - card.across).abs() < card.size.across / 2.0);
        }
        for (index, card) in places.items().enumerate() {
            assert!(
                !hits(polyline, &card),
                "{polyline:?} passes through {index}: {card:?}"
            );
        }
        let is_straight = |ends: &[Point]| ends[0].0 == ends[1].0 || ends[0].1 == ends[1].1;
        assert!(polyline.windows(2).all(is_straight), "{polyline:?}");
    }
}

#[test]
fn arcs_pass_no_card() {
    let mut numbers = Numbers(7);
    let mut arcs = 0;
    for (count, back, positions) in [(60, 5, 20), (400, 20, 200), (400, 3, 100), (2000, 60, 900)] {
        for _ in 0..5 {
            let sketch = sketch(count, back, positions, &mut numbers);
            let options = TreeOptions::default();
            let branches = Branches::new(&sketch, &options);
            for width in [None, Some(1600.0), Some(500.0)] {
                check_arcs(&branches, &branches.arrange(width));
            }
            arcs += branches.arcs().len();
        }
    }
    assert!(arcs > 1000, "{arcs}");
}

#[test]
fn arcs_pass_no_board() {
    let mut numbers = Numbers(3);
    let mut sketch = sketch(300, 12, 120, &mut numbers);
    for node in (1..300).step_by(11) {
        sketch.add_diagram(NodeId(node), Diagram::new([None; 64], Color::White));
    }
    let options = TreeOptions::default();
    let branches = Branches::new(&sketch, &options);
    check_arcs(&branches, &branches.arrange(None));
}

#[test]
fn arcs_of_one_position_are_alike() {
    let styles = arc_styles(&[(1, 5), (2, 6), (1, 7)]);
    assert_eq!(styles[&1], styles[&5]);
    assert_eq!(styles[&1], styles[&7]);
    assert_ne!(styles[&1], styles[&2]);
    let all: Vec<ArcStyle> = (0..18).map(ArcStyle::numbered).collect();
    for (index, style) in all.iter().enumerate() {
        assert!(!all[..index].contains(style));
    }
}

/// Fails if items overlap, or if a line to the next row passes through a card.
fn check_rows(branches: &Branches, places: &Arrangement) {
    for (a, one) in places.items().enumerate() {
        for two in places.items().take(a) {
            let apart = one.along >= two.along + two.size.along
                || two.along >= one.along + one.size.along
                || (one.across - two.across).abs() >= (one.size.across + two.size.across) / 2.0;
            assert!(apart, "{one:?} {two:?}");
        }
    }
    for (index, polyline) in places.returns() {
        for (other, card) in places.items().enumerate() {
            let is_end = other == *index || branches.plan.item(*index).parent == Some(other);
            assert!(is_end || !hits(polyline, &card), "{polyline:?} {card:?}");
        }
    }
}

#[test]
fn a_long_game_has_rows() {
    let mut numbers = Numbers(1);
    let sketch = sketch(161, 1, 1_000_000, &mut numbers);
    let options = TreeOptions::default();
    let branches = Branches::new(&sketch, &options);
    let strip = branches.arranged(Space::default()).scene();
    assert!(strip.width > 8000.0 && strip.height < 200.0);
    for most in [1600.0, 800.0, 400.0] {
        let scene = branches.arranged(rows(most)).scene();
        assert!(
            scene.width <= most && scene.width > 0.8 * most,
            "{}",
            scene.width
        );
        let places = branches.arrange(Some(most));
        check_rows(&branches, &places);
        // Every row after the first starts with a move of White.
        for (first, _) in places.returns() {
            assert_eq!(branches.plan.item(*first).ply % 2, 1);
        }
        let area = scene.width * scene.height;
        assert!(area < 3.0 * strip.width * strip.height, "{area}");
    }
}

#[test]
fn variations_continue_in_the_next_row() {
    let mut numbers = Numbers(5);
    let mut divided = 0;
    for _ in 0..40 {
        let sketch = sketch(120, 2, 90, &mut numbers);
        let options = TreeOptions::default();
        let branches = Branches::new(&sketch, &options);
        let places = branches.arrange(Some(900.0));
        check_rows(&branches, &places);
        check_arcs(&branches, &places);
        if !places.returns().is_empty() {
            divided += 1;
            assert!(places.width() <= 900.0 - 2.0 * MARGIN, "{}", places.width());
        }
    }
    assert!(divided > 20, "{divided}");
}

#[test]
fn a_bushy_tree_stays_in_one_row() {
    let mut numbers = Numbers(9);
    for (count, back) in [(3000, 100), (150, 6)] {
        let sketch = sketch(count, back, 1_000_000, &mut numbers);
        let options = TreeOptions::default();
        let branches = Branches::new(&sketch, &options);
        let places = branches.arrange(Some(600.0));
        assert!(places.returns().is_empty() && places.width() > 600.0);
    }
}

#[test]
fn a_title_fits_its_rows() {
    let options = TreeOptions {
        title: "A title of many words ".repeat(20),
        ..TreeOptions::default()
    };
    let sketch = sketch(3, 1, 10, &mut Numbers(2));
    let branches = Branches::new(&sketch, &options);
    let scene = branches.arranged(rows(500.0)).scene();
    assert!(
        scene.width <= 500.0 && scene.width > 400.0,
        "{}",
        scene.width
    );
}

/// Marks that are made while they are written, and all marks at once.
#[test]
fn streams_write_the_scene() {
    let mut sketch = sketch(300, 12, 120, &mut Numbers(4));
    for node in (1..300).step_by(23) {
        sketch.add_note(NodeId(node), "a <note>");
        sketch.add_diagram(NodeId(node + 1), Diagram::new([None; 64], Color::White));
    }
    sketch.explain("±", "White is better");
    let options = TreeOptions {
        title: "Title".to_owned(),
        budget: Some(200),
        marked: vec![NodeId(7)],
        ..TreeOptions::default()
    };
    let branches = Branches::new(&sketch, &options);
    let picture = || branches.arranged(rows(1600.0));
    let (mut streamed, mut whole) = (Vec::new(), Vec::new());
    let made = picture();
    svg::write_streams(
        made.frame(),
        made.layers(),
        Theme::Light,
        1.0,
        &mut streamed,
    )
    .expect("memory");
    svg::write_scene(&picture().scene(), Theme::Light, 1.0, &mut whole).expect("memory");
    assert!(streamed.len() > 50_000 && streamed == whole);
}

/// The number, the move and the glyphs are one text.
#[test]
fn labels_have_their_parts() {
    let node = SketchNode {
        source: NodeId(5),
        number: "12...".to_owned(),
        text: "Nf3".to_owned(),
        glyphs: "±!".to_owned(),
        ..SketchNode::default()
    };
    let mut sketch = SketchBuilder::new(&SketchNode::default(), 2);
    let id = sketch.add(NodeId::ROOT, &node);
    let sketch = sketch.finish();
    assert_eq!(sketch.label(id), "12...Nf3±!");
    assert_eq!((sketch.text(id), sketch.glyphs(id)), ("Nf3", "±!"));
    assert_eq!(
        (sketch.label(NodeId::ROOT), sketch.source(id)),
        ("", NodeId(5))
    );
}
