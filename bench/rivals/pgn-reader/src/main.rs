//! pgn-reader + shakmaty, as fast as we know how to drive them.
//!
//! `rival-pgn-reader tree|count|tags FILE` prints `games moves text-bytes`.
//! `tree` checks every move and fills a compact arena with moves, comments and NAGs.

use std::{env, fs::File, io, ops::ControlFlow};

use pgn_reader::{Nag, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{CastlingMode, Chess, Move, Position, fen::Fen};

#[derive(Clone, Copy)]
struct Node {
    _parent: u32,
    last_child: u32,
    next_sibling: u32,
    _packed_move: u16,
}

#[derive(Default)]
struct Arena {
    nodes: Vec<Node>,
    text: Vec<u8>,
    comments: Vec<(u32, u32, u32)>,
    nags: Vec<(u32, u8)>,
    tags: Vec<(u32, u32)>,
    line: Vec<(Chess, u32, Chess)>,
    start: Option<Chess>,
    games: u64,
    moves: u64,
    text_bytes: u64,
}

/// Where the reader stands: board after `node`, and the board before it for a variation.
struct At {
    board: Chess,
    before: Chess,
    node: u32,
    lost: bool,
}

fn pack(mv: Move) -> u16 {
    let from = mv.from().map_or(0, |sq| sq as u16);
    from | (mv.to() as u16) << 6 | mv.promotion().map_or(0, |role| role as u16) << 12
}

impl Arena {
    fn add(&mut self, parent: u32, mv: u16) -> u32 {
        let id = self.nodes.len() as u32;
        let first = match self.nodes[parent as usize].last_child {
            u32::MAX => id,
            last => std::mem::replace(&mut self.nodes[last as usize].next_sibling, id),
        };
        self.nodes[parent as usize].last_child = id;
        self.nodes.push(Node {
            _parent: parent,
            last_child: u32::MAX,
            next_sibling: first,
            _packed_move: mv,
        });
        id
    }

    fn keep(&mut self, bytes: &[u8]) -> u32 {
        let at = self.text.len() as u32;
        self.text.extend_from_slice(bytes);
        at
    }
}

impl Visitor for Arena {
    type Tags = ();
    type Movetext = At;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        self.nodes.clear();
        self.text.clear();
        self.comments.clear();
        self.nags.clear();
        self.tags.clear();
        self.line.clear();
        self.start = None;
        ControlFlow::Continue(())
    }

    fn tag(&mut self, _: &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if name == b"FEN" {
            self.start = Fen::from_ascii(value.as_bytes())
                .ok()
                .and_then(|fen| fen.into_position(CastlingMode::Standard).ok());
        }
        let name = self.keep(name);
        let value = self.keep(&value.decode());
        self.tags.push((name, value));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, _: ()) -> ControlFlow<(), At> {
        self.nodes.push(Node {
            _parent: u32::MAX,
            last_child: u32::MAX,
            next_sibling: 0,
            _packed_move: 0,
        });
        let board = self.start.take().unwrap_or_default();
        ControlFlow::Continue(At {
            before: board.clone(),
            board,
            node: 0,
            lost: false,
        })
    }

    fn san(&mut self, at: &mut At, san: SanPlus) -> ControlFlow<()> {
        if at.lost {
            return ControlFlow::Continue(());
        }
        match san.san.to_move(&at.board) {
            Ok(mv) => {
                at.before = at.board.clone();
                at.board.play_unchecked(mv);
                at.node = self.add(at.node, pack(mv));
                self.moves += 1;
            }
            Err(_) => at.lost = true,
        }
        ControlFlow::Continue(())
    }

    fn nag(&mut self, at: &mut At, nag: Nag) -> ControlFlow<()> {
        self.nags.push((at.node, nag.0));
        ControlFlow::Continue(())
    }

    fn comment(&mut self, at: &mut At, comment: RawComment<'_>) -> ControlFlow<()> {
        let start = self.keep(comment.as_bytes());
        self.comments
            .push((at.node, start, comment.as_bytes().len() as u32));
        self.text_bytes += comment.as_bytes().len() as u64;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, at: &mut At) -> ControlFlow<(), Skip> {
        if at.lost {
            return ControlFlow::Continue(Skip(true));
        }
        self.line
            .push((at.board.clone(), at.node, at.before.clone()));
        at.board = at.before.clone();
        at.node = self.nodes[at.node as usize]._parent.min(at.node);
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, at: &mut At) -> ControlFlow<()> {
        if let Some((board, node, before)) = self.line.pop() {
            *at = At {
                board,
                node,
                before,
                lost: false,
            };
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, _: At) {
        self.games += 1;
    }
}

/// Reads the moves without checking them.
#[derive(Default)]
struct Count {
    games: u64,
    moves: u64,
    tags_only: bool,
}

impl Visitor for Count {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        self.games += 1;
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, _: ()) -> ControlFlow<(), ()> {
        if self.tags_only {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn san(&mut self, _: &mut (), _: SanPlus) -> ControlFlow<()> {
        self.moves += 1;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut ()) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(false))
    }

    fn end_game(&mut self, _: ()) {}
}

fn main() -> io::Result<()> {
    let args: Vec<String> = env::args().collect();
    let mut reader = Reader::new(File::open(&args[2])?);
    match args[1].as_str() {
        "tree" => {
            let mut arena = Arena::default();
            reader.visit_all_games(&mut arena)?;
            println!("{} {} {}", arena.games, arena.moves, arena.text_bytes);
        }
        mode => {
            let mut count = Count {
                tags_only: mode == "tags",
                ..Count::default()
            };
            reader.visit_all_games(&mut count)?;
            println!("{} {} 0", count.games, count.moves);
        }
    }
    Ok(())
}
