"""Draws one of each picture and writes them to one HTML page.

    python examples/python/gallery.py gallery.html
"""

from __future__ import annotations

import sys
from html import escape
from pathlib import Path

from gametree import draw
from gametree.sums import Sum, Value

REPERTOIRE = Path(__file__).parent.parent / "repertoire.pgn"

PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Pictures by gametree</title>
<style>
body {{ font: 16px/1.5 sans-serif; margin: 2em auto; max-width: 1200px; padding: 0 1em; color: #222 }}
figure {{ margin: 0 0 3em }}
figcaption {{ margin-bottom: .7em }}
pre {{ background: #f3f4f6; padding: .6em .8em; overflow-x: auto; border-radius: 4px }}
figure > svg {{ max-width: 100%; height: auto }}
th {{ padding-right: 1.5em; font-weight: normal; color: #666 }}
</style></head><body>
<h1>Pictures by gametree</h1>
{figures}
</body></html>
"""


def shown(item: object) -> str:
    """The item as a notebook shows it."""
    for name in ("_repr_html_", "_repr_svg_"):
        method = getattr(item, name, None)
        if method is not None:
            return str(method())
    return f"<pre>{escape(repr(item))}</pre>"


def pictures() -> list[tuple[str, object]]:
    """The source of each picture, and the picture."""
    spanish = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
    clobber = Sum("clobber_1xn XOXOXOXO")
    return [
        (
            "draw.board(spanish, arrows=['b5c6:R', 'f3e5'], squares=['e5:Y'], last_move='f1b5')",
            draw.board(spanish, arrows=["b5c6:R", "f3e5"], squares=["e5:Y"], last_move="f1b5"),
        ),
        (
            "draw.board(Path('repertoire.pgn'), at='6.O-O', flipped=True, title='Catalan', dark=True)",
            draw.board(REPERTOIRE, at="6.O-O", flipped=True, title="Catalan", dark=True),
        ),
        (
            "draw.tree(Path('repertoire.pgn'), budget=60, boards=['6.O-O'])",
            draw.tree(REPERTOIRE, budget=60, boards=["6.O-O"]),
        ),
        (
            "draw.table(Path('repertoire.pgn'), at='d4 d5 c4 c6', where='check')",
            draw.table(REPERTOIRE, at="d4 d5 c4 c6", where="check"),
        ),
        ("Value('{4||2|-1}')", Value("{4||2|-1}")),
        ("Value('^*')", Value("^*")),
        (
            "Sum('domineering ...|...').thermograph()",
            Sum("domineering ...|...").thermograph(),
        ),
        ("Sum('clobber XO.|OXO + nimber 2')", Sum("clobber XO.|OXO + nimber 2")),
        (
            "Sum('clobber_1xn XOXOXOXO').winning_strategy('left')",
            clobber.winning_strategy("left"),
        ),
        ("Sum('clobber_1xn XOXOXOXO').solve(time=5)", clobber.solve(time=5)),
    ]


def main() -> None:
    figures = "\n".join(
        f"<figure><figcaption><pre>{escape(source)}</pre></figcaption>{shown(item)}</figure>"
        for source, item in pictures()
    )
    output = Path(sys.argv[1] if len(sys.argv) > 1 else "gallery.html")
    output.write_text(PAGE.format(figures=figures), encoding="utf-8")
    print(f"{output} written")


if __name__ == "__main__":
    main()
