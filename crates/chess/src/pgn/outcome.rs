//! The result of a game and its spellings.

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Outcome {
    /// `1-0`
    White,
    /// `0-1`
    Black,
    /// `1/2-1/2`
    Draw,
    /// `*`: unknown or unfinished.
    #[default]
    Unknown,
}

impl Outcome {
    /// The standard spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::White => "1-0",
            Outcome::Black => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::Unknown => "*",
        }
    }

    /// Reads a result in any common spelling: `½-½`, `1–0`, `0:1`, `0.5-0.5`, `1/2` …
    pub fn read(text: &[u8]) -> Option<Outcome> {
        match text {
            b"1-0" => Some(Outcome::White),
            b"0-1" => Some(Outcome::Black),
            b"1/2-1/2" => Some(Outcome::Draw),
            b"*" => Some(Outcome::Unknown),
            _ => read_odd(text),
        }
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cold]
fn read_odd(text: &[u8]) -> Option<Outcome> {
    let text = std::str::from_utf8(text)
        .ok()
        .filter(|text| text.len() <= 20)?;
    if text == "1/2" || text == "½" {
        return Some(Outcome::Draw);
    }
    let (white, black) = text.split_once(['-', ':', '–', '—', '−', '‑'])?;
    match (points(white)?, points(black)?) {
        (2, 0) => Some(Outcome::White),
        (0, 2) => Some(Outcome::Black),
        (1, 1) => Some(Outcome::Draw),
        _ => None,
    }
}

/// The half points of one side.
fn points(text: &str) -> Option<u8> {
    match text {
        "0" => Some(0),
        "½" | "1/2" | "0.5" | "0,5" | ".5" => Some(1),
        "1" => Some(2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings() {
        let read = |text: &str| Outcome::read(text.as_bytes());
        assert_eq!(read("1–0"), Some(Outcome::White));
        assert_eq!(read("0:1"), Some(Outcome::Black));
        for draw in ["1/2", "½", "½-½", "0.5-0.5", "1/2:1/2", "1/2–1/2"] {
            assert_eq!(read(draw), Some(Outcome::Draw), "{draw}");
        }
        for other in ["0-0", "1-1", "1-", "-", "", "e4", "1/2-0"] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
