//! Merging files: a report of the result, and the games to write.

use std::io;
use std::path::Path;
use std::sync::Arc;

use chess::pgn::{Game, NoteKind};
use serde::Serialize;
use tree::NodeId;

use super::reached::Reached;
use super::{About, Measurements, Merged, Rules};
use crate::games::{Batch, Games, Run};
use crate::positions::{Address, move_path};
use crate::sorted::temporary;
use kit::{Limits, Workers};

/// The report of a merge.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct MergePlan {
    /// Each file.
    pub files: Vec<FilePlan>,
    /// Games to write: one for each start position.
    pub games: u64,
    /// Their moves.
    pub moves: u64,
    /// Their comments.
    pub comments: u64,
    /// Their positions.
    pub positions: u64,
    /// Marks and evaluations that sources contradict one another about.
    pub conflicts: Vec<Conflict>,
    /// Tags that are left out because games have different values.
    pub dropped_tags: Vec<String>,
}

/// The contribution of one file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct FilePlan {
    /// Its name.
    pub name: String,
    /// Its games.
    pub games: u64,
    /// Their moves.
    pub moves: u64,
    /// Their comments.
    pub comments: u64,
    /// Moves that earlier files have too.
    pub shared: u64,
    /// Moves that no earlier file has.
    pub new: u64,
    /// Of these, moves to positions that earlier files reach by other moves.
    pub transposed: u64,
    /// Positions where it prefers another move than the earlier files.
    pub other_main: u64,
}

/// A contradiction between sources. All annotations are kept.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Conflict {
    /// The subject: the move, the position, or the engine's evaluation.
    pub about: &'static str,
    /// The place in the games to write.
    #[serde(flatten)]
    pub at: Address,
    /// Each annotation with its source.
    pub annotations: Vec<(String, String)>,
}

/// The report and the merged games.
#[derive(Clone, Debug)]
pub struct Merge {
    /// The report.
    pub plan: MergePlan,
    /// The games to write.
    pub games: Vec<Game>,
}

/// Merges the games of all files.
pub fn merge(games: &Games, rules: &Rules, workers: &Workers) -> Run<Merge> {
    let mut work = Work::default();
    let limit = rules.memory.unwrap_or(games.limits().kept());
    let mut run = games.run_growing(
        workers,
        Some(limit),
        |batch| Part::read(batch, rules),
        |part| {
            work.add(part);
            work.total.bytes() + work.file.bytes()
        },
    );
    let counted = work.end(rules, workers);
    run.unread.extend(counted.as_ref().err().map(temporary));
    run.map(|()| work.finish(counted.unwrap_or(0), rules, &games.names()))
}

/// Memory for counting positions, however much the games take.
const LEAST_MEMORY: u64 = 64 << 20;

/// Some games of one file, merged separately.
pub(super) struct Part {
    name: Arc<str>,
    pub counts: FilePlan,
    pub merged: Merged,
}

impl Part {
    pub fn read(batch: &Batch, rules: &Rules) -> Part {
        let source = Path::new(&*batch.name).file_name();
        let source = source.map_or(batch.name.to_string(), |name| name.to_string_lossy().into());
        let mut counts = FilePlan::default();
        let mut merged = Merged::default();
        batch.read(|game, raw| {
            counts.games += 1;
            counts.moves += game.tree().node_count() as u64 - 1;
            counts.comments += comments(game);
            match raw.place.number {
                0 | 1 => merged.add(game, &source, rules),
                number => merged.add(game, &format!("{source} game {number}"), rules),
            };
        });
        Part {
            name: batch.name.clone(),
            counts,
            merged,
        }
    }
}

fn comments(game: &Game) -> u64 {
    let notes = game.notes().rows().iter();
    let comments = notes.filter(|(_, note)| matches!(note.kind, NoteKind::Comment(_)));
    comments.count() as u64
}

/// The merge of files one after the other.
#[derive(Default)]
struct Work {
    total: Merged,
    files: Vec<FilePlan>,
    /// The current file.
    file: Merged,
    /// By file, the number of nodes of each start position after it: the nodes of the next file
    /// follow.
    grown: Vec<Vec<u32>>,
}

impl Work {
    fn add(&mut self, part: Part) {
        let same = self
            .files
            .last()
            .is_some_and(|file| *file.name == *part.name);
        if !same {
            self.end_file();
            let name = part.name.to_string();
            self.files.push(FilePlan {
                name,
                ..FilePlan::default()
            });
        }
        self.file.absorb(part.merged);
        if let Some(file) = self.files.last_mut() {
            file.games += part.counts.games;
            file.moves += part.counts.moves;
            file.comments += part.counts.comments;
        }
    }

    fn end_file(&mut self) {
        let Some(file) = self.files.last_mut() else {
            return;
        };
        let stats = self.total.absorb(std::mem::take(&mut self.file));
        (file.shared, file.new, file.other_main) = (stats.shared, stats.new, stats.other_main);
        let trees = self.total.trunks.iter().map(|trunk| &trunk.tree);
        let sizes = trees.map(|tree| tree.capacity_used() as u32);
        self.grown.push(sizes.collect());
    }

    /// Ends the last file and counts positions.
    fn end(&mut self, rules: &Rules, workers: &Workers) -> io::Result<u64> {
        self.end_file();
        if rules.measurements == Measurements::DropOfSingleGames {
            self.total.drop_measurements();
        }
        self.count_positions(rules, workers)
    }

    fn finish(mut self, positions: u64, rules: &Rules, names: &[String]) -> Merge {
        let plan = MergePlan {
            games: self.total.trunks.len() as u64,
            moves: self.total.moves(),
            comments: self.total.comments(),
            dropped_tags: self
                .total
                .dropped_tags()
                .into_iter()
                .map(str::to_owned)
                .collect(),
            conflicts: conflicts(&mut self.total),
            positions,
            files: with_empty(self.files, names),
        };
        Merge {
            plan,
            games: self.total.into_games(rules.order),
        }
    }

    /// Counts positions, and for each file the moves to positions that earlier files reach.
    fn count_positions(&mut self, rules: &Rules, workers: &Workers) -> io::Result<u64> {
        let limit = rules.memory.unwrap_or(Limits::default_memory());
        let limit = limit.0.saturating_sub(self.total.bytes());
        let reached = Reached::new(limit.max(LEAST_MEMORY));
        for (index, trunk) in self.total.trunks.iter().enumerate() {
            let sizes = self.grown.iter().map(|sizes| sizes.get(index));
            let sizes: Vec<u32> = sizes.map(|size| size.copied().unwrap_or(0)).collect();
            let file = |node: NodeId| sizes.partition_point(|&size| size <= node.0) as u32;
            reached.add(&trunk.tree, &trunk.start, rules.same, file, workers)?;
        }
        let (positions, transposed) = reached.count(self.files.len(), workers)?;
        for (file, transposed) in self.files.iter_mut().zip(transposed) {
            file.transposed = transposed;
        }
        Ok(positions)
    }
}

/// The files in the order of the sources, also those without a game.
fn with_empty(mut files: Vec<FilePlan>, names: &[String]) -> Vec<FilePlan> {
    for (index, name) in names.iter().enumerate() {
        if !files.iter().any(|file| file.name == *name) {
            let at = index.min(files.len());
            files.insert(
                at,
                FilePlan {
                    name: name.clone(),
                    ..FilePlan::default()
                },
            );
        }
    }
    files
}

fn conflicts(merged: &mut Merged) -> Vec<Conflict> {
    let mut found = Vec::new();
    for (index, trunk) in merged.trunks.iter_mut().enumerate() {
        let disagreements = trunk.remarks.disagreements();
        if disagreements.is_empty() {
            continue;
        }
        let mut game = Game::from_board(trunk.start.clone());
        // Lent to the game: a copy could take most of the memory.
        *game.tree_mut() = std::mem::take(&mut trunk.tree);
        found.extend(disagreements.into_iter().map(|disagreement| Conflict {
            about: match disagreement.about {
                About::Move => "move",
                About::Position => "position",
                About::Eval => "eval",
            },
            at: Address {
                game: index as u64 + 1,
                path: move_path(&game, disagreement.node),
            },
            annotations: disagreement.annotations,
        }));
        trunk.tree = std::mem::take(game.tree_mut());
    }
    found
}
