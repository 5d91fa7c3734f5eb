//! Queries keep to their memory limits, whatever they nest, build or store.

mod common;

use common::{Dice, random_game};
use gametree_cql::{DiagnosticKind, GiveUp, Options, Query};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts the bytes in use and their maximum.
struct Counting;

static USED: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

#[expect(unsafe_code, reason = "an allocator can only be written this way")]
// SAFETY: every call is passed on to the system allocator unchanged
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let used = USED.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(used, Ordering::Relaxed);
        // SAFETY: the caller upholds the contract of `alloc`
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        USED.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller upholds the contract of `dealloc`
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One measurement at a time.
static MEASURING: Mutex<()> = Mutex::new(());

/// The greatest number of bytes in use while `work` ran.
fn peak<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = USED.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let value = work();
    (value, PEAK.load(Ordering::Relaxed).saturating_sub(before))
}

const MEGABYTE: usize = 1 << 20;

/// Every opening token, forty thousand times: one short error, in linear memory.
#[test]
fn deep_nesting_is_refused_in_linear_memory() {
    let _alone = MEASURING.lock().unwrap();
    for opening in [
        "[",
        "(",
        "{",
        "[[",
        "[Q",
        "up (",
        "not ",
        "-",
        "~",
        "#",
        "`",
        "find ",
        "flip ",
        "{(",
        "[forall] x [element] ",
        "if ",
        "max(",
        "str(",
        "echo (s t) ",
        "line --> (",
        "path (",
        "{1,2",
        "\"",
        "\\",
        "/*",
        "A->",
        "a1 & ",
        "1+",
        "x=",
        "x[",
        "D[",
        "--(",
        "[x](",
        "sort ",
        "square x in ",
        "piece x in ",
        "while (",
        "loop ",
        "move from ",
        "imagine ",
        "comment(",
        "assert ",
        "legal ",
        "currentmove ",
        "cql(",
    ] {
        let source = opening.repeat(40_000);
        let (text, bytes) = peak(|| match Query::compile(&source, &Options::default()) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        });
        assert!(text.len() < 100_000, "{opening}: {} bytes", text.len());
        assert!(bytes < 300 * MEGABYTE, "{opening}: {bytes} bytes");
    }
}

#[test]
fn the_depth_limit_is_the_only_error() {
    let braces = "{".repeat(2_000) + "check" + &"}".repeat(2_000);
    for source in [braces.clone(), braces.replace('{', "(").replace('}', ")")] {
        let error = Query::compile(&source, &Options::default()).unwrap_err();
        let kinds: Vec<DiagnosticKind> = error.diagnostics().iter().map(|d| d.kind).collect();
        assert_eq!(kinds, [DiagnosticKind::TooLarge]);
    }
}

/// All kept data counts: comments, messages, values, states, imagined positions.
#[test]
fn kept_memory_is_bounded() {
    let _alone = MEASURING.lock().unwrap();
    let game = random_game(&mut Dice(3), 200);
    for (source, reason) in [
        ("echo (s t) echo (u v) true", Some(GiveUp::Memory)),
        ("loop comment(\"abc\")", Some(GiveUp::Memory)),
        ("x=0 loop {x+=1 message(x)}", Some(GiveUp::Memory)),
        (
            "dictionary D x=0 loop {x+=1 D[str(x)]=str(x \" \" fen)}",
            Some(GiveUp::PersistentMemory),
        ),
        ("x=0 loop {x+=1 settag(\"A\" str(x))}", Some(GiveUp::Steps)),
        (
            "x=0 loop {x+=1 x<2000000 imagine Qe4 : saveposition}",
            Some(GiveUp::Memory),
        ),
        (
            "x=0 loop {x+=1 \"abc\" ~~ str(\"a{\" x%1000 \"}\" x) or true}",
            Some(GiveUp::Steps),
        ),
        ("line --> ((.?){100000}){100000} --> check", None),
        ("line --> (((.*)*)*)* --> {check comment(\"x\")}", None),
        ("(path ((--?){100000}){100000} check)", None),
        ("(path keepallbest verbose --* --*)", None),
        ("x=\"ab\" loop {x+=x}", None),
        ("sort \"a\" {loop comment(\"abc\") 1}", Some(GiveUp::Memory)),
    ] {
        let options = Options::default()
            .with_variations(true)
            .with_steps(20_000_000)
            .with_memory(4 << 20);
        let query = Query::compile(source, &options).unwrap_or_else(|e| panic!("{e}"));
        let (result, bytes) = peak(|| query.matcher().run(&game, 1));
        assert!(bytes < 48 * MEGABYTE, "{source}: {bytes} bytes");
        if reason.is_some() {
            assert_eq!(result.given_up, reason, "{source}");
        }
    }
}

/// Small limits, and a query that stores every position of every game.
fn storing_query(source: &str) -> Query {
    let options = Options::default()
        .with_memory(64 << 10)
        .with_persistent_memory(MEGABYTE as u64);
    Query::compile(source, &options).unwrap_or_else(|e| panic!("{e}"))
}

/// More games than fit into the limit for persistent variables.
const MANY_GAMES: u64 = 10_000;

#[test]
fn persistent_variables_of_all_games_are_bounded() {
    let game = random_game(&mut Dice(3), 40);
    for source in [
        "dictionary D not D[str(gamenumber)] D[str(gamenumber ply)] = fen",
        "persistent T += fen T != \"\"",
    ] {
        let query = storing_query(source);
        assert!(!query.is_parallel());
        let mut matcher = query.matcher();
        let results = (1..MANY_GAMES).map(|number| matcher.run(&game, number).given_up);
        let reasons: Vec<GiveUp> = results.flatten().take(2).collect();
        assert_eq!(reasons, [GiveUp::PersistentMemory; 2], "{source}");
    }
}

#[test]
fn merged_persistent_variables_are_bounded() {
    let game = random_game(&mut Dice(3), 40);
    for source in [
        "dictionary D D[str(gamenumber ply)] = fen",
        "persistent T += fen",
    ] {
        let query = storing_query(source);
        assert!(query.is_parallel());
        let mut total = query.matcher();
        let merged = (1..MANY_GAMES).map(|number| {
            let mut matcher = query.matcher();
            assert_eq!(matcher.run(&game, number).given_up, None);
            total.absorb(&mut matcher)
        });
        let failed = merged.filter(Result::is_err).take(1).last();
        assert_eq!(failed, Some(Err(GiveUp::PersistentMemory)), "{source}");
    }
}

/// Values that replace one another take the memory of one.
#[test]
fn replaced_persistent_values_are_not_counted() {
    let game = random_game(&mut Dice(3), 40);
    let query = storing_query("dictionary D D[\"last\"] = str(gamenumber fen)");
    let mut total = query.matcher();
    for number in 1..MANY_GAMES {
        let mut matcher = query.matcher();
        assert_eq!(matcher.run(&game, number).given_up, None);
        assert_eq!(total.absorb(&mut matcher), Ok(()));
    }
}
