//! Positions mode: all games of all files seen as one graph, and edits where a move is written.

use std::sync::Arc;

use chess::pgn::Game;
use chess::{Board, Identity, Move};
use tree::NodeId;

use super::{OpenFile, Session, SessionError};
use crate::edit::{Clip, Scope, Verb};
use crate::joined::Joined;
use crate::positions::Spot;
use crate::walk::{Transpositions, Walk};

/// Longer texts are not compared across games unless positions mode asks for it.
const MOST_TEXT: usize = 4 << 20;

/// What a session knows about all games together.
#[derive(Debug, Default)]
pub(super) struct AllGames {
    /// The graph of all games, until a game changes.
    graph: Option<Arc<Joined>>,
    /// The walk, in positions mode.
    walk: Option<Walk>,
    /// Changes from one game to another, to go back.
    jumps: Vec<(Spot, Spot)>,
    same: Identity,
}

impl AllGames {
    pub(super) fn walk(&self) -> Option<&Walk> {
        self.walk.as_ref()
    }

    pub(super) fn walk_mut(&mut self) -> Option<&mut Walk> {
        self.walk.as_mut()
    }
}

/// Seeing.
impl Session {
    /// True in positions mode: each position is one node, over all games of all files.
    pub fn is_joined(&self) -> bool {
        self.all.walk.is_some()
    }

    /// The sameness of positions.
    pub fn identity(&self) -> Identity {
        self.all.same
    }

    /// Sets the sameness of positions. Stays at the current position as far as possible.
    pub fn set_identity(&mut self, same: Identity) {
        self.all.same = same;
        for file in &mut self.files {
            file.set_identity(same);
        }
        self.games_changed();
    }

    /// Switches to positions mode or back, and stays at the current position.
    pub fn set_joined(&mut self, joined: bool) {
        match (joined, self.all.walk.take()) {
            (true, None) => {
                let walk = self.walk();
                let (start, moves) = (walk.game().start().clone(), walk.moves());
                self.join_at(&start, &moves);
            }
            (true, known) => self.all.walk = known,
            (false, Some(walk)) => self.leave_joined(&walk),
            (false, None) => {}
        }
    }

    /// The graph of all games, built if it is not known.
    pub fn graph(&mut self) -> Arc<Joined> {
        if let Some(graph) = &self.all.graph {
            return Arc::clone(graph);
        }
        let graph = Arc::new(Joined::of(self.all_games(), self.all.same));
        self.all.graph = Some(Arc::clone(&graph));
        graph
    }

    /// The games of all files; archives, which come last, are too large to be compared.
    fn all_games(&self) -> Vec<Game> {
        let files = self.files.iter().filter(|file| file.archive().is_none());
        let games = files.flat_map(|file| {
            let numbers = 0..file.len();
            numbers.filter_map(|number| file.read(number))
        });
        games.collect()
    }

    /// The graph, unless the games are too long to compare them without being asked to, or the
    /// current game is not in it.
    fn graph_of_few(&mut self) -> Option<Arc<Joined>> {
        if self.is_archived() {
            return None;
        }
        (self.all.graph.is_some() || self.has_few()).then(|| self.graph())
    }

    fn has_few(&self) -> bool {
        let text: usize = self.files.iter().map(|file| file.text_len()).sum();
        self.game_count() > 1 && !self.is_archived() && text <= MOST_TEXT
    }

    /// Goes to the start position of the current game, in positions mode.
    pub(super) fn start_joined(&mut self) {
        let game = self.game();
        if let Some(walk) = self.all.walk_mut()
            && let Some(graph) = walk.joined_graph()
            && let Some(start) = graph.start_of(game)
        {
            walk.go_to_vertex(start);
        }
    }

    /// The current move with everything after it, from the place where most follows.
    pub(super) fn clip_here(&self) -> Clip {
        let walk = self.walk();
        let longest = walk.joined_graph().zip(walk.vertex_of(walk.at()));
        let longest = longest.and_then(|(graph, vertex)| {
            let spots = graph.spots_of(walk.edge_to(walk.at()), vertex).into_iter();
            let positions = graph.positions();
            let longest = spots
                .rev()
                .max_by_key(|spot| positions.moves_below(*spot))?;
            Some((positions.game(longest), longest.node))
        });
        let (game, node) = longest.unwrap_or((walk.game(), walk.at()));
        Clip::of(game, node)
    }

    /// Positions mode from a start position, or from that of the current game if no game starts
    /// there any more.
    fn join_at(&mut self, start: &Board, moves: &[Move]) {
        let graph = self.graph();
        let positions = graph.positions();
        let known = positions.find(start);
        let known = known.filter(|&vertex| positions.graph().is_start(vertex));
        let start = known.or_else(|| graph.start_of(self.game()));
        if let Some(start) = start {
            let mut walk = Walk::joined(graph, start);
            walk.follow(moves);
            self.all.walk = Some(walk);
        }
    }

    /// Goes to a place of the current position: with the same moves if possible, in the current
    /// game if possible.
    fn leave_joined(&mut self, walk: &Walk) {
        let (Some(graph), Some(vertex)) = (walk.joined_graph(), walk.vertex_of(walk.at())) else {
            return;
        };
        let (positions, moves, here) = (graph.positions(), walk.moves(), self.game());
        let same_moves = |spot: &Spot| positions.game(*spot).tree().moves_to(spot.node) == moves;
        let spots = positions.spots(vertex);
        let best = spots.max_by_key(|spot| {
            let below = positions.moves_below(*spot);
            (
                same_moves(spot),
                spot.game == here,
                below,
                std::cmp::Reverse(*spot),
            )
        });
        if let Some(spot) = best {
            self.go_to_spot(spot);
        }
    }

    fn go_to_spot(&mut self, spot: Spot) {
        if let Some((file, game)) = self.locate(spot.game) {
            self.file = file;
            self.file_mut().go_to(game);
            self.file_mut().walk_mut().go(spot.node);
        }
    }

    /// The current node of the current game.
    fn spot(&self) -> Spot {
        let node = self.file().walk().at();
        let game = self.game();
        Spot { game, node }
    }

    /// Finds the positions that other games share with this one, to mark them in tree mode.
    pub(super) fn find_shared(&mut self) {
        if self.is_joined() || self.file().walk().knows_other_games() {
            return;
        }
        let game = self.game();
        let graph = self.graph_of_few();
        let walk = self.file_mut().walk_mut();
        walk.set_other_games(graph.map(|graph| (graph, game)));
    }

    /// The next place of the current position: another path, in this game or another; the next
    /// origin in positions mode. Returns whether there is one.
    pub fn next_transposition(&mut self) -> bool {
        if self.is_joined() {
            return self.walk_mut().next_transposition();
        }
        self.find_marks();
        let here = self.spot();
        let others = self.other_spots(here);
        let next = others
            .iter()
            .find(|&&other| other > here)
            .or(others.first());
        let Some(&next) = next else {
            return self.walk_mut().next_transposition();
        };
        if next.game == here.game {
            return self.walk_mut().jump(next.node);
        }
        self.go_to_spot(next);
        match self.all.jumps.iter().position(|(from, _)| *from == next) {
            // After a full round, there is no way back to remember.
            Some(first) => self.all.jumps.truncate(first),
            None => self.all.jumps.push((here, next)),
        }
        true
    }

    /// One move back, or back to the game from which [`next_transposition`] came.
    ///
    /// [`next_transposition`]: Session::next_transposition
    pub fn back(&mut self) -> bool {
        let here = self.spot();
        let joined = self.is_joined();
        let jump = self.all.jumps.pop_if(|(_, to)| !joined && *to == here);
        match jump {
            Some((from, _)) => {
                self.go_to_spot(from);
                true
            }
            None => self.walk_mut().back(),
        }
    }

    /// The other places of a position that are reached by other lines, or that continue where this
    /// line ends.
    fn other_spots(&self, here: Spot) -> Vec<Spot> {
        let walk = self.file().walk();
        let own = walk.transpositions_of(here.node).into_iter();
        let mut spots: Vec<Spot> = own.map(|node| Spot { node, ..here }).collect();
        spots.extend(walk.spots_elsewhere(here.node));
        spots.sort_unstable();
        spots
    }
}

/// Editing.
impl Session {
    /// Applies a verb at the current node; in positions mode where the current move is written.
    /// `game` is the number of the game to write into, from 0, if the move is in several.
    pub fn edit_in(&mut self, verb: &Verb, game: Option<usize>) -> Result<String, SessionError> {
        if let Verb::Chapter(verb) = verb {
            return self.edit_chapters(verb, game);
        }
        let Some(walk) = self.all.walk.as_ref() else {
            return self.edit_tree(verb, game);
        };
        let (start, moves) = (walk.game().start().clone(), walk.moves());
        let spot = self.spot_for(walk, verb, game)?;
        let before = self.go_to_edit(spot);
        let written = self.file().walk().moves();
        match self.file_mut().edit(verb) {
            Ok(summary) => {
                let moves = moved(moves, &written, &self.file().walk().moves());
                self.forget_graph();
                self.join_at(&start, &moves);
                Ok(summary)
            }
            Err(error) => {
                self.return_from_edit(before);
                Err(self.decided_elsewhere(verb, spot).unwrap_or(error))
            }
        }
    }

    /// Why the current move cannot come first, if it is the first one in its game and the order of
    /// moves is that of another game.
    fn decided_elsewhere(&self, verb: &Verb, spot: Spot) -> Option<SessionError> {
        let walk = self.all.walk.as_ref()?;
        let (graph, tree) = (walk.joined_graph()?, walk.tree());
        let is_first = graph.positions().game(spot).tree().choice(spot.node) == Some(0);
        let first = tree.siblings(walk.at()).next()?;
        if !is_first || first == walk.at() || !verb.puts_first() {
            return None;
        }
        let before = *graph.games_of(walk.edge_to(first)?).first()? - 1;
        let game = spot.game;
        Some(SessionError::FirstInGame { game, before })
    }

    /// Goes where a change is written. Returns the places to restore if it is refused.
    pub(super) fn go_to_edit(&mut self, spot: Spot) -> [Option<Spot>; 2] {
        let (here, node) = (self.spot(), self.node_of(spot.game));
        self.go_to_spot(spot);
        [node.map(|node| Spot { node, ..spot }), Some(here)]
    }

    pub(super) fn return_from_edit(&mut self, before: [Option<Spot>; 2]) {
        for spot in before.into_iter().flatten() {
            self.go_to_spot(spot);
        }
    }

    /// The comment that `comment` would replace; in positions mode that of one game.
    pub fn comment_in(&self, game: Option<usize>) -> Result<String, SessionError> {
        let walk = self.walk();
        let (game, node) = match walk.joined_graph() {
            Some(graph) => {
                let spot = self.spot_for(walk, &Verb::Comment(String::new()), game)?;
                (graph.positions().game(spot), spot.node)
            }
            None => (walk.game(), walk.at()),
        };
        Ok(game.node(node).comment().into_owned())
    }

    fn edit_tree(&mut self, verb: &Verb, game: Option<usize>) -> Result<String, SessionError> {
        if let Some(game) = game.filter(|&game| game != self.game()) {
            return Err(SessionError::NotInGame(game));
        }
        let summary = self.file_mut().edit(verb)?;
        self.forget_graph();
        Ok(summary)
    }

    /// The current node of a game that was visited.
    fn node_of(&self, game: usize) -> Option<NodeId> {
        let (file, game) = self.locate(game)?;
        Some(self.files[file].walk_of(game)?.at())
    }

    /// Where a verb is to be applied in positions mode.
    pub(super) fn spot_for(
        &self,
        walk: &Walk,
        verb: &Verb,
        game: Option<usize>,
    ) -> Result<Spot, SessionError> {
        let (Some(graph), Some(vertex)) = (walk.joined_graph(), walk.vertex_of(walk.at())) else {
            return Err(SessionError::Stale);
        };
        let positions = graph.positions();
        let mut spots: Vec<Spot> = match verb.scope() {
            Scope::Move => graph.spots_of(walk.edge_to(walk.at()), vertex),
            Scope::Position => positions.spots(vertex).collect(),
            Scope::Game => {
                let games = 0..positions.games().len();
                games
                    .map(|game| Spot {
                        game,
                        node: NodeId::ROOT,
                    })
                    .collect()
            }
        };
        if let Some(game) = game {
            spots.retain(|spot| spot.game == game);
        }
        let mut games: Vec<usize> = spots.iter().map(|spot| spot.game).collect();
        games.dedup();
        if games.len() > 1 {
            return Err(SessionError::SeveralGames(games));
        }
        let moves = walk.moves();
        let best = spots.into_iter().max_by_key(|spot| {
            let same = positions.game(*spot).tree().moves_to(spot.node) == moves;
            (same, positions.moves_below(*spot), std::cmp::Reverse(*spot))
        });
        best.ok_or(SessionError::NotInGame(game.unwrap_or(self.game())))
    }

    /// Updates everything that depends on the games, after any of them changed.
    pub(super) fn games_changed(&mut self) {
        self.forget_graph();
        // The games may have other numbers now.
        self.all.jumps.clear();
        if let Some(walk) = self.all.walk.take() {
            self.join_at(walk.game().start(), &walk.moves());
        }
    }

    fn forget_graph(&mut self) {
        self.all.graph = None;
        self.files.iter_mut().for_each(OpenFile::forget_other_games);
    }
}

/// The moves of a walk after an edit changed the moves to the edited node of a game.
fn moved(mut moves: Vec<Move>, before: &[Move], after: &[Move]) -> Vec<Move> {
    let same = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    moves.truncate(moves.len().saturating_sub(before.len() - same));
    moves.extend(&after[same..]);
    moves
}

/// Copies of the games whose shared positions are to be marked in the current game.
#[derive(Debug)]
pub struct MarksTask {
    game: Game,
    /// All games, unless their graph is known or they are too long to compare.
    all: Option<Vec<Game>>,
    same: Identity,
}

/// The shared positions of a game.
#[derive(Debug)]
pub struct Marks {
    transpositions: Transpositions,
    graph: Option<Arc<Joined>>,
}

impl MarksTask {
    /// Finds them. The session can be used and changed meanwhile.
    pub fn run(self) -> Marks {
        let same = self.same;
        Marks {
            transpositions: Transpositions::new(&self.game, same),
            graph: self.all.map(|all| Arc::new(Joined::of(all, same))),
        }
    }
}

/// Marks found away from the session.
impl Session {
    /// The work of [`find_marks`](Session::find_marks) in tree mode, to be done elsewhere.
    pub fn marks_task(&self) -> MarksTask {
        MarksTask {
            game: self.file().walk().game().clone(),
            all: (self.all.graph.is_none() && self.has_few()).then(|| self.all_games()),
            same: self.all.same,
        }
    }

    /// Takes over its result. No game may have changed since, and the current game is the same.
    pub fn set_marks(&mut self, marks: Marks) {
        if let Some(graph) = marks.graph {
            self.all.graph = Some(graph);
        }
        let walk = self.file_mut().walk_mut();
        walk.set_transpositions(marks.transpositions);
        self.find_shared();
    }
}
