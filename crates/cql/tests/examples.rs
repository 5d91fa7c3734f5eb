//! The original's example scripts over its sample of studies, against its own counts.
//!
//! Runs when `CQL_EXAMPLES` names the folder of the original (with `exalpha` and `sample.pgn`) and
//! `CQL_COUNTS` a table of its counts: script, folder, mode, threads, …, games (8th column),
//! positions (13th).

use gametree_cql::{Dialect, Level, Options, Query};
use std::fs;
use std::path::Path;

struct Row {
    script: String,
    mode: String,
    /// None where the original crashes.
    games: Option<usize>,
    positions: usize,
}

fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields.iter_mut().last().unwrap().push(c),
        }
    }
    fields
}

fn rows(table: &str) -> Vec<Row> {
    let lines = table.lines().skip(1).map(fields);
    let one_thread = lines.filter(|f| f.len() > 12 && f[3] == "1");
    one_thread
        .map(|f| Row {
            script: f[0].clone(),
            mode: f[2].clone(),
            games: f[7].parse().ok(),
            positions: f[12].parse().unwrap_or(0),
        })
        .collect()
}

fn script(folder: &str, name: &str) -> Option<String> {
    let places = ["exalpha", "exalpha-excludes"];
    let files = places.map(|p| Path::new(folder).join(p).join(format!("{name}.cql")));
    files.iter().find_map(|f| fs::read_to_string(f).ok())
}

#[test]
fn counts_of_the_original() {
    let var = |name| std::env::var(name).ok();
    let (Some(folder), Some(counts)) = (var("CQL_EXAMPLES"), var("CQL_COUNTS")) else {
        return;
    };
    let sample = fs::File::open(Path::new(&folder).join("sample.pgn")).unwrap();
    let games: Vec<_> = gametree_chess::pgn::read_games(sample)
        .map(Result::unwrap)
        .collect();
    let mut differences = Vec::new();
    for row in rows(&fs::read_to_string(counts).unwrap()) {
        let Some(source) = script(&folder, &row.script) else {
            continue;
        };
        let variations = (row.mode != "asis").then_some(row.mode == "variations");
        let mut options = Options::default()
            .with_dialect(Dialect::Cql62)
            .with_level(Level::Normal);
        options.variations = variations;
        let query = Query::compile(&source, &options).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(query.warnings(), [], "{}", row.script);
        let mut matcher = query.matcher();
        let results = games.iter().zip(1..).map(|(game, n)| matcher.run(game, n));
        let matched: Vec<_> = results.filter(|r| r.matched).collect();
        let positions: usize = matched.iter().map(|r| r.positions.len()).sum();
        if row
            .games
            .is_some_and(|games| (games, row.positions) != (matched.len(), positions))
        {
            let found = (matched.len(), positions);
            differences.push((row.script, row.mode, found, row.games, row.positions));
        }
    }
    assert_eq!(differences, []);
}
