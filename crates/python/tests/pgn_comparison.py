"""Compares what gametree.pgn and chess.pgn read, game by game."""

import io
import itertools

import chess.pgn

import gametree.pgn


# Writing is slow: the text of one game of this many is compared.
WRITTEN = 5


class SlowBuilder(gametree.pgn.GameBuilder):
    """The built-in builder, but read in Python."""

    def visit_nag(self, nag):
        super().visit_nag(nag)


def differences(text, limit=None):
    """Describes each game of a text that differs. Also returns the number of games, and how many
    of them chess.pgn cannot read whole."""
    found, lossy, number = [], 0, 0
    handle = io.StringIO(text, newline=None)
    text = handle.getvalue()
    for number in itertools.count():
        start = handle.tell()
        game = gametree.pgn.read_game(handle) if number != limit else None
        if game is None:
            return found, number, lossy
        part = text[start : handle.tell()]
        slow = gametree.pgn.read_game(part, Visitor=SlowBuilder)
        if difference := compare(game, slow):
            found.append((number, f"native code and Python differ: {difference}"))
        difference = compare_with_chess(game, part, written=number % WRITTEN == 0)
        if difference and game.errors and errs_in_variation(part):
            lossy += 1
        elif difference:
            found.append((number, difference))


def compare_with_chess(game, part, written):
    handle = io.StringIO(part)
    try:
        theirs = chess.pgn.read_game(handle)
    except IndexError as error:
        return repr(error)
    if handle.read():
        return "chess.pgn stops earlier"
    return compare(game, theirs) or (compare_text(game, theirs) if written else None)


def compare_text(ours, theirs):
    """Compares what is written after joining comments, which chess.pgn does when it reads."""
    nodes = [ours]
    for node in nodes:
        node.comment, node.starting_comment = node.comment, node.starting_comment
        nodes.extend(node.variations)
    if any("{" in node.comment + node.starting_comment for node in nodes):
        return None  # only one of them removes it
    try:
        texts = ours.accept(gametree.pgn.StringExporter()), theirs.accept(chess.pgn.StringExporter())
    except ValueError:  # an invalid FEN or variant
        return None
    return None if texts[0] == texts[1] else "written text"


def errs_in_variation(part):
    """True if a move in a variation cannot be read: chess.pgn loses what follows it."""
    depths = []

    class Depth(gametree.pgn.GameBuilder):
        def handle_error(self, error):
            depths.append(len(self.variation_stack))

        def visit_nag(self, nag):
            pass

    gametree.pgn.read_game(part, Visitor=Depth)
    return max(depths, default=1) > 1


def compare(ours, theirs):
    """Names the first difference of two games; None if they are equal."""
    if theirs is None:
        return "no game"
    if list(ours.headers.items()) != list(theirs.headers.items()):
        return f"tags: {ours.headers!r}, {theirs.headers!r}"
    pairs = [(ours, theirs)]
    while pairs:
        a, b = pairs.pop()
        for name in ("move", "comment", "starting_comment", "nags"):
            if getattr(a, name) != getattr(b, name):
                return f"{name} after {a.move}: {getattr(a, name)!r}, {getattr(b, name)!r}"
        if len(a.variations) != len(b.variations):
            return f"children of {a.move}: {a.variations}, {b.variations}"
        pairs.extend(zip(a.variations, b.variations))
    if [describe(e) for e in ours.errors] != [describe(e) for e in theirs.errors]:
        return f"errors: {ours.errors}, {theirs.errors}"
    return None


def describe(error):
    return type(error), str(error)
