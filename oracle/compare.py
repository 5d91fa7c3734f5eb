#!/usr/bin/env python3
"""Compares what gametree reads with what python-chess reads, node by node.

    oracle/compare.py [--corpus] PROGRAM FILES-OR-FOLDERS…

Tags, initial position, structure, moves (SAN, UCI), FEN, marks and comments of every node must be
equal. Games for which they are not must be listed in oracle/differences.json with the reason,
which docs/differences.md explains; a game listed there that is equal is an error too. With --corpus,
games that python-chess reads with errors or only in part are left out instead.
"""

import io
import json
import logging
import pathlib
import subprocess
import sys

import chess
import chess.pgn

logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
HERE = pathlib.Path(__file__).parent


def main():
    corpus = sys.argv[1] == "--corpus"
    program, *paths = sys.argv[2:] if corpus else sys.argv[1:]
    known = json.loads((HERE / "differences.json").read_text())
    equal = wrong = 0
    for file in files(paths):
        reasons = known.get(file.name, {})
        data = file.read_bytes()
        for game in read_ours(program, file):
            theirs = read_theirs(data[game["offset"] : game["offset"] + game["bytes"]])
            difference = compare(game, theirs)
            reason = reasons.get(str(game["number"]))
            if bool(difference) == bool(reason):
                equal += 1
            elif corpus and is_worse(theirs, game):
                continue
            else:
                wrong += 1
                stale = f"equal, but listed as different: {reason}"
                print(f"{file}, game {game['number']}: {difference or stale}")
    print(f"test result: {'ok' if not wrong else 'FAILED'}. {equal} passed; {wrong} failed")
    return 1 if wrong else 0


def is_worse(theirs, ours):
    """True if python-chess lost something: it fails, reports errors, or has fewer nodes or marks."""
    if "error" in theirs or theirs["errors"] or len(theirs["nodes"]) < len(ours["nodes"]):
        return True
    # It keeps the backslashes of tags, replaces a Result tag of *, and attaches a mark at the start
    # of a variation elsewhere.
    escaped = any("\\" in value for _, value in theirs["tags"])
    marks = [sum(len(node["nags"]) for node in game["nodes"]) for game in (ours, theirs)]
    return escaped or ["Result", "*"] in ours["tags"] or marks[0] != marks[1]


def files(paths):
    for path in map(pathlib.Path, paths):
        yield from sorted(path.rglob("*.pgn")) if path.is_dir() else [path]


def read_ours(program, file):
    command = [program, "convert", str(file), "--to", "json", "--fens", "-o", "-"]
    output = subprocess.run(command, check=True, capture_output=True).stdout
    return [our_game(json.loads(line)) for line in output.splitlines()]


def our_game(game):
    nodes = [our_node(node) for node in game["nodes"]]
    return {
        "number": game["game"],
        "offset": game["offset"],
        "bytes": game["bytes"],
        "tags": game["tags"],
        "nodes": nodes,
    }


def our_node(node):
    return {
        "parent": node["parent"],
        "san": node.get("san"),
        "uci": node.get("uci"),
        "fen": pockets_sorted(node["fen"]),
        "nags": sorted(set(node.get("nags", []))),
        "comment": words(node.get("comment", "")),
        "starting comment": words(node.get("starting_comment", "")),
    }


def read_theirs(data):
    """The game in these bytes: where one game ends and the next begins is our choice."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
    # Universal newlines, as a file opened in text mode has them.
    stream = io.StringIO(text, newline=None)
    try:
        game = chess.pgn.read_game(stream)
        return their_game(game, game.board()) if game else {"error": "python-chess finds no game"}
    except (ValueError, IndexError) as error:
        return {"error": f"python-chess fails: {error!r}"}


def their_game(game, start):
    nodes, stack = [], [(game, None, start)]
    while stack:
        node, parent, before = stack.pop()
        nodes.append(their_node(node, parent, before))
        board = before.copy(stack=False)
        if parent is not None:
            board.push(node.move)
        index = len(nodes) - 1
        stack.extend((child, index, board) for child in reversed(node.variations))
    return {"tags": list(game.headers.items()), "nodes": nodes, "errors": len(game.errors)}


def their_node(node, parent, before):
    after = before.copy(stack=False)
    if parent is not None:
        after.push(node.move)
    return {
        "parent": parent,
        "san": before.san(node.move) if parent is not None else None,
        "uci": before.uci(node.move) if parent is not None else None,
        "fen": pockets_sorted(after.fen()),
        "nags": sorted(node.nags),
        "comment": words(node.comment),
        "starting comment": words(node.starting_comment),
    }


def pockets_sorted(fen):
    """The order of pieces in a pocket (Crazyhouse) does not matter."""
    head, bracket, rest = fen.partition("[")
    pocket, close, tail = rest.partition("]")
    return head + bracket + "".join(sorted(pocket)) + close + tail


def words(comment):
    """Blanks do not matter: comments are wrapped and joined differently."""
    return " ".join(comment.split())


def compare(ours, theirs):
    """What differs first, in words; empty if nothing does."""
    if "error" in theirs:
        return theirs["error"]
    our_tags, their_tags = dict(reversed(ours["tags"])), dict(theirs["tags"])
    # python-chess adds the seven-tag roster.
    for name, value in their_tags.items():
        if our_tags.get(name, value) != value:
            return f"tag {name}: {our_tags.get(name)!r}, python-chess {value!r}"
    if missing := set(our_tags) - set(their_tags):
        return f"tags that python-chess has not: {sorted(missing)}"
    if len(ours["nodes"]) != len(theirs["nodes"]):
        return f"{len(ours['nodes'])} nodes, python-chess {len(theirs['nodes'])}"
    for index, (a, b) in enumerate(zip(ours["nodes"], theirs["nodes"])):
        for key in a:
            if a[key] != b[key]:
                return f"node {index} ({a['san']}): {key} {a[key]!r}, python-chess {b[key]!r}"
    return ""


if __name__ == "__main__":
    sys.exit(main())
