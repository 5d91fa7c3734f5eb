//! Values against published tables and tables computed by other programs, if they are available.

mod support;

use std::collections::HashMap;

use gametree_sums::value::{Forms, Player, Value};
use support::{Row, rows};

/// The result of a method of CGSuite, in its notation; `None` for unsupported methods.
fn answer(forms: &mut Forms, value: Value, method: &str) -> Option<String> {
    let stop = |player| forms.stop(value, player).to_string();
    Some(match method {
        "LeftStop" | "Stop(Left)" => stop(Player::Left),
        "RightStop" | "Stop(Right)" => stop(Player::Right),
        "Mean" => forms.mean(value).ok()?.to_string(),
        "Temperature" => forms.temperature(value).ok()?.to_string(),
        "Thermograph" => forms.thermograph(value).ok()?.to_string(),
        "OutcomeClass" => forms.outcome(value).to_string(),
        "Birthday" => forms.birthday(value).ok()?.to_string(),
        "FollowerCount" => forms.followers(value).ok()?.len().to_string(),
        "IsZero" => (value == Value::ZERO).to_string(),
        "IsNumber" => forms.as_number(value).is_some().to_string(),
        "IsInteger" => forms
            .as_number(value)
            .is_some_and(|x| x.is_integer())
            .to_string(),
        "IsNimber" => {
            let nimber = |nus: &gametree_sums::value::Nus| nus.ups == 0 && nus.number.is_zero();
            forms.as_nus(value).is_some_and(nimber).to_string()
        }
        "IsNumberish" => forms.is_numberish(value).to_string(),
        "IsInfinitesimal" => {
            let zero = |player| forms.stop(value, player).is_zero();
            (zero(Player::Left) && zero(Player::Right)).to_string()
        }
        "AtomicWeight" => {
            let weight = forms.atomic_weight(value).ok()??;
            forms.show(weight)
        }
        "IsAllSmall" => forms.is_all_small(value).ok()?.to_string(),
        _ => return None,
    })
}

/// The values of a list in braces, sorted; `None` if the text is not such a list.
fn parse_set(forms: &mut Forms, text: &str) -> Option<Vec<Value>> {
    let inside = text.strip_prefix('{')?.strip_suffix('}')?;
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (i, c) in inside.char_indices() {
        match c {
            '{' | '(' => depth += 1,
            '}' | ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&inside[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&inside[start..]);
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    let mut values: Vec<Value> = parts
        .map(|part| forms.parse(part).ok())
        .collect::<Option<_>>()?;
    values.sort_unstable();
    Some(values)
}

fn set_of(forms: &mut Forms, value: Value, method: &str) -> Option<Vec<Value>> {
    let mut values = match method {
        "LeftOptions" | "Options(Left)" => forms.options(value, Player::Left).ok()?.to_vec(),
        "RightOptions" | "Options(Right)" => forms.options(value, Player::Right).ok()?.to_vec(),
        "Followers" => forms.followers(value).ok()?,
        _ => return None,
    };
    values.sort_unstable();
    Some(values)
}

#[test]
fn cgsuite_tests_of_short_games() {
    let rows = rows("cgsuite-values.jsonl");
    let mut forms = Forms::default();
    let (mut checked, mut wrong) = (0, Vec::new());
    for row in &rows {
        let (section, input, expected) = (&row["section"], &row["input"], &row["expected"]);
        if !section.contains("CanonicalShortGame should implement unary")
            || expected.starts_with("!!")
        {
            continue;
        }
        let (text, method) = match input.rsplit_once(").") {
            Some((text, method)) => (text.trim_start_matches('('), method),
            None => (input.as_str(), ""),
        };
        forms.allow_steps(100_000);
        let value = forms
            .parse(text)
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        let found = match method {
            "" => forms
                .parse(expected)
                .ok()
                .map(|same| (same == value).to_string() + expected),
            _ => answer(&mut forms, value, method),
        };
        let expected_text = if method.is_empty() {
            format!("true{expected}")
        } else {
            expected.clone()
        };
        if let Some(found) = found {
            checked += 1;
            if found != expected_text {
                wrong.push(format!("{input}: {found}, not {expected}"));
            }
        } else if let Some(found) = set_of(&mut forms, value, method) {
            checked += 1;
            if parse_set(&mut forms, expected) != Some(found) {
                wrong.push(format!("{input}: not {expected}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(rows.is_empty() || checked >= 570, "{checked} rows checked");
}

#[test]
fn cgsuite_evaluations() {
    let rows = rows("cgsuite-values.jsonl");
    let mut forms = Forms::default();
    let mut checked = 0;
    for row in rows
        .iter()
        .filter(|row| row["suite"] == "EvalTest" || row["section"].contains("2-ary"))
    {
        let (input, expected) = (&row["input"], &row["expected"]);
        let section = &row["section"];
        let wanted = [
            "arithmetic",
            "game specifiers",
            "simplify",
            "game operations",
            "order of",
        ];
        if !wanted.iter().any(|part| section.contains(part)) || section.contains("loopy") {
            continue;
        }
        // In CGSuite `3*5` and `3^5` are products and powers, and a parenthesis may follow a star.
        if input.chars().any(|c| "%[;".contains(c)) || input.contains("pass") {
            continue;
        }
        let digit_operator = |w: &[u8]| w[0].is_ascii_digit() && b"*^".contains(&w[1]);
        if input.as_bytes().windows(2).any(digit_operator) || input.contains("*(") {
            continue;
        }
        if let (Ok(value), Ok(same)) = (forms.parse(input), forms.parse(expected)) {
            assert_eq!(value, same, "{input} is {expected}");
            checked += 1;
        }
    }
    assert!(rows.is_empty() || checked >= 24, "{checked} rows checked");
}

#[test]
fn published_and_computed_values() {
    let rows = rows("cgt-truth.jsonl");
    let mut forms = Forms::default();
    let mut values: HashMap<(&str, &str), Value> = HashMap::new();
    for row in rows.iter().filter(|row| row["query"] == "value") {
        if let Ok(value) = forms.parse(&row["answer"]) {
            let text = forms.text(value, 1 << 20).expect("short");
            assert_eq!(forms.parse(&text), Ok(value), "{text}");
            values.insert((&row["game"], &row["position"]), value);
        }
    }
    for row in rows
        .iter()
        .filter(|row| row["game"] == "value" || row["game"] == "value_algebra")
    {
        if let Ok(value) = forms.parse(&row["position"]) {
            let known = values.insert((&row["game"], &row["position"]), value);
            assert!(
                known.is_none_or(|known| known == value),
                "{}",
                row["position"]
            );
        }
    }
    let mut checked = 0;
    for row in &rows {
        let key = (row["game"].as_str(), row["position"].as_str());
        let Some(&value) = values.get(&key) else {
            continue;
        };
        if let Some(found) = table_answer(&mut forms, value, row) {
            checked += 1;
            assert_eq!(found, row["answer"], "{} of {key:?}", row["query"]);
        }
    }
    assert!(
        rows.is_empty() || checked >= 1_008,
        "{checked} rows checked"
    );
}

fn table_answer(forms: &mut Forms, value: Value, row: &Row) -> Option<String> {
    let shown = |forms: &mut Forms, methods: &[&str]| {
        let answers = methods.iter().map(|method| answer(forms, value, method));
        Some(answers.collect::<Option<Vec<_>>>()?.join("; "))
    };
    match row["query"].as_str() {
        "outcome" => shown(forms, &["OutcomeClass"]),
        "mean" => shown(forms, &["Mean"]),
        "temperature" => shown(forms, &["Temperature"]),
        "mean; temperature; left_stop; right_stop" => {
            shown(forms, &["Mean", "Temperature", "LeftStop", "RightStop"])
        }
        "thermograph (CGSuite notation)" => shown(forms, &["Thermograph"]),
        "value expanded to braces over number/up/star" => {
            let same = forms.parse(&row["answer"]).expect("a value");
            Some(if same == value {
                row["answer"].clone()
            } else {
                forms.show(value)
            })
        }
        "atomic_weight" => {
            let weight = forms.atomic_weight(value).expect("small")?;
            let same = forms.parse(&row["answer"]).ok();
            Some(if same == Some(weight) {
                row["answer"].clone()
            } else {
                forms.show(weight)
            })
        }
        _ => None,
    }
}
