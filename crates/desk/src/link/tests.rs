use chess::pgn::{Builder, Outcome, read_game};
use proptest::prelude::*;

use kit::Workers;
use kit::input::Source;

use super::*;
use crate::choose::Choice;
use crate::games::Games;
use crate::positions::tests::{SAMPLE, corpus, corpus_files, corpus_folders, corpus_games};
use crate::positions::{Positions, read_all};
use crate::random::{annotations, assert_same, edges, through_text, wild_game};

const SAME: Identity = Identity::Strict;

fn read(text: &str) -> Game {
    read_game(text.as_bytes()).expect("a game")
}

fn text(game: &Game) -> String {
    let text = game.to_string();
    let (_, moves) = text.rsplit_once("\n\n").unwrap_or(("", &text));
    moves.trim().replace('\n', " ")
}

/// What uniting gives, which does not change when united again.
fn check(before: &str, after: &str) {
    let united = unite(&read(before)).game;
    assert_eq!(text(&united), after, "{before}");
    assert_eq!(unite(&united).game, united, "{before}");
}

/// What linking gives; unlinking restores the game.
fn check_link(before: &str, after: &str) {
    let game = read(before);
    let linked = link(&game, SAME).game;
    assert_eq!(text(&linked), after, "{before}");
    assert_eq!(link(&linked, SAME).game, linked, "{before}");
    assert_eq!(unlink(&linked, 1000).game, game, "{before}");
}

#[test]
fn equal_continuations_are_linked() {
    check_link(
        "1. d4 d5 (1... e6 2. c4 d5 3. Nc3 Nf6) 2. c4 e6 3. Nc3 Nf6 *",
        "1. d4 d5 ( 1... e6 2. c4 d5 { Transposes to 1.d4 d5 2.c4 e6 [%link cut] } ) 2. c4 e6 3. Nc3 Nf6 *",
    );
    // The continuations differ at once, but are equal after 3.Nc3.
    check_link(
        "1. d4 d5 (1... e6 2. c4 d5 3. Nc3 {b} Nf6 $1) 2. c4 e6 3. Nc3 Nf6 $1 *",
        "1. d4 d5 ( 1... e6 2. c4 d5 3. Nc3 { b } { Transposes to 1.d4 d5 2.c4 e6 3.Nc3 [%link cut] } ) 2. c4 e6 3. Nc3 Nf6 $1 *",
    );
    // Another comment, mark or order of moves is another continuation.
    for same in [
        "1. d4 d5 ( 1... e6 2. c4 d5 3. Nc3 { b } ) 2. c4 e6 3. Nc3 *",
        "1. d4 d5 ( 1... e6 2. c4 d5 3. Nc3 $1 ) 2. c4 e6 3. Nc3 *",
        "1. d4 d5 ( 1... e6 2. c4 d5 3. Nf3 ( 3. Nc3 ) ) 2. c4 e6 3. Nc3 ( 3. Nf3 ) *",
    ] {
        check_link(same, same);
    }
}

#[test]
fn a_continuation_within_another() {
    // The second variation transposes into the first, and that into the mainline.
    let game = read(
        "1. d4 d5 (1... e6 2. Nf3 (2. c4 d5 3. Nc3 Nf6) 2... d5 3. c4 Nf6 4. Nc3) (1... Nf6 2. Nf3 e6 3. c4 d5 4. Nc3) 2. c4 e6 3. Nc3 Nf6 *",
    );
    let linked = link(&game, SAME);
    assert_eq!(linked.links, 2);
    let restored = unlink(&through_text(&linked.game), 1000).game;
    assert_eq!(restored.to_string(), game.to_string());
}

#[test]
fn a_played_game_is_not_changed() {
    for game in [
        "1. Nf3 Nf6 2. Ng1 Ng8 *",
        "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 Nf6 *",
        "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2",
    ] {
        check_link(game, game);
        check(game, game);
        let alone = refer(vec![read(game)], SAME);
        assert_eq!(
            (alone.links, text(&alone.games[0]).as_str()),
            (vec![0], game)
        );
    }
    // The end of a game with a result is not a dead end; of a chapter it is.
    for (result, links) in [("1-0", 0), ("*", 1)] {
        let games = vec![
            numbered(&format!("1. d4 d5 2. c4 {result}"), 1),
            numbered("1. c4 d5 2. d4 e6 *", 2),
        ];
        assert_eq!(refer(games, SAME).links, [links, 0], "{result}");
    }
}

#[test]
fn en_passant_can_be_ignored() {
    let game = read("1. e4 a6 (1... a5 2. e5 d6 3. h3 d5 4. Nf3) 2. e5 a5 3. h3 d5 4. Nf3 *");
    assert_eq!(link(&game, SAME).links, 0);
    let linked = link(&game, Identity::Base);
    assert_eq!(linked.links, 1);
    assert_eq!(unlink(&linked.game, 1000).game, game);
    // A capture that is illegal at the reference is not written there.
    let unlawful = read(
        "1. e4 a6 (1... a5 2. e5 d6 3. h3 d5 {Transposes to 1.e4 a6 2.e5 a5 3.h3 d5 [%link cut]}) 2. e5 a5 3. h3 d5 4. exd6 *",
    );
    let all = unlink(&unlawful, 1000);
    assert_eq!((all.expanded, all.kept), (0, 1));
    assert_eq!(all.game, unlawful);
}

#[test]
fn references_to_themselves_end() {
    let game = read(
        "1. Nf3 Nf6 (1... Nc6 2. Nc3 Nf6 {Transposes to 1.Nf3 Nf6 2.Nc3 Nc6 [%link cut]}) 2. Nc3 Nc6 3. Ng1 Ng8 4. Nf3 Nf6 {Transposes to 1.Nf3 Nf6 2.Nc3 Nc6 [%link cut]} *",
    );
    let all = unlink(&game, 1_000_000);
    assert!(all.game.tree().node_count() < 100, "{}", all.game);
}

#[test]
fn continuations_once_references_elsewhere() {
    check(
        "1. d4 d5 (1... Nf6 2. c4) 2. c4 *",
        "1. d4 d5 ( 1... Nf6 2. c4 ) 2. c4 *",
    );
    // A dead end.
    check(
        "1. d4 d5 2. c4 e6 (2... Nf6) (2... c6) 3. Nf3 (3. Nc3) 3... a6 (3... Nf6 4. Nc3 a6) *",
        "1. d4 d5 2. c4 e6 ( 2... Nf6 ) ( 2... c6 ) 3. Nf3 ( 3. Nc3 ) 3... a6 ( 3... Nf6 4. Nc3 a6 ) *",
    );
    check(
        "1. d4 d5 (1... e6 2. c4 d5) 2. c4 e6 3. Nc3 *",
        "1. d4 d5 ( 1... e6 2. c4 d5 { Transposes to 1.d4 d5 2.c4 e6 [%link cut] } ) 2. c4 e6 3. Nc3 *",
    );
    // Split theory: comments on the arriving move stay, those of the continuation are united.
    check(
        "1. d4 d5 (1... e6 2. c4 d5 {here} 3. Nc3 {b} (3. Nf3)) 2. c4 e6 {there} 3. Nc3 {a} *",
        "1. d4 d5 ( 1... e6 2. c4 d5 { here } { Transposes to 1.d4 d5 2.c4 e6 [%link cut] } ) 2. c4 e6 { there } 3. Nc3 { b } { a } ( 3. Nf3 ) *",
    );
}

#[test]
fn a_finished_game_is_not_continued() {
    let game = "1. d4 d5 ( 1... e6 2. c4 d5 3. Nc3 ) 2. c4 e6 1-0";
    check(game, game);
    let twice = "1. d4 d5 2. c4 { a } ( 2. c4 { b } 2... e6 ) 1-0";
    check(twice, twice);
    check(
        "1. d4 d5 (1... e6 2. c4 d5 3. Nc3) 2. c4 e6 *",
        "1. d4 d5 ( 1... e6 2. c4 d5 { Transposes to 1.d4 d5 2.c4 e6 [%link cut] } ) 2. c4 e6 3. Nc3 *",
    );
}

#[test]
fn other_positions_are_united_beside_a_cycle() {
    check(
        "1. d4 d5 (1... e6 2. c4 d5 3. Nc3) (1... Nf6 2. Nf3 Ng8 3. Ng1) 2. c4 e6 3. Nf3 *",
        "1. d4 d5 ( 1... e6 2. c4 d5 { Transposes to 1.d4 d5 2.c4 e6 [%link cut] } ) ( 1... Nf6 2. Nf3 Ng8 3. Ng1 ) 2. c4 e6 3. Nf3 ( 3. Nc3 ) *",
    );
}

#[test]
fn broken_references_are_comments() {
    for text in [
        "1. e4 {Transposes to 1.d4} (1. d4 d5) *",
        "1. e4 {Transposes to 1.c4} *",
        "1. e4 {Transposes to 1.e9} *",
    ] {
        let game = read(text);
        assert_eq!(target(&game, NodeId(1), SAME), None, "{text}");
        assert_eq!(link(&game, SAME).game, game);
        assert_eq!(expand(&game, 100).game, game);
        assert_eq!(unlink(&game, 100).game, game);
    }
}

#[test]
fn references_written_by_hand() {
    // The target has no continuation: the reference names the better place.
    check(
        "1. d4 (1. Nf3 d5 2. d4) d5 2. Nf3 {Transposes to 1.Nf3 d5 2.d4} *",
        "1. d4 ( 1. Nf3 d5 2. d4 { Transposes to 1.d4 d5 2.Nf3 [%link cut] } ) 1... d5 2. Nf3 *",
    );
    // The moves exist, but not in a single line.
    check(
        "1. d4 (1. Nf3 d5 2. d4 {Transposes to 1.d4 d5 2.Nf3} Nf6 3. c4) (1. c4 Nf6 2. Nf3 d5 3. d4 {Transposes to 1.d4 d5 2.Nf3 Nf6 3.c4}) d5 2. Nf3 e6 *",
        "1. d4 ( 1. Nf3 d5 2. d4 { Transposes to 1.d4 d5 2.Nf3 [%link cut] } ) ( 1. c4 Nf6 2. Nf3 d5 3. d4 { Transposes to 1.d4 d5 2.Nf3 Nf6 3.c4 [%link cut] } ) 1... d5 2. Nf3 e6 ( 2... Nf6 3. c4 ) *",
    );
    // A reference to itself is removed.
    check("1. e4 {Transposes to 1.e4} *", "1. e4 *");
}

#[test]
fn no_capture_en_passant_goes_where_it_is_illegal() {
    let text = "1. e3 ( 1. e4 a6 2. e5 d5 3. exd6 ) 1... a6 2. e4 d6 3. e5 d5 4. Nf3 *";
    check(text, text);
}

#[test]
fn expanding_is_bounded() {
    // Each pair of knight moves can be played in either order: 2^n lines.
    let mut game = Game::new();
    let mut at = NodeId::ROOT;
    for pair in [
        ["Nf3", "Nc6"],
        ["Nc3", "Nf6"],
        ["Rg1", "Rb8"],
        ["Rb1", "Rg8"],
        ["h3", "a6"],
        ["a3", "h6"],
        ["h4", "a5"],
    ] {
        for word in pair {
            let mv = game.board_at(at).parse_san(word.as_bytes()).unwrap();
            at = game.add_variation(at, mv);
        }
    }
    let linked = link(&game, SAME).game;
    assert_eq!(linked, game);
    let bomb = read(
        "1. Nf3 (1. Nc3 Nf6 2. Nf3 {Transposes to 1.Nf3 Nf6 2.Nc3}) 1... Nf6 2. Nc3 Nc6 (2... Ng8 3. Ng1 Nf6 4. Nf3 {Transposes to 1.Nf3 Nf6 2.Nc3}) 3. Rg1 *",
    );
    let all = expand(&bomb, 100);
    assert_eq!((all.expanded, all.kept), (1, 2));
    let none = expand(&bomb, 14);
    assert_eq!((none.expanded, none.kept), (0, 2));
}

#[test]
fn references_between_games() {
    let games = || {
        vec![
            numbered("1. d4 d5 2. c4 *", 1),
            numbered("1. c4 d5 2. d4 e6 *", 2),
        ]
    };
    let across = refer(games(), SAME);
    assert_eq!(across.links, [1, 0]);
    assert_eq!(
        text(&across.games[0]),
        "1. d4 d5 2. c4 { Transposes to game 2, 1.c4 d5 2.d4 [%link end] } *"
    );
    let again = refer(across.games.clone(), SAME);
    assert_eq!((again.links, &again.games), (vec![1, 0], &across.games));
    // The continuation in another game stays there.
    assert_eq!(expand(&across.games[0], 100).game, across.games[0]);
    assert_eq!(unlink(&across.games[0], 100).game, games()[0]);
}

/// A game as the nth of a file.
fn numbered(text: &str, number: usize) -> Game {
    let file = format!("{}{text}\n", "[Event \"?\"]\n\n*\n\n".repeat(number - 1));
    let games = chess::pgn::read_games(file.as_bytes()).map(Result::unwrap);
    games.last().expect("a game")
}

#[test]
fn bringing_a_continuation() {
    let mut game =
        read("1. d4 d5 2. c4 e6 3. Nc3 {a} (3. Nf3) (1... e6 2. c4 d5 3. Nc3 {b} Nf6) *");
    let find = |game: &Game, path: &str| {
        let place = crate::place::Place::read(path).unwrap();
        let view = tree::View::new();
        let ground = crate::place::GameView { game, view: &view };
        place.find(ground, NodeId::ROOT).unwrap()
    };
    let mut game2 =
        read("1. d4 d5 (1... e6 2. c4 d5 3. Nc3 {b} Nf6) 2. c4 e6 3. Nc3 {a} (3. Nf3) *");
    let (here, there) = (find(&game2, "d4 e6 c4 d5"), find(&game2, "d4 d5 c4 e6"));
    let before = game2.clone();
    let edit = bring(&mut game2, here, there, SAME).unwrap();
    assert_eq!(
        text(&game2),
        "1. d4 d5 ( 1... e6 2. c4 d5 3. Nc3 { b } { a } ( 3. Nf3 ) 3... Nf6 ) 2. c4 e6 { Transposes to 1.d4 e6 2.c4 d5 } *"
    );
    assert_eq!(edges(&game2), edges(&before));
    game2.tree_mut().apply(&edit.inverse()).unwrap();
    let moves = |game: &Game| game.tree().preorder().collect::<Vec<_>>();
    assert_eq!(moves(&game2), moves(&before));
    // And back again: the reference forms no cycle.
    let mut game3 = before.clone();
    bring(&mut game3, here, there, SAME).unwrap();
    bring(&mut game3, there, here, SAME).unwrap();
    assert_eq!(links_at(&game3, there).count(), 0);
    assert_eq!(edges(&game3), edges(&before));
    let root = NodeId::ROOT;
    assert_eq!(
        bring(&mut game, root, NodeId(1), SAME).err(),
        Some(BringError::OtherPosition)
    );
    let mut circle = read("1. Nf3 Nf6 2. Ng1 Ng8 3. e4 *");
    assert_eq!(
        bring(&mut circle, NodeId(4), root, SAME).err(),
        Some(BringError::Below)
    );
    bring(&mut circle, root, NodeId(4), SAME).unwrap();
    assert_eq!(
        text(&circle),
        "1. Nf3 ( 1. e4 ) 1... Nf6 2. Ng1 Ng8 { Transposes to the start } *"
    );
}

#[test]
fn the_published_sample() {
    let Some(text) = corpus(SAMPLE) else { return };
    check_laws(&read_game(&text).unwrap());
}

/// With `GAMETREE_LONG`, every game of the corpora; otherwise those of the small trees.
#[test]
fn games_of_the_corpora() {
    for folder in corpus_folders() {
        for game in corpus_games(folder) {
            check_laws(&game);
        }
    }
}

/// Linking files of the corpora and unlinking the result gives their normal form.
#[test]
fn files_of_the_corpora_are_restored() {
    let folder = tempfile::tempdir().unwrap();
    for file in corpus_folders()
        .iter()
        .flat_map(|folder| corpus_files(folder))
    {
        let linked = folder.path().join("linked.pgn");
        let how = Mode::Link(SAME);
        let work = run(Games::new(vec![file.clone()], Choice::default()), how);
        assert_eq!(work.mainlines, 0, "{}", file.name());
        std::fs::write(&linked, written(work.text)).unwrap();
        let linked = Games::new(vec![Source::from_arg(&linked)], Choice::default());
        let restored = run(linked, Mode::Unlink { limit: usize::MAX });
        let before = Games::new(vec![file.clone()], Choice::default());
        let before = read_all(&before, &Workers::alone()).value;
        let text = written(restored.text);
        let after = chess::pgn::read_games(&text[..]).map(Result::unwrap);
        for (before, after) in before.iter().zip(after) {
            assert_eq!(before.to_string(), after.to_string(), "{}", file.name());
        }
        assert_eq!(restored.games as usize, before.len(), "{}", file.name());
    }
}

/// 111 of these games were shortened when a repetition counted as a transposition.
#[test]
fn played_games_of_the_corpora_stay_as_they_are() {
    let Some(path) = outside::find("corpora/plain/twic1428.pgn.zst") else {
        return;
    };
    let played = || {
        let choice = Choice {
            numbers: "1-452".parse().ok(),
            ..Choice::default()
        };
        Games::new(vec![Source::from_arg(&path)], choice)
    };
    for how in [Mode::Link(SAME), Mode::Link(Identity::Base), Mode::Unite] {
        let work = run(played(), how);
        assert_eq!((work.games, work.links, work.mainlines), (452, 0, 0));
    }
}

fn run(games: Games, how: Mode) -> Work {
    relink(&games, how, Wanted::Text, None, &Workers::alone()).value
}

/// The text of a result.
fn written(mut text: NewText) -> Vec<u8> {
    let mut bytes = Vec::new();
    text.write_to(&mut bytes).expect("memory");
    bytes
}

/// Games of one line that are finished, between games that are not: played on or ended in positions
/// that several of the finished ones reach, at different plies and twice in one game.
const MIXED: [&str; 9] = [
    "1. d4 Nf6 2. c4 e6 3. Nc3 1-0",
    "1. c4 Nf6 2. d4 *",
    "1. Nf3 Nf6 2. Ng1 Ng8 3. d4 Nf6 4. c4 g6 {a comment} 1/2-1/2",
    "1. Nf3 Nf6 2. Ng1 {Transposes to game 6, 1.e4 Nf6 2.Ke2} Ng8 *",
    "1. d4 e6 (1... Nf6 2. c4) 2. c4 Nf6 3. Nf3 0-1",
    "1. e4 e5 0-1",
    "1. c4 e6 2. d4 Nf6 {Transposes to game 1, 1.d4 Nf6 2.c4 e6} *",
    "1. e4 e5 2. Nf3 (2. f4) 1-0",
    "1. d4 Nf6 2. c4 e6 {Transposes to game 9, 1.d4 [%link end]} *",
];

#[test]
fn finished_games_of_one_line_are_not_held_and_change_nothing() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), MIXED.join("\n\n")).expect("written");
    let games = || Games::new(vec![Source::from_arg(file.path())], Choice::default());
    for same in [SAME, Identity::Base] {
        let all = read_all(&games(), &Workers::alone()).value;
        let linked = all.iter().map(|game| link(game, same).game).collect();
        let expected = refer(linked, same);
        let work = run(games(), Mode::Link(same));
        assert_eq!(work.links, expected.links.iter().sum::<u64>());
        let text = String::from_utf8(written(work.text)).expect("text");
        let raw_games = chess::pgn::split(text.as_bytes());
        let found: Vec<Game> = raw_games.map(|raw| Builder::new().read(raw)).collect();
        assert_eq!(found, expected.games);
        // Unchanged games are the same bytes.
        assert!(text.starts_with(MIXED[0]) && text.contains(MIXED[5]));
    }
    let unlinked = run(games(), Mode::Unlink { limit: LIMIT });
    let unlinked = String::from_utf8(written(unlinked.text)).expect("text");
    assert!(unlinked.starts_with(&MIXED[..8].join("\n\n")));
    assert!(!unlinked.contains("[%link end]"));
}

/// With this, nothing is too long to be restored.
const LIMIT: usize = 1 << 20;

fn check_laws(game: &Game) {
    check_restored(game);
    check_united(game, unite(game).game);
}

/// Linking changes no mainline, changes nothing when repeated, and can be undone.
fn check_restored(game: &Game) {
    for same in [Identity::Strict, Identity::Base] {
        let linked = link(game, same);
        assert!(linked.game.mainline_moves().eq(game.mainline_moves()));
        assert_eq!(link(&linked.game, same).links, 0);
        let across = refer(vec![linked.game], same).games;
        let read = through_text(&across[0]);
        let restored = unlink(&read, LIMIT).game;
        assert_eq!(restored.to_string(), game.to_string());
    }
}

fn check_united(game: &Game, united: Game) {
    // A mainline that ends where a variation goes on is continued, unless the game is over.
    let mainline: Vec<Move> = game.mainline_moves().collect();
    let now: Vec<Move> = united.mainline_moves().collect();
    assert!(now.starts_with(&mainline));
    assert!(now == mainline || game.outcome() == Outcome::Unknown);
    // The same positions, moves and annotations, also after writing and reading.
    assert_same(&edges(&united), &edges(game));
    let read = through_text(&united);
    assert_same(&edges(&read), &edges(game));
    assert_same(&annotations(&read), &annotations(&united));
    assert_eq!(unite(&read).game, read);
    if has_cycle(game) || game.outcome() != Outcome::Unknown {
        return;
    }
    // Every move is written once.
    assert_eq!(united.tree().node_count() - 1, edges(game).len());
    // Expanding, fully or up to a limit, and uniting again gives the same text.
    for limit in [edges(game).len() + 5, 20_000] {
        let all = expand(&read, limit);
        assert!(all.game.tree().node_count() - 1 <= limit);
        assert_same(&edges(&all.game), &edges(game));
        assert_eq!(unite(&through_text(&all.game)).game, read);
    }
}

fn has_cycle(game: &Game) -> bool {
    let positions = Positions::of(vec![game.clone()], SAME);
    unite::cyclic(positions.graph()).contains(&true)
}

proptest! {
    #[test]
    fn linking_and_unlinking(game in wild_game()) {
        check_laws(&game);
    }
}
