//! Findings that depend on the side: answers of my side, replies of the other.

use chess::{Color, Move};
use tree::graph::Vertex;

use super::{Finding, FindingKind, Options, Reference};
use crate::place::number;
use crate::positions::{Boards, Positions};

/// Positions where my side has more than one answer, or none.
pub fn answers(positions: &Positions, side: Color, options: &Options, findings: &mut Vec<Finding>) {
    let mut boards = Boards::new(positions);
    for vertex in options.stop.while_running(positions.graph().vertices()) {
        let spot = positions.spots(vertex).next();
        let Some(spot) = spot.filter(|&spot| positions.turn(spot) == side) else {
            continue;
        };
        let moves: Vec<Move> = positions.moves(vertex).map(|(_, mv)| mv).collect();
        if moves.len() == 1 {
            continue;
        }
        let board = boards.at(spot);
        let san: Vec<String> = moves.iter().map(|&mv| board.san(mv).to_string()).collect();
        if !san.is_empty() {
            let message = format!("{} answers: {}", san.len(), san.join(", "));
            let finding = Finding::new(FindingKind::TwoAnswers, positions, spot, message);
            findings.push(finding.with_moves(san));
        } else if board.has_legal_move() && board.outcome().is_none() {
            let message = "ends with your side to move";
            findings.push(Finding::new(
                FindingKind::NoAnswer,
                positions,
                spot,
                message,
            ));
        }
    }
}

/// Replies of the reference that the repertoire lacks, the most frequent first.
pub fn gaps(
    positions: &Positions,
    side: Color,
    reference: &Reference,
    options: &Options,
    findings: &mut Vec<Finding>,
) {
    let met = incidence(positions, side, reference);
    let mut gaps: Vec<(f64, Finding)> = Vec::new();
    let mut boards = Boards::new(positions);
    let mut played: Vec<_> = reference.all().collect();
    // In order of discovery, a position and the next one have most of their moves in common.
    played.sort_unstable_by_key(|&(vertex, mv, _)| (vertex, mv));
    for (vertex, mv, games) in options.stop.while_running(played) {
        let share = reference.share(vertex, mv).unwrap_or(0.0);
        if games >= options.min_games
            && share >= options.min_share
            && let Some(mut finding) = gap(positions, &mut boards, side, vertex, mv, options)
        {
            finding.games = Some(games);
            let probability = met[vertex.index()] * share;
            finding.share = Some(rounded(share));
            finding.probability = Some(rounded(probability));
            finding.message = format!(
                "{} in {}; met in {} of my games",
                finding.message,
                percent(share, games),
                precise(probability)
            );
            gaps.push((probability, finding));
        }
    }
    gaps.sort_by(|(a, this), (b, other)| {
        let frequent = b.total_cmp(a).then(other.games.cmp(&this.games));
        frequent.then_with(|| (&this.at, &this.moves).cmp(&(&other.at, &other.moves)))
    });
    findings.extend(gaps.into_iter().map(|(_, finding)| finding));
}

/// A reply at a position where the repertoire continues, but with neither this move nor its
/// resulting position.
fn gap(
    positions: &Positions,
    boards: &mut Boards,
    side: Color,
    vertex: Vertex,
    mv: Move,
    options: &Options,
) -> Option<Finding> {
    let graph = positions.graph();
    let goes_on = graph.edges(vertex).next().is_some();
    let first = positions.spots(vertex).next()?;
    if positions.turn(first) == side || !goes_on || graph.edge_by(vertex, &mv).is_some() {
        return None;
    }
    let mut board = boards.at(first).clone();
    let played = format!("{}{}", number(&board), board.san(mv));
    let spot = positions.spots(vertex).find(|&spot| {
        let tree = positions.game(spot).tree();
        !tree.is_terminal(spot.node)
    })?;
    board.play(mv);
    let covered = graph.find(board.key(options.same)).is_some();
    let message = format!("no answer to {played}, played");
    let finding = Finding::new(FindingKind::Gap, positions, spot, message);
    (!covered).then(|| finding.with_moves(vec![played]))
}

/// Replies that fewer than one in this many games reach, although the line before them is not rare.
pub fn rare(
    positions: &Positions,
    side: Color,
    reference: &Reference,
    options: &Options,
    findings: &mut Vec<Finding>,
) {
    let Some(once_in) = options.rare else { return };
    let least = 1.0 / once_in as f64;
    let met = incidence(positions, side, reference);
    let graph = positions.graph();
    let mut rare: Vec<Finding> = Vec::new();
    for vertex in graph
        .vertices()
        .filter(|vertex| met[vertex.index()] < least)
    {
        // The place where the line becomes rare.
        let first = positions.spots(vertex).next();
        let from_common = graph
            .origin_edges(vertex)
            .any(|edge| met[graph.source(edge).index()] >= least);
        if let Some(spot) = first.filter(|_| from_common) {
            let share = met[vertex.index()];
            let games = graph.origin_edges(vertex);
            let games =
                games.map(|edge| reference.played(graph.source(edge), *graph.move_of(edge)));
            let message = match share {
                0.0 => format!("occurs in none of {} games", reference.games()),
                share => format!("occurs once in {:.0} games", 1.0 / share),
            };
            let mut finding = Finding::new(FindingKind::Rare, positions, spot, message);
            finding.games = Some(games.sum());
            finding.share = Some(rounded(share));
            finding.probability = finding.share;
            rare.push(finding);
        }
    }
    rare.sort_by(|a, b| a.share.unwrap_or(0.0).total_cmp(&b.share.unwrap_or(0.0)));
    findings.extend(rare);
}

/// By vertex, the share of my games that reach it if I always follow the repertoire and the other
/// side plays as in the reference. Without reference games, every reply is expected. Moves that
/// lead back to an earlier position are not followed, so cycles are harmless.
fn incidence(positions: &Positions, side: Color, reference: &Reference) -> Vec<f64> {
    let graph = positions.graph();
    let mut met = vec![0.0; graph.vertex_count()];
    let mut order: Vec<Vertex> = graph.vertices().collect();
    order.sort_by_key(|&vertex| graph.min_ply(vertex));
    for &start in graph.starts() {
        met[start.index()] = 1.0;
    }
    for vertex in order {
        let mine = turn(positions, vertex) == Some(side);
        for (edge, mv) in positions.moves(vertex) {
            let to = graph.target(edge);
            if graph.min_ply(to) > graph.min_ply(vertex) {
                let share = if mine {
                    1.0
                } else {
                    reference.share(vertex, mv).unwrap_or(1.0)
                };
                met[to.index()] = f64::min(met[to.index()] + met[vertex.index()] * share, 1.0);
            }
        }
    }
    met
}

/// The side to move, without replaying the game.
fn turn(positions: &Positions, vertex: Vertex) -> Option<Color> {
    let spot = positions.spots(vertex).next()?;
    Some(positions.turn(spot))
}

fn rounded(share: f64) -> f64 {
    (share * 10_000.0).round() / 10_000.0
}

/// A probability in percent, with more digits if it is small.
fn precise(probability: f64) -> String {
    let percent = probability * 100.0;
    if percent >= 10.0 {
        format!("{percent:.0} %")
    } else if percent >= 1.0 {
        format!("{percent:.1} %")
    } else {
        format!("{percent:.2} %")
    }
}

fn percent(share: f64, games: u64) -> String {
    let s = if games == 1 { "" } else { "s" };
    format!("{games} game{s} ({:.0} %)", share * 100.0)
}
