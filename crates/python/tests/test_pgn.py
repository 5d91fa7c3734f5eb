"""gametree.pgn by itself: what python-chess's own tests do not cover."""

import copy
import gc
import io
import logging
import pickle
import random
import tempfile
import threading
import unittest
import weakref

import chess

import gametree.pgn as pgn

NESTED = '[White "W"]\n\n1. e4 {a} {b} e5 (1... c5 $1 2. Nf3 (2. c3) 2... d6) 2. Nf3 $2 $14 1-0\n'


def moves(node):
    return [str(each.move) for each in node.mainline()]


class Reading(unittest.TestCase):
    def test_text_bytes_and_files(self):
        data = NESTED.encode()
        sources = [NESTED, data, io.StringIO(NESTED), io.BytesIO(data), NESTED.replace("\n", "\r\n")]
        texts = {str(pgn.read_game(source)) for source in sources}
        self.assertEqual(len(texts), 1)

    def test_binary_files_in_utf8_and_windows_1252(self):
        for encoding in ("utf-8", "cp1252"):
            text = '[White "Müller"]\r\n\r\n1. e4 { größer\r\n} e5 *\r\n'
            game = pgn.read_game(io.BytesIO(text.encode(encoding)))
            self.assertEqual(game.headers["White"], "Müller")
            self.assertEqual(game.next().comment, "größer\n")

    def test_variants_in_binary_files(self):
        text = b'[Variant "Atomic"]\r\n\r\n1. Nf3 f6 {caf\xe9} *\r\n'
        game = pgn.read_game(io.BytesIO(text))
        self.assertEqual(game.end().comment, "café")

    def test_files_stand_after_the_game(self):
        text = "1. e4 *\n\n1. d4 {two\n\nlines} *\n\n\n[White \"x\"]\n\n1. c4 *\n"
        with tempfile.TemporaryFile("w+") as handle:
            handle.write(text)
            for open_file in (handle, handle.buffer, io.StringIO(text)):
                open_file.seek(0)
                offsets = []
                while True:
                    offsets.append(open_file.tell())
                    if not pgn.skip_game(open_file):
                        break
                firsts = []
                for offset in reversed(offsets[:-1]):
                    open_file.seek(offset)
                    firsts.append(moves(pgn.read_game(open_file))[0])
                self.assertEqual(firsts, ["c2c4", "d2d4", "e2e4"])

    def test_unpaired_surrogates(self):
        handle = io.StringIO("1. e4 {caf\udce9} e5 *\n\n1. d4 *")
        self.assertEqual(pgn.read_game(handle).next().comment, "caf\udce9")
        self.assertEqual(moves(pgn.read_game(handle)), ["d2d4"])

    def test_wrong_handles(self):
        with self.assertRaises(AttributeError):
            pgn.read_game(7)
        with self.assertRaises(TypeError):
            pgn.read_game(type("Numbers", (), {"readline": lambda self: 7})())

    def test_errors_of_the_file_are_raised(self):
        class Broken:
            def readline(self):
                raise OSError("gone")

        for read in (pgn.read_game, pgn.read_headers, pgn.skip_game):
            with self.assertRaisesRegex(OSError, "gone"):
                read(Broken())

    def test_headers(self):
        headers = pgn.read_headers('[White "x"]\n[Odd "y"]\n\n1. e4 *')
        self.assertEqual(list(headers.items()), [("White", "x"), ("Odd", "y")])
        self.assertIsNone(pgn.read_headers(""))

    def test_moves_after_an_error_in_a_variation_are_kept(self):
        cases = {
            "1. e4 e5 (1... Qh4) 2. Nf3 Nc6 *": "e2e4 e7e5 g1f3 b8c6",
            "1. e4 (1. Qa4) (1. Qa5) {x} e5 *": "e2e4 e7e5",
            "1. e4 e5 2. Nf3 (2. f4 exf4 1-0) Nc6 *": "e2e4 e7e5 g1f3 b8c6",
            "1. e4 e5 (1... Qh4 (2. x) 2. d4) 2. Nf3 *": "e2e4 e7e5 g1f3",
            "1. e4 e5 2. Qh8 (2. Nf3) ) d6 *": "e2e4 e7e5",
        }
        for text, expected in cases.items():
            for Visitor in (pgn.GameBuilder, PythonBuilder):
                with self.subTest(text, Visitor=Visitor), self.assertLogs("chess.pgn"):
                    game = pgn.read_game(text, Visitor=Visitor)
                    self.assertEqual(" ".join(moves(game)), expected)
                    self.assertTrue(game.errors)

    def test_errors_are_those_of_the_board(self):
        with self.assertLogs("chess.pgn") as logs:
            game = pgn.read_game('[White "W"]\n\n1. e4 e5 2. Nd2 (2. Ke3) Qh8 3. d4 *')
        expected = [
            (chess.IllegalMoveError, "illegal san: 'Nd2' in " + START_1E4_E5),
        ]
        self.assertEqual([(type(e), str(e)) for e in game.errors], expected)
        self.assertIn("while parsing <Game at", logs.output[0])

    def test_builders_that_only_handle_errors(self):
        seen = []

        class Quiet(pgn.GameBuilder):
            def handle_error(self, error):
                seen.append((error, self.game.headers["White"]))

        game = pgn.read_game('[White "W"]\n\n1. e4 e4 *', Visitor=Quiet)
        self.assertEqual(moves(game), ["e2e4"])
        self.assertEqual(game.errors, [])
        self.assertEqual([white for _, white in seen], ["W"])


START_1E4_E5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"


class PythonBuilder(pgn.GameBuilder):
    """Like the built-in builder, but not it."""

    def visit_nag(self, nag):
        super().visit_nag(nag)


class LazyGames(unittest.TestCase):
    def test_what_is_assigned_first_stays(self):
        game = pgn.read_game(NESTED)
        game.comments = ["mine"]
        game.headers["White"] = "me"
        self.assertEqual(moves(game), ["e2e4", "e7e5", "g1f3"])
        self.assertEqual(game.comments, ["mine"])
        self.assertEqual(game.headers["White"], "me")
        self.assertEqual(game.headers["Result"], "1-0")

    def test_attributes(self):
        game = pgn.read_game(NESTED)
        game.mark = game.next().mark = "x"
        self.assertEqual(game.next().mark, "x")
        self.assertFalse(hasattr(game, "other") or hasattr(game.next(), "other"))
        self.assertEqual(game.errors, [])
        self.assertEqual(game.starting_comments, [])
        self.assertIs(game.next().starting_comments, game.next().starting_comments)

    def test_comments_both_ways(self):
        node = pgn.read_game(NESTED).next()
        self.assertEqual((node.comments, node.comment), (["a", "b"], "a b"))
        node.comment = "c"
        self.assertEqual(node.comments, ["c"])
        node.starting_comment = ""
        self.assertEqual(node.starting_comments, [])

    def test_equal_moves_are_the_same_object(self):
        first, second = (pgn.read_game(NESTED).next().move for _ in range(2))
        self.assertIs(first, second)
        self.assertIs(type(first), chess.Move)

    def test_games_are_collected(self):
        game = pgn.read_game(NESTED)
        child = weakref.ref(game.next())
        del game
        gc.collect()
        self.assertIsNone(child())

    def test_threads_see_one_tree(self):
        for _ in range(50):
            game, seen = pgn.read_game(NESTED), []
            threads = [threading.Thread(target=lambda: seen.append(game.next())) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(len(set(map(id, seen))), 1)


class Boards(unittest.TestCase):
    TEXTS = [
        NESTED,
        '[FEN "4k3/P7/8/8/8/8/8/R3K2R w KQ - 3 7"]\n\n1. O-O (1. a8=Q+ Ke7) (1. Ra2) Kd7 *',
        '[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 (2. Nc3 dxe4) Qxd5 3. P@e4 Qxe4+ *',
        '[Variant "Three-check"]\n\n1. e4 f6 (1... f5 2. Qh5+ g6) 2. Qh5+ g6 3. Qxg6+ *',
    ]

    def test_boards_in_any_order(self):
        nodes = [node for text in self.TEXTS for node in preorder(pgn.read_game(text))]
        random.Random(3).shuffle(nodes)
        for node in nodes * 3:
            board, expected = node.board(), replayed(node)
            self.assertEqual(board.fen(), expected.fen())
            self.assertEqual(board.move_stack, expected.move_stack)
            if node.parent:
                self.assertEqual(node.san(), replayed(node.parent).san(node.move))
                self.assertEqual(node.uci(), replayed(node.parent).uci(node.move))
            while board.move_stack:
                board.pop()
            self.assertEqual(board, node.game().board())

    def test_moves_that_cannot_be_played(self):
        node = pgn.read_game("1. e4 *").next()
        wrong = node.add_variation(chess.Move.from_uci("a4a5"))
        for _ in range(2):
            for ask in (wrong.board, wrong.san, wrong.add_variation(node.move).board):
                with self.assertRaises((AssertionError, ValueError)):
                    ask()
            self.assertEqual(node.board(), replayed(node))

    def test_changed_games(self):
        game = pgn.read_game("1. e4 e5 *")
        self.assertEqual(game.end().board().ply(), 2)
        game.setup("8/8/8/8/4k3/4p3/4P3/4K3 w - - 0 1")
        game.next().move = chess.Move.from_uci("e1d1")
        self.assertEqual(game.next().board().fen(), "8/8/8/8/4k3/4p3/4P3/3K4 b - - 1 1")


def preorder(game):
    nodes = [game]
    for node in nodes:
        nodes.extend(node.variations)
    return nodes


def replayed(node):
    moves = []
    while node.parent:
        moves.append(node.move)
        node = node.parent
    board = node.headers.board()
    for move in reversed(moves):
        board.push(move)
    return board


class Copies(unittest.TestCase):
    def copies(self, node):
        yield copy.deepcopy(node)
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            yield pickle.loads(pickle.dumps(node, protocol))

    def test_games(self):
        game = pgn.read_game(NESTED)
        for other in self.copies(game):
            self.assertIsNot(other, game)
            self.assertEqual(str(other), str(game))
            self.assertEqual(other.headers, game.headers)
            self.assertIs(other.next().parent, other)
            self.assertEqual(other.next().next().nags, game.next().next().nags)

    def test_nodes_come_with_their_game(self):
        node = pgn.read_game(NESTED).next().variations[1]
        for other in self.copies(node):
            self.assertEqual(str(other), str(node))
            self.assertIsNot(other.game(), node.game())
            self.assertIs(other.game().next().variations[1], other)

    def test_removed_nodes(self):
        game = pgn.read_game(NESTED)
        node = game.next().variations[1]
        game.next().remove_variation(1)
        for other in self.copies(node.next()):
            self.assertEqual(other.move, node.next().move)
            self.assertEqual(other.parent.move, node.move)
            self.assertEqual(len(other.game().next().variations), 1)

    def test_subclasses_and_attributes(self):
        game = MyGame()
        node = game.add_variation(chess.Move.from_uci("e2e4"))
        node.mark = ["x"]
        for other in self.copies(game):
            self.assertIs(type(other), MyGame)
            self.assertIs(type(other.next()), MyNode)
            self.assertEqual(other.next().mark, ["x"])
            self.assertIsNot(other.next().mark, node.mark)

    def test_shallow(self):
        game = pgn.read_game(NESTED)
        other = copy.copy(game)
        self.assertIs(other.variations, game.variations)
        self.assertIs(other.headers, game.headers)

    def test_any_depth(self):
        game = pgn.Game()
        line = [chess.Move.from_uci(uci) for uci in ("g1f3", "g8f6", "f3g1", "f6g8")]
        end = game.add_line(line * 5_000)
        for other in (copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
            self.assertEqual(sum(1 for _ in other.mainline()), 20_000)
        self.assertEqual(copy.deepcopy(end).ply(), 20_000)

    def test_any_nesting(self):
        depth = 3_000
        text = "1. e4 " + "(1. d4 " * depth + ") " * depth + "*"
        game = pgn.read_game(text)
        self.assertEqual(len(game.variations), depth + 1)
        line = "1. e4 " + "e5 (1... d5 2. c4 " * depth + ")" * depth + " *"
        game = pgn.read_game(line, Visitor=QuietBuilder)
        self.assertEqual(str(pickle.loads(pickle.dumps(game))), str(game))


class RealBoards(pgn.StringExporter):
    """Like its base, but with boards of python-chess."""

    def visit_board(self, board):
        assert type(board) is chess.Board


class QuietBuilder(pgn.GameBuilder):
    def handle_error(self, error):
        pass


class MyNode(pgn.ChildNode):
    pass


class MyGame(pgn.Game):
    def add_variation(self, move, **attributes):
        return MyNode(self, move, **attributes)


class Visitors(unittest.TestCase):
    def test_comments_are_strings(self):
        seen = []

        class Comments(pgn.BaseVisitor):
            def visit_comment(self, comment):
                seen.append(comment)

            def result(self):
                return None

        pgn.read_game(NESTED, Visitor=Comments)
        pgn.read_game(NESTED).accept(Comments())
        self.assertEqual(seen, ["a", "b"] * 2)

    def test_parse_san_may_be_overridden(self):
        class Lenient(pgn.GameBuilder):
            def parse_san(self, board, san):
                return board.parse_san("d4" if san == "d5" and board.turn else san)

        self.assertEqual(moves(pgn.read_game("1. d5 d5 *", Visitor=Lenient)), ["d2d4", "d7d5"])

    def test_exporters(self):
        game = pgn.read_game(NESTED)
        plain = pgn.StringExporter(headers=False, comments=False, variations=False, columns=12)
        self.assertEqual(game.accept(plain), "1. e4 e5 2.\nNf3 1-0")
        text = io.StringIO()
        written = game.accept(pgn.FileExporter(text))
        self.assertEqual(written, len(text.getvalue()))
        self.assertEqual(str(pgn.read_game(text.getvalue())), str(game))

    def test_moves_that_are_not_legal_are_written_too(self):
        game = pgn.read_game("1. e4 e5 2. Nf3 (2. -- d6) Nc6 *")
        node = game.next().next()
        line = [chess.Move.from_uci(uci) for uci in ("e1e3", "e8e6", "e3e6")]
        node.add_line(line)
        expected = "1. e4 e5 2. Nf3 ( 2. -- d6 ) ( 2. Ke3 Ke6 3. Kxe6 ) 2... Nc6 *"
        self.assertEqual(game.accept(pgn.StringExporter(headers=False)), expected)
        self.assertEqual(game.accept(RealBoards(headers=False)), expected)

    def test_board_builder(self):
        board = pgn.read_game(NESTED, Visitor=pgn.BoardBuilder)
        self.assertEqual(board, pgn.read_game(NESTED).end().board())
        self.assertEqual(len(board.move_stack), 3)


def setUpModule():
    logging.getLogger("chess.pgn").addHandler(logging.NullHandler())


if __name__ == "__main__":
    unittest.main()
