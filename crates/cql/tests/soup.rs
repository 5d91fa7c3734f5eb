//! Random sequences of words of the language: nothing panics, hangs or overflows.
//!
//! `CQL_SOUP` sets the number of queries; they are reproducible.

mod common;

use common::Dice;
use gametree_cql::{Options, Query};

const WORDS: &str = "abs all ancestor and anydirection ascii assert atomic attackedby attacks between black btm capture \
castle check child colortype comment connectedpawns consecutivemoves count countmoves currentmove currentposition \
currenttransform dark date depth descendant diagonal dictionary distance down echo eco elo else enpassant \
enpassantsquare equal event false fen file find firstmatch flip flipcolor fliphorizontal focus from function \
gamenumber hascomment hhdb horizontal idealmate if in indexof initial initialposition int isbound isolatedpawns \
keepallbest lastposition lca left legal light line local loop lowercase mainline makesquare mate max message min \
modelmate move movenumber nestban northeast not notransform null nullmove o-o or originalcomment parent passedpawns \
path pathcount pathlastposition pathstart persistent piece pieceid piecename piecepath pin player ply position \
positionid power previous primary promote pseudolegal puremate quiet rank ray removecomment result reversecolor right \
rotate45 rotate90 secondary settag shift sidetomove singlecolor site sort sqrt square stalemate str string tag \
terminal then through title to true try type typename unbind up uppercase variation verbose vertical virtualmainline \
while white wtm xray year imagine saveposition currentmutation legalposition reachableposition reverse drop removetag \
variant variantend zobristkey promotedpieces ( ) { } [ ] . , + - * / % = == != < <= > >= [<] [>=] | & ~ # : ? ` -> <- \
--> <-- -- [x] [element] [forall] =? += |= ~~ [] {2} {1,} {*} {+} 0 1 2 3 7 64 x y z T D K Q A a k n Ra1 Pa-h2 _ [Qq] \
e4 [Aa]T \"a\" \"e4\" \"(a)\" \\1 \\-1 /// ♕ △ □ ―― ⊢ ◎ ∊ ∀ → ≤ prize gbr composer 1-0 cql input variations";

/// A word, or a valid phrase, so that some queries get past the parser.
fn spoon(dice: &mut Dice, words: &[&str], depth: usize) -> String {
    let more = |dice: &mut Dice| spoon(dice, words, depth + 1);
    if depth > 4 {
        return [
            "K",
            "A",
            "check",
            "ply",
            "3",
            "x",
            "currentposition",
            "\"a\"",
        ][dice.below(8)]
        .into();
    }
    match dice.below(30) {
        0 => format!("{{{} {}}}", more(dice), more(dice)),
        1 => format!("not {}", more(dice)),
        2 => format!("({} or {})", more(dice), more(dice)),
        3 => format!("{} attacks {}", more(dice), more(dice)),
        4 => format!("line --> {}* --> {}", more(dice), more(dice)),
        5 => format!(
            "path {{{}}} --({}) -- {} +",
            more(dice),
            more(dice),
            more(dice)
        ),
        6 => format!("find {{{}}}", more(dice)),
        7 => format!("echo (s t) {{{} {}}}", more(dice), more(dice)),
        8 => format!("flip {}", more(dice)),
        9 => format!("shift {{{} {}}}", more(dice), more(dice)),
        10 => format!("x={} ", more(dice)),
        11 => format!("if {} then {} else {}", more(dice), more(dice), more(dice)),
        12 => format!("piece T in {} {{{}}}", more(dice), more(dice)),
        13 => format!("square x in {} {{{}}}", more(dice), more(dice)),
        14 => format!("{} < {}", more(dice), more(dice)),
        15 => format!("move legal from {} : {}", more(dice), more(dice)),
        16 => format!("imagine Qe4 : {{{}}}", more(dice)),
        17 => format!("comment({} {})", more(dice), more(dice)),
        18 => format!("sort {}", more(dice)),
        19 => format!("parent:{}", more(dice)),
        20 => format!("loop {{{} x<5 x+=1}}", more(dice)),
        21 => format!("max({} {})", more(dice), more(dice)),
        22 => format!("ray({} {} {})", more(dice), more(dice), more(dice)),
        23 => format!("up 1 {}", more(dice)),
        24 => format!("{}--{}", more(dice), more(dice)),
        25 => format!("{} & {}", more(dice), more(dice)),
        26 => format!("function f(y){{{}}} f({})", more(dice), more(dice)),
        _ => words[dice.below(words.len())].into(),
    }
}

#[test]
fn nothing_breaks() {
    let rounds = std::env::var("CQL_SOUP")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(1500);
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let pgn = b"1. e4 (1. d4 Nf6 (1... d5) 2. c4) 1... c5 2. Nf3 {x} d6 3. Bb5+ Bd7 (3... Nc6 4. O-O) 4. -- Qa5 *";
    let game = gametree_chess::pgn::read_game(pgn).unwrap();
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let mut compiled = 0;
    for _ in 0..rounds {
        let length = 1 + dice.below(3);
        let source: Vec<String> = (0..length).map(|_| spoon(&mut dice, &words, 0)).collect();
        let source = source.join(" ");
        let variations = Some(dice.below(2) == 0);
        let options = Options::default()
            .with_variations(variations)
            .with_steps(5_000);
        match Query::compile(&source, &options) {
            Ok(query) => {
                compiled += 1;
                let found = query.matcher().run(&game, 1);
                assert_eq!(found.positions.len(), found.nodes.len());
            }
            Err(errors) => errors
                .diagnostics()
                .iter()
                .for_each(|e| assert!(e.render(&source).contains('^'))),
        }
    }
    assert!(
        compiled > rounds / 200,
        "only {compiled} of {rounds} soups are queries"
    );
}

#[test]
fn deep_nesting_is_refused() {
    for (open, close) in [
        ("(", ")"),
        ("{", "}"),
        ("not ", ""),
        ("-", ""),
        ("flip ", ""),
        ("parent:", ""),
        ("#", ""),
    ] {
        let source = open.repeat(100_000) + "check" + &close.repeat(100_000);
        assert!(Query::compile(&source, &Options::default()).is_err());
    }
    let sum = "x=1".to_owned() + &" + 1".repeat(50_000);
    assert!(Query::compile(&sum, &Options::default()).is_err());
    let wide = "check".to_owned() + &" or check".repeat(50_000);
    assert!(Query::compile(&wide, &Options::default()).is_ok());
    let chain = "line --> check".to_owned() + &" --> check".repeat(20_000);
    let game = gametree_chess::pgn::read_game(b"1. e4 e5 *").unwrap();
    Query::compile(&chain, &Options::default())
        .unwrap()
        .matcher()
        .run(&game, 1);
}

/// Functions that double at each call would grow without bound.
#[test]
fn growth_is_refused() {
    let mut source = "function f0(){check} ".to_owned();
    for i in 1..40 {
        source += &format!("function f{i}(){{f{}() f{}()}} ", i - 1, i - 1);
    }
    assert!(Query::compile(&(source + "f39()"), &Options::default()).is_err());
    let flips = "flip ".repeat(12) + "shift shift {Ka1 qb3}";
    let wrong = Query::compile(&flips, &Options::default()).unwrap_err();
    assert_eq!(wrong.diagnostics().len(), 1);
    assert!(wrong.diagnostics()[0].message.contains("too many variants"));
}

/// Comments and stored values take memory, so they take steps too.
#[test]
fn memory_is_bounded_by_steps() {
    let game = gametree_chess::pgn::read_game(b"1. e4 *").unwrap();
    for source in [
        "loop {message \"abc\"}",
        "loop {comment \"abc\"}",
        "dictionary D x=0 loop {x+=1 D[str(x)]=str(x)}",
    ] {
        let options = Options::default().with_steps(1_000_000);
        let query = Query::compile(source, &options).unwrap();
        let mut matcher = query.matcher();
        let result = matcher.run(&game, 1);
        assert!(result.given_up.is_some(), "{source}");
        assert!(result.messages.len() < 30_000, "{source}");
        let kept: usize = matcher
            .persistent()
            .iter()
            .map(|kept| kept.value.len())
            .sum();
        assert!(kept < 1_000_000, "{source}");
    }
}

#[test]
fn endless_loops_are_given_up() {
    let game = gametree_chess::pgn::read_game(b"1. e4 e5 *").unwrap();
    for source in [
        "loop true",
        "while (true) check",
        "x=\"a\" loop {x+=x}",
        "x=1 loop {x+=1}",
    ] {
        let options = Options::default().with_steps(100_000);
        let query = Query::compile(source, &options).unwrap();
        assert!(query.matcher().run(&game, 1).given_up.is_some(), "{source}");
    }
}
