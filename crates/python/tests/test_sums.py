"""Sums of games: values, winners, moves and strategies against published facts."""

from __future__ import annotations

import copy
import json
import os
import pickle
import random
import re
import threading
import time
import tracemalloc
import unittest
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

from gametree.sums import (
    Bounds,
    Outcome,
    OutOfBudget,
    ParseError,
    Player,
    Relation,
    Strategy,
    StrategyNode,
    Sum,
    Value,
    games,
    solve,
)

ROOT = Path(__file__).resolve().parents[3]
REFERENCE = ROOT.parent / "shared" / "reference"
LONG = "GAMETREE_LONG" in os.environ

#: A sum that takes far longer than any test.
HARD = "domineering 12x12"


def rows(name: str) -> Iterator[dict[str, Any]]:
    path = REFERENCE / name
    if not path.exists():
        raise unittest.SkipTest(f"no {name}")
    with path.open() as lines:
        for line in lines:
            yield json.loads(line)


class Values(unittest.TestCase):
    def test_published(self) -> None:
        """Facts from Winning Ways and Lessons in Play."""
        for text, value in [
            ("{0|}", "1"),
            ("{0|1}", "1/2"),
            ("{1|2}", "3/2"),
            ("{-1|1}", "0"),
            ("{0|0}", "*"),
            ("{0,*|0,*}", "*2"),
            ("{0|*}", "^"),
            ("^ + ^ + *", "{0|^}"),
            ("{0||0|-2}", "+_2"),
            ("{1|-1} + {1|-1}", "0"),
            ("*3 + *5", "*6"),
            ("{{2|1}|{0|-1}}", "{{2|1}|{0|-1}}"),
        ]:
            with self.subTest(text):
                self.assertEqual(Value(text), Value(value))
                self.assertEqual(hash(Value(text)), hash(Value(value)))

    def test_numbers(self) -> None:
        for number in [0, 1, -7, Fraction(3, 4), Fraction(-5, 1024), 1 << 200, Fraction(1, 1 << 90)]:
            value = Value(number)
            self.assertEqual(value.number, number)
            self.assertEqual(value, number)
            self.assertEqual(number, value)
            self.assertEqual(hash(value), hash(number))
            self.assertEqual(value + value, 2 * value)
            self.assertEqual(-value + number, 0)
            self.assertEqual(number - value, 0)
            self.assertTrue(value.is_number and value <= number and value >= number)
        self.assertEqual(len({Value(1), Value("{0|}"), 1, Fraction(1)}), 1)
        self.assertEqual(Value(10**5000).number, 10**5000)
        with self.assertRaisesRegex(ValueError, "power of two"):
            Value(Fraction(1, 3))

    def test_order_with_any_fraction(self) -> None:
        third = Fraction(1, 3)
        self.assertTrue(Value("1/4") < third < Value("1/2"))
        self.assertTrue(Value("{1|0}").confused_with(third))
        self.assertTrue(Value("^") < third and Value("{1/2||1|1/2}") > third)
        self.assertNotEqual(Value("1/4"), third)

    def test_partial_order(self) -> None:
        up, star = Value("^"), Value("*")
        self.assertEqual(up.compare(star), Relation.CONFUSED)
        self.assertFalse(up < star or up > star or up == star or up <= star or up >= star)
        self.assertTrue(up > 0 and up + up > star and up < Fraction(1, 1 << 40))
        self.assertEqual(sorted([Value(2), Value("^"), Value(0)]), [0, up, 2])

    def test_group_laws(self) -> None:
        texts = ["0", "1/2", "*", "^", "vv*3", "+-1", "{4||2|-1}", "+_2", "^[3]", "{2|1/2||*}"]
        values = [Value(text) for text in texts]
        for a in values:
            self.assertEqual(a - a, 0)
            self.assertEqual(-(-a), a)
            self.assertEqual(Value.of(a.options("left"), a.options("right")), a)
            for b in values:
                self.assertEqual(a + b, b + a)
                self.assertEqual(a + b - b, a)
                opposite = {"<": ">", ">": "<"}.get(a.compare(b).value, a.compare(b).value)
                self.assertEqual(b.compare(a), opposite)
                self.assertEqual((a - b).outcome == "P", a == b)

    def test_properties(self) -> None:
        hot = Value("{4||2|-1}")
        self.assertEqual((hot.left_stop, hot.right_stop), (4, 2))
        self.assertEqual((hot.mean, hot.temperature), (Fraction(9, 4), Fraction(7, 4)))
        self.assertEqual(hot.birthday, 5)
        self.assertEqual(hot.outcome, Outcome.L)
        graph = hot.thermograph
        self.assertEqual(graph.mast, hot.mean)
        self.assertEqual(graph.left_wall, ((5, -1), (Fraction(9, 4), Fraction(7, 4))))
        self.assertEqual(graph.wall_at("left", 100), hot.mean)
        self.assertEqual((Value("*5").nimber, Value("^").nimber, Value(0).nimber), (5, None, 0))
        self.assertTrue(Value("^").is_all_small and Value("^").is_infinitesimal)
        self.assertFalse(Value("+_2").is_all_small)
        self.assertEqual(Value("^3*").atomic_weight, 3)
        self.assertIsNone(hot.atomic_weight)
        self.assertEqual(Value("{2|-1}").incentives("right"), [Value("{3|0}")])

    def test_copies(self) -> None:
        for text in ["3/4", "^*", "{4||2|-1}", "+-{^[2],{^*,^^|0,^*,+-{0,^*}}}"]:
            value = Value(text)
            for other in [pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)]:
                self.assertEqual(other, value)
                self.assertEqual(hash(other), hash(value))
            self.assertEqual(Value(str(value)), value)

    def test_foreign_pickles(self) -> None:
        form = Value("{1|-1}")._form
        for nodes in [[], [([0], [])], ["x"], ["1", ([5], [0])], ["{1|-1}"]]:
            with self.subTest(nodes), self.assertRaises(ValueError):
                type(form).from_nodes(nodes)
        self.assertEqual(Value._of_nodes(["1", "0", ([0, 1], [])]), 2)

    def test_wrong_types(self) -> None:
        for wrong in [1.5, None, [1], b"1"]:
            with self.assertRaises(TypeError):
                Value(wrong)  # type: ignore[arg-type]
            with self.assertRaises(TypeError):
                Value("^") + wrong  # type: ignore[operator]
            with self.assertRaises(TypeError):
                Value("^") < wrong  # type: ignore[operator]
            self.assertFalse(Value("^") == wrong)
        with self.assertRaises(OverflowError):
            Value("^") * (1 << 70)

    def test_too_large(self) -> None:
        with self.assertRaises(OutOfBudget):
            Value("^") * (1 << 62) + Value("^") * (1 << 62)


class Truth(unittest.TestCase):
    """Tables of other programs and of the literature, where they are available."""

    METHODS = {
        "LeftStop": lambda value: value.left_stop,
        "RightStop": lambda value: value.right_stop,
        "Mean": lambda value: value.mean,
        "Temperature": lambda value: value.temperature,
        "OutcomeClass": lambda value: value.outcome,
        "Birthday": lambda value: value.birthday,
        "FollowerCount": lambda value: value.follower_count,
        "IsNumber": lambda value: str(value.is_number).lower(),
        "IsInteger": lambda value: str(value.is_integer).lower(),
        "IsNimber": lambda value: str(value.is_nimber).lower(),
        "IsNumberish": lambda value: str(value.is_numberish).lower(),
        "IsInfinitesimal": lambda value: str(value.is_infinitesimal).lower(),
        "IsAllSmall": lambda value: str(value.is_all_small).lower(),
    }

    def test_cgsuite(self) -> None:
        checked = 0
        for row in rows("cgsuite-values.jsonl"):
            found = re.fullmatch(r"\((.*)\)\.(\w+)", row["input"])
            method = self.METHODS.get(found[2]) if found else None
            if not found or method is None or row["expected"].startswith("!!"):
                continue
            try:
                value = Value(found[1])
            except ParseError:
                continue
            try:
                found_text = str(method(value))
            except OutOfBudget:
                continue
            self.assertEqual(found_text, row["expected"], row["input"])
            checked += 1
        self.assertGreater(checked, 300)

    def test_tables(self) -> None:
        checked = 0
        for row in rows("cgt-truth.jsonl"):
            game, position = row["game"], row["position"]
            if game not in games() or not re.fullmatch(r"[.xo#|]+", position, re.I):
                continue
            sum = Sum(f"{game} {position}")
            match row["query"]:
                case "value" if "up" not in row["answer"]:
                    self.assertEqual(sum.value(), Value(row["answer"]), row)
                case "outcome":
                    outcome = sum.outcome(nodes=20_000)
                    self.assertIn(outcome, (row["answer"], None), row)
                case "mean; temperature; left_stop; right_stop":
                    value = sum.value()
                    numbers = [value.mean, value.temperature, value.left_stop, value.right_stop]
                    self.assertEqual("; ".join(map(str, numbers)), row["answer"], row)
                case _:
                    continue
            checked += 1
        self.assertGreater(checked, 100)

    def test_mcgs(self) -> None:
        checked = 0
        cases = [row for row in rows("mcgs-cases.jsonl") if len(row["position"]) < 60]
        for row in cases if LONG else random.Random(1).sample(cases, 300):
            terms = re.findall(r"\[(.*?)\] ?(.*?)(?= \+ \[|$)", row["position"])
            try:
                sum = Sum(" + ".join(f"{name} ({text.strip('()')})" for name, text in terms))
            except ParseError:
                continue
            if row["query"] == "nim_value":
                found: object = sum.nim_value(nodes=10_000, threads=1)
                expected: object = int(row["answer"])
            elif row["query"] in ("Left(B) to move", "Right(W) to move"):
                first = Player.of(row["query"].split("(")[0])
                found = sum.solve(first, nodes=2_000, threads=1).winner
                expected = first if row["answer"] == "win" else first.opponent
            else:
                continue
            self.assertIn(found, (expected, None), row)
            checked += found is not None
        self.assertGreater(checked, 100)


class Sums(unittest.TestCase):
    def test_outcomes(self) -> None:
        for text, outcome in [
            ("0", "P"),
            ("*", "N"),
            ("1", "L"),
            ("-1", "R"),
            ("nimber 3 + nimber 5 + nimber 6", "P"),
            ("clobber XO", "N"),
            ("domineering 4x4", "N"),
            ("domineering 5x5", "P"),
            ("clobber XOXOXO + domineering ...|... + 3/4 + {1|-1}", "L"),
        ]:
            self.assertEqual(Sum(text).outcome(), outcome, text)
            self.assertEqual(solve(text).outcome, outcome, text)

    def test_arithmetic(self) -> None:
        sum = Sum("clobber XXO") + 1 - Value("^") + Fraction(1, 2)
        self.assertEqual(sum, Fraction(3, 2))
        self.assertEqual(hash(sum), hash(Fraction(3, 2)))
        self.assertEqual(sum.text, "clobber XXO + 1 + v + 1/2")
        self.assertEqual(len(3 * Sum("clobber XXO")), 3)
        self.assertEqual(Sum("clobber XXO") * -2, Value("vv"))
        self.assertEqual(Value("^") + Sum("clobber OOX"), 0)
        self.assertEqual(2 - Sum("1"), 1)
        self.assertEqual(Sum("*") * 0, 0)
        self.assertTrue(Sum("clobber XXO") > 0)
        self.assertTrue(Sum("clobber XXO") <= Sum("2*clobber XXO"))
        self.assertTrue(Sum("domineering 2x2") == Value("+-1") == Sum("{1|-1}"))
        self.assertTrue(Sum("clobber XXO") < Fraction(1, 3))
        self.assertFalse(Sum("1") == "1")
        self.assertFalse(Sum("1") is None)
        with self.assertRaises(TypeError):
            Sum("1") + "1"  # type: ignore[operator]
        with self.assertRaises(OverflowError):
            Sum("1") * 10**9

    def test_parts(self) -> None:
        sum = Sum("clobber XO.|OXO + nimber 2")
        self.assertEqual([part.text for part in sum], ["clobber XO.|OXO", "nimber 2"])
        self.assertEqual(sum.names, ["clobber", "nimber"])
        self.assertIn("1 X O .", sum.boards)
        self.assertTrue(sum.identical(Sum("nimber 2 + clobber XO.|OXO")))
        self.assertFalse(sum.identical(Sum("nimber 2")))
        self.assertEqual(copy.deepcopy(sum).text, sum.text)
        self.assertEqual(pickle.loads(pickle.dumps(sum)).text, sum.text)

    def test_every_game_has_a_description(self) -> None:
        self.assertIn("clobber", games())
        self.assertTrue(all(games().values()))

    def test_moves(self) -> None:
        sum = Sum("nimber 3 + nimber 5 + nimber 7")
        moves = sum.moves("left")
        self.assertEqual(len(moves), 15)
        for move in moves:
            self.assertEqual(move.wins, move.result.outcome() == "P")
            self.assertEqual(sum.play(move.name, "left").text, move.result.text)
        self.assertEqual({move.wins for move in sum.legal_moves("right")}, {None})
        with self.assertRaisesRegex(ValueError, "the moves are: 0:"):
            sum.play("9:9", "left")

    def test_bounds(self) -> None:
        sum = Sum("clobber XXOXXO + clobber XO")
        self.assertEqual(str(sum.bounds("ups")), "v < G < ^3")
        exact = sum.bounds("ups-star")
        self.assertEqual((exact.lower, exact.upper, exact.exact), (Value("^*"), Value("^*"), True))
        numbers = Sum("domineering ...|...").bounds(step=Fraction(1, 8), low=-2, high=3)
        self.assertEqual(numbers, Bounds(Value("-5/8"), Value("17/8"), False, None))
        given_up = Sum(HARD).bounds(time=0.01)
        self.assertIn("limit", given_up.gave_up or "")
        for wrong in [{"step": 0}, {"low": 3, "high": 2}, {"step": Fraction(1, 3)}, {"scale": "x"}]:
            with self.assertRaises(ValueError):
                sum.bounds(**wrong)  # type: ignore[arg-type]

    def test_solution(self) -> None:
        left = solve("clobber XXO", "left")
        self.assertEqual((left.winner, left.right_first, left.outcome), (Player.LEFT, None, None))
        self.assertEqual(left.possible, (Outcome.L, Outcome.N))
        self.assertEqual([move.name for move in left.winning_moves()], ["b1-c1"])
        strategy = left.strategy()
        assert strategy is not None
        self.assertEqual(strategy.winner, Player.LEFT)
        both = solve("clobber XOXO + *")
        self.assertEqual((both.winner, both.outcome), (None, Outcome.N))
        with self.assertRaisesRegex(ValueError, "first player"):
            both.winning_moves()

    def test_strategy_answers_every_move(self) -> None:
        for text in ["clobber_1xn XOXOXOXO", "domineering ...|... + {1|-1} + *2", "nimber 3 + nimber 1"]:
            strategy = Sum(text).winning_strategy("left")
            self.check_strategy(strategy)
            copied = pickle.loads(pickle.dumps(strategy))
            self.assertEqual(copied.root.text, strategy.root.text)
            self.assertEqual(copied._repr_svg_(), strategy._repr_svg_())

    def check_strategy(self, strategy: Strategy) -> None:
        for node in strategy:
            if node.link is not None:
                self.assertTrue(node.sum.identical(node.link.sum))
                continue
            mover = strategy.first if node.player is None else node.player.opponent
            legal = {move.name for move in node.sum.legal_moves(mover)}
            found = {child.move for child in node.children}
            if mover is strategy.winner:
                self.assertEqual(len(found), 1)
                self.assertLessEqual(found, legal)
            else:
                self.assertEqual(found, legal)

    def test_strategy_is_a_sequence(self) -> None:
        strategy = Sum("clobber_1xn XOXOXOXO").winning_strategy("left")
        self.assertEqual((len(strategy), strategy.lines), (21, 7))
        self.assertEqual(strategy[-1], strategy[20])
        self.assertEqual([node.index for node in strategy[:3]], [0, 1, 2])
        self.assertIsInstance(strategy.root, StrategyNode)
        with self.assertRaises(IndexError):
            strategy[21]
        with self.assertRaises(OutOfBudget):
            Sum("clobber_1xn XOXOXOXO").winning_strategy("left", max_moves=3)


class Limits(unittest.TestCase):
    def test_giving_up_is_an_answer(self) -> None:
        for question in ("outcome", "value", "thermograph"):
            started = time.monotonic()
            self.assertIsNone(getattr(Sum(HARD), question)(time=0.05))
            self.assertLess(time.monotonic() - started, 2)
        self.assertIsNone(Sum(HARD).winning_strategy("left", nodes=10))
        self.assertIsNone(Sum(HARD).compare(0, nodes=10))
        solution = Sum(HARD).solve(nodes=10)
        self.assertEqual((solution.outcome, solution.winner), (None, None))
        self.assertEqual(solution.possible, (Outcome.N, Outcome.P))
        self.assertIn("node limit", solution.gave_up or "")
        moves = Sum("domineering 8x8").moves("left", time=0.05)
        self.assertIn(None, {move.wins for move in moves})

    def test_both_players_share_the_time(self) -> None:
        started = time.monotonic()
        Sum("domineering 11x12").solve(time=0.4)
        self.assertLess(time.monotonic() - started, 2)

    def test_memory(self) -> None:
        self.assertIsNone(Sum(HARD).value(memory=1 << 20))

    def test_wrong_limits(self) -> None:
        for limits in [{"time": -1}, {"time": float("nan")}, {"nodes": -1}, {"threads": -2}]:
            with self.assertRaises(ValueError):
                Sum("1").outcome(**limits)  # type: ignore[call-overload]
        with self.assertRaises(TypeError):
            Sum("1").outcome(seconds=1)  # type: ignore[call-overload]
        self.assertEqual(Sum("1").outcome(time=1e300, nodes=1 << 100), "L")


class Parsing(unittest.TestCase):
    def test_place_of_an_error(self) -> None:
        for text, line, column in [
            ("clobber XO + clobber XZ", 1, 23),
            ("1 + ", 1, 5),
            ("", 1, 1),
            ("gobbler XO", 1, 1),
            ("clobber XO\n+ clobber XZ", 2, 12),
            ("↑ + ↑ + clobber Z", 1, 17),
        ]:
            with self.subTest(text), self.assertRaises(ParseError) as caught:
                Sum(text)
            error = caught.exception
            self.assertEqual((error.line, error.column), (line, column), text)
            self.assertIsInstance(error, ValueError)
            self.assertEqual(str(pickle.loads(pickle.dumps(error))), str(error))
        with self.assertRaises(ParseError) as caught:
            Value("{1|x}")
        self.assertEqual((caught.exception.start, caught.exception.end), (3, 4))

    def test_mutated_texts(self) -> None:
        """Any text is read or refused, and what is read can be read again."""
        random_ = random.Random(7)
        seeds = [
            "clobber XO.|OX. + 3*(nimber 2) - ^*",
            "domineering ...|... + {4||-4|-10} + +-1",
            "sheep (3 0|0 -3) + snort grid3x3 - octal 0.77:20",
            "^[2] + ^<2>* + +_2 + 1-_{1|0} + 3/4",
            "gen_toads 1,1,1,0:XX..OO + hackenbush LRE",
            "impartial clobber XXO + amazons X..|#.O + elephants X..O",
        ]
        letters = "XO.|#+-*^v{}()/0123456789 ,:\n[]<>=↑±é\0"
        read = 0
        for _ in range(20_000 if LONG else 3_000):
            text = list(random_.choice(seeds))
            for _ in range(random_.randint(1, 4)):
                at = random_.randrange(len(text) + 1)
                text[at : at + random_.randint(0, 2)] = random_.choices(letters, k=random_.randint(0, 3))
            for kind in (Sum, Value):
                try:
                    again = kind(str(kind("".join(text))))
                except (ParseError, OutOfBudget):
                    continue
                self.assertEqual(str(kind(str(again))), str(again), text)
                read += 1
        self.assertGreater(read, 100)

    def test_not_text(self) -> None:
        for wrong in [None, 1.5, b"1", ["1"]]:
            with self.assertRaises(TypeError):
                Sum(wrong)  # type: ignore[arg-type]
        for player in ["", "up", "leftt"]:
            with self.assertRaises(ValueError):
                Sum("1").moves(player)


class Sharing(unittest.TestCase):
    def test_threads(self) -> None:
        def work(index: int) -> tuple[Outcome, Value]:
            sum = Sum("clobber XOXOXO + domineering ...|... + 3/4") + index % 3
            return sum.outcome(threads=1) or Outcome.P, sum.value(threads=1) or Value(0)

        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(work, range(48)))
        for index, answer in enumerate(found):
            self.assertEqual(answer, found[index % 3])

    def test_other_threads_run_during_a_question(self) -> None:
        ticks = 0
        done = threading.Event()

        def question() -> None:
            Sum(HARD).outcome(time=0.5, threads=1)
            done.set()

        thread = threading.Thread(target=question)
        thread.start()
        while not done.wait(0.01):
            ticks += 1
        thread.join()
        self.assertGreater(ticks, 5)

    def test_memory_is_freed(self) -> None:
        def round_() -> None:
            sum = Sum("clobber XOXOXO + domineering ...|... + 3/4 + {1|-1}")
            sum.outcome()
            value = sum.value()
            (value + value, value.thermograph, sum.winning_moves("left"))
            pickle.loads(pickle.dumps(value))
            Sum("clobber_1xn XOXOXOXO").winning_strategy("left").root.text

        resident = Path("/proc/self/statm")
        if not resident.exists():
            self.skipTest("no /proc")

        def pages() -> int:
            return int(resident.read_text().split()[1])

        for _ in range(30):
            round_()
        tracemalloc.start()
        before, blocks = pages(), tracemalloc.get_traced_memory()[0]
        for _ in range(100):
            round_()
        grown = (pages() - before) * os.sysconf("SC_PAGE_SIZE")
        objects = tracemalloc.get_traced_memory()[0] - blocks
        tracemalloc.stop()
        self.assertLess(grown, 16 << 20)
        self.assertLess(objects, 1 << 20)


if __name__ == "__main__":
    unittest.main()
