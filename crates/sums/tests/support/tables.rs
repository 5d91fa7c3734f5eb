//! Tables of facts stored next to the repository.

use std::collections::HashMap;
use std::fs;

use serde_json::Value as Json;

/// One fact: its columns by name.
pub type Row = HashMap<String, String>;

/// The rows of a table next to the repository; none if it is missing.
pub fn rows(table: &str) -> Vec<Row> {
    let Some(path) = outside::find(&format!("reference/{table}")) else {
        return Vec::new();
    };
    let text = fs::read_to_string(path).expect("a readable table");
    text.lines().map(row).collect()
}

fn row(line: &str) -> Row {
    let json: serde_json::Map<String, Json> = serde_json::from_str(line).expect("a JSON object");
    let text = |value: Json| value.as_str().map(str::to_owned).unwrap_or_default();
    json.into_iter()
        .map(|(key, value)| (key, text(value)))
        .collect()
}
