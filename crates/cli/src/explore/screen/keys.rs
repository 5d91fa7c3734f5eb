//! Key bindings.

use crate::explore::command::{self, COMMANDS, Command, Look, Step};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use desk::edit::{VERBS, Verb, typed_comment};
use desk::session::{SaveOptions, SessionError};

use super::prompt::{Kind, Prompt, Typed, typed_move};
use super::{Chooser, Mode, Page, Question, Screen, game_index};
use crate::explore::pages;
use crate::ink::{Ink, Line};
use desk::game_list::Order;

/// The keys, for the help page.
const KEYS: [(&str, &str); 34] = [
    ("← →  k j", "previous move, next move"),
    (
        "↑ ↓",
        "other alternative of this move; if none, next move with alternatives",
    ),
    ("Home End  0 $", "starting position, end of the line"),
    ("PageUp PageDown", "ten moves back, ten moves forward"),
    ("Shift ← →  [ ]", "previous or next move with alternatives"),
    ("<  Backspace", "leave the variation (or Ctrl-←)"),
    ("a move", "type a move to play or add it: Nf3, exd5, O-O"),
    ("t", "other path to the same position (marked =); ← returns"),
    (
        "T",
        "move the continuations of those paths here and leave links there",
    ),
    (
        "J",
        "positions mode: each position once, with the moves of all games; again for tree mode",
    ),
    (
        "o",
        "opening statistics of the archives given with --archive",
    ),
    (
        "o",
        "without archives, in positions mode: the ways to reach this position",
    ),
    ("/", "search comments and moves; Enter repeats the search"),
    ("w", "highlight CQL matches; empty clears"),
    ("( )", "previous or next match"),
    ("F", "flip the board (or f and Enter)"),
    (
        "V",
        "notation beside the table: all moves and comments (or N and Enter)",
    ),
    (
        "z Z",
        "in the notation, fold this variation; fold or unfold all",
    ),
    ("n p", "next game, previous game"),
    (
        "Tab  L",
        "list of games; type words to search all tags, Tab sorts by the next column",
    ),
    ("i  I", "details of this position; report of the game"),
    ("1 … 6", "set glyph ! ? !! ?? !? ?! ; press again to remove"),
    ("{  ;", "write a comment"),
    ("+ -", "move up, move down among the alternatives"),
    ("*", "make this the main move"),
    ("M", "make the whole path the mainline"),
    ("Delete  X", "delete this move and its continuations"),
    ("x y v", "cut, copy, paste a move and its continuations"),
    ("u r", "undo, redo (or Ctrl-Z, Ctrl-Y)"),
    ("s", "save (or Ctrl-S)"),
    (
        ":",
        "enter a command or an address such as 6Wc; Tab completes",
    ),
    (
        "mouse",
        "click a move to go there, two squares to play a move; the wheel steps",
    ),
    ("?  F1", "all keys and commands"),
    ("q", "quit"),
];

/// The keys as lines.
pub fn help(columns: usize) -> Vec<Line> {
    let mut lines = vec![Line::of("keys", Ink::Head)];
    for (key, does) in KEYS {
        lines.extend(pages::entry(key, does, 17, columns));
    }
    lines.push(Line::default());
    lines
}

impl Screen {
    pub(super) fn key(&mut self, key: KeyEvent) {
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        if ctrl && key.code == KeyCode::Char('c') {
            return self.cancel();
        }
        match std::mem::replace(&mut self.mode, Mode::Walk) {
            Mode::Walk => self.walk_key(key),
            Mode::Type(prompt) => self.prompt_key(prompt, key),
            Mode::Read(page) => self.page_key(page, key.code),
            Mode::Choose(chooser) => self.chooser_key(chooser, key),
            Mode::Ask(question) => self.answer(question, key.code),
        }
    }

    /// Ctrl-C leaves the current mode, then the program.
    fn cancel(&mut self) {
        match self.mode {
            Mode::Walk => self.act(&Command::Quit { force: false }),
            _ => self.mode = Mode::Walk,
        }
    }
}

/// Walking.
impl Screen {
    fn walk_key(&mut self, key: KeyEvent) {
        self.message = None;
        self.picked = None;
        let shift = key.modifiers.contains(KeyModifiers::SHIFT);
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Left if ctrl => self.step(Step::Leave),
            KeyCode::Left if shift => self.step(Step::BranchBack),
            KeyCode::Right if shift => self.step(Step::Branch),
            KeyCode::Left => self.step(Step::Back),
            KeyCode::Right => self.step(Step::Next),
            KeyCode::Down => self.step_or(Step::Other, Step::Branch),
            KeyCode::Up => self.step_or(Step::OtherBack, Step::BranchBack),
            KeyCode::Home => self.step(Step::Start),
            KeyCode::End => self.step(Step::End),
            KeyCode::PageDown => self.several(Step::Next),
            KeyCode::PageUp => self.several(Step::Back),
            KeyCode::Backspace => self.step(Step::Leave),
            KeyCode::Delete => self.edit(Verb::Delete),
            KeyCode::Tab => self.act(&Command::Games(String::new())),
            KeyCode::F(1) => self.look(Look::Help),
            KeyCode::Esc => {}
            KeyCode::Char(c) if ctrl => self.control(c),
            KeyCode::Char(c) => self.letter(c),
            code => self.refuse_key(&code.to_string()),
        }
    }

    /// Names the key that does nothing here.
    fn refuse_key(&mut self, key: &str) {
        self.show_message(format!("unknown key {key}; ? lists all keys"), Ink::Wrong);
    }

    fn control(&mut self, c: char) {
        match c {
            's' => self.act(&Command::Save(SaveOptions::default())),
            'z' => self.act(&Command::Undo),
            'y' | 'r' => self.act(&Command::Redo),
            'f' => self.look(Look::Flip),
            c => self.refuse_key(&format!("Ctrl-{}", c.to_uppercase())),
        }
    }

    fn letter(&mut self, c: char) {
        match c {
            'j' | 'l' | ' ' => self.step(Step::Next),
            'k' => self.step(Step::Back),
            '0' | '^' => self.step(Step::Start),
            '$' => self.step(Step::End),
            '[' => self.step(Step::BranchBack),
            ']' => self.step(Step::Branch),
            '<' => self.step(Step::Leave),
            't' => self.step(Step::Transposition),
            'T' => self.edit(Verb::Bring),
            'J' => self.act(&Command::Positions(None)),
            'o' if self.session.has_archives() => self.look(Look::Opening),
            'o' => self.look(Look::Origins),
            '(' => self.step(Step::MatchBack),
            ')' => self.step(Step::Match),
            'w' => self.write_query(),
            'n' => self.act(&Command::NextGame { back: false }),
            'p' => self.act(&Command::NextGame { back: true }),
            'L' => self.act(&Command::Games(String::new())),
            'F' => self.look(Look::Flip),
            'V' => self.look(Look::Notation),
            'z' => self.fold(),
            'Z' => self.folds_here().toggle_all(),
            'i' => self.look(Look::Here),
            'I' => self.look(Look::Report),
            '?' => self.look(Look::Help),
            '/' => self.mode = Mode::Type(Prompt::new(Kind::Search, "")),
            ':' => self.mode = Mode::Type(Prompt::new(Kind::Command, "")),
            '{' | ';' => self.write_comment(),
            '1'..='6' => self.glyph(c as u32 - '0' as u32),
            '+' => self.edit(Verb::Promote),
            '-' => self.edit(Verb::Demote),
            '*' => self.edit(Verb::First),
            'M' => self.edit(Verb::Main),
            'X' => self.edit(Verb::Delete),
            'x' => self.act(&Command::Cut),
            'y' => self.act(&Command::Copy),
            'v' => self.act(&Command::Paste),
            'u' => self.act(&Command::Undo),
            'r' => self.act(&Command::Redo),
            's' => self.act(&Command::Save(SaveOptions::default())),
            'q' => self.act(&Command::Quit { force: false }),
            'a'..='h' | 'N' | 'B' | 'R' | 'Q' | 'K' | 'O' => self.begin_move(c),
            c => self.refuse_key(&c.to_string()),
        }
    }

    fn step(&mut self, step: Step) {
        self.act(&Command::Step(step));
    }

    fn step_or(&mut self, step: Step, other: Step) {
        if command::run(&mut self.session, &Command::Step(step)).is_err() {
            self.step(other);
        }
    }

    /// Ten moves, or as many as there are.
    fn several(&mut self, step: Step) {
        for _ in 0..10 {
            if command::run(&mut self.session, &Command::Step(step)).is_err() {
                break;
            }
        }
    }

    fn edit(&mut self, verb: Verb) {
        self.act(&Command::Edit(verb, None));
    }

    fn glyph(&mut self, nag: u32) {
        let walk = self.session.walk();
        let there = walk.game().nags_at(walk.at()).any(|known| known == nag);
        self.edit(Verb::toggle_nag(nag, there));
    }

    fn write_query(&mut self) {
        let query = self.session.query().unwrap_or_default();
        self.mode = Mode::Type(Prompt::new(Kind::Query, query));
    }

    fn write_comment(&mut self) {
        self.write_comment_in(None);
    }

    /// Edits the comment of the current move; asks for the game first if several have the move.
    pub(super) fn write_comment_in(&mut self, game: Option<usize>) {
        match self.session.comment_in(game) {
            Ok(comment) => {
                self.comment_game = game;
                let comment = typed_comment(&comment);
                self.mode = Mode::Type(Prompt::new(Kind::Comment, &comment));
            }
            Err(error @ SessionError::SeveralGames(_)) => {
                self.show_message(error.to_string(), Ink::Plain);
                self.mode = Mode::Type(Prompt::new(Kind::CommentGame, ""));
            }
            Err(error) => self.show_message(error.to_string(), Ink::Wrong),
        }
    }

    fn enter_comment(&mut self, text: &str) {
        match self.comment_game.take() {
            Some(game) => self.type_line(&format!("comment --in {} {text}", game + 1)),
            None => self.type_line(&format!("comment {text}")),
        }
    }

    fn begin_move(&mut self, c: char) {
        self.prompt_changed(Prompt::new(Kind::Move, &c.to_string()));
    }
}

/// Typing.
impl Screen {
    fn prompt_key(&mut self, mut prompt: Prompt, key: KeyEvent) {
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Esc => return,
            KeyCode::Enter => return self.enter(&prompt),
            KeyCode::Backspace if !prompt.backspace() && prompt.is_empty() => return,
            KeyCode::Backspace => {}
            KeyCode::Delete => prompt.delete(),
            KeyCode::Left => prompt.shift(-1),
            KeyCode::Right => prompt.shift(1),
            KeyCode::Home => prompt.jump(false),
            KeyCode::End => prompt.jump(true),
            KeyCode::Up => self.recall(&mut prompt, 1),
            KeyCode::Down => self.recall(&mut prompt, -1),
            KeyCode::Tab => self.complete(&mut prompt),
            KeyCode::Char('a') if ctrl => prompt.jump(false),
            KeyCode::Char('e') if ctrl => prompt.jump(true),
            KeyCode::Char('u') if ctrl => prompt.clear_before(),
            KeyCode::Char(c) if !ctrl => prompt.insert(c),
            _ => {}
        }
        self.prompt_changed(prompt);
    }

    /// A move that is complete is played at once.
    fn prompt_changed(&mut self, prompt: Prompt) {
        if prompt.kind == Kind::Move && !prompt.is_empty() {
            match typed_move(&self.session.walk().board(), &prompt.text()) {
                Typed::Complete(san) => {
                    self.message = None;
                    return self.type_line(&san);
                }
                Typed::Begun(moves) => {
                    let some: Vec<&str> = moves.iter().take(12).map(String::as_str).collect();
                    self.show_message(some.join(" "), Ink::Faint);
                }
                Typed::Nothing => {
                    self.show_message("no legal move starts with this".to_owned(), Ink::Wrong)
                }
            }
        }
        self.mode = Mode::Type(prompt);
    }

    fn enter(&mut self, prompt: &Prompt) {
        self.message = None;
        let text = prompt.text();
        match prompt.kind {
            Kind::Move => self.enter_move(&text),
            Kind::Search => self.search(&text),
            Kind::Comment => self.enter_comment(&text),
            Kind::CommentGame => match game_index(&text) {
                Some(game) => self.write_comment_in(Some(game)),
                None => self.show_message(format!("invalid game number {text:?}"), Ink::Wrong),
            },
            Kind::Query => self.type_line(&format!("where {text}")),
            Kind::Game => self.answer_game(&text),
            Kind::Command if text.trim().is_empty() => {}
            Kind::Command => {
                self.history.push(text.clone());
                self.type_line(&text);
            }
        }
    }

    /// Letters that are files as well wait for Enter.
    fn enter_move(&mut self, text: &str) {
        match text {
            "f" => self.look(Look::Flip),
            "N" => self.look(Look::Notation),
            "h" => self.step(Step::Back),
            "d" | "c" => self.write_comment(),
            text => match typed_move(&self.session.walk().board(), text) {
                // Only one move begins with this text.
                Typed::Begun(moves) if moves.len() == 1 => self.type_line(&moves[0]),
                _ => self.type_line(text),
            },
        }
    }

    fn search(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.wanted = text.trim().to_owned();
        }
        if self.wanted.is_empty() {
            self.show_message("no previous search".to_owned(), Ink::Wrong);
        } else {
            self.act(&Command::Find {
                text: self.wanted.clone(),
                back: false,
            });
        }
    }

    /// Completes a word, and lists the other completions.
    fn complete(&mut self, prompt: &mut Prompt) {
        let words = self.words(prompt.kind);
        self.message = match prompt.complete(&words).as_slice() {
            [] | [_] => None,
            several => {
                let some: Vec<&str> = several.iter().take(12).copied().collect();
                Some((some.join("  "), Ink::Faint))
            }
        };
    }

    fn recall(&self, prompt: &mut Prompt, by: isize) {
        if prompt.kind != Kind::Command {
            return;
        }
        let wanted = prompt.recalled.saturating_add_signed(by);
        prompt.recalled = wanted.min(self.history.len());
        let line = self.history.len().checked_sub(prompt.recalled);
        let line = line.and_then(|index| self.history.get(index));
        prompt.set(line.map_or("", String::as_str));
    }

    fn words(&self, kind: Kind) -> Vec<String> {
        match kind {
            Kind::Command => {
                let commands = COMMANDS.iter().flat_map(|help| help.words).copied();
                let verbs = VERBS.iter().map(|verb| verb.word);
                let words = commands.chain(verbs).map(str::to_owned);
                words.chain(pages::addresses(self.session.walk())).collect()
            }
            _ => Vec::new(),
        }
    }

    pub(super) fn paste_text(&mut self, text: &str) {
        // Terminals send a carriage return for each line end.
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        match &mut self.mode {
            Mode::Type(prompt) => text
                .replace('\n', " ")
                .chars()
                .for_each(|c| prompt.insert(c)),
            Mode::Walk => self.act(&Command::PasteText(text, None)),
            _ => {}
        }
    }
}

/// Reading, choosing, answering.
impl Screen {
    fn page_key(&mut self, mut page: Page, code: KeyCode) {
        let height = self.areas.height.saturating_sub(4).max(1);
        let last = page.lines.len().saturating_sub(height);
        page.scroll = match code {
            KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q') => return,
            KeyCode::Down | KeyCode::Char('j') => page.scroll + 1,
            KeyCode::Up | KeyCode::Char('k') => page.scroll.saturating_sub(1),
            KeyCode::PageDown | KeyCode::Char(' ') => page.scroll + height,
            KeyCode::PageUp => page.scroll.saturating_sub(height),
            KeyCode::Home => 0,
            KeyCode::End => last,
            _ => page.scroll,
        }
        .min(last);
        self.mode = Mode::Read(page);
    }

    fn chooser_key(&mut self, mut chooser: Chooser, key: KeyEvent) {
        let last = chooser.games.len().saturating_sub(1);
        let page = self.areas.height.saturating_sub(5).max(1);
        match key.code {
            KeyCode::Esc => return,
            KeyCode::Enter => {
                if let Some(&game) = chooser.games.get(chooser.selected) {
                    self.act(&Command::Game(game + 1));
                }
                return;
            }
            KeyCode::Down => chooser.selected = (chooser.selected + 1).min(last),
            KeyCode::Up => chooser.selected = chooser.selected.saturating_sub(1),
            KeyCode::PageDown => chooser.selected = (chooser.selected + page).min(last),
            KeyCode::PageUp => chooser.selected = chooser.selected.saturating_sub(page),
            KeyCode::Home => chooser.selected = 0,
            KeyCode::End => chooser.selected = last,
            KeyCode::Tab => {
                chooser.order = Order {
                    column: chooser.order.column.next(),
                    is_reversed: false,
                };
                self.filter(&mut chooser);
            }
            KeyCode::BackTab => {
                chooser.order.is_reversed = !chooser.order.is_reversed;
                self.filter(&mut chooser);
            }
            KeyCode::Backspace => {
                chooser.filter.pop();
                self.filter(&mut chooser);
            }
            KeyCode::Char(c) if !key.modifiers.contains(KeyModifiers::CONTROL) => {
                chooser.filter.push(c);
                self.filter(&mut chooser);
            }
            _ => {}
        }
        self.mode = Mode::Choose(chooser);
    }

    fn filter(&self, chooser: &mut Chooser) {
        chooser.games = chooser
            .list
            .find(&self.session, &chooser.filter, chooser.order);
        chooser.selected = 0;
    }

    fn answer(&mut self, question: Question, code: KeyCode) {
        match (question, code) {
            (Question::Quit, KeyCode::Char('s')) => {
                self.act(&Command::Save(SaveOptions::default()));
                self.over = !self.session.is_changed();
            }
            (Question::Quit, KeyCode::Char('d')) => {
                self.session.drop_changes();
                self.over = true;
            }
            (Question::Quit, KeyCode::Char('k')) if self.keeps_changes() => self.over = true,
            (Question::Leftover, KeyCode::Char('r')) => self.act(&Command::Resume),
            (Question::Leftover, KeyCode::Char('d')) => self.act(&Command::Discard),
            (_, KeyCode::Esc) => {}
            _ => self.mode = Mode::Ask(question),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_has_every_key() {
        let guide = include_str!("../../../../../docs/explore.md");
        for (key, does) in KEYS {
            let row = format!("| `{key}` | {does} |\n");
            assert!(guide.contains(&row), "docs/explore.md lacks {row}");
        }
    }
}
