//! The plan in words, for `--explain`.

use super::*;

impl Plan {
    /// The plan as text, one line per test.
    pub fn describe(&self) -> Vec<String> {
        let mut lines = self.describe_games();
        lines.extend(self.describe_positions());
        lines.extend(self.describe_searches().into_iter().map(str::to_owned));
        lines.extend(self.orbits.iter().flatten().map(OrbitIndex::describe));
        lines.extend(self.echoes.values().filter_map(EchoPlan::describe));
        lines.sort();
        lines.dedup();
        lines
    }

    /// The games that are ruled out as a whole.
    fn describe_games(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some((low, high)) = self.game_numbers {
            lines.push(format!("games {low} to {high} only"));
        }
        if let Some(result) = &self.result {
            lines.push(format!("games with result {result} only"));
        }
        if !self.game_conditions.is_empty() {
            let conditions = match self.game_conditions.len() {
                1 => "one condition on tags decides".to_owned(),
                count => format!("{count} conditions on tags decide"),
            };
            lines.push(format!("{conditions} before moves are replayed"));
        }
        if !self.game_alternatives.is_empty() {
            lines.push("transform: conditions on the game decide before moves are replayed".into());
        }
        if !self.played.is_empty() {
            lines.push("only games with the moves that the query needs".into());
        }
        if !self.needs().is_empty() {
            let exact = self.needs().iter().all(|need| need.exact().is_some());
            lines.push(match exact {
                true => {
                    "archives: only games with the position are read, found by the index".into()
                }
                false => "archives: games without the pieces or the material are not read".into(),
            });
        }
        lines.extend(self.witness.iter().map(Witness::describe));
        lines
    }

    /// The positions at which the query is evaluated.
    fn describe_positions(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.counts_material {
            lines
                .push("uses only material: evaluated again after each capture or promotion".into());
        }
        if self.rolls && self.relevant.is_some() {
            lines.push(
                "uses only the squares of some pieces: evaluated again when they move".into(),
            );
        }
        if self.rolls {
            lines.push("uses only the board: replays each game on one board".into());
        }
        lines.extend(match self.places {
            Places::Everywhere => None,
            Places::Ends => Some("only positions without a next move".to_owned()),
            Places::Start => Some("only the initial position".to_owned()),
            Places::Nowhere => Some("no position can match".to_owned()),
        });
        lines
    }

    /// What is ruled out while a position is evaluated.
    fn describe_searches(&self) -> Vec<&'static str> {
        let sequences = self.describe_sequences();
        let loops = self.describe_loops();
        let lines = self
            .describe_transforms()
            .into_iter()
            .chain(sequences)
            .chain(loops);
        let applies = lines.filter(|(applies, _)| *applies);
        applies.map(|(_, line)| line).collect()
    }

    /// Sentences about transforms and single filters, each with whether it applies.
    fn describe_transforms(&self) -> [Sentence; 4] {
        [
            (
                self.guards.has_orbits(),
                "transform: one test rules out all variants",
            ),
            (
                self.guards.has_finds(),
                "transform: what `find` looks for is searched once for all variants",
            ),
            (
                !self.found_pieces.is_empty(),
                "find: results are kept for each piece of a variable",
            ),
            (
                !self.signs.is_empty(),
                "castling, promotion, en passant, start and end: tested only where they occur",
            ),
        ]
    }

    /// The same about paths, lines and other searches.
    fn describe_sequences(&self) -> [Sentence; 8] {
        [
            (
                self.path_needs.iter().any(|need| !need.is_empty()),
                "path: searched only in games with the moves that it needs",
            ),
            (
                self.path_firsts.iter().any(Option::is_some),
                "path: searched only where its first filter or move matches",
            ),
            (
                self.line_firsts.iter().any(Option::is_some),
                "line: searched only where its first move matches",
            ),
            (
                self.path_moves.iter().any(|&moves| moves >= MANY_MOVES),
                "path with focus: not searched where its pieces make too few moves",
            ),
            (
                self.line_moves.iter().any(|moves| !moves.is_empty()),
                "line: not searched where a piece does not make the moves that it needs",
            ),
            (
                !self.lines_within.is_empty(),
                "comments: not made where the line after them cannot match",
            ),
            (
                !self.arrivals.is_empty(),
                "search: skips positions from which no move arrives at the required squares",
            ),
            (
                self.visits.iter().any(|visits| !visits.is_empty()),
                "search: not begun where a piece never reaches the required squares",
            ),
        ]
    }

    /// The same about loops.
    fn describe_loops(&self) -> [Sentence; 4] {
        let any_restriction = |kind: fn(&Restriction) -> bool| self.restrictions.values().any(kind);
        [
            (
                any_restriction(|r| matches!(r, Restriction::Mover)),
                "loop over pieces: tries only those that move next",
            ),
            (
                any_restriction(|r| matches!(r, Restriction::Move(..))),
                "loop: tries nothing where no move from the position matches",
            ),
            (
                any_restriction(|r| matches!(r, Restriction::Apart { .. })),
                "loop over squares: tries only those that are far enough apart",
            ),
            (
                !self.piece_tests.is_empty(),
                "loop over pieces: compares squares in a table, without evaluating its body",
            ),
        ]
    }
}

/// A sentence of `--explain`, after whether it applies.
type Sentence = (bool, &'static str);

#[cfg(test)]
mod tests {
    use crate::{Options, Query};

    fn check(source: &str, expected: &str) {
        let query = Query::compile(source, &Options::default()).unwrap();
        let lines = query.explain();
        assert!(
            lines.iter().any(|line| line.contains(expected)),
            "{source}: {lines:?}"
        );
    }

    #[test]
    fn every_plan_is_explained() {
        let cases = [
            ("R==1 r==1", "uses only material"),
            ("result 1-0 mate", "one condition on tags"),
            (
                "flipcolor {result 1-0 Q-- check}",
                "transform: conditions on the game decide",
            ),
            ("initial Ke1 ply==0", "only the initial position"),
            (
                "rotate45 {path focus Q (Q--up 1 Q)+}",
                "transform: one test rules out all variants",
            ),
            (
                "(rotate45 count find {Q & up 1 K}) > 1",
                "transform: what `find` looks for",
            ),
            (
                "s=0 if --(castle) s=1 if --=Q s=s+1 s==2",
                "tested only where they occur",
            ),
            (
                "piece T in Q {path focus T T--a1 T--h8}",
                "path: searched only where its first",
            ),
            (
                "path focus Q (Q-- Q--){3,}",
                "path with focus: not searched where its pieces",
            ),
            (
                "piece T in Q {line --> move from T --> .* --> move from T}",
                "line: not searched where a piece",
            ),
            (
                "piece T in Q square v in . {check comment(T v) line --> move from T --> .* \
                 --> move from T to v}",
                "comments: not made where",
            ),
            (
                "piece T=move from . {path focus T --(x=to) --(y=to)} \
                 find {piece U=~T--(from) {path focus U --x --y}}",
                "search: skips positions",
            ),
            (
                "s=currentposition piece T in Q piece U in R find {T==s:U}",
                "search: not begun where a piece",
            ),
            ("piece T in Q {T--}", "loop over pieces: tries only"),
            (
                "piece T in R piece U in Q {path focus T|U Q--}",
                "loop: tries nothing where no move",
            ),
            (
                "u=parent (piece T in A {T!=u:T})>=2",
                "loop over pieces: compares squares in a table",
            ),
        ];
        for (source, expected) in cases {
            check(source, expected);
        }
    }
}
