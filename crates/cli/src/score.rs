//! Results of games as text and as a bar.

use desk::archive::OpeningMove;

/// The results as a bar: White wins, draws, Black wins.
pub fn score_bar(m: &OpeningMove, width: usize) -> String {
    let total = m.white + m.draws + m.black;
    if total == 0 {
        return String::new();
    }
    let part = |games: u64| (games as f64 / total as f64 * width as f64).round() as usize;
    let white = part(m.white).min(width);
    let draws = part(m.white + m.draws).min(width) - white;
    let black = width - white - draws;
    format!(
        "{}{}{}",
        "█".repeat(white),
        "▒".repeat(draws),
        "░".repeat(black)
    )
}

/// The results in percent, after a colon; nothing without results.
pub fn results(white: u64, draws: u64, black: u64) -> String {
    let total = (white + draws + black) as f64;
    if total == 0.0 {
        return String::new();
    }
    let percent = |games: u64| 100.0 * games as f64 / total;
    format!(
        ": White {:.1} %, drawn {:.1} %, Black {:.1} %",
        percent(white),
        percent(draws),
        percent(black)
    )
}
