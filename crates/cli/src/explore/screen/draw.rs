//! Drawing the screen.

use desk::annotation::Eval;
use desk::book::title;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Constraint, Layout as Split, Margin, Rect};
use ratatui_core::style::{Modifier, Style};
use ratatui_core::terminal::Frame;
use ratatui_core::text::Text;

use super::plan::Plan;
use super::{Chooser, Mode, Page, Question, Screen};
use crate::explore::games;
use crate::explore::notation::Notation;
use crate::explore::opening;
use crate::explore::pages;
use crate::explore::window::Window;
use crate::ink::{Ink, Line, width, wrap};
use crate::printer::printable_line;
use crate::table::Layout;
use desk::notation::flow;
use kit::number::{counted, grouped};

impl Screen {
    pub(super) fn draw(&mut self, frame: &mut Frame) {
        let area = frame.area();
        self.areas.width = area.width.into();
        self.areas.height = area.height.into();
        let cell = self.graphics.map_or((1, 2), |graphics| graphics.cell);
        let plan = Plan::new(area, cell, self.has_notation || self.has_opening);
        self.draw_title(frame, plan.title);
        self.areas.squares.clear();
        self.areas.picture = None;
        if let Some((area, size)) = plan.board {
            self.draw_board(frame, area, size);
        }
        self.draw_comment(frame, plan.comment, plan.board.is_some());
        self.draw_table(frame, plan.table);
        self.draw_notation(frame, plan.notation);
        self.draw_message(frame, plan.message);
        self.draw_status(frame, plan.status);
        match std::mem::replace(&mut self.mode, Mode::Walk) {
            Mode::Read(page) => {
                self.areas.picture = None;
                self.draw_page(frame, &page);
                self.mode = Mode::Read(page);
            }
            Mode::Choose(mut chooser) => {
                self.areas.picture = None;
                self.draw_chooser(frame, &mut chooser);
                self.mode = Mode::Choose(chooser);
            }
            other => self.mode = other,
        }
        make_printable(frame.buffer_mut());
    }

    fn put(&self, frame: &mut Frame, area: Rect, lines: &[Line]) {
        let lines = lines.iter().map(|line| self.palette.line(line));
        frame.render_widget(Text::from_iter(lines), area);
    }

    fn draw_title(&self, frame: &mut Frame, area: Rect) {
        let file = self.session.file();
        let name = std::path::Path::new(file.name());
        let name = name
            .file_name()
            .map_or_else(|| file.name().into(), |name| name.to_string_lossy());
        let star = if self.session.is_changed() { "*" } else { "" };
        let mut text = format!(" {name}{star}");
        let games = self.session.game_count() as u64;
        if self.session.is_joined() {
            text += &format!(" · positions of {}", counted(games, "game"));
        } else if games > 1 {
            text += &format!(" · game {} of {}", self.session.game() + 1, grouped(games));
        }
        let title = title(&self.session.tags(self.session.game()));
        if !title.is_empty() && !self.session.is_joined() {
            text += &format!(" · {title}");
        }
        let lines = self.session.walk().lines().through(desk::NodeId::ROOT);
        let counts = format!(" {} ", counted(lines.into(), "line"));
        let room = usize::from(area.width).saturating_sub(width(&counts));
        let mut line = Line::of(cut(&text, room), Ink::Head);
        line.pad_to(room);
        line.push(counts, Ink::Faint);
        frame.buffer_mut().set_style(area, Modifier::REVERSED);
        frame.render_widget(self.palette.line(&line), area);
    }

    fn draw_table(&mut self, frame: &mut Frame, area: Rect) {
        self.areas.table = Rect::default();
        if area.is_empty() {
            return;
        }
        let layout = Layout::new(area.width.into());
        let [path, head, rows, foot] = Split::vertical([
            Constraint::Length(1),
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(1),
        ])
        .areas(area);
        let walk = self.session.walk();
        let window = Window::new(walk, &layout, rows.height.into(), self.top);
        self.top = window.above;
        self.put(frame, path, &[self.path_line(area.width.into())]);
        self.put(frame, head, &[layout.head()]);
        self.put(frame, rows, &window.lines);
        let more = match (window.above, window.below) {
            (0, 0) => String::new(),
            (above, 0) => format!("     ↑ {above}"),
            (0, below) => format!("     ↓ {below}"),
            (above, below) => format!("     ↑ {above}  ↓ {below}"),
        };
        self.put(frame, foot, &[Line::of(more, Ink::Faint)]);
        self.areas.table = rows;
        self.areas.lines = window.lines;
    }

    fn draw_notation(&mut self, frame: &mut Frame, area: Rect) {
        self.areas.notation = area;
        self.areas.notation_lines.clear();
        if area.is_empty() {
            return;
        }
        if self.has_opening {
            let lines = opening::lines(&self.session, area.width.into());
            return self.put(frame, area, &lines);
        }
        self.folds_here();
        let notation = Notation::new(self.session.walk(), &self.folds.folds);
        let lines = notation.window(area.width.into(), area.height.into());
        self.put(frame, area, &lines);
        self.areas.notation_lines = lines;
    }

    /// The moves to the current position; only the end of a long line.
    fn path_line(&self, columns: usize) -> Line {
        let path = self.session.walk().path();
        if path.is_empty() {
            return Line::of(" starting position", Ink::Faint);
        }
        Line::of(
            format!(" {}", cut_start(&path, columns.saturating_sub(2))),
            Ink::Plain,
        )
    }

    fn draw_comment(&self, frame: &mut Frame, area: Rect, has_board: bool) {
        let columns = usize::from(area.width).saturating_sub(2);
        let mut lines = self.comment_lines(columns);
        if lines.is_empty() && !has_board {
            let hint = " no room for the board; enlarge the terminal";
            lines.push(Line::of(hint, Ink::Faint));
        }
        let room = usize::from(area.height);
        let mut shown: Vec<Line> = lines.iter().take(room).cloned().collect();
        if let (true, Some(last)) = (lines.len() > room, shown.last_mut()) {
            *last = Line::of(" … (i shows all)", Ink::Faint);
        }
        self.put(frame, area, &shown);
    }

    /// The comments on the current move.
    fn comment_lines(&self, columns: usize) -> Vec<Line> {
        let walk = self.session.walk();
        let node = walk.game().node(walk.at());
        let mut lines = Vec::new();
        let mut add = |text: String, ink: Ink| {
            lines.extend(
                wrap(&text, columns)
                    .into_iter()
                    .map(|line| Line::of(format!(" {line}"), ink)),
            );
        };
        add(flow(&node.starting_comment()), Ink::Plain);
        add(flow(&node.prose()), Ink::Plain);
        add(facts(node.clock(), node.eval()), Ink::Faint);
        add(pages::shape_names(&node.shapes()), Ink::Faint);
        let (paths, more) = walk.other_paths(walk.at(), 3);
        for path in paths {
            add(format!("= {path}"), Ink::Good);
        }
        if more > 0 {
            add(format!("= and {more} more paths"), Ink::Good);
        }
        lines
    }

    fn draw_message(&self, frame: &mut Frame, area: Rect) {
        let line = match (&self.mode, &self.message) {
            (Mode::Type(prompt), message) => {
                let mut line = Line::of(
                    format!(
                        " {}",
                        cut_start(&prompt.shown(), usize::from(area.width) - 1)
                    ),
                    Ink::Plain,
                );
                if let Some((text, ink)) = message {
                    line.push(format!("   {text}"), *ink);
                }
                line
            }
            (Mode::Ask(Question::Quit), _) => Line::of(" Unsaved changes", Ink::Wrong),
            (Mode::Ask(Question::Leftover), _) => {
                Line::of(" Unsaved changes from an earlier session", Ink::Wrong)
            }
            (_, Some((text, ink))) => return self.draw_long_message(frame, area, text, *ink),
            _ => self.opening_line(),
        };
        self.put(frame, area, &[line]);
    }

    /// The name of the opening, where no message is shown.
    fn opening_line(&self) -> Line {
        let opening = self.session.walk().opening();
        opening.map_or_else(Line::default, |opening| {
            Line::of(format!(" {opening}"), Ink::Faint)
        })
    }

    /// A message that does not fit into its line covers some lines above it.
    fn draw_long_message(&self, frame: &mut Frame, area: Rect, text: &str, ink: Ink) {
        const MOST: usize = 4;
        let lines = wrap(text, usize::from(area.width).saturating_sub(1));
        let lines: Vec<Line> = lines
            .into_iter()
            .take(MOST.min(usize::from(area.y) + 1))
            .map(|line| Line::of(format!(" {line}"), ink))
            .collect();
        let above = lines.len().saturating_sub(1) as u16;
        let area = Rect {
            y: area.y - above,
            height: area.height + above,
            ..area
        };
        clear(frame, area);
        self.put(frame, area, &lines);
    }

    fn draw_status(&self, frame: &mut Frame, area: Rect) {
        let keys = match self.mode {
            Mode::Type(_) => " Enter confirm   Esc cancel",
            Mode::Read(_) => " ↑↓ scroll   Esc close",
            Mode::Choose(_) => {
                " type to search  ↑↓ select  Enter open  Esc cancel  Tab sort  Shift-Tab reverse"
            }
            Mode::Ask(Question::Quit) if self.keeps_changes() => {
                " s save and quit  d discard  k keep for later  Esc cancel"
            }
            Mode::Ask(Question::Quit) => {
                " s save and quit   d discard   Esc cancel, then :save NAME"
            }
            Mode::Ask(Question::Leftover) => " r restore   d discard   Esc decide later",
            _ => " ? help  q quit  ←→ move  ↑↓ alternatives  / find  : command  u undo  s save",
        };
        let keys = whole_hints(keys, area.width.into());
        self.put(frame, area, &[Line::of(keys, Ink::Faint)]);
    }

    fn draw_page(&self, frame: &mut Frame, page: &Page) {
        let area = popup(frame.area());
        let content = framed(frame, area, &format!(" {} ", page.title));
        let shown: Vec<Line> = page
            .lines
            .iter()
            .skip(page.scroll)
            .take(content.height.into())
            .cloned()
            .collect();
        self.put(frame, content, &shown);
    }

    fn draw_chooser(&mut self, frame: &mut Frame, chooser: &mut Chooser) {
        let area = popup(frame.area());
        let title = format!(
            " games: {} of {} ",
            grouped(chooser.games.len() as u64),
            grouped(self.session.game_count() as u64)
        );
        let content = framed(frame, area, &title);
        let [search, head, list] = Split::vertical([
            Constraint::Length(1),
            Constraint::Length(1),
            Constraint::Fill(1),
        ])
        .areas(content);
        let columns = usize::from(content.width);
        self.put(frame, head, &[games::head(columns, chooser.order)]);
        self.put(
            frame,
            search,
            &[Line::of(format!("search: {}▏", chooser.filter), Ink::Head)],
        );
        let height = usize::from(list.height).max(1);
        let first = chooser
            .selected
            .saturating_sub(height / 2)
            .min(chooser.games.len().saturating_sub(height));
        let seen: Vec<usize> = chooser
            .games
            .iter()
            .skip(first)
            .take(height)
            .copied()
            .collect();
        let mut lines = games::lines(&mut chooser.list, &self.session, &seen, columns);
        if lines.is_empty() {
            lines.push(Line::of(" no game has tags with these words", Ink::Faint));
        } else if let Some(line) = lines.get_mut(chooser.selected - first) {
            line.spans
                .iter_mut()
                .for_each(|span| span.ink = Ink::Current);
        }
        self.put(frame, list, &lines);
        self.areas.list = list;
        self.areas.first = first;
    }
}

/// As many hints as fit, each with the two blanks before the next one.
fn whole_hints(hints: &str, columns: usize) -> &str {
    let ends = hints.match_indices("  ").map(|(at, _)| at);
    let parts = ends.chain([hints.len()]).map(|at| &hints[..at]);
    let fitting = parts.filter(|part| width(part) <= columns);
    fitting.last().unwrap_or_default()
}

/// Replaces what the terminal would interpret or hide, should any text have got past [`Line`].
fn make_printable(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        if *printable_line(cell.symbol()) != *cell.symbol() {
            cell.set_char('�');
        }
    }
}

fn clear(frame: &mut Frame, area: Rect) {
    let area = area.intersection(frame.area());
    let buffer = frame.buffer_mut();
    for place in area.positions() {
        buffer[place].reset();
    }
}

/// Clears an area and draws a border with a title around it. Returns the area inside.
fn framed(frame: &mut Frame, area: Rect, title: &str) -> Rect {
    clear(frame, area);
    let area = area.intersection(frame.area());
    let inside = area.inner(Margin::new(1, 1));
    if area.width < 2 || area.height < 2 {
        return inside;
    }
    let (left, right) = (area.x, area.right() - 1);
    let (top, bottom) = (area.y, area.bottom() - 1);
    let buffer = frame.buffer_mut();
    for x in left..=right {
        buffer[(x, top)].set_symbol("─");
        buffer[(x, bottom)].set_symbol("─");
    }
    for y in top..=bottom {
        buffer[(left, y)].set_symbol("│");
        buffer[(right, y)].set_symbol("│");
    }
    buffer[(left, top)].set_symbol("┌");
    buffer[(right, top)].set_symbol("┐");
    buffer[(left, bottom)].set_symbol("└");
    buffer[(right, bottom)].set_symbol("┘");
    let room = usize::from(inside.width);
    buffer.set_stringn(inside.x, top, title, room, Style::new());
    inside
}

/// The area between the title and the last line.
fn popup(area: Rect) -> Rect {
    Rect {
        y: area.y + 1,
        height: area.height.saturating_sub(2),
        ..area
    }
}

fn facts(clock: Option<std::time::Duration>, eval: Option<Eval>) -> String {
    let clock = clock.map(|time| {
        let seconds = time.as_secs();
        format!(
            "clock {}:{:02}:{:02}",
            seconds / 3600,
            seconds / 60 % 60,
            seconds % 60
        )
    });
    let eval = eval.map(|eval| format!("evaluation {eval}"));
    clock.into_iter().chain(eval).collect::<Vec<_>>().join("  ")
}

/// The text, or its beginning and `…`.
fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut kept: String = text.chars().take(columns.saturating_sub(1)).collect();
    kept.push('…');
    kept
}

/// The text, or `…` and as many of its last words as there is room for.
fn cut_start(text: &str, columns: usize) -> String {
    let count = text.chars().count();
    if count <= columns {
        return text.to_owned();
    }
    let end: String = text
        .chars()
        .skip(count - columns.saturating_sub(2))
        .collect();
    match end.split_once(' ') {
        Some((_, words)) => format!("… {words}"),
        None => format!("…{end}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_are_not_cut() {
        let hints = " ? help  q quit  ←→ move";
        for (columns, expected) in [
            (80, hints),
            (24, hints),
            (23, " ? help  q quit"),
            (8, " ? help"),
            (3, ""),
        ] {
            assert_eq!(whole_hints(hints, columns), expected);
        }
    }
}
