//! The terminal that ratatui draws on: cells written by crossterm.

use std::io::{self, Stdout, Write};

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::style::{
    Attribute, Color as TerminalColor, Print, SetAttribute, SetBackgroundColor, SetForegroundColor,
};
use crossterm::terminal::{
    Clear, ClearType as Cleared, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode, size, window_size,
};
use crossterm::{cursor, execute, queue};
use ratatui_core::backend::{Backend, ClearType, WindowSize};
use ratatui_core::buffer::Cell;
use ratatui_core::layout::{Position, Size};
use ratatui_core::style::{Color, Modifier};
use ratatui_core::terminal::Terminal;

/// The full screen.
pub type FullScreen = Terminal<Crossterm>;

/// Switches to the other screen of the terminal, and restores the first one before a panic is
/// reported.
pub fn open() -> io::Result<FullScreen> {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        close();
        report(panic);
    }));
    enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen)?;
    Terminal::new(Crossterm(io::stdout()))
}

/// Restores the terminal. A terminal that is gone cannot be restored, which is no error.
pub fn close() {
    disable_raw_mode().ok();
    execute!(io::stdout(), LeaveAlternateScreen, Show).ok();
}

/// Standard output as a terminal.
pub struct Crossterm(Stdout);

impl Backend for Crossterm {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let mut style = Worn::default();
        let mut next = None;
        for (x, y, cell) in content {
            if next != Some((x, y)) {
                queue!(self.0, MoveTo(x, y))?;
            }
            style.change(&mut self.0, Worn::of(cell))?;
            queue!(self.0, Print(cell.symbol()))?;
            next = Some((x + 1, y));
        }
        style.change(&mut self.0, Worn::default())
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        execute!(self.0, Hide)
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        execute!(self.0, Show)
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        cursor::position().map(Position::from)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        let Position { x, y } = position.into();
        execute!(self.0, MoveTo(x, y))
    }

    fn clear(&mut self) -> io::Result<()> {
        self.clear_region(ClearType::All)
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        let region = match region {
            ClearType::All => Cleared::All,
            ClearType::AfterCursor => Cleared::FromCursorDown,
            ClearType::BeforeCursor => Cleared::FromCursorUp,
            ClearType::CurrentLine => Cleared::CurrentLine,
            ClearType::UntilNewLine => Cleared::UntilNewLine,
        };
        execute!(self.0, Clear(region))
    }

    fn size(&self) -> io::Result<Size> {
        size().map(Size::from)
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        let window = window_size()?;
        Ok(WindowSize {
            columns_rows: Size::new(window.columns, window.rows),
            pixels: Size::new(window.width, window.height),
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The style in which the terminal prints.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Worn {
    front: Color,
    back: Color,
    modifier: Modifier,
}

impl Worn {
    fn of(cell: &Cell) -> Worn {
        Worn {
            front: cell.fg,
            back: cell.bg,
            modifier: cell.modifier,
        }
    }

    fn change(&mut self, out: &mut impl Write, to: Worn) -> io::Result<()> {
        if self.modifier != to.modifier {
            // A reset ends the colours too. No attribute ends bold without ending dim.
            queue!(out, SetAttribute(Attribute::Reset))?;
            *self = Worn::default();
            for (modifier, attribute) in ATTRIBUTES {
                if to.modifier.contains(modifier) {
                    queue!(out, SetAttribute(attribute))?;
                }
            }
        }
        if self.front != to.front {
            queue!(out, SetForegroundColor(color(to.front)))?;
        }
        if self.back != to.back {
            queue!(out, SetBackgroundColor(color(to.back)))?;
        }
        *self = to;
        Ok(())
    }
}

const ATTRIBUTES: [(Modifier, Attribute); 9] = [
    (Modifier::BOLD, Attribute::Bold),
    (Modifier::DIM, Attribute::Dim),
    (Modifier::ITALIC, Attribute::Italic),
    (Modifier::UNDERLINED, Attribute::Underlined),
    (Modifier::SLOW_BLINK, Attribute::SlowBlink),
    (Modifier::RAPID_BLINK, Attribute::RapidBlink),
    (Modifier::REVERSED, Attribute::Reverse),
    (Modifier::HIDDEN, Attribute::Hidden),
    (Modifier::CROSSED_OUT, Attribute::CrossedOut),
];

fn color(color: Color) -> TerminalColor {
    match color {
        Color::Reset => TerminalColor::Reset,
        Color::Black => TerminalColor::Black,
        Color::Red => TerminalColor::DarkRed,
        Color::Green => TerminalColor::DarkGreen,
        Color::Yellow => TerminalColor::DarkYellow,
        Color::Blue => TerminalColor::DarkBlue,
        Color::Magenta => TerminalColor::DarkMagenta,
        Color::Cyan => TerminalColor::DarkCyan,
        Color::Gray => TerminalColor::Grey,
        Color::DarkGray => TerminalColor::DarkGrey,
        Color::LightRed => TerminalColor::Red,
        Color::LightGreen => TerminalColor::Green,
        Color::LightYellow => TerminalColor::Yellow,
        Color::LightBlue => TerminalColor::Blue,
        Color::LightMagenta => TerminalColor::Magenta,
        Color::LightCyan => TerminalColor::Cyan,
        Color::White => TerminalColor::White,
        Color::Rgb(r, g, b) => TerminalColor::Rgb { r, g, b },
        Color::Indexed(index) => TerminalColor::AnsiValue(index),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(changes: &[Worn]) -> String {
        let mut out = Vec::new();
        let mut style = Worn::default();
        for &to in changes {
            style.change(&mut out, to).unwrap();
        }
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn only_changes_of_style_are_written() {
        let bold = Worn {
            modifier: Modifier::BOLD,
            front: Color::Indexed(2),
            ..Worn::default()
        };
        let green = Worn {
            modifier: Modifier::empty(),
            ..bold
        };
        assert_eq!(written(&[Worn::default()]), "");
        assert_eq!(written(&[green, green]), "\x1b[38;5;2m");
        assert_eq!(
            written(&[bold, green]),
            "\x1b[0m\x1b[1m\x1b[38;5;2m\x1b[0m\x1b[38;5;2m"
        );
        assert_eq!(written(&[green, Worn::default()]), "\x1b[38;5;2m\x1b[39m");
    }
}
