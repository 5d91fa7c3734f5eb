//! Drawing the screen.

use desk::book::title;
use desk::chess::Piece;
use desk::chess::annotation::{Eval, Paint, Shape};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout as Split, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line as Text, Span};
use ratatui::widgets::{Block, Clear, Paragraph};

use super::{Chooser, Mode, Page, Question, Screen};
use crate::board::{Diagram, Field, outlined};
use crate::explore::pages;
use crate::explore::window::Window;
use crate::ink::{Ink, Line, flow, width, wrap};
use crate::number::grouped;
use crate::table::{Layout, NARROWEST};

/// Which colours there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Palette {
    /// None: shapes and signs must do.
    Plain,
    /// The sixteen that every terminal has.
    Sixteen,
    /// Two hundred and fifty-six.
    Many,
}

impl Palette {
    /// What the terminal says it can do.
    pub fn new(coloured: bool) -> Palette {
        let told = |name| std::env::var(name).unwrap_or_default();
        let many = !told("COLORTERM").is_empty() || told("TERM").contains("256");
        match (coloured, many) {
            (false, _) => Palette::Plain,
            (true, true) => Palette::Many,
            (true, false) => Palette::Sixteen,
        }
    }

    fn style(self, ink: Ink) -> Style {
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
    fn square(self, field: &Field, picked: bool) -> Style {
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

    fn line(self, line: &Line) -> Text<'static> {
        let spans = line
            .spans
            .iter()
            .map(|span| Span::styled(span.text.clone(), self.style(span.ink)));
        Text::from(spans.collect::<Vec<_>>())
    }
}

/// How large the squares of the board are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Squares {
    columns: u16,
    lines: u16,
}

impl Squares {
    const SIZES: [Squares; 3] = [
        Squares {
            columns: 6,
            lines: 3,
        },
        Squares {
            columns: 4,
            lines: 2,
        },
        Squares {
            columns: 2,
            lines: 1,
        },
    ];

    /// The largest for which the board fits.
    fn fitting(columns: u16, lines: u16) -> Option<Squares> {
        let fits = |size: &Squares| size.width() <= columns && size.height() <= lines;
        Self::SIZES.into_iter().find(fits)
    }

    /// With the names of the ranks and a blank.
    fn width(self) -> u16 {
        8 * self.columns + 3
    }

    /// With the names of the files.
    fn height(self) -> u16 {
        8 * self.lines + 1
    }
}

/// Where everything goes.
struct Plan {
    title: Rect,
    board: Option<(Rect, Squares)>,
    comment: Rect,
    table: Rect,
    message: Rect,
    status: Rect,
}

impl Plan {
    fn new(area: Rect) -> Plan {
        let rows = [
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(1),
            Constraint::Length(1),
        ];
        let [title, body, message, status] = Split::vertical(rows).areas(area);
        let beside = body.width.saturating_sub(NARROWEST as u16);
        let (board, comment, table) = match Squares::fitting(beside, body.height.saturating_sub(4))
        {
            Some(size) => Plan::side_by_side(body, size),
            None => Plan::stacked(body),
        };
        Plan {
            title,
            board,
            comment,
            table,
            message,
            status,
        }
    }

    /// Board and comment on the left, the table on the right.
    fn side_by_side(body: Rect, size: Squares) -> (Option<(Rect, Squares)>, Rect, Rect) {
        let [left, table] =
            Split::horizontal([Constraint::Length(size.width() + 1), Constraint::Fill(1)])
                .areas(body);
        let [board, comment] =
            Split::vertical([Constraint::Length(size.height() + 1), Constraint::Fill(1)])
                .areas(left);
        let narrow = size.columns == 2;
        match narrow {
            // A comment of 19 columns is no pleasure: it goes below the table.
            true => {
                let [table, comment] =
                    Split::vertical([Constraint::Fill(1), Constraint::Length(5)]).areas(table);
                (Some((board, size)), comment, table)
            }
            false => (Some((board, size)), comment, table),
        }
    }

    /// The board and the comment above, the table below; no board where there is no room.
    fn stacked(body: Rect) -> (Option<(Rect, Squares)>, Rect, Rect) {
        let size = Squares {
            columns: 2,
            lines: 1,
        };
        let roomy = body.height >= size.height() + 9 && body.width >= size.width() + 20;
        match roomy {
            true => {
                let [above, table] =
                    Split::vertical([Constraint::Length(size.height()), Constraint::Fill(1)])
                        .areas(body);
                let [board, comment] =
                    Split::horizontal([Constraint::Length(size.width() + 1), Constraint::Fill(1)])
                        .areas(above);
                (Some((board, size)), comment, table)
            }
            false => {
                let [table, comment] =
                    Split::vertical([Constraint::Fill(1), Constraint::Length(3)]).areas(body);
                (None, comment, table)
            }
        }
    }
}

impl Screen {
    pub(super) fn draw(&mut self, frame: &mut Frame) {
        let area = frame.area();
        self.areas.width = area.width.into();
        self.areas.height = area.height.into();
        let plan = Plan::new(area);
        self.draw_title(frame, plan.title);
        self.areas.squares.clear();
        if let Some((area, size)) = plan.board {
            self.draw_board(frame, area, size);
        }
        self.draw_comment(frame, plan.comment);
        self.draw_table(frame, plan.table);
        self.draw_message(frame, plan.message);
        self.draw_status(frame, plan.status);
        match std::mem::replace(&mut self.mode, Mode::Walk) {
            Mode::Read(page) => {
                self.draw_page(frame, &page);
                self.mode = Mode::Read(page);
            }
            Mode::Choose(chooser) => {
                self.draw_chooser(frame, &chooser);
                self.mode = Mode::Choose(chooser);
            }
            other => self.mode = other,
        }
    }

    fn put(&self, frame: &mut Frame, area: Rect, lines: &[Line]) {
        let text: Vec<Text> = lines.iter().map(|line| self.palette.line(line)).collect();
        frame.render_widget(Paragraph::new(text), area);
    }

    fn draw_title(&self, frame: &mut Frame, area: Rect) {
        let file = self.session.file();
        let name = std::path::Path::new(file.name());
        let name = name
            .file_name()
            .map_or_else(|| file.name().into(), |name| name.to_string_lossy());
        let star = if file.is_changed() { "*" } else { "" };
        let mut text = format!(" {name}{star}");
        if self.session.game_count() > 1 {
            text += &format!(
                " · game {} of {}",
                self.session.game() + 1,
                grouped(self.session.game_count() as u64)
            );
        }
        let title = title(&self.session.tags(self.session.game()));
        if !title.is_empty() {
            text += &format!(" · {title}");
        }
        let lines = self.session.walk().lines().through(desk::NodeId::ROOT);
        let counts = format!(" {} lines ", grouped(lines.into()));
        let room = usize::from(area.width).saturating_sub(width(&counts));
        let mut line = Line::of(cut(&text, room), Ink::Head);
        line.pad_to(room);
        line.push(counts, Ink::Faint);
        frame.render_widget(
            Paragraph::new(self.palette.line(&line))
                .style(Style::new().add_modifier(Modifier::REVERSED)),
            area,
        );
    }

    fn draw_table(&mut self, frame: &mut Frame, area: Rect) {
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

    /// The moves to where one stands; of a long line the end.
    fn path_line(&self, columns: usize) -> Line {
        let path = self.session.walk().path();
        match path.is_empty() {
            true => Line::of(" the start", Ink::Faint),
            false => Line::of(
                format!(" {}", cut_start(&path, columns.saturating_sub(2))),
                Ink::Plain,
            ),
        }
    }

    fn draw_comment(&self, frame: &mut Frame, area: Rect) {
        let columns = usize::from(area.width).saturating_sub(2);
        let lines = self.comment_lines(columns);
        let room = usize::from(area.height);
        let mut shown: Vec<Line> = lines.iter().take(room).cloned().collect();
        if let (true, Some(last)) = (lines.len() > room, shown.last_mut()) {
            *last = Line::of(" … (i shows all)", Ink::Faint);
        }
        self.put(frame, area, &shown);
    }

    /// What is said about the current move, and only that.
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
        let twins = walk.twins_of(walk.at());
        for twin in twins.iter().take(3) {
            add(format!("= {}", walk.ground().path(*twin)), Ink::Good);
        }
        if let Some(more) = twins.len().checked_sub(3).filter(|&more| more > 0) {
            add(format!("= and {more} more paths"), Ink::Good);
        }
        lines
    }

    fn draw_board(&mut self, frame: &mut Frame, area: Rect, size: Squares) {
        let walk = self.session.walk();
        let board = walk.board();
        let shapes: Vec<Shape> = walk.game().node(walk.at()).shapes();
        let diagram = Diagram {
            board: &board,
            below: self.below,
            last: walk.last_move(),
            shapes: &shapes,
        };
        let buffer = frame.buffer_mut();
        let mut squares = Vec::new();
        for (row, (rank, fields)) in (0u16..).zip(diagram.ranks()) {
            let y = area.y + row * size.lines;
            let middle = y + (size.lines - 1) / 2;
            buffer.set_string(
                area.x + 1,
                middle,
                rank.char().to_string(),
                self.palette.style(Ink::Faint),
            );
            for (column, field) in (0u16..).zip(&fields) {
                let square = Rect {
                    x: area.x + 3 + column * size.columns,
                    y,
                    width: size.columns,
                    height: size.lines,
                };
                let picked = self.picked == Some(field.square);
                let style = self.palette.square(field, picked);
                buffer.set_style(square, style);
                let text = field_text(field, self.palette, picked);
                buffer.set_string(square.x + (size.columns - 2) / 2, middle, text, style);
                squares.push((square, field.square));
            }
        }
        for (column, file) in (0u16..).zip(diagram.files()) {
            let x = area.x + 3 + column * size.columns + (size.columns - 2) / 2;
            let y = area.y + 8 * size.lines;
            buffer.set_string(
                x,
                y,
                file.char().to_string(),
                self.palette.style(Ink::Faint),
            );
        }
        let turn = if board.turn() == self.below {
            area.y + 8 * size.lines
        } else {
            area.y
        };
        buffer.set_string(
            area.x,
            turn.min(area.bottom().saturating_sub(1)),
            turn_sign(&board),
            self.palette.style(Ink::Head),
        );
        self.areas.squares = squares;
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
            (Mode::Ask(Question::Quit), _) => Line::of(
                " Unsaved changes:  s save and quit   d drop them   k keep them for next time   Esc stay",
                Ink::Wrong,
            ),
            (Mode::Ask(Question::Leftover), _) => Line::of(
                " Unsaved changes of an earlier session:  r take them up   d drop them   Esc later",
                Ink::Wrong,
            ),
            (_, Some((text, ink))) => Line::of(format!(" {text}"), *ink),
            _ => Line::default(),
        };
        self.put(frame, area, &[line]);
    }

    fn draw_status(&self, frame: &mut Frame, area: Rect) {
        let keys = match self.mode {
            Mode::Type(_) => " Enter do it   Esc leave",
            Mode::Read(_) => " ↑↓ scroll   Esc close",
            Mode::Choose(_) => " type to search   ↑↓ choose   Enter open   Esc leave",
            _ => " ? help  q quit  ←→ move  ↑↓ alternatives  / find  : command  u undo  s save",
        };
        self.put(frame, area, &[Line::of(keys, Ink::Faint)]);
    }

    fn draw_page(&self, frame: &mut Frame, page: &Page) {
        let area = inside(frame.area(), 1);
        let block = Block::bordered().title(format!(" {} ", page.title));
        let content = block.inner(area);
        frame.render_widget(Clear, area);
        frame.render_widget(block, area);
        let shown: Vec<Line> = page
            .lines
            .iter()
            .skip(page.scroll)
            .take(content.height.into())
            .cloned()
            .collect();
        self.put(frame, content, &shown);
    }

    fn draw_chooser(&mut self, frame: &mut Frame, chooser: &Chooser) {
        let area = inside(frame.area(), 1);
        let title = format!(
            " games: {} of {} ",
            grouped(chooser.games.len() as u64),
            grouped(self.session.game_count() as u64)
        );
        let block = Block::bordered().title(title);
        let content = block.inner(area);
        frame.render_widget(Clear, area);
        frame.render_widget(block, area);
        let [search, list] =
            Split::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(content);
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
        let mut lines = pages::games(&self.session, &seen);
        if let Some(line) = lines
            .get_mut(chooser.selected - first)
            .filter(|_| !seen.is_empty())
        {
            line.spans
                .iter_mut()
                .for_each(|span| span.ink = Ink::Current);
        }
        self.put(frame, list, &lines);
        self.areas.list = list;
        self.areas.first = first;
    }
}

fn inside(area: Rect, margin: u16) -> Rect {
    Rect {
        x: area.x + margin,
        y: area.y + margin,
        width: area.width.saturating_sub(2 * margin),
        height: area.height.saturating_sub(2 * margin + 1),
    }
}

/// Two columns of a square: who stands there, and signs where colours cannot say it.
fn field_text(field: &Field, palette: Palette, picked: bool) -> String {
    let piece = |piece: Piece| outlined(piece);
    let empty = match (palette, field.is_dark()) {
        (Palette::Plain, true) => '·',
        _ => ' ',
    };
    let sign = match (palette, picked, field.last, field.paint) {
        (Palette::Plain, true, ..) => '*',
        (Palette::Plain, _, true, _) => '<',
        (Palette::Plain, _, _, Some(_)) => '+',
        _ => ' ',
    };
    format!("{}{sign}", field.piece.map_or(empty, piece))
}

/// A mark beside the board for the side to move.
fn turn_sign(board: &desk::chess::Board) -> &'static str {
    board.turn().fold_wb("○", "●")
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
    match width(text) <= columns {
        true => text.to_owned(),
        false => {
            let mut kept: String = text.chars().take(columns.saturating_sub(1)).collect();
            kept.push('…');
            kept
        }
    }
}

/// The text, or `…` and its end.
fn cut_start(text: &str, columns: usize) -> String {
    let count = text.chars().count();
    match count <= columns {
        true => text.to_owned(),
        false => {
            let end = text.chars().skip(count - columns.saturating_sub(1));
            ['…'].into_iter().chain(end).collect()
        }
    }
}
