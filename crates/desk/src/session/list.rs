//! Chapters of a session: changes of the list of games, and pasted PGN.

use chess::pgn::{Builder, Game, decode, split, to_utf8};
use chess::{Board, Variant};

use super::chapters::ChapterError;
use super::{OpenFile, Session, SessionError};
use crate::edit::{ChapterVerb, EditError, Unread, Verb};
use crate::pgn_input;
use kit::input::Source;

impl Session {
    /// Changes the list of chapters. In positions mode, `game` names the chapter.
    pub(super) fn edit_chapters(
        &mut self,
        verb: &ChapterVerb,
        game: Option<usize>,
    ) -> Result<String, SessionError> {
        let before = self.go_to_chapter(verb, game)?;
        let changed = self.number_in_file(verb).and_then(|verb| {
            let verb = Verb::Chapter(verb);
            self.file_mut().edit(&verb)
        });
        match changed {
            Ok(summary) => {
                self.games_changed();
                if matches!(verb, ChapterVerb::Add(_)) {
                    self.start_joined();
                }
                Ok(summary)
            }
            Err(error) => {
                self.return_from_edit(before);
                Err(error)
            }
        }
    }

    /// Goes to the chapter to change. Returns the places to restore if the change is refused.
    fn go_to_chapter(
        &mut self,
        verb: &ChapterVerb,
        game: Option<usize>,
    ) -> Result<[Option<crate::positions::Spot>; 2], SessionError> {
        let is_add = matches!(verb, ChapterVerb::Add(_));
        if let Some(walk) = self.all.walk().filter(|_| !is_add) {
            let spot = self.spot_for(walk, &Verb::Chapter(verb.clone()), game)?;
            return Ok(self.go_to_edit(spot));
        }
        match game.filter(|&game| game != self.game() && !is_add) {
            Some(game) => Err(SessionError::NotInGame(game)),
            None => Ok([None, None]),
        }
    }

    /// The verb with the number of a game in the current file instead of one through all files.
    fn number_in_file(&self, verb: &ChapterVerb) -> Result<ChapterVerb, SessionError> {
        let before: usize = self.files[..self.file].iter().map(OpenFile::len).sum();
        let in_file = |number: usize| {
            let own = number.checked_sub(before).filter(|&own| own > 0);
            let own =
                own.filter(|&own| own <= self.file().len() || self.file + 1 == self.files.len());
            own.ok_or(ChapterError::OtherFile(number))
        };
        Ok(match verb {
            ChapterVerb::Move(number) => ChapterVerb::Move(in_file(*number)?),
            ChapterVerb::Join(number) => ChapterVerb::Join(in_file(*number)?),
            verb => verb.clone(),
        })
    }

    /// Merges PGN at the current position, or at the start if its moves only fit there. Several
    /// games, and a game that starts from another position, become chapters. In positions mode
    /// `game` is the number of the game to write into, from 0, if several have the position.
    pub fn paste_pgn(&mut self, pgn: &[u8], game: Option<usize>) -> Result<String, SessionError> {
        if let Some(game) = game_of_fen(pgn) {
            return self.paste_chapters(vec![game]);
        }
        let text = to_utf8(pgn);
        let games: Vec<Game> = split(&text).map(|raw| Builder::new().read(raw)).collect();
        if games.len() > 1 {
            return self.paste_chapters(games);
        }
        let text = decode(&text).replace("\r\n", "\n").replace('\r', "\n");
        match self.edit_in(&Verb::Merge(text), game) {
            Err(SessionError::Edit(EditError::OtherStart)) => self.paste_chapters(games),
            done => done,
        }
    }

    /// The same with the games of a file.
    pub fn paste_file(
        &mut self,
        source: &Source,
        game: Option<usize>,
    ) -> Result<String, SessionError> {
        self.paste_pgn(&pgn_input::read_whole(source)?.bytes, game)
    }

    fn paste_chapters(&mut self, games: Vec<Game>) -> Result<String, SessionError> {
        let is_prose = |game: &Game| game.tree().node_count() == 1 && game.tags().len() == 0;
        if games.iter().all(is_prose) {
            return Err(EditError::NoMoves.into());
        }
        let unread = Unread::of(&games);
        let mut summary = self.file_mut().paste_chapters(games)?;
        if let Some(unread) = unread {
            summary += &format!("; kept as text: {unread}");
        }
        self.games_changed();
        self.start_joined();
        Ok(summary)
    }
}

/// A game without moves, for a text that is one FEN.
fn game_of_fen(text: &[u8]) -> Option<Game> {
    let fen = std::str::from_utf8(text).ok()?.trim();
    let has_ranks = fen.split(' ').next()?.matches('/').count() >= 7;
    let board = Board::from_fen(fen, Variant::Standard).ok();
    board.filter(|_| has_ranks).map(Game::from_board)
}
