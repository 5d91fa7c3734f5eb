//! Tables of facts kept beside the repository.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use serde_json::Value as Json;

/// One fact: its columns by name.
pub type Row = HashMap<String, String>;

/// The rows of a table beside the repository, none where it is not there.
pub fn rows(table: &str) -> Vec<Row> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/reference");
    let text = fs::read_to_string(folder.join(table)).unwrap_or_default();
    text.lines().map(row).collect()
}

fn row(line: &str) -> Row {
    let json: serde_json::Map<String, Json> = serde_json::from_str(line).expect("a JSON object");
    let text = |value: Json| value.as_str().map(str::to_owned).unwrap_or_default();
    json.into_iter()
        .map(|(key, value)| (key, text(value)))
        .collect()
}
