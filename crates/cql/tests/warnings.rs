//! Conditions that cannot fail, variables without a value, and filters that need permission.

use gametree_cql::{DiagnosticKind, Options, Query};

/// The warnings of a query: the text they are about, and their help.
fn warnings(source: &str) -> Vec<(String, String)> {
    let query = Query::compile(source, &Options::default()).unwrap();
    let rows = query.warnings().iter().map(|warning| {
        let help = warning.help.clone().unwrap_or_default();
        (warning.span.of(query.source()).to_owned(), help)
    });
    rows.collect()
}

#[test]
fn conditions_that_cannot_fail_get_a_warning() {
    for (source, place, help) in [
        ("K e4", "K e4", "did you mean ‘Ke4’?"),
        ("check Q e4", "Q e4", "did you mean ‘Qe4’?"),
        ("check k", "k", "as in ‘ke4’"),
        ("e4 mate", "e4", "as in ‘Ke4’ or ‘[Aa]e4’"),
        ("initial or true", "true", "leave ‘true’ out"),
        ("not e4", "e4", "write the piece before the square"),
        ("ply check", "ply", "as in ‘ply > 0’"),
        ("find {A check}", "A", "as in ‘Ae4’"),
        ("#Q mate", "#Q", "as in ‘#Q > 0’"),
    ] {
        let found = warnings(source);
        assert_eq!(found.len(), 1, "{source}: {found:?}");
        assert_eq!(found[0].0, place, "{source}");
        assert!(found[0].1.contains(help), "{source}: {}", found[0].1);
    }
}

#[test]
fn common_idioms_get_no_warning() {
    for source in [
        "Ke4",
        "Q",
        "R attacks k",
        "K & e4",
        "#A == 3",
        "line --> . --> check",
        "sort \"n\" ply",
        "true",
        "if check then true else mate",
        "x = K x attacks k",
        "square s1 in . check",
        "flip {Ka1 qa2}",
        "max(ply 3) == 3",
        "between(K k) & A",
        "up 1 K & _",
        "-- check",
        "parent:Qe4",
        "not true",
        "e4 attackedby A",
    ] {
        assert_eq!(warnings(source), [], "{source}");
    }
}

#[test]
fn warnings_are_labelled() {
    let query = Query::compile("K e4", &Options::default()).unwrap();
    let text = query.warnings()[0].render(query.source());
    assert!(
        text.starts_with("warning: ‘K’ and ‘e4’ are two conditions"),
        "{text}"
    );
}

#[test]
fn variables_without_a_value_are_reported() {
    let game = gametree_chess::pgn::read_game(b"1. e4 e5 *").unwrap();
    for (source, name) in [
        ("(if mate piece x = K) x attacks k", "x"),
        ("piece p1 in P {p1 attacks .} p1", "p1"),
        ("(if mate piece x = K) rank x == 3", "x"),
        ("(if mate piece x = K) find x==e4", "x"),
        ("(if mate piece x = K) piece y in K {y==x}", "x"),
        ("(if mate piece x = K) {path x--}", "x"),
        ("(if mate piece x = K) echo (s t) {s<t x==s:x}", "x"),
        ("(if mate n = 3) n == 3", ""),
        ("(if mate y = 3) y == 3", "y"),
        ("(if mate s1 = K) s1", "s1"),
        ("(if mate t1 = \"a\") t1 == \"a\"", "t1"),
        ("(if mate p1 = parent) p1:check", "p1"),
        ("(if mate y = 3) isbound y", ""),
        ("y = 3 y == 3", ""),
    ] {
        let Ok(query) = Query::compile(source, &Options::default()) else {
            assert_eq!(name, "", "{source}");
            continue;
        };
        let unbound = query.matcher().run(&game, 1).unbound;
        assert_eq!(unbound.unwrap_or_default(), name, "{source}");
    }
}

#[test]
fn writing_and_running_need_permission() {
    for (source, kind) in [
        ("mate outputfile \"a.pgn\"", DiagnosticKind::WritesFile),
        ("writefile(\"a.txt\" fen)", DiagnosticKind::WritesFile),
        (
            "not {check pipe(\"cat\" fen) == \"x\"}",
            DiagnosticKind::RunsProgram,
        ),
        (
            "function f(x){writefile(\"a.txt\" x)} check f(fen)",
            DiagnosticKind::WritesFile,
        ),
    ] {
        let error = Query::compile(source, &Options::default()).unwrap_err();
        assert_eq!(error.diagnostics()[0].kind, kind, "{source}");
        let allowed = Options::default()
            .with_write_files(true)
            .with_run_programs(true);
        assert!(Query::compile(source, &allowed).is_ok(), "{source}");
    }
}
