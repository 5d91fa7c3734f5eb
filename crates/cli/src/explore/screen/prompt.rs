//! The prompt.

use desk::Board;

/// What the prompt is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A move.
    Move,
    /// A command.
    Command,
    /// Something to search for.
    Search,
    /// A comment.
    Comment,
    /// A query.
    Query,
    /// The number of a game for a change.
    Game,
    /// The number of a game whose comment is to be edited.
    CommentGame,
}

impl Kind {
    /// The text before the input.
    pub fn sign(self) -> &'static str {
        match self {
            Kind::Move => "move: ",
            Kind::Command => ":",
            Kind::Search => "/",
            Kind::Comment => "comment: ",
            Kind::Query => "where: ",
            Kind::Game | Kind::CommentGame => "in game: ",
        }
    }
}

/// Text with a cursor in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prompt {
    /// What it is for.
    pub kind: Kind,
    text: Vec<char>,
    cursor: usize,
    /// Which line of the history is shown, counted from the end.
    pub recalled: usize,
}

impl Prompt {
    /// A prompt with some text in it.
    pub fn new(kind: Kind, text: &str) -> Prompt {
        let text: Vec<char> = text.chars().collect();
        Prompt {
            kind,
            cursor: text.len(),
            text,
            recalled: 0,
        }
    }

    /// The text.
    pub fn text(&self) -> String {
        self.text.iter().collect()
    }

    /// The same with a mark where the cursor is.
    pub fn shown(&self) -> String {
        let (before, after) = self.text.split_at(self.cursor);
        let before: String = before.iter().collect();
        let after: String = after.iter().collect();
        format!("{}{before}▏{after}", self.kind.sign())
    }

    /// True if nothing is typed.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Replaces the text.
    pub fn set(&mut self, text: &str) {
        self.text = text.chars().collect();
        self.cursor = self.text.len();
    }

    /// Types a character; a line end becomes `\n`, as commands write it.
    pub fn insert(&mut self, c: char) {
        let typed: &[char] = match c {
            '\n' | '\r' => &['\\', 'n'],
            _ => &[c],
        };
        for &c in typed {
            self.text.insert(self.cursor, c);
            self.cursor += 1;
        }
    }

    /// Deletes the character before the cursor. Returns false if there was none.
    pub fn backspace(&mut self) -> bool {
        match self.cursor.checked_sub(1) {
            None => false,
            Some(before) => {
                self.text.remove(before);
                self.cursor = before;
                true
            }
        }
    }

    /// Deletes the character under the cursor.
    pub fn delete(&mut self) {
        if self.cursor < self.text.len() {
            self.text.remove(self.cursor);
        }
    }

    /// Moves the cursor by this many characters.
    pub fn shift(&mut self, by: isize) {
        self.cursor = self.cursor.saturating_add_signed(by).min(self.text.len());
    }

    /// Moves the cursor to the start or the end.
    pub fn jump(&mut self, to_end: bool) {
        self.cursor = if to_end { self.text.len() } else { 0 };
    }

    /// Deletes everything before the cursor.
    pub fn clear_before(&mut self) {
        self.text.drain(..self.cursor);
        self.cursor = 0;
    }

    /// Completes the last word as far as its completions agree, and returns them.
    pub fn complete<'w>(&mut self, words: &'w [String]) -> Vec<&'w str> {
        let text = self.text();
        let start = text.rfind(' ').map_or(0, |blank| blank + 1);
        let begun = &text[start..];
        let words = words.iter().map(String::as_str);
        let matching: Vec<&str> = words.filter(|word| word.starts_with(begun)).collect();
        let common = matching.iter().map(|&word| word.to_owned());
        if let Some(common) = common.reduce(|common, word| shared(&common, &word)) {
            self.set(&format!("{}{common}", &text[..start]));
        }
        matching
    }
}

fn shared(a: &str, b: &str) -> String {
    let same = a.chars().zip(b.chars()).take_while(|(x, y)| x == y);
    same.map(|(c, _)| c).collect()
}

/// The completions of a partly typed move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Typed {
    /// Only this move.
    Complete(String),
    /// One of these.
    Begun(Vec<String>),
    /// No legal move begins with this text.
    Nothing,
}

/// Compares the text with the legal moves.
pub fn typed_move(board: &Board, text: &str) -> Typed {
    let bare = |san: &str| san.trim_end_matches(['+', '#']).to_owned();
    let moves = board.legal_moves();
    let names: Vec<String> = moves.iter().map(|&mv| bare(&board.san(mv))).collect();
    let ucis = moves.iter().map(|&mv| mv.uci().to_string());
    let mut begun: Vec<String> = names
        .iter()
        .filter(|name| name.starts_with(text))
        .cloned()
        .collect();
    if begun.as_slice() == [text] {
        return Typed::Complete(text.to_owned());
    }
    begun.extend(ucis.filter(|uci| uci.starts_with(text)));
    if begun.is_empty() {
        Typed::Nothing
    } else {
        Typed::Begun(begun)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_edited() {
        let mut prompt = Prompt::new(Kind::Command, "board");
        prompt.shift(-2);
        prompt.insert('x');
        assert_eq!(prompt.shown(), ":boax▏rd");
        assert!(prompt.backspace());
        prompt.delete();
        prompt.jump(true);
        assert_eq!(prompt.text(), "boad");
        prompt.jump(false);
        assert!(!prompt.backspace());
        prompt.jump(true);
        prompt.clear_before();
        assert!(prompt.is_empty());
    }

    #[test]
    fn words_are_completed_as_far_as_they_agree() {
        let words = ["delete", "delete-after", "demote"].map(str::to_owned);
        let mut prompt = Prompt::new(Kind::Command, "del");
        assert_eq!(prompt.complete(&words), ["delete", "delete-after"]);
        assert_eq!(prompt.text(), "delete");
        prompt.set("x");
        assert!(prompt.complete(&words).is_empty());
        assert_eq!(prompt.text(), "x");
    }

    #[test]
    fn a_move_is_known_as_soon_as_it_is_the_only_one() {
        let board = Board::new();
        assert_eq!(typed_move(&board, "Nf3"), Typed::Complete("Nf3".to_owned()));
        assert_eq!(typed_move(&board, "e4"), Typed::Complete("e4".to_owned()));
        assert!(matches!(typed_move(&board, "e2"), Typed::Begun(begun) if begun.len() == 2));
        assert_eq!(typed_move(&board, "e5"), Typed::Nothing);
    }
}
