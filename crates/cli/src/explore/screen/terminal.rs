//! Whether the terminal can show pictures: the terminal itself is asked, with a short timeout.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use crossterm::terminal::window_size;

use super::graphics::Protocol;

/// When to show the board as a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum Pictures {
    /// If the terminal says that it can.
    #[default]
    Auto,
    /// Never.
    Never,
    /// Always, also if the terminal does not answer.
    Always,
}

/// How to show pictures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Graphics {
    /// The protocol.
    pub protocol: Protocol,
    /// Pixels of a character cell: width and height.
    pub cell: (u16, u16),
}

/// The answers of the terminal.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answers {
    /// It has Kitty's protocol.
    kitty: bool,
    /// It has Sixel.
    sixel: bool,
    /// Its name and version.
    name: String,
    /// Pixels of a cell.
    cell: Option<(u16, u16)>,
    /// It has answered the last question.
    is_complete: bool,
    /// Keys that were pressed meanwhile.
    pub typed: Vec<KeyEvent>,
}

/// What kind of terminal it is: every terminal answers this, and late answers do no harm.
const FIRST_QUESTION: &[u8] = b"\x1b[c";

/// A picture that is not shown, name and version, the size of a cell, and the first question again,
/// which marks the end of the answers.
const QUESTIONS: &[u8] = b"\x1b_Gi=72,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[>0q\x1b[16t\x1b[c";

/// How long to wait for the first answer.
const SHORT: Duration = Duration::from_millis(250);

/// How long to wait for further answers of a terminal that has answered.
const LONG: Duration = Duration::from_millis(1000);

/// Cells of terminals that do not give their size.
const USUAL_CELL: (u16, u16) = (10, 20);

/// Asks the terminal, which must be in raw mode.
pub fn ask(pictures: Pictures) -> (Option<Graphics>, Vec<KeyEvent>) {
    if pictures == Pictures::Never {
        return (None, Vec::new());
    }
    let mut answers = Answers::default();
    let kind = std::env::var("TERM").unwrap_or_default();
    if !matches!(kind.as_str(), "" | "dumb" | "linux") {
        answers.read(&tty::exchange(FIRST_QUESTION, SHORT));
        if std::mem::take(&mut answers.is_complete) {
            answers.read(&tty::exchange(QUESTIONS, LONG));
        }
    }
    let protocol = answers.protocol();
    let protocol = match pictures {
        Pictures::Always => protocol.or_else(|| Some(usual_protocol(&kind))),
        _ => protocol,
    };
    let cell = answers.cell.or_else(cell_of_window).unwrap_or(USUAL_CELL);
    let graphics = protocol.map(|protocol| Graphics { protocol, cell });
    (graphics, answers.typed)
}

/// The protocol that the environment suggests.
fn usual_protocol(kind: &str) -> Protocol {
    let program = std::env::var("TERM_PROGRAM").unwrap_or_default();
    if kind.contains("kitty") || kind.contains("ghostty") {
        Protocol::Kitty
    } else if ["iTerm.app", "WezTerm"].contains(&program.as_str()) {
        Protocol::Iterm
    } else {
        Protocol::Sixel
    }
}

fn cell_of_window() -> Option<(u16, u16)> {
    let size = window_size().ok()?;
    let cell = (
        size.width.checked_div(size.columns)?,
        size.height.checked_div(size.rows)?,
    );
    (cell.0 > 0 && cell.1 > 0).then_some(cell)
}

impl Answers {
    fn protocol(&self) -> Option<Protocol> {
        let is_iterm = ["iTerm2", "WezTerm"]
            .iter()
            .any(|name| self.name.starts_with(name));
        if is_iterm {
            Some(Protocol::Iterm)
        } else if self.kitty {
            Some(Protocol::Kitty)
        } else {
            self.sixel.then_some(Protocol::Sixel)
        }
    }

    /// Reads what came from the terminal: answers and keys.
    fn read(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        let mut rest = &*text;
        while !rest.is_empty() {
            rest = if let Some(after) = rest.strip_prefix("\x1b[") {
                self.read_sequence(after)
            } else if let Some(after) = rest.strip_prefix("\x1b_G") {
                let (answer, after) = after.split_once("\x1b\\").unwrap_or((after, ""));
                self.kitty |= answer.ends_with(";OK");
                after
            } else if let Some(after) = rest.strip_prefix("\x1bP") {
                let (answer, after) = after.split_once("\x1b\\").unwrap_or((after, ""));
                self.name = answer.trim_start_matches(">|").to_owned();
                after
            } else {
                let mut chars = rest.chars();
                self.typed.extend(chars.next().and_then(key_of));
                chars.as_str()
            };
        }
    }

    /// `?62;4c`, `6;20;10t`, or an arrow key.
    fn read_sequence<'a>(&mut self, text: &'a str) -> &'a str {
        let Some(end) = text.find(|c: char| ('@'..='~').contains(&c)) else {
            return "";
        };
        let (values, after) = (&text[..end], &text[end + 1..]);
        match (&text[end..=end], values.strip_prefix('?')) {
            ("c", Some(values)) => {
                self.is_complete = true;
                self.sixel |= values.split(';').any(|value| value == "4");
            }
            ("t", _) => self.cell = cell(values).or(self.cell),
            ("A", _) => self.typed.push(key(KeyCode::Up)),
            ("B", _) => self.typed.push(key(KeyCode::Down)),
            ("C", _) => self.typed.push(key(KeyCode::Right)),
            ("D", _) => self.typed.push(key(KeyCode::Left)),
            _ => {}
        }
        after
    }
}

/// `6;HEIGHT;WIDTH`
fn cell(values: &str) -> Option<(u16, u16)> {
    let (height, width) = values.strip_prefix("6;")?.split_once(';')?;
    let cell = (width.parse().ok()?, height.parse().ok()?);
    // More than any font has: a picture of such cells would not fit into memory.
    let is_likely = |pixels: u16| (1..=200).contains(&pixels);
    (is_likely(cell.0) && is_likely(cell.1)).then_some(cell)
}

fn key(code: KeyCode) -> KeyEvent {
    KeyEvent::new(code, KeyModifiers::NONE)
}

fn key_of(c: char) -> Option<KeyEvent> {
    match c {
        '\r' => Some(key(KeyCode::Enter)),
        '\t' => Some(key(KeyCode::Tab)),
        '\u{7f}' => Some(key(KeyCode::Backspace)),
        '\u{3}' => Some(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL)),
        c if c.is_control() => None,
        c => Some(key(KeyCode::Char(c))),
    }
}

#[cfg(unix)]
mod tty {
    use std::io::{self, Write};
    use std::time::{Duration, Instant};

    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    /// Writes questions and reads until an answer to the last of them, `CSI ? … c`, or the timeout.
    pub fn exchange(questions: &[u8], timeout: Duration) -> Vec<u8> {
        let mut output = io::stdout();
        let mut answers = Vec::new();
        if output
            .write_all(questions)
            .and_then(|()| output.flush())
            .is_err()
        {
            return answers;
        }
        let begun = Instant::now();
        while let Some(left) = timeout.checked_sub(begun.elapsed()) {
            if !is_readable(left) || !read_some(&mut answers) || is_complete(&answers) {
                break;
            }
        }
        answers
    }

    fn is_readable(timeout: Duration) -> bool {
        let input = io::stdin();
        let mut polled = [PollFd::new(&input, PollFlags::IN)];
        let timeout = Timespec {
            tv_sec: 0,
            tv_nsec: timeout.as_nanos().min(999_999_999) as _,
        };
        poll(&mut polled, Some(&timeout)).is_ok_and(|ready| ready > 0)
    }

    fn read_some(answers: &mut Vec<u8>) -> bool {
        let mut bytes = [0; 256];
        match rustix::io::read(io::stdin(), &mut bytes) {
            Ok(count @ 1..) => {
                answers.extend(&bytes[..count]);
                true
            }
            _ => false,
        }
    }

    fn is_complete(answers: &[u8]) -> bool {
        let starts = answers.windows(3).enumerate();
        let mut starts = starts
            .filter(|(_, bytes)| bytes == b"\x1b[?")
            .map(|(at, _)| at + 3);
        starts.any(|start| {
            let end = answers[start..]
                .iter()
                .find(|byte| (b'@'..=b'~').contains(byte));
            end == Some(&b'c')
        })
    }
}

#[cfg(not(unix))]
mod tty {
    use std::time::Duration;

    /// Elsewhere terminals cannot be asked.
    pub fn exchange(_: &[u8], _: Duration) -> Vec<u8> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(text: &str) -> Answers {
        let mut answers = Answers::default();
        answers.read(text.as_bytes());
        answers
    }

    /// Answers of real terminals, from their documentation.
    #[test]
    fn terminals_are_recognised() {
        let protocol = |text: &str| answers(text).protocol();
        let kitty = "\x1b_Gi=72;OK\x1b\\\x1bP>|kitty(0.35.2)\x1b\\\x1b[6;36;18t\x1b[?62;c";
        assert_eq!(protocol(kitty), Some(Protocol::Kitty));
        assert_eq!(answers(kitty).cell, Some((18, 36)));
        let iterm = "\x1bP>|iTerm2 3.5.4\x1b\\\x1b[6;17;8t\x1b[?62;4c";
        assert_eq!(protocol(iterm), Some(Protocol::Iterm));
        assert_eq!(
            protocol("\x1bP>|foot(1.17.2)\x1b\\\x1b[?62;4;22c"),
            Some(Protocol::Sixel)
        );
        assert_eq!(protocol("\x1bP>|VTE(7600)\x1b\\\x1b[?65;1;9c"), None);
        assert_eq!(
            protocol("\x1b_Gi=72;ENOTSUPPORTED\x1b\\\x1b[?64;1;2c"),
            None
        );
        assert_eq!(protocol(""), None);
        assert_eq!(answers("\x1b[6;65535;65535t").cell, None);
    }

    #[test]
    fn keys_pressed_meanwhile_are_kept() {
        let answers = answers("q\x1b[C\x1b[?62;4cé\r");
        assert!(answers.is_complete && answers.sixel);
        let codes: Vec<KeyCode> = answers.typed.iter().map(|key| key.code).collect();
        let wanted = [
            KeyCode::Char('q'),
            KeyCode::Right,
            KeyCode::Char('é'),
            KeyCode::Enter,
        ];
        assert_eq!(codes, wanted);
    }
}
