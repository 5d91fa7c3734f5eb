//! Translates the names and positions in the tables into positions of the rulesets.

use gametree_sums::Game;

/// The position with this text in a table, if its game is supported.
pub fn position_of(game: &str, position: &str) -> Option<Game> {
    if game.starts_with("cgsuite:") {
        return in_script(position);
    }
    let name = name_of(game)?;
    let text = match name {
        "col" | "snort" => graph(position)?,
        "gen_toads" => format!("1,1,1,0:{}", letters(position)),
        "hackenbush" => position.to_ascii_uppercase(),
        _ => repeated(position)
            .or_else(|| board(position))
            .unwrap_or_else(|| letters(position)),
    };
    Game::parse(name, &text).ok()
}

/// The code of an octal game, if the table contains one.
pub fn octal_code(game: &str, position: &str) -> Option<String> {
    let first = |text: &str| text.split([' ', ',']).next().map(str::to_owned);
    match game.split_once(' ') {
        None if game == "cgsuite:GameHeapTest" => code_in_script(position),
        None if game == "octal" => first(position),
        Some(("take_and_break", name)) => name.rsplit(' ').next().map(str::to_owned),
        Some(("subtraction", takes)) => subtraction_code(takes),
        _ => None,
    }
}

/// `[1,3,4]`: the numbers that may be taken.
fn subtraction_code(takes: &str) -> Option<String> {
    let takes: Vec<usize> = takes
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|take| take.parse().ok())
        .collect();
    let digit = |take: usize| if takes.contains(&take) { '3' } else { '0' };
    let digits = (1..=*takes.iter().max()?).map(digit);
    Some(format!("0.{}", digits.collect::<String>()))
}

/// `game.heap.Kayles.NimValueSequence(20)`, or single values.
fn code_in_script(script: &str) -> Option<String> {
    let sequence = script.strip_suffix(".NimValueSequence(20)");
    let periods = script.strip_suffix(".CheckPeriodicity(2000)");
    let one_by_one = script
        .strip_suffix("(n).NimValue for n from 1 to 20]")
        .and_then(|rest| rest.strip_prefix('['));
    let game = sequence
        .or(periods)
        .or(one_by_one)?
        .strip_prefix("game.heap.")?;
    match game.split_once('(') {
        None if game == "Kayles" => Some("0.77".into()),
        None if game == "DawsonsKayles" => Some("0.07".into()),
        Some(("TakeAndBreak", code)) => Some(code.trim_matches(['"', ')']).to_owned()),
        Some(("Subtraction", takes)) if !takes.contains("allbut") => subtraction_code(takes),
        _ => None,
    }
}

fn name_of(game: &str) -> Option<&'static str> {
    Some(match game {
        "amazons" => "amazons",
        "clobber" => "clobber",
        "clobber_1xn" => "clobber_1xn",
        "col" => "col",
        "cram" => "impartial domineering",
        "domineering" => "domineering",
        "elephants_and_rhinos" => "elephants",
        "fission" => "fission",
        "hackenbush" => "hackenbush",
        "impartial nogo" => "impartial nogo",
        "impartial nogo_1xn" => "impartial nogo_1xn",
        "impartial_clobber" => "impartial clobber",
        "nogo" => "nogo",
        "nogo_1xn" => "nogo_1xn",
        "snort" => "snort",
        "toads_and_frogs" => "gen_toads",
        "toppling_dominoes" => "toppling_dominoes",
        "value" | "value_algebra" | "thermography" => "explicit",
        _ => return None,
    })
}

/// Replaces the letters of Left and Right by `X` and `O`; values do not change.
fn letters(position: &str) -> String {
    if position.contains(['{', '^', '*']) {
        return position.to_owned();
    }
    let ours = |letter| match letter {
        'x' | 'l' | 't' | 'T' => 'X',
        'o' | 'r' | 'f' | 'F' => 'O',
        'e' => '#',
        other => other,
    };
    position.chars().map(ours).collect()
}

/// `(XO)^5`.
fn repeated(position: &str) -> Option<String> {
    let (word, count) = position.strip_prefix('(')?.split_once(")^")?;
    Some(word.repeat(count.parse().ok()?))
}

/// `3x4`, `3x4 empty`, `3x4 checkerboard, top-left X`.
fn board(position: &str) -> Option<String> {
    let (size, rest) = position.split_once(' ').unwrap_or((position, ""));
    let (rows, cols) = size.split_once('x')?;
    let (rows, cols): (usize, usize) = (rows.parse().ok()?, cols.parse().ok()?);
    let letter = |at: usize| {
        if rest.starts_with("checkerboard") {
            ['X', 'O'][at % 2]
        } else {
            '.'
        }
    };
    let line = |row: usize| (0..cols).map(|col| letter(row + col)).collect::<String>();
    let known = rest.is_empty() || rest.starts_with("empty") || rest.starts_with("checkerboard");
    known.then(|| (0..rows).map(line).collect::<Vec<_>>().join("|"))
}

/// `path5`, `clique4`, or a path as `L-.-R`: a vertex marked so has a neighbour of that player's
/// colour.
fn graph(position: &str) -> Option<String> {
    if let Some(size) = position.strip_prefix("clique") {
        return Some(format!("complete{size}"));
    }
    // In the tables the size of a star includes its centre.
    if let Some(size) = position.strip_prefix("star") {
        let vertices: usize = size.parse().ok()?;
        return Some(format!("star{}", vertices.checked_sub(1)?));
    }
    if !position.starts_with(['L', 'R', '.']) {
        return Some(position.to_owned());
    }
    let path: Vec<&str> = position.split('-').collect();
    let mut edges: Vec<String> = (1..path.len())
        .map(|at| format!("{at}-{}", at + 1))
        .collect();
    let mut colours = ".".repeat(path.len());
    for (at, &owner) in (1..).zip(&path) {
        let leaf = match owner {
            "." => continue,
            "L" => 'X',
            "R" => 'O',
            _ => return None,
        };
        colours.push(leaf);
        edges.push(format!("{at}-{}", colours.len()));
    }
    Some(format!("{}:{colours}", edges.join(",")))
}

/// `game.grid.Clobber("xox|ox.").CanonicalForm`.
fn in_script(script: &str) -> Option<Game> {
    let call = script
        .strip_prefix("game.")?
        .strip_suffix("\").CanonicalForm")?;
    let (path, position) = call.split_once("(\"")?;
    let game = match path {
        "grid.Amazons" => "amazons",
        "grid.Clobber" => "clobber",
        "grid.Cram" => "cram",
        "grid.Domineering" => "domineering",
        "strip.ToadsAndFrogs" => "toads_and_frogs",
        "strip.ElephantsAndRhinos" => "elephants_and_rhinos",
        "strip.TopplingDominoes" => "toppling_dominoes",
        "graph.Col" => "col",
        "graph.Snort" => "snort",
        "graph.Hackenbush" => "hackenbush",
        _ => return None,
    };
    position_of(game, position)
}
