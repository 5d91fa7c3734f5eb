//! Reading a game together with the place of each of its parts in the text.
//!
//! The tracer passes each token to the builder and looks at what the builder made of it, so it
//! cannot disagree with the builder, and reading without a trace costs nothing.

use super::{Build, Builder};
use crate::pgn::Span;
use crate::pgn::complaint::ComplaintKind;
use crate::pgn::game::{Game, NoteKind};
use crate::pgn::outcome::Outcome;
use crate::pgn::scan::{Style, Visitor, scan};
use crate::pgn::tag::RawTag;
use std::ops::Range;
use tree::{NodeId, SideTable};

/// A game and the tokens it was read from.
pub(in crate::pgn) struct Trace {
    pub game: Game,
    /// The tokens in text order, without those that have no effect on the game.
    pub tokens: Vec<Token>,
    /// The number of tokens up to the last tag.
    pub header: usize,
    /// The tokens of moves and variations, by node.
    pub nodes: Vec<NodeTokens>,
    /// The tokens of notes and glyphs, by node, in text order.
    pub own: SideTable<Own>,
    pub tags: Vec<RawTag>,
    /// The token of the result.
    pub result: Option<usize>,
}

/// A token.
#[derive(Clone, Debug)]
pub(in crate::pgn) struct Token {
    pub span: Span,
    pub kind: Kind,
}

/// The kind of a token, as far as the blanks around it are concerned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::pgn) enum Kind {
    Tag,
    Number,
    Move,
    /// `!`, `±`
    Mark,
    /// `$1`
    Dollar,
    Comment(Style),
    /// Words that are not moves, and unreadable lines.
    Text,
    Open,
    Close,
    Result,
}

/// The tokens of a move, and of the variation it starts, if any.
#[derive(Clone, Copy, Default, Debug)]
pub(in crate::pgn) struct NodeTokens {
    pub number: Option<usize>,
    /// The move; `None` only for the root.
    pub word: Option<usize>,
    pub parentheses: Option<(usize, usize)>,
    /// The move after which the variation is written.
    pub host: Option<NodeId>,
}

/// The tokens of a note or a glyph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::pgn) struct Own {
    /// The glyph; `None` for a note.
    pub nag: Option<u32>,
    pub tokens: Range<usize>,
    /// True before the move.
    pub before: bool,
    /// The number of alternatives before it.
    pub alternatives: u32,
    /// True for the unreadable rest of a line.
    pub is_rest: bool,
}

/// Reads a text. `None` if its order is not that of the game: alternatives before the first move,
/// two moves in one word, unclosed variations, moves after a result, an invalid FEN.
pub(in crate::pgn) fn trace(text: &str) -> Option<Trace> {
    let mut builder = Builder::new();
    let mut game = Game::default();
    let mut tracer = Tracer {
        build: builder.start(text, &mut game),
        tokens: Vec::new(),
        header: 0,
        nodes: vec![NodeTokens::default()],
        own: Vec::new(),
        tags: Vec::new(),
        variations: Vec::new(),
        waiting: Vec::new(),
        number: None,
        unreadable: None,
        result: None,
        failed: false,
    };
    scan(text.as_bytes(), &mut tracer);
    tracer.end_unreadable();
    let is_whole = !tracer.failed && tracer.variations.is_empty();
    let Tracer {
        build,
        tokens,
        header,
        nodes,
        own,
        tags,
        result,
        ..
    } = tracer;
    build.finish();
    let mut by_node = SideTable::new();
    own.into_iter()
        .for_each(|(node, own)| by_node.push(node, own));
    by_node.sort();
    is_whole.then_some(Trace {
        game,
        tokens,
        header,
        nodes,
        own: by_node,
        tags,
        result,
    })
}

struct Tracer<'a> {
    build: Build<'a>,
    tokens: Vec<Token>,
    header: usize,
    nodes: Vec<NodeTokens>,
    own: Vec<(NodeId, Own)>,
    tags: Vec<RawTag>,
    variations: Vec<Variation>,
    /// Notes and glyphs before the first move of the open variations.
    waiting: Vec<Own>,
    /// The move number that was read last, if nothing follows it yet.
    number: Option<Span>,
    unreadable: Option<Unreadable>,
    result: Option<usize>,
    failed: bool,
}

/// An open variation.
struct Variation {
    open: usize,
    host: NodeId,
    first: Option<NodeId>,
    /// The number of waiting notes of outer variations.
    waiting: usize,
}

/// An unreadable line.
struct Unreadable {
    node: NodeId,
    start: usize,
    /// True if it is the whole variation.
    is_variation: bool,
}

impl Tracer<'_> {
    fn push(&mut self, span: Span, kind: Kind) -> usize {
        self.tokens.push(Token { span, kind });
        self.tokens.len() - 1
    }

    fn is_kept(&self) -> bool {
        self.build.kept.is_some()
    }

    /// Adds the token of a note or a glyph.
    fn push_own(&mut self, nag: Option<u32>, span: Span, kind: Kind) {
        let before = self.build.is_variation_start();
        let token = self.push(span, kind);
        let own = Own {
            nag,
            tokens: token..token + 1,
            before,
            alternatives: self.build.line.alternatives,
            is_rest: false,
        };
        if before {
            self.waiting.push(own);
        } else {
            self.own.push((self.build.line.node, own));
        }
    }

    fn played(&mut self, number: Option<Span>, span: Span) {
        let number = number.map(|number| self.push(number, Kind::Number));
        let word = self.push(span, Kind::Move);
        let node = self.build.line.node;
        self.nodes.resize(node.index() + 1, NodeTokens::default());
        let mut tokens = NodeTokens {
            number,
            word: Some(word),
            ..NodeTokens::default()
        };
        if let Some(variation) = self.variations.last_mut()
            && variation.first.is_none()
        {
            variation.first = Some(node);
            tokens.host = Some(variation.host);
            let waiting = self.waiting.split_off(variation.waiting);
            self.own.extend(waiting.into_iter().map(|own| (node, own)));
        }
        self.nodes[node.index()] = tokens;
    }

    /// A word that is not a move. Consecutive words are one note.
    fn words(&mut self, span: Span, continues: bool) {
        let end = self.tokens.len();
        let last = if self.build.is_variation_start() {
            self.waiting.last_mut()
        } else {
            self.own.last_mut().map(|(_, own)| own)
        };
        match last.filter(|last| continues && last.tokens.end == end) {
            Some(last) => {
                last.tokens.end += 1;
                self.push(span, Kind::Text);
            }
            None => self.push_own(None, span, Kind::Text),
        }
    }

    /// The first move of an unreadable line.
    fn start_unreadable(&mut self, number: Option<Span>, span: Span) {
        let Some(kept) = &self.build.kept else { return };
        let is_variation = kept.kind == NoteKind::Variation;
        let node = kept.node;
        // Alternatives to an unreadable move of the line are attached elsewhere.
        let is_elsewhere = is_variation && !self.build.is_variation_start();
        self.failed |= is_elsewhere || self.result.is_some();
        let start = self.tokens.len();
        if let Some(number) = number {
            self.push(number, Kind::Text);
        }
        self.push(span, Kind::Text);
        self.unreadable = Some(Unreadable {
            node,
            start,
            is_variation,
        });
    }

    /// Ends an unreadable line at the current token. A result at its end is that of the game.
    fn end_unreadable(&mut self) {
        let Some(unreadable) = self.unreadable.take() else {
            return;
        };
        let mut end = self.tokens.len();
        if let Some(result) = self.result {
            self.failed |= result + 1 != end;
            end = end.min(result);
        }
        if !unreadable.is_variation {
            self.push_text_note(unreadable.node, unreadable.start..end, true);
        }
    }

    fn push_text_note(&mut self, node: NodeId, tokens: Range<usize>, is_rest: bool) {
        let own = Own {
            nag: None,
            tokens,
            before: false,
            alternatives: self.build.line.alternatives,
            is_rest,
        };
        self.own.push((node, own));
    }

    fn closed(&mut self, at: usize, notes: usize) {
        let close = self.push(at..at + 1, Kind::Close);
        let Some(variation) = self.variations.pop() else {
            return;
        };
        self.waiting.truncate(variation.waiting);
        match variation.first {
            Some(first) => {
                self.nodes[first.index()].parentheses = Some((variation.open, close));
            }
            None => match self.build.game.notes.rows().get(notes..) {
                Some(&[(node, _), ..]) => {
                    self.push_text_note(node, variation.open..close + 1, false);
                }
                // An empty variation has no effect.
                _ => self.tokens.truncate(variation.open),
            },
        }
    }
}

impl Visitor for Tracer<'_> {
    fn tag(&mut self, tag: &RawTag) {
        self.number = None;
        self.push(tag.span.clone(), Kind::Tag);
        self.failed |= !self.build.game.tree.is_terminal(NodeId::ROOT);
        self.tags.push(tag.clone());
        self.build.tag(tag);
        self.failed |= self.is_kept();
        self.header = self.tokens.len();
    }

    fn movetext(&mut self) -> bool {
        let goes_on = self.build.movetext();
        self.failed |= self.is_kept();
        goes_on
    }

    fn number(&mut self, number: u32, span: Span) {
        self.number = None;
        let was_kept = self.is_kept();
        self.build.number(number, span.clone());
        let words = &self.build.words;
        if was_kept {
            self.push(span, Kind::Text);
        } else if words
            .as_ref()
            .is_some_and(|words| words.span.end == span.end)
        {
            self.words(span, true);
        } else {
            self.number = Some(span);
        }
    }

    fn word(&mut self, span: Span) {
        let number = self.number.take();
        let was_kept = self.is_kept();
        let continues = self.build.words.is_some();
        let nodes = self.build.game.tree.capacity_used();
        self.build.word(span.clone());
        let added = self.build.game.tree.capacity_used() - nodes;
        let words = &self.build.words;
        if was_kept {
            self.push(span, Kind::Text);
        } else if added > 0 {
            self.failed |= added > 1 || self.build.held.is_some() || self.result.is_some();
            self.played(number, span);
        } else if self.is_kept() {
            self.start_unreadable(number, span);
        } else if words
            .as_ref()
            .is_some_and(|words| words.span.end == span.end)
        {
            self.words(span, continues);
        }
    }

    fn nag(&mut self, nag: u32, span: Span) {
        self.number = None;
        let kind = match self.build.slice(&span).as_bytes() {
            [b'$', ..] => Kind::Dollar,
            _ => Kind::Mark,
        };
        if self.is_kept() {
            self.push(span.clone(), Kind::Text);
        } else {
            self.push_own(Some(nag), span.clone(), kind);
        }
        self.build.nag(nag, span);
    }

    fn comment(&mut self, style: Style, text: Span, span: Span) {
        self.number = None;
        let is_empty = super::without_margins(self.build.slice(&text)).is_empty();
        let kind = Kind::Comment(style);
        if self.is_kept() {
            self.push(span.clone(), kind);
        } else if style == Style::Escape || !is_empty {
            self.push_own(None, span.clone(), kind);
        }
        self.build.comment(style, text, span);
    }

    fn open(&mut self, at: usize) {
        self.number = None;
        if self.is_kept() {
            self.push(at..at + 1, Kind::Text);
        } else {
            self.failed |= self.build.line.moves == 0 || self.result.is_some();
            let open = self.push(at..at + 1, Kind::Open);
            self.variations.push(Variation {
                open,
                host: self.build.line.node,
                first: None,
                waiting: self.waiting.len(),
            });
        }
        self.build.open(at);
    }

    fn close(&mut self, at: usize) {
        self.number = None;
        let is_inner = self.build.kept.as_ref().is_some_and(|kept| kept.depth > 0);
        if is_inner {
            self.push(at..at + 1, Kind::Text);
            return self.build.close(at);
        }
        if self.build.frames.is_empty() {
            return self.build.close(at);
        }
        self.end_unreadable();
        let notes = self.build.game.notes.rows().len();
        self.build.close(at);
        self.closed(at, notes);
    }

    fn result(&mut self, outcome: Outcome, span: Span) {
        self.number = None;
        let is_inner = !self.build.frames.is_empty();
        let is_kept = self.is_kept();
        if is_inner && is_kept {
            self.push(span.clone(), Kind::Text);
        } else if is_inner && outcome != Outcome::Unknown {
            self.push_own(None, span.clone(), Kind::Text);
        } else if !is_inner {
            self.failed |= self.result.is_some();
            self.result = Some(self.push(span.clone(), Kind::Result));
        }
        self.build.result(outcome, span);
    }

    fn report(&mut self, kind: ComplaintKind, span: Span) {
        self.build.report(kind, span);
    }
}
