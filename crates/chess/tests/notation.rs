//! Notations of moves and positions, case by case.

use gametree_chess::{Board, FenError, FenWarning, Move, SanError, Variant};

const ITALIAN: &str = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
const PROMOTION: &str = "3r4/4P3/8/8/8/1k6/8/4K3 w - - 0 1";
const PASSING: &str = "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3";
const EXCHANGE: &str = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
const KNIGHTS: &str = "rnbqkb1r/ppp1pppp/5n2/3p4/3P4/5N2/PPP1PPPP/RNBQKB1R w KQkq - 2 3";
const BISHOP_OR_PAWN: &str = "4k3/8/8/8/2p5/1P1B4/8/4K3 w - - 0 1";
const BISHOP: &str = "4k3/8/8/8/2p5/3B4/8/4K3 w - - 0 1";
const ARRAY: &str = "1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R3K1R w KQkq - 0 1";

fn start() -> String {
    Board::new().fen()
}

fn read(fen: &str, san: &str) -> Result<String, SanError> {
    let board = Board::from_fen(fen, Variant::Standard).expect("a sound FEN");
    board
        .parse_san(san.as_bytes())
        .map(|m| m.uci960().to_string())
}

fn check(fen: &str, uci: &str, texts: &[&str]) {
    for san in texts {
        assert_eq!(read(fen, san).as_deref(), Ok(uci), "{san} in {fen}");
    }
}

#[test]
fn castling_in_all_spellings() {
    let texts = [
        "O-O", "0-0", "o-o", "O–O", "O—O", "O−O", "0-0+", "O-O#", "O-O!", "OO", "e1g1", "e1h1",
        "Ke1-g1",
    ];
    check(ITALIAN, "e1h1", &texts);
    assert_eq!(read(ITALIAN, "Kg1"), Err(SanError::Illegal));
    assert_eq!(read(ITALIAN, "O-O-O"), Err(SanError::Illegal));
    check(ARRAY, "f1b1", &["O-O-O", "f1b1", "f1c1"]);
    check(ARRAY, "f1h1", &["O-O", "f1h1"]);
    check(ARRAY, "f1g1", &["Kg1", "f1g1"]);
}

#[test]
fn promotions_in_all_spellings() {
    let texts = [
        "e8=Q", "e8Q", "e8=q", "e8q", "e8(Q)", "e8/Q", "e8=(Q)", "e7e8q", "e7-e8=Q+", "e8=Q++",
    ];
    check(PROMOTION, "e7e8q", &texts);
    check(
        PROMOTION,
        "e7d8n",
        &["exd8=N", "ed8N", "exd8n", "e7xd8=N", "e:d8(N)"],
    );
    check(PROMOTION, "e7d8b", &["exd8=B", "ed8b", "exd8(b)"]);
    assert_eq!(read(PROMOTION, "e8"), Err(SanError::MissingPromotion));
    assert_eq!(read(PROMOTION, "e7e8"), Err(SanError::MissingPromotion));
    assert_eq!(read(PROMOTION, "e8=K"), Err(SanError::Illegal));
    assert_eq!(read(&start(), "e4=Q"), Err(SanError::Illegal));
}

#[test]
fn pieces_in_all_spellings() {
    let texts = [
        "Nf3",
        "nf3",
        "Ng1f3",
        "Ng1-f3",
        "N1f3",
        "Ngf3",
        "Nxf3",
        "Nf3+",
        "Nf3#",
        "Nf3!?",
        "♘f3",
        "♞f3",
        "♘\u{fe0e}f3",
        "Sf3",
        "Cf3",
        "g1f3",
        "g1-f3",
        "N:f3",
        "Nf3++",
        "Ng1xf3",
        "Nf3ch",
    ];
    check(&start(), "g1f3", &texts);
    check(
        &start(),
        "e2e4",
        &[
            "e4", "Pe4", "pe4", "e2e4", "e2-e4", "Pe2-e4", "♙e4", "e4!!", "2e4",
        ],
    );
    check(
        BISHOP,
        "d3c4",
        &["Bxc4", "bc4", "bxc4", "Bc4", "Lc4", "Fxc4", "Ac4"],
    );
    check(BISHOP_OR_PAWN, "b3c4", &["bc4", "bxc4", "bc", "bxc"]);
    check(BISHOP_OR_PAWN, "d3c4", &["Bc4", "Bxc4"]);
    check(KNIGHTS, "b1d2", &["Nbd2", "N1d2", "Nb1d2"]);
    assert_eq!(read(KNIGHTS, "Nd2"), Err(SanError::Ambiguous(2)));
}

#[test]
fn captures_in_all_spellings() {
    let texts = [
        "exd5", "ed5", "ed", "exd", "e:d5", "ed5:", "e4d5", "e4xd5", "e×d5", "xd5",
    ];
    check(EXCHANGE, "e4d5", &texts);
    assert_eq!(read(EXCHANGE, "d5"), Err(SanError::Illegal));
    let texts = [
        "exd6",
        "ed6",
        "exd6e.p.",
        "exd6ep",
        "exd6(ep)",
        "exd6e.p",
        "e5d6",
        "ed",
        "exd6e.p.+",
    ];
    check(PASSING, "e5d6", &texts);
}

#[test]
fn null_moves_in_all_spellings() {
    let board = Board::new();
    for text in ["--", "Z0", "0000", "@@@@", "null", "pass", "–-"] {
        assert_eq!(board.parse_san(text.as_bytes()), Ok(Move::NULL), "{text}");
    }
    let mut checked =
        Board::from_fen("4k3/8/8/8/4R3/8/8/4K3 b - - 3 9", Variant::Standard).unwrap();
    checked.play_san(b"--").expect("even in check");
    assert_eq!(checked.fen(), "4k3/8/8/8/4R3/8/8/4K3 w - - 4 10");
    assert_eq!(checked.san(Move::NULL).as_str(), "--");
}

#[test]
fn texts_that_are_not_moves() {
    for text in [
        "", "+", "hello", "x", "e", "e9", "i4", "N", "Nf", "Nf33", "--x", "N@f6f", "1-0",
    ] {
        assert_eq!(read(&start(), text), Err(SanError::Syntax), "{text}");
    }
    for text in ["e5", "Nf6", "Ke2", "N@f6", "@e4", "e4e5", "O-O", "Qa1"] {
        assert_eq!(read(&start(), text), Err(SanError::Illegal), "{text}");
    }
}

#[test]
fn drops() {
    let fen = "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR[Pp] w KQkq - 0 3";
    let board = Board::from_fen(fen, Variant::Crazyhouse).unwrap();
    for text in ["P@d6", "@d6", "p@d6", "P@d6+"] {
        let m = board.parse_san(text.as_bytes()).expect(text);
        assert_eq!((m.uci().as_str(), board.san(m).as_str()), ("P@d6", "@d6"));
    }
    assert_eq!(board.parse_san(b"N@d6"), Err(SanError::Illegal));
    assert_eq!(
        board.parse_uci(b"P@d6"),
        board
            .parse_san(b"@d6")
            .map_err(|_| gametree_chess::UciError::Syntax)
    );
}

#[test]
fn fens_in_all_spellings() {
    let read = |fen| Board::read_fen(fen, Variant::Standard).map(|(b, w)| (b.fen(), w));
    let check = |fen, full: &str, warnings: &[FenWarning]| {
        assert_eq!(read(fen), Ok((full.to_owned(), warnings.to_vec())), "{fen}");
    };
    check(
        "4k3/8/8/8/8/8/4P3/4K3",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        &[],
    );
    check(
        "4k3/8/8/8/8/8/4P3/4K3 b - - 3 0",
        "4k3/8/8/8/8/8/4P3/4K3 b - - 3 1",
        &[],
    );
    check(
        "4k3/8/8/8/8/8/4P3/4K2R w KQ e3 x y z",
        "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1",
        &[
            FenWarning::Castling,
            FenWarning::EnPassant,
            FenWarning::Counters,
            FenWarning::ExtraText,
        ],
    );
    check(
        "4k3/8/8/8/8/8/4P3/P3K3 w - -",
        "4k3/8/8/8/8/8/4P3/P3K3 w - - 0 1",
        &[FenWarning::PawnsOnBackRank],
    );
    check(
        "4k3/8/8/8/8/8/4R3/4K3 w - -",
        "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
        &[FenWarning::OppositeCheck],
    );
    // The en-passant square is written only if a capture is legal.
    check(
        "4k3/8/8/8/4P3/8/8/4K3 b - e3",
        "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1",
        &[],
    );
    check(
        "4k3/8/8/8/3pP3/8/8/4K3 b - e3",
        "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
        &[],
    );
    for (fen, error) in [
        ("", FenError::Empty),
        ("hello", FenError::Ranks(1)),
        (
            "8/8/8/8/8/8/8/8 w - - 0 1",
            FenError::NoKing(gametree_chess::Color::White),
        ),
        ("4k3/9/8/8/8/8/8/4K3 w", FenError::Piece('9')),
        (
            "4k3/7/8/8/8/8/8/4K3 w",
            FenError::Rank(gametree_chess::Rank::Seventh),
        ),
        ("4k3/8/8/8/8/8/8/4K3 x", FenError::Turn("x".to_owned())),
    ] {
        assert_eq!(Board::from_fen(fen, Variant::Standard), Err(error), "{fen}");
    }
}

#[test]
fn chess960_is_seen_in_the_rights() {
    for (fen, variant) in [
        (ARRAY, Variant::Chess960),
        (
            "1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R3K1R w HBhb - 0 1",
            Variant::Chess960,
        ),
        (
            "1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R3K1R w - - 0 1",
            Variant::Standard,
        ),
    ] {
        let board = Board::from_fen(fen, Variant::Standard).unwrap();
        assert_eq!(board.variant(), variant, "{fen}");
    }
    // Only the inner rook has castling rights: it must be written as a file.
    let fen = "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1";
    assert_eq!(Board::from_fen(fen, Variant::Chess960).unwrap().fen(), fen);
}

/// If the king is on its castling target already, castling can be the only legal move.
#[test]
fn castling_may_be_the_only_move() {
    let fen = "4k3/8/8/5b2/6p1/5bPp/4q2P/6KR w K - 0 1";
    let board = Board::from_fen(fen, Variant::Standard).unwrap();
    let moves: Vec<_> = board
        .legal_moves()
        .into_iter()
        .map(|m| board.san(m).to_string())
        .collect();
    assert_eq!(moves, ["O-O"]);
    assert!(board.has_legal_move() && !board.is_stalemate());
}

#[test]
fn variants_by_any_name() {
    for (variant, names) in [
        (
            Variant::Standard,
            &[
                "Standard",
                "chess",
                "From Position",
                "Normal",
                "wild/0",
                "wild/8a",
            ][..],
        ),
        (
            Variant::Chess960,
            &[
                "Chess960",
                "chess 960",
                "Fischerandom",
                "Fischer Random",
                "FRC",
                "wild/fr",
            ],
        ),
        (
            Variant::Antichess,
            &[
                "Antichess",
                "Anti",
                "Suicide",
                "Giveaway chess",
                "Give away",
            ],
        ),
        (Variant::Atomic, &["atomic", "Atom", "Atomic chess"]),
        (
            Variant::KingOfTheHill,
            &["King of the Hill", "KOTH", "kingOfTheHill"],
        ),
        (
            Variant::ThreeCheck,
            &[
                "Three-check",
                "3check",
                "3-check",
                "threeCheck",
                "Three check chess",
            ],
        ),
        (
            Variant::Crazyhouse,
            &["crazyhouse", "Crazy House", "ZH", "Crazyhouse960"],
        ),
        (
            Variant::RacingKings,
            &["Racing Kings", "racingKings", "Race"],
        ),
        (Variant::Horde, &["Horde", "horde chess"]),
    ] {
        for name in names.iter().copied().chain([variant.tag()]) {
            assert_eq!(Variant::from_tag(name), Some(variant), "{name}");
        }
    }
    for name in ["Bughouse", "Seirawan", "Sittuyin", "960960x"] {
        assert_eq!(Variant::from_tag(name), None);
    }
}
