use chess::Variant;
use chess::annotation::shapes;
use proptest::prelude::*;

use super::*;
use crate::book::Book;
use kit::input::Source;

const TRANSPOSING: &str = "1. d4 Nf6 (1... d5 2. c4 Nf6 3. Nc3) 2. c4 d5 3. Nc3 *";

fn game(text: &str) -> Game {
    chess::pgn::read_game(text.as_bytes()).expect("a game")
}

fn draw(game: &Game, options: &TreeOptions, format: Format) -> Drawn {
    draw_part(game, &TreePart::default(), options, format)
}

fn draw_part(game: &Game, part: &TreePart, options: &TreeOptions, format: Format) -> Drawn {
    draw_tree(game, part, options, &Paper::default(), format).expect("a picture")
}

fn svg_of(game: &Game, options: &TreeOptions) -> (Drawn, String) {
    let drawn = draw(game, options, Format::Svg);
    let text = String::from_utf8(drawn.bytes.clone()).expect("text");
    (drawn, text)
}

/// The first game of a file of the corpora, if they are present.
fn corpus(path: &str) -> Option<Game> {
    let file = outside::find(&format!("corpora/{path}"))?;
    let book = Book::open(&Source::from_arg(&file)).expect("a readable file");
    book.read(0)
}

/// The number of marks in each layer of a picture; parsing it proves that it is XML.
fn layers(svg: &str) -> Vec<(String, usize)> {
    let document = roxmltree::Document::parse(svg).expect("XML");
    let is_layer = |node: &roxmltree::Node| node.attribute("class").is_some();
    let marks = |layer: roxmltree::Node| {
        let shapes = ["rect", "path", "circle", "text", "use"];
        let all = layer.descendants();
        all.filter(|node| shapes.contains(&node.tag_name().name()))
            .count()
    };
    let name = |layer: roxmltree::Node| layer.attribute("class").unwrap_or_default().to_owned();
    let nodes = document.descendants().filter(is_layer);
    nodes.map(|layer| (name(layer), marks(layer))).collect()
}

fn count(layers: &[(String, usize)], name: &str) -> usize {
    let found = layers.iter().find(|(known, _)| known == name);
    found.map_or(0, |(_, count)| *count)
}

#[test]
fn drawn_nodes_are_counted() {
    let (drawn, text) = svg_of(&game(TRANSPOSING), &TreeOptions::default());
    assert_eq!(
        (
            drawn.contents.nodes,
            drawn.contents.shown,
            drawn.contents.arcs
        ),
        (10, 10, 1)
    );
    let layers = layers(&text);
    assert_eq!(count(&layers, "branches"), 9);
    assert_eq!(count(&layers, "transpositions"), 1);
    // Each move has a card and words.
    assert_eq!(count(&layers, "white"), 2 * 5);
    assert_eq!(count(&layers, "black"), 2 * 4);
    assert_eq!(count(&layers, "start"), 1);
}

#[test]
fn move_numbers_where_needed() {
    let (_, text) = svg_of(&game(TRANSPOSING), &TreeOptions::default());
    for label in [">1.d4<", ">Nf6<", ">1...d5<", ">2.c4<", ">3.Nc3<"] {
        assert!(text.contains(label), "{label}");
    }
    let from_black = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 40\"]\n\n40... Kd7 41. e4 Kd6 *";
    let (_, text) = svg_of(&game(from_black), &TreeOptions::default());
    assert!(text.contains(">40...Kd7<") && text.contains(">41.e4<"));
}

#[test]
fn signs_and_comments() {
    let text = "1. e4 $1 {best <by> \"test\" & more} e5 $6 2. Nf3 $14 *";
    let (_, svg) = svg_of(&game(text), &TreeOptions::default());
    for label in ["1.e4!", "e5?!", "2.Nf3"] {
        assert!(svg.contains(&format!("{label}</text>")), "{label}");
    }
    assert!(svg.contains("<title>best &lt;by&gt; &quot;test&quot; &amp; more</title>"));
    assert_eq!(count(&layers(&svg), "comments"), 1);
}

#[test]
fn a_cycle_is_not_a_transposition() {
    let (drawn, _) = svg_of(
        &game("1. Nf3 Nf6 2. Ng1 Ng8 3. e4 *"),
        &TreeOptions::default(),
    );
    assert_eq!(drawn.contents.arcs, 0);
}

#[test]
fn equal_continuations_need_no_arc() {
    let text = "1. d4 Nf6 (1... d5 2. c4 Nf6 3. Nc3 e6 4. Nf3) 2. c4 d5 3. Nc3 e6 4. Nf3 *";
    assert_eq!(
        svg_of(&game(text), &TreeOptions::default()).0.contents.arcs,
        1
    );
    let none = TreeOptions {
        arcs: false,
        ..TreeOptions::default()
    };
    assert_eq!(svg_of(&game(text), &none).0.contents.arcs, 0);
}

#[test]
fn folding_counts_hidden_nodes() {
    let options = TreeOptions {
        budget: Some(5),
        ..TreeOptions::default()
    };
    let (drawn, text) = svg_of(&game(TRANSPOSING), &options);
    assert_eq!((drawn.contents.nodes, drawn.contents.shown), (10, 6));
    assert!(text.contains(">+4<") && text.contains("9 moves, 5 shown"));
}

#[test]
fn parts_of_a_tree() {
    let game = game(TRANSPOSING);
    let d5 = game
        .tree()
        .child(game.tree().children(NodeId::ROOT).next().expect("1.d4"), 1);
    let part = TreePart {
        at: d5.expect("1...d5"),
        ..TreePart::default()
    };
    let options = TreeOptions {
        depth: Some(2),
        ..TreeOptions::default()
    };
    let drawn = draw_part(&game, &part, &options, Format::Svg);
    let text = String::from_utf8_lossy(&drawn.bytes);
    assert_eq!((drawn.contents.nodes, drawn.contents.shown), (4, 3));
    assert!(text.contains(">1...d5<") && text.contains(">+1<"));
}

#[test]
fn boards_at_nodes() {
    let game = game("1. e4 e5 $220 (1... c5 2. Nf3 d6) *");
    let deep = game.tree().preorder().last().expect("a node");
    let part = TreePart {
        boards: vec![deep],
        diagrams: true,
        ..TreePart::default()
    };
    let options = TreeOptions {
        budget: Some(2),
        ..TreeOptions::default()
    };
    let drawn = draw_part(&game, &part, &options, Format::Svg);
    let text = String::from_utf8_lossy(&drawn.bytes);
    assert_eq!(text.matches("<use").count(), 2 * 32);
    assert!(
        !text.contains("e5D"),
        "the request for a diagram is not printed"
    );
    assert!(
        text.contains(">d6<"),
        "a node with a board is shown whatever the budget"
    );
}

#[test]
fn long_texts_are_cut() {
    let signs = " $1".repeat(1000);
    let game = game(&format!("1. e4{signs} {{{}}} *", "word ".repeat(1000)));
    let options = TreeOptions {
        title: "x".repeat(100_000),
        ..TreeOptions::default()
    };
    let drawn = draw(&game, &options, Format::Png);
    assert!(drawn.bytes.len() < 1_000_000);
}

#[test]
fn format_by_file_name() {
    for (name, form) in [
        ("a.svg", Some(Format::Svg)),
        ("A.PNG", Some(Format::Png)),
        ("a.b.pdf", Some(Format::Pdf)),
        ("a.htm", Some(Format::Html)),
        ("a.gv", Some(Format::Dot)),
        ("a.gif", None),
        ("svg", None),
    ] {
        assert_eq!(Format::of_name(name), form, "{name}");
    }
}

#[test]
fn every_format_has_its_signature() {
    let game = game(TRANSPOSING);
    let starts: [(Format, &[u8]); 5] = [
        (Format::Svg, b"<svg"),
        (Format::Png, b"\x89PNG\r\n\x1a\n"),
        (Format::Pdf, b"%PDF-1."),
        (Format::Dot, b"digraph"),
        (Format::Html, b"<!DOCTYPE html>"),
    ];
    for (format, start) in starts {
        let options = TreeOptions::default();
        let drawn = draw(&game, &options, format);
        assert!(drawn.bytes.starts_with(start), "{format}");
        assert_eq!(
            drawn,
            draw(&game, &options, format),
            "{format} is the same every time"
        );
    }
}

#[test]
fn size_in_pixels() {
    let diagram = diagram(&chess::Board::new());
    let size =
        |bytes: &[u8], at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("4"));
    let draw = |scale, theme| {
        let paper = Paper {
            theme,
            scale: Some(scale),
            sheet: None,
        };
        draw_board(&diagram, &paper, Format::Png)
    };
    let light = draw(1.0, Theme::Light).expect("a picture");
    assert_eq!((size(&light, 16), size(&light, 20)), (428, 414));
    assert_ne!(light, draw(1.0, Theme::Dark).expect("a picture"));
    assert!(matches!(
        draw(100.0, Theme::Light),
        Err(DrawError::TooLarge { .. })
    ));
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(
            matches!(draw(bad, Theme::Light), Err(DrawError::Scale(_))),
            "{bad}"
        );
    }
}

#[test]
fn a_board_has_its_pieces_and_shapes() {
    let mut diagram = diagram(&chess::Board::new());
    diagram.arrows = shapes("[%cal Ge2e4,Rd1h5][%csl Bd4]")
        .iter()
        .map(arrow)
        .collect();
    diagram.caption = "Start".to_owned();
    let svg = draw_board(&diagram, &Paper::default(), Format::Svg).expect("a picture");
    let svg = String::from_utf8(svg).expect("text");
    assert_eq!(layers(&svg).len(), 1);
    assert_eq!(svg.matches("<use").count(), 32);
    assert_eq!(svg.matches("href=\"#wP\"").count(), 8);
    let arrows = [("#2f8f2f", 1), ("#c42b2b", 1), ("#1f66c7", 1)];
    for (colour, times) in arrows {
        assert_eq!(svg.matches(colour).count(), times, "{colour}");
    }
    assert!(svg.contains(">Start<"));
    diagram.flipped = true;
    let flipped = draw_board(&diagram, &Paper::default(), Format::Svg).expect("a picture");
    assert_ne!(svg.as_bytes(), flipped);
    assert_eq!(
        draw_board(&diagram, &Paper::default(), Format::Dot),
        Err(DrawError::UnsupportedFormat(Format::Dot))
    );
}

#[test]
fn pockets_are_drawn() {
    let fen = "rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Nnpp] w KQkq - 0 1";
    let board = chess::Board::from_fen(fen, Variant::Crazyhouse).expect("a position");
    let svg = draw_board(&diagram(&board), &Paper::default(), Format::Svg).expect("drawn");
    let svg = String::from_utf8(svg).expect("text");
    assert_eq!(svg.matches("<use").count(), 31 + 3);
    assert!(svg.contains(">2</text>"));
}

#[test]
fn the_published_sample() {
    let Some(game) = corpus("trees/pgn4people/src/pgn4people_poc/example_pgns/demo_pgn_1.pgn")
    else {
        return;
    };
    let (drawn, text) = svg_of(&game, &TreeOptions::default());
    // 638 lines and 3,493 moves, as `stats` reports.
    assert_eq!((drawn.contents.nodes, drawn.contents.shown), (3494, 3494));
    assert!(text.contains("638 lines, 3493 moves"));
    let layers = layers(&text);
    assert_eq!(count(&layers, "branches"), 3493);
    assert_eq!(count(&layers, "white") + count(&layers, "black"), 2 * 3493);
    assert_eq!(count(&layers, "transpositions"), drawn.contents.arcs);
}

#[test]
fn a_hundred_thousand_variations_fold() {
    let Some(game) = corpus("stress/one-game-97386-variations.pgn.zst") else {
        return;
    };
    let options = TreeOptions {
        budget: Some(300),
        ..TreeOptions::default()
    };
    let (drawn, text) = svg_of(&game, &options);
    assert!(drawn.contents.nodes > 97_386);
    // Single nodes are shown rather than folded, so there may be a few more.
    assert!(
        (300..700).contains(&drawn.contents.shown),
        "{}",
        drawn.contents.shown
    );
    let shown_moves = drawn.contents.shown - 1;
    let layers = layers(&text);
    assert_eq!(
        count(&layers, "white") + count(&layers, "black"),
        2 * shown_moves
    );
    let folded: usize = text
        .split(">+")
        .skip(1)
        .filter_map(|rest| rest.split(['<', ' ']).next()?.parse::<usize>().ok())
        .sum();
    assert_eq!(
        folded + drawn.contents.shown,
        drawn.contents.nodes,
        "the marks count everything else"
    );
}

/// `$14`, `$15` and `$142` have one sign each, in pictures, pages and legends. Fonts lack them, so
/// they are outlines.
#[test]
fn one_sign_everywhere() {
    let game = game("1. e4 $14 e5 $15 2. Nf3 $142 *");
    let options = TreeOptions::default();
    let (_, svg) = svg_of(&game, &options);
    let page = String::from_utf8(draw(&game, &options, Format::Html).bytes).expect("text");
    let (data, rest) = page_data(&page);
    let dot = String::from_utf8(draw(&game, &options, Format::Dot).bytes).expect("text");
    for (node, sign) in [("1", '⩲'), ("2", '⩱'), ("3", '⌓')] {
        // On the card and in the legend.
        let outline = format!("<path aria-label=\"{sign}\"");
        assert_eq!(svg.matches(&outline).count(), 2, "{sign}");
        assert_eq!(data["chapters"][0]["signs"][node], sign.to_string());
        assert!(data["signs"][sign.to_string()][0].is_string());
        assert!(rest.contains(&format!("<dt class=\"signs\">{sign}</dt>")));
        assert!(dot.contains(sign), "{dot}");
    }
    for other in ["+=", "=+", "(better)"] {
        assert!(!svg.contains(other) && !page.contains(&format!("\"{other}\"")));
    }
    assert!(svg.contains("White is slightly better"));
    assert!(draw(&game, &options, Format::Pdf).bytes.len() > 1000);
}

/// The greatest x of a picture.
fn width_of(svg: &str) -> f64 {
    let document = roxmltree::Document::parse(svg).expect("XML");
    let width = document.root_element().attribute("width");
    width.and_then(|width| width.parse().ok()).expect("a width")
}

#[test]
fn a_game_is_divided_into_rows() {
    let moves: String = (0..40)
        .map(|i| format!("{}. Nf3 Nf6 {}. Ng1 Ng8 ", 2 * i + 1, 2 * i + 2))
        .collect();
    let game = game(&format!("{moves}*"));
    let (drawn, svg) = svg_of(&game, &TreeOptions::default());
    assert_eq!(drawn.contents.shown, 161);
    assert!(
        (1200.0..=1600.0).contains(&width_of(&svg)),
        "{}",
        width_of(&svg)
    );
    let strip = TreeOptions {
        row_width: None,
        ..TreeOptions::default()
    };
    assert!(width_of(&svg_of(&game, &strip).1) > 8000.0);
    let png = draw(&game, &TreeOptions::default(), Format::Png).bytes;
    let pixels = u32::from_be_bytes(png[16..20].try_into().expect("4"));
    assert!((1200..=1600).contains(&pixels), "{pixels}");
}

#[test]
fn a_pdf_has_pages_of_the_paper() {
    let Some(game) = corpus("trees/pgn4people/src/pgn4people_poc/example_pgns/demo_pgn_1.pgn")
    else {
        return;
    };
    let draw = |sheet: Option<Sheet>, scale: f64| {
        let paper = Paper {
            sheet,
            scale: Some(scale),
            ..Paper::default()
        };
        let (part, options) = (TreePart::default(), TreeOptions::default());
        draw_tree(&game, &part, &options, &paper, Format::Pdf)
    };
    let a3 = Sheet {
        size: PaperSize::A3,
        landscape: true,
    };
    let count = |drawn: &Drawn| {
        let text = String::from_utf8_lossy(&drawn.bytes);
        text.matches("/Type /Page\n").count()
    };
    let whole = draw(None, 1.0).expect("a picture");
    assert_eq!((whole.contents.pages, count(&whole)), (1, 1));
    let divided = draw(Some(a3), 0.6).expect("pages");
    assert!(divided.contents.pages > 8, "{}", divided.contents.pages);
    assert_eq!(count(&divided), divided.contents.pages);
    // A3 across is 420 × 297 mm.
    assert!(String::from_utf8_lossy(&divided.bytes).contains("[0 0 1190.55"));
    assert_eq!(
        draw(Some(a3), 4.0),
        Err(DrawError::TooManyPages { most: 200 })
    );
}

#[test]
fn all_chapters_of_a_file() {
    let games = [game("1. e4 e5 *"), game("1. d4 d5 2. c4 *")];
    let chapters: Vec<Chapter> = games
        .iter()
        .zip(["Open", "Closed"])
        .map(|(game, title)| Chapter {
            game,
            part: TreePart::default(),
            options: TreeOptions {
                title: title.to_owned(),
                ..TreeOptions::default()
            },
        })
        .collect();
    let draw = |format| draw_chapters(&chapters, &Paper::default(), format);
    let page = draw(Format::Html).expect("a page");
    assert_eq!(
        (
            page.contents.chapters,
            page.contents.nodes,
            page.contents.shown
        ),
        (2, 7, 7)
    );
    let (data, _) = page_data(&String::from_utf8(page.bytes).expect("text"));
    let titles = [0, 1].map(|chapter: usize| data["chapters"][chapter]["title"].clone());
    assert_eq!(titles, ["Open", "Closed"]);
    assert_eq!(data["chapters"][1]["moves"], " d4 d5 c4");
    let pdf = draw(Format::Pdf).expect("a file");
    assert_eq!((pdf.contents.chapters, pdf.contents.pages), (2, 2));
    let svg = draw(Format::Svg);
    assert_eq!(svg, Err(DrawError::UnsupportedFormat(Format::Svg)));
}

/// The data of a page, and the page without it.
fn page_data(page: &str) -> (serde_json::Value, String) {
    let (before, rest) = page.split_once("type=\"application/json\">").expect("data");
    let (json, after) = rest.split_once("</script>").expect("an end");
    let data = serde_json::from_str(json).expect("JSON");
    (data, format!("{before}{after}"))
}

#[test]
fn a_page_has_every_node() {
    let game = game("1. e4 {[%csl Ge4] good} e5 (1... c5 2. Nf3 $1) 2. Nf3 Nf6 (2... Nc6) *");
    let options = TreeOptions {
        budget: Some(3),
        ..TreeOptions::default()
    };
    let drawn = draw(&game, &options, Format::Html);
    let (data, _) = page_data(&String::from_utf8(drawn.bytes).expect("text"));
    let data = &data["chapters"][0];
    assert_eq!(data["moves"], " e4 e5 Nf3 Nf6 Nc6 c5 Nf3");
    assert_eq!(data["up"], serde_json::json!([0, 0, 0, 0, 1, 3, 0]));
    assert_eq!(data["changes"], "M.cP 0.kp G.VN -.tn 5.qn y.ip G.VN");
    assert_eq!(data["comments"], serde_json::json!({"1": "good"}));
    assert_eq!(data["shapes"], serde_json::json!({"1": "Ge4"}));
    assert_eq!(data["signs"], serde_json::json!({"7": "!"}));
    assert_eq!(data["folded"], serde_json::json!([3, 6]));
    assert_eq!(
        data["start"]["board"],
        "RNBQKBNRPPPPPPPP................................pppppppprnbqkbnr"
    );
}

#[test]
fn a_page_needs_nothing_else() {
    let drawn = draw(&game(TRANSPOSING), &TreeOptions::default(), Format::Html);
    let page = String::from_utf8(drawn.bytes).expect("text");
    let (data, rest) = page_data(&page);
    let data = &data["chapters"][0];
    assert_eq!(data["transpositions"].as_array().map(Vec::len), Some(2));
    let links = rest.replace("http://www.w3.org/2000/svg", "");
    for outside in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!links.contains(outside), "{outside}");
    }
}

/// Castling, en passant, promotions and drops: replaying the changes gives the boards.
#[test]
fn changes_replay_to_the_boards() {
    let games = [
        "1. e4 e6 2. e5 d5 3. exd6 Nf6 4. dxc7 Be7 5. cxb8=Q O-O 6. Nf3 b6 7. Be2 a6 8. O-O *",
        "[Variant \"Atomic\"]\n\n1. Nf3 f6 2. Nd4 e6 3. Nxe6 *",
        "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qd8 4. P@e6 -- 5. exf7+ *",
        "[Variant \"Chess960\"]\n[FEN \"7k/8/8/8/8/8/8/1RK5 w B - 0 1\"]\n\n1. O-O-O Kh7 *",
    ];
    for text in games {
        let game = game(text);
        assert!(
            game.complaints().is_empty(),
            "{text}: {:?}",
            game.complaints()
        );
        let drawn = draw(&game, &TreeOptions::default(), Format::Html);
        let (data, _) = page_data(&String::from_utf8(drawn.bytes).expect("text"));
        let data = &data["chapters"][0];
        let mut squares: Vec<char> = data["start"]["board"]
            .as_str()
            .expect("a board")
            .chars()
            .collect();
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        let changes = data["changes"].as_str().expect("changes").split(' ');
        for (change, node) in changes.zip(game.mainline()) {
            let letters: Vec<char> = change.chars().collect();
            for pair in letters.chunks(2) {
                squares[alphabet.find(pair[0]).expect("a square")] = pair[1];
            }
            let board = node.board();
            let expected: Vec<char> = chess::Square::ALL
                .into_iter()
                .map(|square| board.piece_at(square).map_or('.', |piece| piece.char()))
                .collect();
            assert_eq!(squares, expected, "{text} {}", node.san());
        }
    }
}

proptest! {
    #[test]
    fn hostile_text_is_escaped(comment in "[^}]{0,40}", title in any::<String>()) {
        let text = format!("[White \"x\"]\n\n1. e4 {{{comment}}} e5 *");
        let game = chess::pgn::read_game(text.as_bytes()).expect("a game");
        let options = TreeOptions { title: title.clone(), ..TreeOptions::default() };
        let (_, svg) = svg_of(&game, &options);
        let document = roxmltree::Document::parse(&svg).expect("XML");
        let known = ["", "svg", "title", "g", "rect", "path", "circle", "text"];
        let all_known = document.descendants().all(|node| known.contains(&node.tag_name().name()));
        prop_assert!(all_known, "an element that we did not write");
        for format in [Format::Pdf, Format::Dot] {
            prop_assert!(!draw(&game, &options, format).bytes.is_empty());
        }
        let page = String::from_utf8(draw(&game, &options, Format::Html).bytes).expect("text");
        let (data, rest) = page_data(&page);
        prop_assert_eq!(&data["chapters"][0]["moves"], " e4 e5");
        prop_assert_eq!(rest.matches("<script").count(), 2);
        prop_assert_eq!(rest.matches("</script").count(), 1);
    }
}
