//! `gametree shards`: parts of large files, each of which every command reads like a file.

use std::io::Write;
use std::path::PathBuf;

use desk::GAME_FILES;
use desk::shards::{Piece, Plan, plan};
use kit::input::gather;
use kit::limits::Size;
use kit::number::counted;
use serde_json::{Value, json};

use crate::failure::{Exit, Failure};
use crate::shell::Shell;

/// List parts of large files that can be read like files, on several computers
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Prints one shard per line, FILE#START-END. Every command that reads files takes a shard in their
place. The shards of a file hold exactly its games, in order, each once. Games are numbered from 1
in each shard.

Only the text around the borders is read, and of .zst files the headers of their frames. START and
END are bytes of the file; in compressed files they are the start of a frame, and `+N` skips N bytes
of its text. Files in one piece become one shard: .gz (unless of bgzip), .bz2, and .zst with one
frame. `gametree convert` writes .zst files that can be split. For an archive START and END count
games, from 0; commands that read games take such a shard, `opening` and `games` do not.

Examples:
  gametree shards lichess.pgn.zst
  gametree shards --size 1G lichess.pgn.zst twic/
  gametree stats 'games.pgn#0-1959'
  gametree shards games.pgn | xargs -P 2 -I{} gametree stats --json {}
  gametree shards --json games.pgn | jq -r .shard")]
pub struct Args {
    /// PGN files, plain or compressed, folders of them, or archives
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,
    /// The size of a shard on disk, at most; about the same for all shards of a file
    #[arg(long, value_name = "SIZE", default_value = "256M")]
    size: Size,
    /// Print one JSON object per shard and line
    #[arg(long)]
    json: bool,
}

/// Lists the shards.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let sources = gather(&args.files, GAME_FILES)?;
    let plan = plan(&sources, args.size.0)?;
    for piece in &plan.pieces {
        if args.json {
            shell.out.write_json(&as_json(piece))?;
        } else {
            writeln!(shell.out.data(), "{}", piece.shard)?;
        }
    }
    report(&plan, shell);
    Ok(Exit::Fine)
}

fn as_json(piece: &Piece) -> Value {
    let Piece { shard, bytes } = piece;
    json!({
        "shard": shard.to_string(),
        "file": shard.path.to_string_lossy(),
        "start": shard.start.offset,
        "start_skip": shard.start.skip,
        "end": shard.end.offset,
        "end_skip": shard.end.skip,
        "bytes": bytes,
    })
}

/// Reports the files that could not be split, and the total.
fn report(plan: &Plan, shell: &mut Shell) {
    for unsplit in &plan.unsplit {
        shell.warn(&format!("{}; {}", unsplit.problem(), unsplit.fix()));
    }
    let bytes = plan.pieces.iter().map(|piece| piece.bytes).sum();
    let shards = counted(plan.pieces.len() as u64, "shard");
    shell.note(&format!("{shards}, {}", Size(bytes)));
}
