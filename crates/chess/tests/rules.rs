//! Our rules compared with shakmaty's: moves, texts and outcomes along random games.

use std::collections::HashMap;

use gametree_chess::{Bitboard, Board, Identity, KeyedBoard, Move, Variant};
use proptest::prelude::*;
use shakmaty::fen::{Epd, Fen};
use shakmaty::san::SanPlus;
use shakmaty::variant::VariantPosition;
use shakmaty::{EnPassantMode, Position};

/// Everything about a position that both libraries compute.
fn check(board: &Board, truth: &VariantPosition) {
    let fen = Fen::from_position(truth, EnPassantMode::Legal).to_string();
    assert_eq!(board.fen(), fen);
    assert_eq!(
        board.epd(),
        Epd::from_position(truth, EnPassantMode::Legal).to_string()
    );
    assert!(board.epd().starts_with(&board.base_fen()), "{fen}");
    assert_eq!(
        Board::from_fen(&fen, board.variant()).map(|b| b.fen()),
        Ok(fen.clone())
    );
    assert_eq!(board.checkers(), truth.checkers(), "{fen}");
    assert_eq!(board.is_checkmate(), truth.is_checkmate(), "{fen}");
    assert_eq!(board.is_stalemate(), truth.is_stalemate(), "{fen}");
    assert_eq!(
        board.is_insufficient_material(),
        truth.is_insufficient_material(),
        "{fen}"
    );
    check_moves(board, truth, &fen);
}

fn check_moves(board: &Board, truth: &VariantPosition, fen: &str) {
    let mut ours: Vec<Move> = board.legal_moves().into_iter().collect();
    let mut theirs: Vec<Move> = truth.legal_moves().into_iter().map(Into::into).collect();
    ours.sort();
    theirs.sort();
    assert_eq!(ours, theirs, "{fen}");
    for m in ours {
        let theirs = board.move_to_shakmaty(m).expect("a real move");
        let san = SanPlus::from_move(truth.clone(), theirs).to_string();
        assert_eq!(board.san(m).as_str(), san, "{fen}");
        assert_eq!(board.parse_san(san.as_bytes()), Ok(m), "{san} in {fen}");
        assert_eq!(
            board.parse_san(board.lan(m).as_bytes()),
            Ok(m),
            "{m:?} in {fen}"
        );
        assert_eq!(
            board.parse_uci(m.uci960().as_bytes()),
            Ok(m),
            "{m:?} in {fen}"
        );
        if !board.is_chess960() {
            assert_eq!(board.parse_uci(m.uci().as_bytes()), Ok(m), "{m:?} in {fen}");
        }
        assert!(board.is_legal(m), "{m:?} in {fen}");
    }
}

/// Two positions have the same key if and only if they have the same text.
#[derive(Default)]
struct Seen {
    texts: HashMap<u128, String>,
    keys: HashMap<String, u128>,
}

impl Seen {
    fn check(&mut self, keyed: &KeyedBoard) {
        let (board, text) = (keyed.board(), keyed.board().epd());
        let [strict, base] = [Identity::Strict, Identity::Base].map(|identity| {
            assert_eq!(keyed.key(identity), board.key(identity));
            keyed.key(identity)
        });
        assert_eq!(strict == base, board.en_passant().is_none(), "{text}");
        assert_eq!(
            self.texts.entry(strict).or_insert_with(|| text.clone()),
            &text
        );
        assert_eq!(*self.keys.entry(text).or_insert(strict), strict);
    }
}

/// Plays a random game; each number selects a move.
fn walk(start: Board, choices: &[u16]) {
    let mut keyed = KeyedBoard::new(start);
    let mut truth = keyed.board().to_shakmaty().expect("a sound position");
    let mut seen = Seen::default();
    for choice in choices {
        check(keyed.board(), &truth);
        seen.check(&keyed);
        let moves = keyed.board().legal_moves();
        if moves.is_empty() {
            break;
        }
        let m = moves[usize::from(*choice) % moves.len()];
        truth.play_unchecked(keyed.board().move_to_shakmaty(m).expect("a real move"));
        keyed.play(m);
    }
    check(keyed.board(), &truth);
}

fn starts() -> impl Strategy<Value = Board> {
    const CROWDED: [&str; 4] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    ];
    let fen = |fen: &str| Board::from_fen(fen, Variant::Standard).expect("a sound FEN");
    prop_oneof![
        proptest::sample::select(&Variant::ALL[..]).prop_map(Board::for_variant),
        (0..960u32).prop_map(|n| Board::chess960(n).expect("an array")),
        proptest::sample::select(&CROWDED[..]).prop_map(fen),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 5))]

    #[test]
    fn random_games_agree_with_shakmaty(
        start in starts(),
        choices in proptest::collection::vec(any::<u16>(), 0..120),
    ) {
        walk(start, &choices);
    }
}

proptest! {
    #[test]
    fn no_text_makes_a_panic(start in starts(), text in proptest::collection::vec(any::<u8>(), 0..30)) {
        let _ = start.parse_san(&text);
        let _ = start.parse_uci(&text);
        let _ = Board::read_fen(&String::from_utf8_lossy(&text), start.variant());
    }

    #[test]
    fn whatever_is_read_is_legal(start in starts(), text in "[a-hA-Z0-9nrqkpo=()/+#x:.@-]{1,8}") {
        if let Ok(m) = start.parse_san(text.as_bytes()) {
            prop_assert!(start.is_legal(m), "{text} in {start:?}");
        }
        if let Ok(m) = start.parse_uci(text.as_bytes()) {
            prop_assert!(start.is_legal(m), "{text} in {start:?}");
        }
    }

    #[test]
    fn odd_positions_never_panic(fen in odd_fens(), steps in proptest::collection::vec(any::<u16>(), 4)) {
        for variant in Variant::ALL {
            let Ok((mut board, _)) = Board::read_fen(&fen, variant) else { continue };
            prop_assert_eq!(Board::from_fen(&board.fen(), variant).map(|b| b.fen()), Ok(board.fen()));
            for step in &steps {
                let moves: Vec<_> = board.legal_moves().into_iter().chain([Move::NULL]).collect();
                for &m in &moves {
                    prop_assert!(board.is_legal(m) || variant != Variant::Standard);
                    board.san(m);
                }
                board.outcome();
                board.key(Identity::Strict);
                board.play(moves[usize::from(*step) % moves.len()]);
            }
        }
    }

    #[test]
    fn sound_fens_agree_with_shakmaty(fen in odd_fens()) {
        let board = Board::from_fen(&fen, Variant::Standard).expect("two kings");
        if let Some(truth) = board.to_shakmaty() {
            check(&board, &truth);
        }
    }
}

/// Two kings and any pieces on any squares, with any castling rights.
fn odd_fens() -> impl Strategy<Value = String> {
    let pieces = proptest::collection::vec((0..64usize, 0..10usize), 0..40);
    let kings = (0..64usize, 0..64usize).prop_filter("two squares", |(a, b)| a != b);
    let rest = "[wb] (-|K?Q?k?q?|[A-H]{2}[a-h]{2}) ([a-h][36]|-)";
    (pieces, kings, rest).prop_map(|(pieces, kings, rest)| {
        let mut squares = ['1'; 64];
        for (square, piece) in pieces {
            squares[square] = b"PNBRQpnbrq"[piece].into();
        }
        (squares[kings.0], squares[kings.1]) = ('K', 'k');
        let ranks: Vec<String> = squares
            .chunks(8)
            .map(|rank| rank.iter().collect())
            .collect();
        format!("{} {rest}", ranks.join("/"))
    })
}

/// Crowded boards of kings and queens.
#[test]
fn crowded_boards_fit_the_list() {
    for fen in [
        "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    ] {
        let board = Board::from_fen(fen, Variant::Standard).expect("a playable position");
        let truth = board.to_shakmaty().expect("shakmaty plays it too");
        assert_eq!(board.legal_moves().len(), truth.legal_moves().len());
    }
}

#[test]
fn a_board_is_small() {
    assert!(size_of::<Board>() <= 104);
    assert_eq!(size_of::<Option<Move>>(), 2);
    assert_eq!(Board::new().occupied(), Bitboard(0xffff_0000_0000_ffff));
}
