//! The table of openings, replayed by python-chess.

use gametree_chess::openings::Opening;
use gametree_chess::{Board, Variant};
use std::collections::HashSet;

const TABLE: &str = include_str!("../src/openings/table.tsv");

/// The rows: ECO code, name, and all moves.
fn rows() -> Vec<(&'static str, &'static str, Vec<&'static str>)> {
    let mut line = Vec::new();
    let rows = TABLE.lines().filter(|row| !row.starts_with('#'));
    rows.map(|row| {
        let columns: Vec<&str> = row.split('\t').collect();
        line.truncate(columns[2].parse().unwrap());
        line.extend(columns[3].split(' '));
        (columns[0], columns[1], line.clone())
    })
    .collect()
}

#[test]
fn every_line_ends_in_its_own_position() {
    let rows = rows();
    assert_eq!(rows.len(), 3807);
    let codes: HashSet<&str> = rows.iter().map(|(eco, ..)| *eco).collect();
    assert_eq!(codes.len(), 500);
    for (eco, name, moves) in rows {
        let mut board = Board::new();
        for san in &moves {
            board.play_san(san).unwrap();
        }
        assert_eq!(
            Opening::at(&board),
            Some(Opening { eco, name }),
            "{moves:?}"
        );
    }
}

#[test]
fn python_chess_reaches_the_same_positions() {
    let rows = rows();
    let lines: Vec<String> = rows.iter().map(|(_, _, moves)| moves.join(" ")).collect();
    let Some(epds) = outside::ask_python_chess(&["moves"], &lines.join("\n")) else {
        return;
    };
    let epds: Vec<&str> = epds.lines().collect();
    assert_eq!(epds.len(), rows.len());
    assert_eq!(epds.iter().collect::<HashSet<_>>().len(), rows.len());
    for ((eco, name, moves), epd) in rows.into_iter().zip(epds) {
        let board = Board::from_fen(&format!("{epd} 0 1"), Variant::Standard).unwrap();
        assert_eq!(
            Opening::at(&board),
            Some(Opening { eco, name }),
            "{moves:?}"
        );
    }
}

#[test]
fn the_table_has_the_lines_of_its_source() {
    let Some(folder) = outside::find("corpora/openings/lichess-openings") else {
        return;
    };
    let volumes = ["a", "b", "c", "d", "e"].map(|volume| folder.join(format!("{volume}.tsv")));
    let mut expected = Vec::new();
    for file in volumes {
        let text = std::fs::read_to_string(file).unwrap();
        for row in text.lines().skip(1) {
            let columns: Vec<&str> = row.split('\t').collect();
            let words = columns[2].split(' ').filter(|word| !word.ends_with('.'));
            let moves: Vec<&str> = words.collect();
            expected.push(format!("{} {} {}", columns[0], columns[1], moves.join(" ")));
        }
    }
    let rows = rows().into_iter();
    let mut found: Vec<String> = rows
        .map(|(eco, name, moves)| format!("{eco} {name} {}", moves.join(" ")))
        .collect();
    expected.sort_unstable();
    found.sort_unstable();
    assert!(
        found == expected,
        "write the table anew with tools/openings.py"
    );
}
