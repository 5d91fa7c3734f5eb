//! Any text compiles or gives an error, and any query terminates on any game.

use gametree_chess::pgn::{Game, read_game};
use gametree_cql::{Dialect, Level, Options, Query};
use std::sync::OnceLock;

pub(crate) const SEEDS: &[&str] = &[
    "cql(input a.pgn variations sort matchcount 1 9) flip {Ka1 Pa2} /// \"x\" K\n mate",
    "function f(x y){x attacks y} f(Q k) or [Aa]x[element]N x->k",
    "x=0 while (x<9) {x+=1} loop {x-=1 x>3} if x==3 then check else mate",
    "line nestban singlecolor --> (check --> not check){2,} --> move from K* --> .",
    "path focus capture R max ply (Q-- --)+ N--=Q check ?\n\n sort \"n\" pathcount",
    "echo (s t) {s<t s&t==. sidetomove==s:sidetomove} consecutivemoves(position 1 position 3)",
    "piece x in [RQ] square all y in x attackedby a {up 1 7 y & A}",
    "local dictionary D D[1]=2 unbind D[1] k1[element]D{k1==1} \"ab\"[0:1]~~\"(?P<n>a)\" \\{n}",
    "imagine Qe4 _a1 wtm : move legal from Q : {mate currentmutation~~\"Q\"}",
    "persistent quiet n+=1 atomic m=3 settag(\"A\" str(ply \" \" fen)) message(\"x\" n)",
    "flipcolor {pin from [RBQ] through [nb] to k} shift count {Pa2 Pb3}>=2 rotate45 up 1 K",
    "puremate modelstalemate hhdb sort prize event \"x\" ⊢◎♕――□ ∀x∊△ x→♚ ≤ 3",
    "position 3:child(1):parent:find 1 3 <-- all check lca(parent child)[<=]currentposition",
    "move reverse count>3 move legal previous drop P reachableposition legalposition",
    "echo (s t) echo (u v) comment(s v) loop {message(ply) x+=1} D[str(x)]=fen",
    "x=\"ab\" loop {x+=x uppercase x~~str(\"(\" x \")\")} imagine Qe4 : y=saveposition",
    "line --> ((.?){99999}){99999} --> {comment(\"x\") check} path keepallbest verbose --* --*",
    "{{{{{{{{((((((((not not not K e4 initial or true))))))))}}}}}}}} outputfile \"a\" pipe(\"a\" \"b\")",
];

const GAME: &[u8] = b"[White \"A\"]\n\n1. e4 (1. d4 Nf6 (1... d5) 2. c4) 1... c5 (1... e5 2. -- Nc6) \
2. Nf3 {here} d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be3 e5 7. Nb3 Be6 8. f3 Be7 9. Qd2 O-O 10. O-O-O *";

/// For any bytes.
pub fn cql(data: &[u8]) {
    let source = String::from_utf8_lossy(data);
    for dialect in [Dialect::Cqli, Dialect::Cql62] {
        let options = Options::default()
            .with_dialect(dialect)
            .with_steps(20_000)
            .with_memory(1 << 20)
            .with_write_files(true)
            .with_run_programs(true);
        match Query::compile(&source, &options) {
            Ok(query) => ends_alike(&source, &query, &options),
            Err(errors) => {
                assert!(!errors.diagnostics().is_empty(), "refused without a word");
                for error in errors.diagnostics() {
                    assert!(error.span.end as usize <= source.len(), "{error:?}");
                    assert!(error.render(&source).contains('^'));
                }
            }
        }
    }
}

/// The same positions are found with and without comments and variations.
fn ends_alike(source: &str, query: &Query, options: &Options) {
    static BOARD: OnceLock<Game> = OnceLock::new();
    let game = BOARD.get_or_init(|| read_game(GAME).expect("a game"));
    for warning in query.warnings() {
        assert!(warning.is_warning());
        assert!(warning.render(query.source()).contains('^'));
    }
    let found = query.matcher().run(game, 1);
    assert_eq!(found.positions.len(), found.nodes.len());
    let kept: usize = found
        .comments
        .iter()
        .map(|comment| comment.text.len())
        .sum();
    assert!(kept < 2 << 20, "more is kept than the memory limit allows");
    let quiet = options.clone().with_level(Level::Silent);
    let again = Query::compile(source, &quiet)
        .expect("it compiled before")
        .matcher()
        .run(game, 1);
    if found.given_up.is_none() && again.given_up.is_none() {
        assert_eq!(
            found.positions, again.positions,
            "comments change what is found"
        );
    }
    let all = options.clone().with_variations(true);
    Query::compile(source, &all)
        .expect("it compiled before")
        .matcher()
        .run(game, 1);
}
