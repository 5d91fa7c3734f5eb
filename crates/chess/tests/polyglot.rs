//! Polyglot keys and moves, compared with python-chess and with the published examples.

use gametree_chess::polyglot::{Entry, key, raw_move};
use gametree_chess::{Board, Variant};

/// Positions of random games: legal moves chosen by a fixed generator.
fn random_positions(games: u64, plies: usize) -> Vec<Board> {
    let mut state = 1_u64;
    let mut boards = Vec::new();
    for _ in 0..games {
        let mut board = Board::new();
        for _ in 0..plies {
            boards.push(board.clone());
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
            board.play(moves[(state >> 33) as usize % moves.len()]);
        }
    }
    boards
}

#[test]
fn published_keys() {
    let keys = [
        ("", 0x463b96181691fc9c),
        ("e4", 0x823c9b50fd114196),
        ("e4 d5", 0x0756b94461c50fb0),
        ("e4 d5 e5", 0x662fafb965db29d4),
        ("e4 d5 e5 f5", 0x22a48b5a8e47ff78),
        ("e4 d5 e5 f5 Ke2", 0x652a607ca3f242c1),
        ("e4 d5 e5 f5 Ke2 Kf7", 0x00fdd303c946bdd9),
        ("a4 b5 h4 b4 c4", 0x3c8123ea7b067637),
        ("a4 b5 h4 b4 c4 bxc3 Ra3", 0x5c3f9b829b279560),
    ];
    for (moves, expected) in keys {
        let mut board = Board::new();
        for san in moves.split_whitespace() {
            board.play_san(san).unwrap();
        }
        assert_eq!(key(&board), expected, "{moves}");
    }
}

#[test]
fn python_chess_has_the_same_keys() {
    let mut boards = random_positions(200, 120);
    // A pinned pawn beside the pushed one counts, one on the other side of the board does not.
    let fens = [
        "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1",
        "4k3/8/8/P6p/8/8/8/4K3 w - h6 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1",
        "8/8/8/8/8/8/8/K1k5 w - - 0 1",
    ];
    boards.extend(fens.map(|fen| Board::from_fen(fen, Variant::Standard).unwrap()));
    let fens: Vec<String> = boards.iter().map(Board::fen).collect();
    let moves: Vec<String> = boards
        .iter()
        .map(|board| {
            board
                .legal_moves()
                .iter()
                .map(|mv| format!(" {}", mv.uci()))
                .collect()
        })
        .collect();
    let lines = fens.iter().zip(&moves);
    let lines: Vec<String> = lines
        .map(|(fen, moves)| format!("{fen}\t{moves}"))
        .collect();
    let Some(answers) = outside::ask_python_chess(&["polyglot"], &lines.join("\n")) else {
        return;
    };
    let answers: Vec<&str> = answers.lines().collect();
    assert_eq!(answers.len(), boards.len());
    for (board, answer) in boards.iter().zip(answers) {
        let board = Board::from_fen(&board.fen(), Variant::Standard).unwrap();
        let raw: Vec<String> = board
            .legal_moves()
            .iter()
            .map(|&mv| raw_move(mv).unwrap().to_string())
            .collect();
        assert_eq!(format!("{:016x} {}", key(&board), raw.join(" ")), answer);
    }
}

#[test]
fn moves_are_read_back() {
    for board in random_positions(100, 200) {
        for mv in board.legal_moves() {
            let entry = Entry {
                key: key(&board),
                raw_move: raw_move(mv).unwrap(),
                weight: 7,
                learn: 9,
            };
            assert_eq!(Entry::from_bytes(entry.to_bytes()), entry);
            assert_eq!(entry.mv(&board), Some(mv), "{}", board.fen());
        }
    }
}
