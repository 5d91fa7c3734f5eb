//! Words of command lines that the program suggests, quoted for the shell.

/// The word as a POSIX shell must be given it. A name that begins with a dash becomes a path.
pub fn quoted(word: &str) -> String {
    let word = if word.starts_with('-') && word.len() > 1 {
        format!("./{word}")
    } else {
        word.to_owned()
    };
    let is_plain = |c: char| c.is_alphanumeric() || "_-./,:+@%=".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word;
    }
    if word.chars().any(char::is_control) {
        return ansi_quoted(&word);
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// `$'a\x1bb'`: the form for names with control characters, which no other quotes can show.
fn ansi_quoted(word: &str) -> String {
    let escaped: String = word.chars().map(escaped).collect();
    format!("$'{escaped}'")
}

fn escaped(c: char) -> String {
    match c {
        '\'' | '\\' => format!("\\{c}"),
        c if c.is_control() => c
            .to_string()
            .bytes()
            .map(|byte| format!("\\x{byte:02x}"))
            .collect(),
        c => c.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn only_words_that_need_it_are_quoted() {
        for (word, shown) in [
            ("games/a-b_1.pgn", "games/a-b_1.pgn"),
            ("my games.pgn", "'my games.pgn'"),
            ("it's.pgn", r"'it'\''s.pgn'"),
            ("-x.pgn", "./-x.pgn"),
            ("-", "-"),
            ("*.pgn", "'*.pgn'"),
            ("~a", "'~a'"),
            ("", "''"),
            ("a\x1b'", r"$'a\x1b\''"),
        ] {
            assert_eq!(quoted(word), shown);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_shell_reads_them_back() {
        for word in [
            "my games.pgn",
            "it's",
            "a\"b$c`d`",
            "*",
            "a;b|c&d",
            "#x",
            "~",
            "é",
            "a\\b",
        ] {
            let script = format!("printf %s {}", quoted(word));
            let output = std::process::Command::new("sh")
                .args(["-c", &script])
                .output();
            assert_eq!(output.unwrap().stdout, word.as_bytes(), "{word}");
        }
    }
}
