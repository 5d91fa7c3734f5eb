//! Pseudo-random small positions of every game.

/// Pseudo-random numbers, the same on every machine.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    pub fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    fn letters(&mut self, letters: &str, length: usize) -> String {
        (0..length)
            .map(|_| letters.as_bytes()[self.below(letters.len())] as char)
            .collect()
    }

    pub fn rows(&mut self, letters: &str, rows: usize, cols: usize) -> String {
        (0..rows)
            .map(|_| self.letters(letters, cols))
            .collect::<Vec<_>>()
            .join("|")
    }
}

/// A small position of the game, as text; not always a legal one.
pub fn position(name: &str, dice: &mut Dice) -> String {
    let cells = 1 + dice.below(6);
    let (rows, cols) = [(1, 4), (2, 2), (2, 3), (3, 2)][dice.below(4)];
    match name {
        "clobber_1xn" | "elephants" => dice.letters(".XXOO", cells),
        "nogo_1xn" => dice.letters("....XO", cells.min(5)),
        "toppling_dominoes" => dice.letters("XO#", cells),
        "gen_toads" => format!(
            "{}:{}",
            dice.pick(&["1,1,1,0", "1,2,1,1", "2,3,2,0", "1,1,0,0"]),
            dice.letters("..XO", cells)
        ),
        "clobber" | "cannibal_clobber" => dice.rows(".XXOO", rows, cols),
        "nogo" => dice.rows("...XO#", rows, cols.min(2)),
        "amazons" => dice.rows("..#XO", 2, 2),
        "gen_king_dirt" => format!(
            "{}:{}",
            dice.pick(&["0,0,0", "1,0,0", "1,1,1"]),
            dice.rows("..XO#", 2, 2)
        ),
        "domineering" => dice.rows("...#", rows, cols),
        "fission" => dice.rows("..X#", 3, 2),
        "sheep" => {
            let mut herd = || dice.pick(&["0", "0", "2", "-3", "1", "3"]).to_string();
            format!(
                "{} {} {}|{} {} {}",
                herd(),
                herd(),
                herd(),
                herd(),
                herd(),
                herd()
            )
        }
        "integer_game" => (dice.below(7) as i64 - 3).to_string(),
        "dyadic_rational" => format!(
            "{}/{}",
            dice.below(9) as i64 - 4,
            dice.pick(&["1", "2", "4"])
        ),
        "switch_game" => format!(
            "{}/2, {}",
            dice.below(9) as i64 - 4,
            dice.below(7) as i64 - 3
        ),
        "up_star" => dice.pick(&["1", "-2", "*", "2 *", "-1 *"]).into(),
        "nimber" | "kayles" => dice.below(5).to_string(),
        "explicit" => dice
            .pick(&[
                "{1|-1}",
                "{2||0|-1}",
                "{0,*|^}",
                "+-{1|0}",
                "{*|*2}",
                "1/2^*",
                "{|}",
                "{0|{0|-1}}",
            ])
            .into(),
        "col" | "snort" => dice
            .pick(&["path3", "cycle4", "star3", "path4:.X..", "1-2,2-3,1-3,3-4"])
            .into(),
        "hackenbush" => dice
            .pick(&["LRL", "ELR", "0-1L,1-2R,1-3E", "0-1L,0-1R", "RRE"])
            .into(),
        "octal" => format!(
            "{}:{}",
            dice.pick(&["0.77", "0.07", "4.3", "0.8"]),
            dice.below(6)
        ),
        other => {
            match gametree_sums::rules::ruleset(other).and_then(|(_, rules)| rules.letters()) {
                Some(letters) => dice.rows(letters, rows, cols),
                None => panic!("write some small positions of {other} here"),
            }
        }
    }
}
