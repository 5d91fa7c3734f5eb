use super::{Choice, Numbers, TagRule};

#[test]
fn numbers_and_ranges() {
    let numbers: Numbers = "1-3, 7,20-".parse().unwrap();
    let chosen: Vec<u64> = (0..23).filter(|&n| numbers.contains(n)).collect();
    assert_eq!(chosen, [1, 2, 3, 7, 20, 21, 22]);
    assert_eq!("5,2-9,1".parse::<Numbers>().unwrap().last(), 9);
}

#[test]
fn invalid_ranges_are_refused_with_a_hint() {
    for text in [
        "",
        "0",
        "a",
        "7-3",
        "-4",
        "1,,2",
        "1-2-3",
        "1.5",
        "99999999999999999999",
    ] {
        let error = text.parse::<Numbers>().unwrap_err();
        assert!(error.to_string().contains("1-10"), "{text}: {error}");
    }
}

#[test]
fn tag_rules() {
    for (rule, value, holds) in [
        ("White=carlsen", Some("Carlsen, Magnus"), true),
        ("White=carlsen", Some("Caruana"), false),
        ("White=carlsen", None, false),
        ("White=müller", Some("MÜLLER"), true),
        ("White!=carlsen", Some("Carlsen, Magnus"), false),
        ("White!=carlsen", None, true),
        ("Event~^tata .* 20\\d\\d$", Some("Tata Steel 2024"), true),
        ("Event~^tata", Some("the Tata"), false),
        ("WhiteElo>=2700", Some("2700"), true),
        ("WhiteElo>2700", Some("2700"), false),
        ("WhiteElo>=900", Some("2700"), true),
        ("WhiteElo<900", Some("2700"), false),
        ("WhiteElo<900", Some("?"), false),
        ("WhiteElo<900", None, false),
        ("Date>=2024", Some("2024.01.31"), true),
        ("Date>=2024", Some("2023.12.31"), false),
        ("Date>=2024.02", Some("2024.01.31"), false),
        ("Date>=2024", Some("????.??.??"), false),
        ("Annotator", Some("x"), true),
        ("Annotator", Some(""), false),
        ("Annotator", None, false),
        ("ECO=a=b", Some("xA=By"), true),
    ] {
        assert_eq!(
            rule.parse::<TagRule>().unwrap().holds(value),
            holds,
            "{rule} {value:?}"
        );
    }
}

#[test]
fn errors_of_tag_rules() {
    assert!(
        "=x".parse::<TagRule>()
            .unwrap_err()
            .to_string()
            .contains("missing tag name")
    );
    assert!(
        "White~("
            .parse::<TagRule>()
            .unwrap_err()
            .to_string()
            .contains("unclosed group")
    );
}

#[test]
fn all_rules_of_a_choice_must_hold() {
    let choice = Choice {
        numbers: Some("2-3".parse().unwrap()),
        tags: vec!["White=a".parse().unwrap(), "Black=b".parse().unwrap()],
    };
    assert!(choice.includes_number(2) && !choice.includes_number(4));
    assert!(choice.is_over(4) && !choice.is_over(3));
    assert!(choice.matches_tags(|name| Some(if name == "White" { "a" } else { "b" })));
    assert!(!choice.matches_tags(|_| Some("a")));
    assert!(!choice.is_everything() && Choice::default().is_everything());
}
