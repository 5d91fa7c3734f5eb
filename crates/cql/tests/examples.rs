//! The original's example scripts over its sample, against its own counts.
//!
//! Runs when `CQL_EXAMPLES` names a folder with the scripts and `CQL_SAMPLE` the games; the counts
//! are read from `CQL_COUNTS`.

use cql::{Dialect, Level, Options, Query};
use std::path::Path;

struct Row {
    script: String,
    mode: String,
    games: Option<usize>,
    positions: usize,
}

fn rows(table: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    for line in table.lines().skip(1) {
        let mut fields = Vec::new();
        let mut quoted = false;
        let mut field = String::new();
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                ',' if !quoted => fields.push(std::mem::take(&mut field)),
                _ => field.push(c),
            }
        }
        fields.push(field);
        if fields.len() > 12 && fields[3] == "1" {
            rows.push(Row {
                script: fields[0].clone(),
                mode: fields[2].clone(),
                games: fields[7].parse().ok(),
                positions: fields[12].parse().unwrap_or(0),
            });
        }
    }
    rows
}

#[test]
fn counts_of_the_original() {
    let var = |name| std::env::var(name).ok();
    let (Some(scripts), Some(sample), Some(counts)) =
        (var("CQL_EXAMPLES"), var("CQL_SAMPLE"), var("CQL_COUNTS"))
    else {
        return;
    };
    let games: Vec<_> = chess::pgn::read_games(std::fs::File::open(sample).unwrap())
        .map(Result::unwrap)
        .collect();
    let mut different = 0;
    for row in rows(&std::fs::read_to_string(counts).unwrap()) {
        let file = ["exalpha", "exalpha-excludes"].iter().map(|d| {
            Path::new(&scripts)
                .join(d)
                .join(format!("{}.cql", row.script))
        });
        let Some(file) = file.into_iter().find(|f| f.exists()) else {
            continue;
        };
        let source = std::fs::read_to_string(&file).unwrap();
        let variations = match row.mode.as_str() {
            "asis" => None,
            mode => Some(mode == "variations"),
        };
        let dialect = if var("CQL_DIALECT").is_some() {
            Dialect::Cqli
        } else {
            Dialect::Cql62
        };
        let options = Options {
            dialect,
            variations,
            level: Some(Level::Normal),
            ..Options::default()
        };
        let query = match Query::compile(&source, &options) {
            Ok(query) => query,
            Err(errors) => panic!("{}: {}", row.script, errors[0].render(&source)),
        };
        let start = std::time::Instant::now();
        let mut matcher = query.matcher();
        let results: Vec<_> = games
            .iter()
            .enumerate()
            .map(|(i, g)| matcher.run(g, i as u64 + 1))
            .collect();
        let matched: Vec<_> = results.iter().filter(|r| r.matched).collect();
        let positions: usize = matched.iter().map(|r| r.positions.len()).sum();
        let took = start.elapsed();
        if Some(matched.len()) != row.games || positions != row.positions {
            different += 1;
            println!(
                "{} {}: {} games, {} positions; the original {:?} games, {} positions",
                row.script,
                row.mode,
                matched.len(),
                positions,
                row.games,
                row.positions
            );
        }
        if took.as_millis() > 300 {
            println!("   {} {} took {:?}", row.script, row.mode, took);
        }
    }
    println!("{different} rows differ");
}
