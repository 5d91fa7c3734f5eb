//! Everything the program writes to standard output and standard error.
//!
//! Names, tags, comments and queries come from untrusted files: they may contain codes
//! that clear the screen, hide text or reverse its order. [`Printer`] replaces such characters by
//! visible ones, whatever command writes them. The program's own colours are added here, after
//! that.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::io::{self, BufWriter, Write};

use anstyle::{AnsiColor, Style};
use serde::Serialize;

/// The text with each character that a terminal would interpret or hide replaced by a visible form:
/// `␛` for the control characters of ASCII, `\u{202e}` for others. Line ends and tabs stay.
pub fn printable(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_printable) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    text.chars().for_each(|c| push_printable(&mut shown, c));
    Cow::Owned(shown)
}

/// The same for text that must stay on one line, such as a file name.
pub fn printable_line(text: &str) -> Cow<'_, str> {
    if text.contains(['\n', '\t']) {
        Cow::Owned(printable(text).replace('\n', "␊").replace('\t', "␉"))
    } else {
        printable(text)
    }
}

fn push_printable(shown: &mut String, c: char) {
    match c {
        c if is_printable(c) => shown.push(c),
        '\0'..='\u{1f}' => shown.extend(char::from_u32(0x2400 + u32::from(c))),
        '\u{7f}' => shown.push('␡'),
        // Writing to a string cannot fail.
        c => drop(write!(shown, "\\u{{{:x}}}", u32::from(c))),
    }
}

/// True for characters that a terminal shows and does not interpret.
fn is_printable(c: char) -> bool {
    match c {
        '\n' | '\t' | ' '..='~' => true,
        c if c.is_control() => false,
        c => !is_invisible(c),
    }
}

/// Format characters, separators, fillers and noncharacters: they take no column, or hide, join or
/// reverse the text around them. Format characters with a shape of their own (Arabic number signs)
/// and the selectors between text and emoji (U+FE0E, U+FE0F) are not among them.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fdd0}'..='\u{fdef}'
        | '\u{fe00}'..='\u{fe0d}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{13430}'..='\u{13455}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
        || u32::from(c) & 0xfffe == 0xfffe
}

/// The styles of the program. Text from a file can select none of them by an escape sequence.
const STYLES: [Style; 15] = [
    AnsiColor::Red.on_default().bold(),
    AnsiColor::Yellow.on_default().bold(),
    AnsiColor::Green.on_default().bold(),
    AnsiColor::Green.on_default(),
    AnsiColor::Cyan.on_default(),
    Style::new().bold(),
    Style::new().dimmed(),
    Style::new().bold().invert(),
    AnsiColor::BrightRed.on_default(),
    AnsiColor::Yellow.on_default(),
    AnsiColor::Magenta.on_default(),
    AnsiColor::BrightBlue.on_default(),
    AnsiColor::Red.on_default(),
    AnsiColor::Blue.on_default(),
    Style::new().underline(),
];

/// Noncharacters represent the styles until the printer replaces them by the codes of a terminal:
/// this one for the end of a style, those after it for the styles.
const MARKS: u32 = 0xfdd0;

/// A style in a formatted text: `{tint}` begins it, `{tint:#}` ends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tint(Option<u32>);

impl Tint {
    /// The tint of a style; none if it is not a style of the program.
    pub fn new(style: Style) -> Tint {
        let known = (0..).zip(STYLES).find(|(_, known)| *known == style);
        Tint(known.map(|(index, _)| index))
    }
}

impl fmt::Display for Tint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(index) = self.0 else { return Ok(()) };
        let mark = if f.alternate() {
            MARKS
        } else {
            MARKS + 1 + index
        };
        char::from_u32(mark).map_or(Ok(()), |mark| f.write_char(mark))
    }
}

/// The terminal code of a mark.
fn code_of(mark: char) -> Option<String> {
    let index = u32::from(mark).checked_sub(MARKS)?;
    match index.checked_sub(1) {
        None => Some(anstyle::Reset.render().to_string()),
        Some(index) => Some(STYLES.get(index as usize)?.render().to_string()),
    }
}

/// Writes text for people, and data for programs.
pub struct Printer<W: Write> {
    out: BufWriter<W>,
    /// The first bytes of a character that the next write completes.
    begun: Vec<u8>,
    coloured: bool,
    /// A terminal reads data as it reads text.
    terminal: bool,
}

impl<W: Write> Printer<W> {
    /// A printer that writes colours if `coloured`.
    pub fn new(out: W, coloured: bool, terminal: bool) -> Printer<W> {
        Printer {
            out: BufWriter::with_capacity(1 << 16, out),
            begun: Vec::new(),
            coloured,
            terminal,
        }
    }

    /// Writes data (JSON, PGN, scripts): byte for byte, except on a terminal.
    pub fn data(&mut self) -> Data<'_, W> {
        Data(self)
    }

    /// Writes a value as one line of JSON.
    pub fn write_json(&mut self, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
        serde_json::to_writer(self.data(), value)?;
        self.data().write_all(b"\n")
    }

    fn put(&mut self, bytes: &[u8], coloured: bool) -> io::Result<()> {
        if self.begun.is_empty() && bytes.iter().all(|&byte| is_printable_byte(byte)) {
            return self.out.write_all(bytes);
        }
        let mut all = std::mem::take(&mut self.begun);
        all.extend_from_slice(bytes);
        for chunk in all.utf8_chunks() {
            self.put_text(chunk.valid(), coloured)?;
            if is_begun(chunk.invalid()) {
                self.begun = chunk.invalid().to_vec()
            } else {
                self.put_bytes(chunk.invalid())?
            }
        }
        Ok(())
    }

    fn put_text(&mut self, text: &str, coloured: bool) -> io::Result<()> {
        let is_mark = |c: char| coloured && code_of(c).is_some();
        for piece in text.split_inclusive(is_mark) {
            let mark = piece.chars().next_back().filter(|&c| is_mark(c));
            let words = &piece[..piece.len() - mark.map_or(0, char::len_utf8)];
            self.out.write_all(printable(words).as_bytes())?;
            let code = mark.and_then(code_of).unwrap_or_default();
            self.out.write_all(code.as_bytes())?;
        }
        Ok(())
    }

    /// Bytes that are not UTF-8.
    fn put_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut bytes = bytes.iter();
        bytes.try_for_each(|byte| write!(self.out, "\\x{byte:02x}"))
    }
}

fn is_printable_byte(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\t' | b' '..=b'~')
}

/// True for the first bytes of a character whose other bytes are missing.
fn is_begun(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

impl<W: Write> Write for Printer<W> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.put(buf, self.coloured)?;
        Ok(buf.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let begun = std::mem::take(&mut self.begun);
        self.put_bytes(&begun)?;
        self.out.flush()
    }
}

/// Writes to a [`Printer`] what programs read.
pub struct Data<'p, W: Write>(&'p mut Printer<W>);

impl<W: Write> Write for Data<'_, W> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        if self.0.terminal {
            self.0.put(buf, false).map(|()| buf.len())
        } else {
            self.0.out.write(buf)
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(
        coloured: bool,
        terminal: bool,
        write: impl Fn(&mut Printer<&mut Vec<u8>>),
    ) -> String {
        let mut bytes = Vec::new();
        let mut printer = Printer::new(&mut bytes, coloured, terminal);
        write(&mut printer);
        printer.flush().unwrap();
        drop(printer);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn controls_become_visible_and_ordinary_text_stays() {
        for (text, shown) in [
            ("\x1b]0;x\x07\x1b[2J\r\x08", "␛]0;x␇␛[2J␍␈"),
            ("\0\x7f\u{9b}31m", "␀␡\\u{9b}31m"),
            (
                "a\u{202e}b\u{2066}c\u{200f}d\u{61c}",
                "a\\u{202e}b\\u{2066}c\\u{200f}d\\u{61c}",
            ),
            (
                "\u{2028}\u{200b}\u{feff}\u{ad}\u{e0041}",
                "\\u{2028}\\u{200b}\\u{feff}\\u{ad}\\u{e0041}",
            ),
            ("\u{ffff}\u{fdd1}", "\\u{ffff}\\u{fdd1}"),
            (
                "Müller – 羽生\t♟\u{fe0f} e\u{301}\nשלום",
                "Müller – 羽生\t♟\u{fe0f} e\u{301}\nשלום",
            ),
        ] {
            assert_eq!(printable(text), shown);
            assert_eq!(
                printed(false, true, |out| write!(out, "{text}").unwrap()),
                shown
            );
        }
        assert_eq!(printable_line("a\nb\tc"), "a␊b␉c");
    }

    #[test]
    fn only_the_program_colours_text() {
        let bold = Tint::new(Style::new().bold());
        let hostile = "\x1b[8mx";
        assert_eq!(
            printed(true, true, |out| write!(out, "{bold}{hostile}{bold:#}")
                .unwrap()),
            "\x1b[1m␛[8mx\x1b[0m"
        );
        let plain = Tint::default();
        assert_eq!(
            printed(false, true, |out| write!(out, "{plain}a{plain:#}").unwrap()),
            "a"
        );
    }

    #[test]
    fn every_style_has_its_tint() {
        for style in STYLES {
            assert_eq!(
                printed(true, true, |out| write!(out, "{}", Tint::new(style))
                    .unwrap()),
                style.render().to_string()
            );
        }
    }

    #[test]
    fn data_is_exact_unless_a_terminal_reads_it() {
        let data = "{\"x\":\"\u{9b}\u{202e}\u{fdd0}\"}\r\n";
        let write =
            |out: &mut Printer<&mut Vec<u8>>| out.data().write_all(data.as_bytes()).unwrap();
        assert_eq!(printed(true, false, write), data);
        assert_eq!(
            printed(true, true, write),
            "{\"x\":\"\\u{9b}\\u{202e}\\u{fdd0}\"}␍\n"
        );
    }

    #[test]
    fn characters_cut_in_two_are_put_together() {
        let cut = |out: &mut Printer<&mut Vec<u8>>| {
            "é\u{202e}"
                .bytes()
                .for_each(|byte| out.write_all(&[byte]).unwrap());
            out.write_all(b"\xff\xc3").unwrap();
        };
        assert_eq!(printed(false, false, cut), "é\\u{202e}\\xff\\xc3");
    }
}
