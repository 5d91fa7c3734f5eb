//! Boards as text: rows below one another, with the names that moves use.

use sums::rules::column_name;

use super::Game;

/// Games whose cells are numbered from the left, as `3-4`, rather than named as `a1`.
const STRIPS: [&str; 5] = [
    "clobber_1xn",
    "nogo_1xn",
    "elephants",
    "toppling_dominoes",
    "gen_toads",
];

/// The boards of a sum, each below its number if there are several components; empty if no
/// component has rows of letters.
pub fn boards(sum: &[Game]) -> String {
    let drawn = sum.iter().enumerate().filter_map(|(number, game)| {
        let heading = match sum.len() {
            1 => String::new(),
            _ => format!("{number}: {}\n", game.kind.name()),
        };
        Some(heading + &board(game)?)
    });
    drawn.collect()
}

/// The rows of a board, top first; none for games without rows of letters.
pub fn rows(game: &Game) -> Option<Vec<String>> {
    let text = game.text();
    // The text before a colon is not part of the board.
    let cells = text
        .rsplit_once(':')
        .map_or(text.as_str(), |(_, cells)| cells);
    let is_board = !cells.is_empty() && cells.chars().all(|cell| ".XO#|".contains(cell));
    let rows = || cells.split('|').map(str::to_owned).collect();
    (is_board && !is_graph(game)).then(rows)
}

/// True for games with one row, whose cells are numbered.
pub fn is_strip(rules: &str) -> bool {
    STRIPS.contains(&rules)
}

/// True if positions of a game are written as rows of cells.
pub fn has_board(rules: &str) -> bool {
    let empty = if is_strip(rules) { ".." } else { "..|.." };
    Game::parse(rules, empty).is_ok_and(|game| rows(&game).is_some())
}

/// One board; none for games without rows of letters.
fn board(game: &Game) -> Option<String> {
    let rows = rows(game)?;
    Some(if is_strip(game.kind.rules().name()) {
        strip(&rows.concat())
    } else {
        grid(&rows)
    })
}

/// Vertices are letters too, but are not in rows.
fn is_graph(game: &Game) -> bool {
    ["col", "snort"].contains(&game.kind.rules().name())
}

/// The cells with their numbers below.
fn strip(cells: &str) -> String {
    let width = cells.len().to_string().len();
    let line = |signs: Vec<String>| spaced("", signs, width);
    line(cells.chars().map(String::from).collect())
        + &line((1..=cells.len()).map(|number| number.to_string()).collect())
}

/// Rows with their numbers at the left, below the letters of the columns.
fn grid(rows: &[String]) -> String {
    let columns = rows[0].len();
    let width = column_name(columns.saturating_sub(1)).len();
    let margin = rows.len().to_string().len();
    let names = (0..columns).map(column_name).collect();
    let mut drawn = spaced(&" ".repeat(margin), names, width);
    for (number, row) in rows.iter().enumerate() {
        let signs = row.chars().map(String::from).collect();
        drawn += &spaced(&format!("{:>margin$}", number + 1), signs, width);
    }
    drawn
}

fn spaced(margin: &str, signs: Vec<String>, width: usize) -> String {
    let signs: Vec<String> = signs.iter().map(|sign| format!("{sign:>width$}")).collect();
    format!("  {margin} {}\n", signs.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::read_sum;

    #[test]
    fn boards_have_the_names_that_moves_use() {
        let drawn = |text: &str| boards(&read_sum(text).unwrap());
        assert_eq!(
            drawn("clobber XO.|OX."),
            "    a b c\n  1 X O .\n  2 O X .\n"
        );
        assert_eq!(drawn("clobber_1xn XO.X"), "   X O . X\n   1 2 3 4\n");
        assert_eq!(
            drawn("gen_king_dirt 1,1,0:X. + *3 + gen_toads 1,1,1,0:X.O"),
            "0: gen_king_dirt\n    a b\n  1 X .\n2: gen_toads\n   X . O\n   1 2 3\n"
        );
        for none in [
            "*3",
            "sheep (3 0|0 -3)",
            "col path3",
            "kayles 5",
            "hackenbush LR",
            "clobber ()",
        ] {
            assert_eq!(drawn(none), "", "{none}");
        }
        let wide = drawn("domineering 1x28");
        assert!(
            wide.lines().next().unwrap().ends_with(" y  z aa ab"),
            "{wide}"
        );
    }
}
