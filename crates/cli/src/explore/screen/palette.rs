//! The colours of the screen, as many as the terminal has.

use desk::annotation::Paint;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line as Text, Span};

use crate::board::Field;
use crate::ink::{Ink, Line};

/// Which colours there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Palette {
    /// None: shapes and signs only.
    Plain,
    /// The sixteen that every terminal has.
    Sixteen,
    /// Two hundred and fifty-six.
    Many,
}

impl Palette {
    /// The colours of the terminal, according to the environment.
    pub fn new(coloured: bool) -> Palette {
        let variable = |name| std::env::var(name).unwrap_or_default();
        let many = !variable("COLORTERM").is_empty() || variable("TERM").contains("256");
        if !coloured {
            Palette::Plain
        } else if many {
            Palette::Many
        } else {
            Palette::Sixteen
        }
    }

    /// How an ink is drawn.
    pub fn style(self, ink: Ink) -> Style {
        let style = ink.style();
        let mut drawn = Style::new();
        if let (Some(anstyle::Color::Ansi(color)), true) =
            (style.get_fg_color(), self != Palette::Plain)
        {
            drawn = drawn.fg(Color::Indexed(color as u8));
        }
        let effects = style.get_effects();
        for (effect, modifier) in [
            (anstyle::Effects::BOLD, Modifier::BOLD),
            (anstyle::Effects::DIMMED, Modifier::DIM),
            (anstyle::Effects::INVERT, Modifier::REVERSED),
        ] {
            if effects.contains(effect) {
                drawn = drawn.add_modifier(modifier);
            }
        }
        drawn
    }

    /// The square's own colour; marks and the last move paint over it.
    pub fn square(self, field: &Field, picked: bool) -> Style {
        let (many, sixteen) = match (picked, field.paint, field.last, field.is_dark()) {
            (true, ..) => (221, 11),
            (_, Some(Paint::Green), ..) => (114, 10),
            (_, Some(Paint::Red), ..) => (174, 9),
            (_, Some(Paint::Yellow), ..) => (222, 11),
            (_, Some(Paint::Blue), ..) => (110, 12),
            (_, _, true, false) => (191, 3),
            (_, _, true, true) => (149, 3),
            (_, _, _, false) => (230, 7),
            (_, _, _, true) => (180, 6),
        };
        match self {
            Palette::Plain => Style::new(),
            Palette::Sixteen => Style::new()
                .fg(Color::Indexed(0))
                .bg(Color::Indexed(sixteen)),
            Palette::Many => Style::new().fg(Color::Indexed(16)).bg(Color::Indexed(many)),
        }
    }

    /// A line with its inks.
    pub fn line(self, line: &Line) -> Text<'static> {
        let spans = line
            .spans
            .iter()
            .map(|span| Span::styled(span.text.clone(), self.style(span.ink)));
        Text::from(spans.collect::<Vec<_>>())
    }
}
