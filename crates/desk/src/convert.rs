//! Conversion of games: PGN in export format or byte for byte, JSON, FEN, EPD, UCI, Polyglot books.

mod json;
mod keep;
mod lists;

use std::io::{self, Write};

use chess::pgn::{ExportOptions, Game, export_bytes};

use self::keep::Joiner;
use crate::games::{Batch, Games, Run};
use crate::openings::OpeningTags;
use crate::polyglot::{BookOptions, BookTally};
use kit::Workers;

/// The output format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// PGN in the standard's export format.
    #[default]
    Pgn,
    /// PGN byte for byte as in the input.
    Keep,
    /// One JSON object per game and line: tags, and nodes in the order of their position ids.
    Json,
    /// One FEN per node.
    Fen,
    /// One EPD record per node, with the next move and the source of the position.
    Epd,
    /// One UCI `position` command per line of moves.
    Uci,
    /// A Polyglot opening book of all games.
    Polyglot,
}

/// Options of a conversion.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ConvertOptions {
    /// The output format.
    pub format: Format,
    /// Parts to leave out.
    pub without: Without,
    /// The tags `ECO` and `Opening`.
    pub openings: OpeningTags,
    /// In JSON, include the FEN of each node.
    pub fens: bool,
    /// In lists of positions, only the ends of lines.
    pub ends: bool,
    /// The moves of a Polyglot book.
    pub book: BookOptions,
}

/// Parts of a game to leave out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Without {
    /// Comments.
    pub comments: bool,
    /// Variations: only the mainline is written.
    pub variations: bool,
    /// Marks.
    pub nags: bool,
    /// Clock and elapsed times.
    pub clocks: bool,
}

/// What was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Converted {
    /// Games.
    pub games: u64,
    /// Moves of a Polyglot book.
    pub book_moves: Option<u64>,
    /// Games of variants, which have no place in a Polyglot book.
    pub left_out: u64,
}

/// Writes the games in the chosen format.
pub fn convert(
    games: &Games,
    plan: &ConvertOptions,
    workers: &Workers,
    out: &mut impl Write,
) -> Result<Run<Converted>, io::Error> {
    if plan.format == Format::Polyglot {
        return make_book(games, plan, workers, out);
    }
    let mut joiner = Joiner::default();
    let mut written = 0;
    let run = games.run(
        workers,
        |batch| form(batch, plan),
        |piece| {
            let piece = piece?;
            written += piece.games;
            if plan.format == Format::Keep {
                joiner.write(&piece, out)
            } else {
                out.write_all(&piece.text)
            }
        },
    )?;
    Ok(run.with(Converted {
        games: written,
        ..Converted::default()
    }))
}

fn make_book(
    games: &Games,
    plan: &ConvertOptions,
    workers: &Workers,
    out: &mut impl Write,
) -> Result<Run<Converted>, io::Error> {
    let (mut total, mut counted) = (BookTally::default(), 0);
    let run = games.run_growing(
        workers,
        None,
        |batch| {
            let (mut tally, mut games) = (BookTally::default(), 0);
            batch.read(|game, _| {
                games += 1;
                tally.add(game, plan.book.plies, !plan.without.variations);
            });
            (tally, games)
        },
        |(tally, games)| {
            counted += games;
            total.join(tally);
            total.bytes()
        },
    );
    let left_out = total.left_out;
    let book_moves = total.write(plan.book.min_games, out)?;
    Ok(run.with(Converted {
        games: counted - left_out,
        book_moves: Some(book_moves),
        left_out,
    }))
}

/// The text of a batch.
#[derive(Debug, Default)]
struct Piece {
    text: Vec<u8>,
    games: u64,
    /// The source of the text, for byte-for-byte output.
    origin: Option<keep::Origin>,
}

fn form(batch: &Batch, plan: &ConvertOptions) -> io::Result<Piece> {
    let mut piece = Piece::default();
    if plan.format == Format::Keep {
        batch.read_raw(|raw| piece.keep(batch, raw));
        return Ok(piece);
    }
    let mut failed = Ok(());
    batch.read(|game, _| {
        piece.games += 1;
        if failed.is_ok() {
            plan.openings.apply(game);
            failed = write_game(game, &batch.name, plan, &mut piece.text);
        }
    });
    failed.map(|()| piece)
}

fn write_game(game: &Game, name: &str, plan: &ConvertOptions, out: &mut Vec<u8>) -> io::Result<()> {
    match plan.format {
        Format::Pgn | Format::Keep | Format::Polyglot => write_pgn(game, plan.without, out),
        Format::Json => json::write(game, name, plan, out)?,
        Format::Fen => lists::write_fens(game, plan, out),
        Format::Epd => lists::write_epds(game, name, plan, out),
        Format::Uci => lists::write_ucis(game, name, plan, out)?,
    }
    Ok(())
}

fn write_pgn(game: &Game, without: Without, out: &mut Vec<u8>) {
    let options = ExportOptions::default()
        .comments(!without.comments)
        .variations(!without.variations)
        .nags(!without.nags)
        .clocks(!without.clocks);
    export_bytes(game, &options, out);
    out.push(b'\n');
}

#[cfg(test)]
mod tests;
