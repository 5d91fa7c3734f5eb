//! What each word of the language means, for editors.

use WordKind::{Direction, Filter, Keyword, Number, Set, Text, Transform};

/// A word of the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word {
    /// The word.
    pub word: &'static str,
    /// What it stands for.
    pub kind: WordKind,
    /// Its meaning, often with an example.
    pub help: &'static str,
}

/// What a word stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WordKind {
    /// A condition.
    Filter,
    /// A set of squares.
    Set,
    /// A number.
    Number,
    /// A text.
    Text,
    /// A direction on the board.
    Direction,
    /// A transform of a filter.
    Transform,
    /// A part of another filter.
    Keyword,
}

impl WordKind {
    /// The name of the kind.
    pub fn name(self) -> &'static str {
        match self {
            Filter => "filter",
            Set => "set",
            Number => "number",
            Text => "text",
            Direction => "direction",
            Transform => "transform",
            Keyword => "keyword",
        }
    }
}

/// All words in alphabetical order.
pub const WORDS: &[Word] = &[
    word("abs", Number, "absolute value of a number: abs (A - B)"),
    word(
        "all",
        Keyword,
        "with `square` and `piece`: the body matches for all elements",
    ),
    word(
        "ancestor",
        Filter,
        "ancestor (A B): position A lies on the path to B",
    ),
    word("and", Keyword, "both filters match: check and wtm"),
    word(
        "anydirection",
        Direction,
        "all eight directions, and their distance: anydirection 1 K",
    ),
    word(
        "ascii",
        Number,
        "code of a character, or the character of a code",
    ),
    word(
        "assert",
        Filter,
        "assert FILTER: end the search with an error if it does not match",
    ),
    word(
        "atomic",
        Keyword,
        "a variable that keeps its value when a match is undone: atomic X = 1",
    ),
    word(
        "attack",
        Filter,
        "attack (A to B): pairs of attackers and attacked pieces",
    ),
    word(
        "attackedby",
        Set,
        "A attackedby B: squares of A that B attacks",
    ),
    word("attacks", Set, "A attacks B: squares of A that attack B"),
    word("between", Set, "between (A B): squares between two squares"),
    word(
        "black",
        Text,
        "Black: `player black`, `elo black`; the value of `sidetomove`",
    ),
    word("btm", Filter, "Black to move"),
    word(
        "capture",
        Keyword,
        "after `move`: the captured pieces, move from Q capture r",
    ),
    word(
        "captures",
        Keyword,
        "short form of a capturing move: Q captures r",
    ),
    word("castle", Filter, "after `move`: castling on either side"),
    word(
        "castlingrights",
        Set,
        "squares of rooks with castling rights",
    ),
    word("check", Filter, "the side to move is in check"),
    word(
        "child",
        Filter,
        "the position after the first continuation: child : mate; child (1): after the second one",
    ),
    word(
        "colortype",
        Number,
        "1 for a white piece, -1 for a black one, 0 for none",
    ),
    word(
        "comment",
        Filter,
        "comment TEXT: write a comment at the position",
    ),
    word(
        "connectedpawns",
        Set,
        "pawns with pawns of their colour on a neighbouring file",
    ),
    word(
        "consecutivemoves",
        Number,
        "consecutivemoves (A B): longest series of moves of one piece",
    ),
    word(
        "count",
        Keyword,
        "number of elements; with `move`: how many moves match",
    ),
    word(
        "countmoves",
        Number,
        "countmoves MOVE: the number of legal moves that match",
    ),
    word(
        "cql",
        Keyword,
        "cql (OPTIONS): the header of a query, cql (variations input \"a.pgn\")",
    ),
    word("curpos", Filter, "short form of `currentposition`"),
    word(
        "currentmove",
        Filter,
        "the move that is being played: in `path` and `line`",
    ),
    word(
        "currentmutation",
        Text,
        "the mutation that is being tried in `imagine`",
    ),
    word(
        "currentposition",
        Filter,
        "the current position: X = currentposition",
    ),
    word(
        "currenttransform",
        Text,
        "the name of the current transform",
    ),
    word("dark", Set, "dark SET: the dark squares of a set, dark B"),
    word("date", Text, "the tag Date"),
    word(
        "depth",
        Number,
        "the number of secondary moves on the path to the position",
    ),
    word(
        "descendant",
        Filter,
        "descendant (A B): position A lies below B",
    ),
    word("diagonal", Direction, "the four diagonal directions"),
    word(
        "dictionary",
        Keyword,
        "dictionary NAME: a table from texts or sets to values",
    ),
    word("dihedral", Transform, "all eight symmetries of the board"),
    word(
        "distance",
        Number,
        "distance (A B): moves between two positions of the tree",
    ),
    word(
        "doubledpawns",
        Set,
        "pawns with a pawn of their colour on the same file",
    ),
    word("down", Direction, "towards White: down 1 3 P"),
    word("drop", Keyword, "after `move`: drops of Crazyhouse"),
    word(
        "echo",
        Filter,
        "echo (A B) BODY: compares pairs of positions of a game",
    ),
    word("eco", Text, "the tag ECO"),
    word("elo", Number, "the rating: elo, elo white, elo black"),
    word("else", Keyword, "if A then B else C"),
    word("enpassant", Filter, "after `move`: a capture en passant"),
    word(
        "enpassantsquare",
        Set,
        "the square behind a pawn that just moved two squares",
    ),
    word("equal", Filter, "used by `consecutivemoves`"),
    word("event", Text, "the tag Event"),
    word("eventdate", Text, "the tag EventDate"),
    word("false", Filter, "never matches"),
    word(
        "fen",
        Text,
        "the position as FEN; fen TEXT: positions with these pieces",
    ),
    word("file", Number, "the file of a square, 1 to 8"),
    word(
        "find",
        Filter,
        "find FILTER: a position at or below this one that matches; find <-- above",
    ),
    word("firstmatch", Keyword, "after `path`: the first match only"),
    word("flip", Transform, "all symmetries and both colours"),
    word("flipcolor", Transform, "with White and Black exchanged too"),
    word(
        "flipdihedral",
        Transform,
        "all eight symmetries of the board",
    ),
    word(
        "fliphorizontal",
        Transform,
        "mirrored from left to right too",
    ),
    word("flipvertical", Transform, "mirrored from top to bottom too"),
    word(
        "focus",
        Keyword,
        "after `path`: only moves of these pieces count",
    ),
    word(
        "from",
        Keyword,
        "after `move`: the moved pieces, move from N",
    ),
    word(
        "function",
        Keyword,
        "function NAME (A B) {BODY}: defines a function",
    ),
    word("gamenumber", Number, "the number of the game"),
    word(
        "halfmoveclock",
        Number,
        "half-moves since the last capture or pawn move",
    ),
    word(
        "hascomment",
        Filter,
        "the position has a comment; hascomment TEXT: with this text",
    ),
    word("hhdb", Filter, "features of studies: hhdb eg, hhdb cook"),
    word("horizontal", Direction, "left and right"),
    word(
        "idealmate",
        Filter,
        "a mate that is economical and pure with all pieces",
    ),
    word("idealstalemate", Filter, "the same for stalemate"),
    word("if", Keyword, "if A then B else C"),
    word(
        "imagine",
        Filter,
        "imagine MUTATIONS: a changed board that is not in the game",
    ),
    word("in", Keyword, "A in B: all squares of A are in B"),
    word(
        "indexof",
        Number,
        "indexof (TEXT in TEXT): place of a text in another",
    ),
    word("initial", Filter, "the initial position"),
    word("initialposition", Filter, "the initial position as a value"),
    word("input", Keyword, "in the header: input \"games.pgn\""),
    word("int", Number, "int TEXT: a text as a number"),
    word("isbound", Filter, "isbound X: the variable has a value"),
    word(
        "isolatedpawns",
        Set,
        "pawns without pawns of their colour on neighbouring files",
    ),
    word(
        "isunbound",
        Filter,
        "isunbound X: the variable has no value",
    ),
    word(
        "keepallbest",
        Keyword,
        "after `path` and `line`: all longest lines",
    ),
    word("lastgamenumber", Number, "the number of the last game"),
    word(
        "lastposition",
        Keyword,
        "after `path` and `line`: the value is the last position",
    ),
    word(
        "lca",
        Filter,
        "lca (A B): the last common position of the paths to both",
    ),
    word("left", Direction, "towards the a-file"),
    word(
        "legal",
        Keyword,
        "after `move`: legal moves that need not be in the game; move legal from Q",
    ),
    word(
        "legalposition",
        Filter,
        "the position could occur by legal moves of one ply",
    ),
    word(
        "light",
        Set,
        "light SET: the light squares of a set, light B",
    ),
    word(
        "line",
        Filter,
        "line --> A --> B: positions that follow one another",
    ),
    word(
        "local",
        Keyword,
        "in the body of a function: a variable of its own",
    ),
    word("loop", Filter, "loop {BODY}: repeat while the body matches"),
    word("lowercase", Text, "lowercase TEXT"),
    word(
        "maindiagonal",
        Direction,
        "along the diagonal from a1 to h8",
    ),
    word("mainline", Filter, "the position is in the mainline"),
    word(
        "makesquare",
        Set,
        "makesquare (FILE RANK), makesquare \"e4\": a square",
    ),
    word(
        "matchcount",
        Keyword,
        "in the header: matchcount 2 100, games with so many matches",
    ),
    word(
        "matchstring",
        Keyword,
        "in the header: matchstring \"X\", the comment at matches",
    ),
    word("mate", Filter, "checkmate"),
    word("max", Number, "max (A B): the greatest number"),
    word("message", Filter, "message TEXT: print a text"),
    word("min", Number, "min (A B): the least number"),
    word("modelmate", Filter, "a mate that is pure and economical"),
    word("modelstalemate", Filter, "the same for stalemate"),
    word(
        "move",
        Filter,
        "a move of the game: move from Q to h7 capture p; move previous",
    ),
    word("movenumber", Number, "the number of the next move"),
    word("nestban", Keyword, "after `path`: matches do not overlap"),
    word("northeast", Direction, "right and up"),
    word("northwest", Direction, "left and up"),
    word("nosort", Keyword, "without sorting"),
    word("not", Keyword, "not FILTER: the filter does not match"),
    word(
        "notransform",
        Filter,
        "notransform FILTER: unaffected by transforms around it",
    ),
    word("null", Filter, "after `move`: a null move"),
    word("nullmove", Filter, "after `move`: a null move"),
    word("o-o", Filter, "after `move`: castling on the king's side"),
    word(
        "o-o-o",
        Filter,
        "after `move`: castling on the queen's side",
    ),
    word("offdiagonal", Direction, "along the diagonal from a8 to h1"),
    word(
        "or",
        Keyword,
        "one of two filters matches: mate or stalemate",
    ),
    word(
        "originalcomment",
        Text,
        "the comment of the game at the position",
    ),
    word("orthogonal", Direction, "the four straight directions"),
    word("output", Keyword, "in the header: output \"out.pgn\""),
    word(
        "outputfile",
        Filter,
        "outputfile NAME: write matching games to this file",
    ),
    word(
        "parent",
        Filter,
        "the position before this one: parent : check",
    ),
    word(
        "passedpawns",
        Set,
        "pawns that no pawn of the other colour can stop",
    ),
    word(
        "path",
        Filter,
        "path MOVES: a series of moves, path --(from N) --(capture q)",
    ),
    word("pathcount", Number, "moves since the start of the path"),
    word(
        "pathcountunfocused",
        Number,
        "all moves since the start of the path",
    ),
    word("pathdebug", Filter, "show the state of a path"),
    word("pathlastposition", Filter, "the last position of the path"),
    word("pathstart", Filter, "the first position of the path"),
    word(
        "persistent",
        Keyword,
        "persistent X: a variable that keeps its value from game to game",
    ),
    word(
        "piece",
        Keyword,
        "piece X in SET: for each piece, X follows it through the game",
    ),
    word("pieceid", Number, "a number of the piece on a square"),
    word("piecename", Text, "the letter of the piece on a square"),
    word("piecepath", Filter, "moves of one piece"),
    word(
        "pin",
        Filter,
        "pin from A through B to C: pins, pin from b through N to K",
    ),
    word("pipe", Text, "pipe (COMMAND TEXT): the output of a program"),
    word(
        "player",
        Text,
        "the players: player \"Carlsen\", player white \"Carlsen\"",
    ),
    word("ply", Number, "half-moves from the initial position"),
    word(
        "position",
        Keyword,
        "position N: the position with this number",
    ),
    word("positionid", Number, "the number of the position"),
    word("power", Number, "the total value of pieces: power A"),
    word(
        "previous",
        Keyword,
        "after `move`: the move that led here, move previous from Q",
    ),
    word(
        "primary",
        Keyword,
        "after `move`: the first continuation, move primary",
    ),
    word(
        "promote",
        Keyword,
        "after `move`: promotion, move promote N",
    ),
    word(
        "promotedpieces",
        Set,
        "pieces that were pawns, in Crazyhouse",
    ),
    word(
        "pseudolegal",
        Keyword,
        "after `move`: moves that may leave the king in check",
    ),
    word(
        "puremate",
        Filter,
        "a mate in which each square is guarded or blocked once",
    ),
    word("purestalemate", Filter, "the same for stalemate"),
    word(
        "quiet",
        Keyword,
        "in the header and after filters: no comments",
    ),
    word("rank", Number, "the rank of a square, 1 to 8"),
    word(
        "ray",
        Filter,
        "ray diagonal (A B C): pieces on a line without others between",
    ),
    word(
        "reachableposition",
        Filter,
        "the position could be reached from the initial position by its pawns and pieces",
    ),
    word("readfile", Text, "readfile NAME: the text of a file"),
    word(
        "removecomment",
        Filter,
        "remove the comment at the position",
    ),
    word(
        "removetag",
        Filter,
        "removetag NAME: remove a tag of the game",
    ),
    word("result", Text, "the result: result 1-0"),
    word(
        "reverse",
        Keyword,
        "after `move`: moves backwards, move reverse",
    ),
    word(
        "reversecolor",
        Transform,
        "only with White and Black exchanged",
    ),
    word("right", Direction, "towards the h-file"),
    word("rotate45", Transform, "lines rotated by 45 degrees too"),
    word("rotate90", Transform, "rotated by 90 degrees too"),
    word("round", Text, "the tag Round"),
    word(
        "saveposition",
        Filter,
        "keep an imagined position as a position of the tree",
    ),
    word(
        "secondary",
        Keyword,
        "after `move`: other continuations, move secondary",
    ),
    word(
        "settag",
        Filter,
        "settag (NAME VALUE): set a tag of the game",
    ),
    word("shift", Transform, "moved to all places of the board"),
    word("shifthorizontal", Transform, "moved left and right"),
    word("shiftvertical", Transform, "moved up and down"),
    word("sidetomove", Text, "white or black"),
    word("silent", Keyword, "no comments"),
    word(
        "similarposition",
        Keyword,
        "in the header: positions like those of a file",
    ),
    word(
        "singlecolor",
        Keyword,
        "after `line`: moves of one colour count",
    ),
    word("site", Text, "the tag Site"),
    word(
        "sort",
        Keyword,
        "sort FILTER: sort the games by a value, sort min power A",
    ),
    word("southeast", Direction, "right and down"),
    word("southwest", Direction, "left and down"),
    word("sqrt", Number, "the square root"),
    word(
        "square",
        Keyword,
        "square X in SET: for each square, square X in a1-8",
    ),
    word("stalemate", Filter, "stalemate"),
    word("str", Text, "str (A B): values as one text"),
    word("string", Keyword, "for each character of a text"),
    word(
        "tag",
        Text,
        "tag NAME: a tag of the game, tag \"Annotator\"",
    ),
    word("terminal", Filter, "no move follows"),
    word("then", Keyword, "if A then B"),
    word("through", Keyword, "after `pin`: the pinned piece"),
    word("title", Text, "the title of a player: title white"),
    word("to", Keyword, "after `move`: the destination, move to h7"),
    word("true", Filter, "always matches"),
    word(
        "try",
        Keyword,
        "try FILTER: matches always, keeps its effects",
    ),
    word("type", Number, "the kind of piece: 1 pawn to 6 king"),
    word("typename", Text, "the name of the type of a value"),
    word(
        "unbind",
        Filter,
        "unbind X: the variable has no value any more",
    ),
    word("up", Direction, "towards Black: up 1 P"),
    word("uppercase", Text, "uppercase TEXT"),
    word("variant", Text, "the name of the variant"),
    word(
        "variantdraw",
        Filter,
        "the game is drawn by the rules of the variant",
    ),
    word(
        "variantend",
        Filter,
        "the game has ended by the rules of the variant",
    ),
    word(
        "variantloss",
        Filter,
        "the side to move has lost by the rules of the variant",
    ),
    word(
        "variantwin",
        Filter,
        "the side to move has won by the rules of the variant",
    ),
    word("variation", Filter, "the position is not in the mainline"),
    word("variations", Keyword, "in the header: search variations"),
    word("verbose", Keyword, "after `path`: a comment at each move"),
    word("vertical", Direction, "up and down"),
    word(
        "virtualmainline",
        Filter,
        "no secondary move by White on the path to the position",
    ),
    word("while", Keyword, "while (CONDITION) {BODY}"),
    word(
        "white",
        Text,
        "White: `player white`, `elo white`; the value of `sidetomove`",
    ),
    word(
        "writefile",
        Filter,
        "writefile (NAME TEXT): append a text to a file",
    ),
    word("wtm", Filter, "White to move"),
    word("xray", Filter, "xray (A B C): attacks through other pieces"),
    word("year", Number, "the year of the tag Date: year > 2000"),
    word("zobristkey", Text, "the Polyglot key of the position"),
];

const fn word(word: &'static str, kind: WordKind, help: &'static str) -> Word {
    Word { word, kind, help }
}

/// A word of the language.
pub fn word_help(word: &str) -> Option<&'static Word> {
    let found = WORDS.binary_search_by_key(&word, |known| known.word);
    found.ok().map(|index| &WORDS[index])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::{RESERVED, SOFT};

    #[test]
    fn every_word_is_explained_once() {
        assert!(WORDS.is_sorted_by_key(|known| known.word));
        for word in RESERVED.iter().chain(SOFT) {
            assert!(word_help(word).is_some(), "{word}");
        }
        assert_eq!(WORDS.len(), RESERVED.len() + SOFT.len());
    }
}
