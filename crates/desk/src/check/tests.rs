use std::convert::Infallible;

use super::{Finding, Severity, Summary, check, kind_name};
use crate::choose::Choice;
use crate::games::Games;
use kit::Workers;
use kit::input::Source;

fn look(pgn: &[u8], least: Severity, limit: u64) -> (Summary, Vec<Finding>) {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), pgn).unwrap();
    let games = Games::new(vec![Source::from_arg(file.path())], Choice::default());
    let mut findings = Vec::new();
    let run = check(&games, least, limit, &Workers::alone(), |finding| {
        findings.push(finding);
        Ok::<(), Infallible>(())
    });
    let Ok(run) = run;
    (run.value, findings)
}

#[test]
fn fields_of_a_finding() {
    let pgn = b"1. e4 e5 2. Nf3 *\n\n[Event \"B\"]\n\n1. d4 d5 2. c4 e6\n3. Ke5 Nf6 *\n";
    let (summary, findings) = look(pgn, Severity::Note, 10);
    assert_eq!((summary.games, summary.complaints()), (2, 1));
    let found = &findings[0];
    assert_eq!((found.line, found.column, found.game), (6, 4, 2));
    assert_eq!(found.path.as_deref(), Some("d4 d5 c4 e6"));
    assert_eq!(found.after.as_deref(), Some("2...e6"));
    assert_eq!(
        (found.kind.as_str(), found.message.as_str()),
        ("illegal-move", "illegal move: Ke5")
    );
    assert_eq!(found.done, "kept the rest of the line as text");
    let json = serde_json::to_value(found).unwrap();
    assert_eq!(json["severity"], "error");
    for key in [
        "file", "line", "column", "game", "path", "kind", "message", "done",
    ] {
        assert!(!json[key].is_null(), "{key}");
    }
}

#[test]
fn numbers_follow_the_fen() {
    let pgn = b"[FEN \"8/8/8/4k3/8/4K3/4P3/8 b - - 0 40\"]\n[SetUp \"1\"]\n\n40... Kd5 41. Kf9 *\n";
    assert_eq!(
        look(pgn, Severity::Error, 1).1[0].after.as_deref(),
        Some("40...Kd5")
    );
}

#[test]
fn all_are_counted_and_few_are_passed_on() {
    let pgn = "1. e5 *\n\n".repeat(1000) + "1. e4\n";
    let (summary, findings) = look(pgn.as_bytes(), Severity::Note, 7);
    assert_eq!((summary.complaints(), findings.len()), (1001, 7));
    let (summary, findings) = look(pgn.as_bytes(), Severity::Error, u64::MAX);
    assert_eq!((summary.complaints(), findings.len()), (1000, 1000));
    assert_eq!(
        (
            summary.of_severity(Severity::Error),
            summary.of_severity(Severity::Note)
        ),
        (1000, 0)
    );
}

#[test]
fn very_long_paths_are_not_spelt_out() {
    let pgn = "Nf3 Nf6 Ng1 Ng8 ".repeat(300) + "Ke5 *";
    assert_eq!(look(pgn.as_bytes(), Severity::Error, 1).1[0].path, None);
}

#[test]
fn names_of_kinds_are_in_kebab_case() {
    assert_eq!(kind_name(super::ComplaintKind::IllegalMove), "illegal-move");
    assert_eq!(kind_name(super::ComplaintKind::BadFen), "bad-fen");
}
