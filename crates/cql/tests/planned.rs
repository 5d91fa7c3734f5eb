//! The planner and caches never change results: random queries on random trees, with the plan and
//! without.
//!
//! `CQL_ROUNDS` sets the number of queries; they are reproducible unless `CQL_SEED` is set.

mod common;

use common::{Dice, random_game, rounds_and_dice};
use gametree_chess::pgn::{Builder, Game, split};
use gametree_cql::{Dialect, Level, Options, Query};

/// Random filters of each type.
struct Writer<'d> {
    dice: &'d mut Dice,
    depth: u32,
    /// Names of position variables in scope.
    places: Vec<&'static str>,
}

impl Writer<'_> {
    fn deeper(&mut self, choices: usize, leaves: usize) -> usize {
        let n = if self.depth > 3 { leaves } else { choices };
        self.dice.below(n)
    }

    fn nested(&mut self, write: impl FnOnce(&mut Self) -> String) -> String {
        self.depth += 1;
        let text = write(self);
        self.depth -= 1;
        text
    }

    fn set(&mut self) -> String {
        self.nested(|w| match w.deeper(18, 6) {
            0 => w
                .dice
                .pick(&["K", "k", "Q", "A", "a", "_", "[RBN]", "[pq]", "P", "n"])
                .into(),
            1 => w
                .dice
                .pick(&["Pa-h4-7", "e4", "a-h1", "Kg1", "[Aa]c-f3-6", "pa-h2"])
                .into(),
            2 => ".".into(),
            3 => w
                .dice
                .pick(&["from", "to", "passedpawns", "isolatedpawns", "pin"])
                .into(),
            4 => w
                .dice
                .pick(&["move from .", "move to A", "legal K--", "A[x]a(from)"])
                .into(),
            5 => "[]".into(),
            6 => format!("({} | {})", w.set(), w.set()),
            7 => format!("({} & {})", w.set(), w.set()),
            8 => format!("~{}", w.set()),
            9 => format!("({} attacks {})", w.set(), w.set()),
            10 => format!("({} <- {})", w.set(), w.set()),
            11 => format!(
                "{} {}",
                w.dice
                    .pick(&["up 1", "diagonal", "right 0 2", "anydirection 1"]),
                w.set()
            ),
            12 => format!("light {}", w.set()),
            13 => format!("between({} {})", w.set(), w.set()),
            14 => format!("ray({} {} {})", w.set(), w.set(), w.set()),
            15 => format!("({}:{})", w.place(), w.set()),
            16 => format!("(if {} {} else {})", w.condition(), w.set(), w.set()),
            _ => format!("(flip {})", w.set()),
        })
    }

    fn number(&mut self) -> String {
        self.nested(|w| match w.deeper(11, 3) {
            0 => w
                .dice
                .pick(&[
                    "0",
                    "1",
                    "2",
                    "5",
                    "ply",
                    "depth",
                    "positionid",
                    "movenumber",
                ])
                .into(),
            1 => format!("#{}", w.set()),
            2 => "sidetomove".into(),
            3 => format!("power {}", w.set()),
            4 => format!("({} + {})", w.number(), w.number()),
            5 => format!("({} / {})", w.number(), w.number()),
            6 => format!("max({} {})", w.number(), w.number()),
            7 => format!("({}:{})", w.place(), w.number()),
            8 => format!("distance({} {})", w.place(), w.place()),
            9 => format!("(find quiet all {{{}}})", w.condition()),
            _ => format!(
                "(line quiet --> {{{}}}+ --> {{{}}}*)",
                w.condition(),
                w.condition()
            ),
        })
    }

    fn place(&mut self) -> String {
        let named = self.places.len();
        self.nested(|w| match w.deeper(7, 4) {
            0 => w
                .dice
                .pick(&["currentposition", "parent", "child", "initialposition"])
                .into(),
            1 => format!("position {}", w.dice.below(30)),
            2 => "child(1)".into(),
            3 if named > 0 => w.dice.pick(&w.places.clone()).into(),
            3 => "parent".into(),
            4 => format!("lca({} {})", w.place(), w.place()),
            5 => format!("(find quiet {{{}}})", w.condition()),
            _ => format!("({}:{})", w.place(), w.place()),
        })
    }

    fn condition(&mut self) -> String {
        self.nested(|w| match w.deeper(46, 6) {
            0 | 1 => w.set(),
            2 => w
                .dice
                .pick(&[
                    "check",
                    "wtm",
                    "btm",
                    "initial",
                    "terminal",
                    "mainline",
                    "secondary",
                    "castle",
                    "mate",
                ])
                .into(),
            3 => format!(
                "{} {} {}",
                w.number(),
                w.dice.pick(&["<", "==", ">=", "!="]),
                w.number()
            ),
            4 => format!(
                "{} {} {}",
                w.place(),
                w.dice.pick(&["<", "==", "[<=]", "!="]),
                w.place()
            ),
            5 => "move legal count > 30".into(),
            6 => format!("({} or {})", w.condition(), w.condition()),
            7 => format!("{{{} {}}}", w.condition(), w.condition()),
            8 => format!("not {}", w.condition()),
            9 => format!(
                "(if {} {} else {})",
                w.condition(),
                w.condition(),
                w.condition()
            ),
            10 => format!("find {{{}}}", w.condition()),
            11 => format!("find <-- 1 3 {{{}}}", w.condition()),
            12 => format!("line --> {{{}}} --> {{{}}}", w.condition(), w.condition()),
            13 => format!(
                "line nestban --> ({{{}}} --> .)+ --> {{{}}}*",
                w.condition(),
                w.condition()
            ),
            14 => format!("line singlecolor --> {{{}}}{{2,}}", w.condition()),
            15 => format!("line <-- {{{}}}? <-- {{{}}}+", w.condition(), w.condition()),
            16 => format!(
                "{{path {}--({}) -- {{{}}} +}}",
                "A",
                w.condition(),
                w.condition()
            ),
            17 => format!("{{path focus A nestban (-- {{{}}})+}}", w.condition()),
            18 => format!("{{path max ply --* {{{}}}}}", w.condition()),
            19 => format!("flipcolor {{{}}}", w.condition()),
            20 => format!("flip shift {{{} {}}}", w.set(), w.set()),
            21 => format!("{{shift count {{{}}} > 3}}", w.set()),
            22 => w.echo(),
            23 => format!("square all v in {} {{v attacks {}}}", w.set(), w.set()),
            24 => format!(
                "piece T in {} {{find {} T attacks {}}}",
                w.set(),
                w.dice.pick(&["quiet", "", "all", "2 5", "<--", "<-- 1 3"]),
                w.set()
            ),
            25 => format!("--({})", w.condition()),
            26 => format!("line 2 9 --> {{{}}}+", w.condition()),
            27 => format!("{{path 2 9 focus A -- {{{}}} +}}", w.condition()),
            28 => w.dash(),
            29 => format!("{{path {} -- * {}}}", w.dash(), w.dash()),
            30 => format!("find 2 9 {{{}}}", w.dash()),
            31 => format!("piece T in {} {{find T=={}}}", w.set(), w.set()),
            32 => format!(
                "piece T in {} {{X=T path focus T T--{} --* {{{}}}}}",
                w.set(),
                w.set(),
                w.condition()
            ),
            33 => format!(
                "piece T in {} piece U in {} {{path focus T|U T-- U--{{T attacks {}}}}}",
                w.set(),
                w.set(),
                w.set()
            ),
            34 => format!(
                "s=currentposition piece T in {} piece U in {} find {{T==s:U {}}}",
                w.set(),
                w.set(),
                w.condition()
            ),
            35 => format!(
                "move from {} to {} promote {}",
                w.set(),
                w.set(),
                w.dice.pick(&["Q", "n", "A"])
            ),
            36 => format!(
                "(piece T in {} {{{}:T T!={}:T}})>={}",
                w.set(),
                w.place(),
                w.place(),
                w.dice.below(4)
            ),
            37..=43 => w.planned_shape(),
            _ => format!("{}:{}", w.place(), w.condition()),
        })
    }

    /// Filters of the shapes that have plans of their own.
    fn planned_shape(&mut self) -> String {
        let step = self
            .dice
            .pick(&["up 1", "northeast 1", "right 1", "left 0 2"]);
        match self.dice.below(16) {
            12 => self.calculation(),
            13 => format!(
                "{{n=0 T=\"{}\" if path {}--{}=T -- {{n+=1 {}}}* n+=10 n>={}}}",
                self.dice.pick(&["Q", "qn", "."]),
                self.set(),
                self.set(),
                self.condition(),
                self.dice.below(12)
            ),
            0 => format!(
                "rotate45 {{line --> move from {} to {step} {} --> {{{}}}}}",
                self.set(),
                self.set(),
                self.condition()
            ),
            1 => format!(
                "{{(rotate45 count find {{{} & {step} ({} & {step} {})}}) > {}}}",
                self.set(),
                self.set(),
                self.set(),
                self.dice.below(4)
            ),
            2 => format!(
                "{{piece T=move from {} flip {{L=line lastposition singlecolor \
                 --> move from T to {step} T --> (move from ~T)* --> move from T}} L:{{{}}}}}",
                self.set(),
                self.condition()
            ),
            3 => format!(
                "{{piece T=move from {} {{path focus T --(x=to) --(y=to)}} \
                 find {{piece U=~T--(from) {{path focus U --x --({})}}}}}}",
                self.set(),
                self.condition()
            ),
            4 => self.dictionary_echo(),
            7 => format!(
                "rotate45 {{{} <= sort \"length\" path focus {} nestban \
                 ({}--{step} {} --{step} {})+ {{{}}}}}",
                self.dice.below(3),
                self.set(),
                self.set(),
                self.dice.pick(&["Q", "A", "[pq]", "e4"]),
                self.set(),
                self.condition()
            ),
            8 => format!(
                "piece T in {} flip {{path focus T (--{step} T)+ --{step} T ? {{{}}}}}",
                self.set(),
                self.condition()
            ),
            10 => format!(
                "flipcolor {{{} {}}}",
                self.dice
                    .pick(&["result 1-0", "year < 2000", "elo white > 10"]),
                self.condition()
            ),
            9 => format!(
                "piece T in {} {{path {{T attacks {}}} T-- {{{}}}}}",
                self.set(),
                self.set(),
                self.condition()
            ),
            14 => {
                let (x, y) = (self.set(), self.set());
                // at the end of a game first, so that a start of a path is met as an end later
                let search = self.dice.pick(&["", "nestban", "ply>3 find <-- all"]);
                let (search, nestban) = match search {
                    "nestban" => ("", search),
                    _ => (search, ""),
                };
                let repeated = self.dice.pick(&["+", "*"]);
                format!(
                    "{{x={x} {search} {{path {nestban} ({}--({{{y} comment(x)}})){repeated} \
                     {{{}}}}}}}",
                    self.set(),
                    self.condition()
                )
            }
            15 => format!(
                "{{x={} {{path ({}-- --)+ {}--(x) {{{}}} --({{{} comment(x)}})}}}}",
                self.set(),
                self.set(),
                self.set(),
                self.condition(),
                self.condition()
            ),
            5 => format!(
                "{{sum=0 if initial sum=1 if --(castle) sum=sum+2 if --=[Qq] sum=sum+4 \
                 if mate sum=sum+8 if {{initial {}}} sum=sum+16 if --(enpassant) sum=sum+32 \
                 sum>={}}}",
                self.condition(),
                self.dice.below(20)
            ),
            6 => format!(
                "piece T in {} square v in {} {{{} comment(T v) \
                 line --> move from T --> .* --> move from T to v --> {{{}}}}}",
                self.set(),
                self.set(),
                self.condition(),
                self.condition()
            ),
            _ => format!(
                "{{u={} w={} (piece T in {} {{T!=u:T {}w:T}})>={}}}",
                self.place(),
                self.place(),
                self.set(),
                self.dice.pick(&["", "not ", "T=="]),
                self.dice.below(3)
            ),
        }
    }

    /// Numbers calculated from squares and from each other; some have no value.
    fn calculation(&mut self) -> String {
        format!(
            "{{sum={} square all v in {} {{x=(rank v-{})*file {} sum+=x*x/{} sum!=7}} \
             t=abs(sum-{})+sqrt(sum) sort \"t\" (0-t)+{} square w in {} \
             {{w==makesquare(file w 1+rank w%8) or sum>={}}}}}",
            self.number(),
            self.set(),
            self.number(),
            self.set(),
            self.dice.below(3),
            self.number(),
            self.number(),
            self.set(),
            self.dice.below(30)
        )
    }

    /// Statements in loops over positions, pieces and numbers.
    fn statements(&mut self) -> String {
        let test = self.condition();
        let step = self.dice.pick(&["while", "while", "if"]);
        let body = match self.dice.below(6) {
            0 => format!("if z:{{{test}}} sum+=1"),
            1 => format!("if z:{{{test}}} sum+=2 else if {test} sum-=1"),
            2 => format!("if not {{{test}}} {{sum+=z:(power A-power a) sum>3}}"),
            3 => format!("if z:({})<{} sum+=1", self.number(), self.number()),
            4 => "piece T in [Qrk] {if z:(T attacks [kR]) sum+=1 if T attacks k sum*=2}".into(),
            _ => format!("{{{test} v=z sum+=1 v:parent {test}}} or {{sum+=3 {test}}}"),
        };
        let limit = self.dice.below(12);
        let end = match self.dice.below(5) {
            1 => format!("loop {{sum+=1 sum<{limit} {test}}}"),
            0 => format!("sort \"sum\" sum>={limit}"),
            2 => format!("echo (s t) {{s:(#A-#a)==t:#a t:{{{test}}} sum>={limit}}}"),
            3 => format!(
                "local dictionary D z=currentposition \
                 while (z:parent) {{men=str(z:#a) D[men]=z:#A z=z:parent}} \
                 string one in D {{sum+=D[one] sum*=2}} sum>={limit}"
            ),
            _ => format!("sum>={limit}"),
        };
        format!(
            "{{sum=0 z={} {step} (z:parent and sum<9) {{{body} z=z:parent}} {end}}}",
            self.place()
        )
    }

    /// Squares kept in a dictionary, which the path of another piece must repeat.
    fn dictionary_echo(&mut self) -> String {
        format!(
            "{{local dictionary D unbind D piece T=move from {} \
             {{path focus T (--(D[pathcount]=to)){{1,}}}} \
             echo (s t) {{t>s piece U=~T--(from) {{path focus U (--(D[pathcount]==to)){{1,}}}} {}}}}}",
            self.set(),
            self.condition()
        )
    }

    fn dash(&mut self) -> String {
        let sign = self.dice.pick(&["--", "--", "[x]"]);
        let piece = self.dice.pick(&["", "", "=Q", "=A", "=[qn]"]);
        format!("{}{sign}{}{piece}", self.set(), self.set())
    }

    fn echo(&mut self) -> String {
        self.places.extend(["s", "t"]);
        let known = match self.dice.below(7) {
            4 => "s&t==62",
            5 => "#(s&t)>=61",
            6 => "s&t>62",
            0 => "s<t",
            1 => "sidetomove==s:sidetomove ~(s&t)<=3",
            2 => "t>s s&t==. ",
            _ => "btm #(~(s&t))==2",
        };
        let text = format!("echo (s t) {{{known} {}}}", self.condition());
        self.places.truncate(self.places.len() - 2);
        text
    }
}

/// A query that only counts pieces.
fn material(dice: &mut Dice) -> String {
    let mut count = || {
        let pieces = dice.pick(&["A", "a", "[RQ]", "P", "[pn]", "_", "[Aa]"]);
        let op = dice.pick(&["==", ">=", "<", "!="]);
        format!("{pieces}{op}{}", dice.below(6))
    };
    format!("({} or {}) {}", count(), count(), count())
}

fn pgn(game: &Game) -> String {
    gametree_chess::pgn::export(game, &gametree_chess::pgn::ExportOptions::default())
}

/// The game with nothing but its tags, its mainline and its result.
fn mainline_of(game: &Game) -> Game {
    let (text, mut mainline) = (pgn(game), Game::default());
    for raw in split(text.as_bytes()) {
        Builder::new().read_mainline_into(raw, &mut mainline);
    }
    mainline
}

#[test]
fn the_plan_changes_no_result() {
    let (rounds, mut dice) = rounds_and_dice(150, 0x0dd_ba11);
    let (mut compared, mut lines) = (0, 0);
    for round in 0..rounds {
        let nodes = 5 + dice.below(25);
        let game = random_game(&mut dice, nodes);
        let mut writer = Writer {
            dice: &mut dice,
            depth: 0,
            places: Vec::new(),
        };
        let filters: Vec<String> = (0..2).map(|_| writer.condition()).collect();
        let source = if dice.one_in(6) {
            material(&mut dice)
        } else if dice.one_in(4) {
            let mut writer = Writer {
                dice: &mut dice,
                depth: 2,
                places: Vec::new(),
            };
            writer.statements()
        } else {
            filters.join(" ")
        };
        let dialect = dice.pick(&[Dialect::Cqli, Dialect::Cql62]);
        let level = Some(dice.pick(&[Level::Normal, Level::Silent]));
        let variations = Some(dice.below(4) > 0);
        let options = Options::default()
            .with_dialect(dialect)
            .with_level(level)
            .with_variations(variations)
            .with_steps(3_000_000);
        let Ok(planned) = Query::compile(&source, &options) else {
            continue;
        };
        let naive = Query::compile(&source, &options.with_planned(false)).unwrap();
        let (a, b) = (
            planned.matcher().run(&game, 1),
            naive.matcher().run(&game, 1),
        );
        if a.given_up.is_some() || b.given_up.is_some() {
            continue;
        }
        compared += 1;
        if planned.needs_only_mainline() {
            let found = planned.matcher().run(&mainline_of(&game), 1);
            let about = (&found.positions, &found.sort, found.comments.len());
            let expected = (&b.positions, &b.sort, b.comments.len());
            assert_eq!(about, expected, "round {round}: {source}\n{}", pgn(&game));
        }
        if planned.needs_only_moves() {
            let moves: Vec<_> = game.mainline_moves().collect();
            let (mut start, mut skipped) = (game.start().clone(), 0);
            let most = planned.most_pieces().unwrap_or(64) as usize;
            while start.occupied().count() > most && skipped < moves.len() {
                start.play(moves[skipped]);
                skipped += 1;
            }
            let rest = &moves[skipped..];
            let line = planned.matcher().run_line(&start, skipped as u32, rest, 1);
            let nodes: Vec<u32> = line.nodes.iter().map(|node| node.0).collect();
            let about = (&nodes, &line.positions, line.comments.len());
            let expected = (&b.positions, &b.positions, b.comments.len());
            assert_eq!(about, expected, "round {round}: {source}\n{}", pgn(&game));
            lines += 1;
        }
        assert_eq!(
            a.positions,
            b.positions,
            "round {round}: {source}\n{}",
            pgn(&game)
        );
        assert_eq!(a.sort, b.sort, "round {round}: {source}\n{}", pgn(&game));
        assert_eq!(
            a.comments,
            b.comments,
            "round {round}: {source}\n{}",
            pgn(&game)
        );
    }
    assert!(
        compared > rounds / 2,
        "only {compared} of {rounds} were compared"
    );
    assert!(lines > 0, "no query needs only moves");
}
