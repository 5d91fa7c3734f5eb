//! What was found wrong in a PGN, where, and what was done about it.

use super::Span;
use std::fmt;
use tree::NodeId;

/// One thing that is wrong or odd in a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Complaint {
    /// What it is.
    pub kind: Kind,
    /// Where it stands in its file.
    pub place: Place,
    /// The number of the game in its file, from 1.
    pub game: u64,
    /// The last node before it.
    pub node: NodeId,
    /// What stands there: the word, the tag, the start of the comment.
    pub excerpt: Box<str>,
}

/// A place in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// The offset of the first byte.
    pub offset: u64,
    /// How many bytes are meant.
    pub len: u32,
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1, in characters.
    pub column: u32,
}

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Unusual, but what is meant is clear.
    Note,
    /// Something had to be guessed or put right.
    Warning,
    /// Something could not be read as what it should be; it is kept as text.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
    }
}

/// Declares the kinds: the example is the doc comment, so that the list is the test plan.
macro_rules! kinds {
    ($($kind:ident $severity:ident $example:literal $what:literal => $done:literal,)*) => {
        /// Kinds of complaints, each with the shortest input that provokes it.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Kind {
            $(#[doc = concat!("`", $example, "`")] $kind,)*
        }

        impl Kind {
            /// All kinds.
            pub const ALL: &[Kind] = &[$(Kind::$kind),*];

            /// The shortest input that provokes it; `\u{…}` stands for a byte outside UTF-8.
            pub fn example(self) -> &'static str {
                match self { $(Kind::$kind => $example,)* }
            }

            /// Its name in reports for programs.
            pub fn name(self) -> &'static str {
                match self { $(Kind::$kind => stringify!($kind),)* }
            }

            /// How bad it is.
            pub fn severity(self) -> Severity {
                match self { $(Kind::$kind => Severity::$severity,)* }
            }

            /// What is wrong.
            pub fn what(self) -> &'static str {
                match self { $(Kind::$kind => $what,)* }
            }

            /// What was done about it.
            pub fn done(self) -> &'static str {
                match self { $(Kind::$kind => $done,)* }
            }
        }
    };
}

kinds! {
    NotUtf8 Note "{\u{e9}}"
        "bytes that are not UTF-8" => "read as Windows-1252",
    GameTooLong Error ""
        "a game longer than the limit" => "cut at a line end; the rest is read as another game",
    NoBlankLine Warning "*\n[A \"\"]"
        "a tag right after the movetext of another game" => "started a new game",
    GamesRunTogether Warning "* 1."
        "move number 1 right after a result" => "started a new game",
    BlankLine Note "e4\n\ne5"
        "a blank line inside the movetext" => "the game goes on after it",
    TagUnterminated Warning "[A \""
        "a tag that is not closed" => "closed it at the end of the line",
    TagWithoutValue Warning "[A]"
        "a tag without a value" => "gave it an empty one",
    TagUnquoted Warning "[A b]"
        "a tag value without quotes" => "took the text up to the bracket",
    TagQuote Warning "[A \"\"\"]"
        "a quote inside a tag value that should be \\\"" => "took it as part of the value",
    TagRepeated Note "[A \"\"][A \"\"]"
        "a tag that this game has already" => "kept both; the first one counts",
    BadFen Error "[FEN \"x\"]"
        "a FEN tag that gives no position" => "kept the moves as text",
    OddFen Warning "[FEN \"k7/8/8/8/8/8/8/K7 w K\"]"
        "an odd FEN, or a position that cannot arise" => "took what makes sense of it",
    UnknownVariant Error "[Variant \"x\"]"
        "a variant that is not known" => "read the moves by the rules of chess as far as they go",
    SetUpWithoutFen Warning "[SetUp \"1\"]"
        "a SetUp tag without a FEN tag" => "started from the usual position",
    BadResultTag Warning "[Result \"\"]"
        "a Result tag that is no result" => "kept it",
    ResultContradiction Warning "[Result \"0-1\"]1-0"
        "a result that contradicts the Result tag" => "kept both",
    MissingResult Note "e4"
        "no result at the end of the game" => "took the one of the Result tag, or *",
    SecondResult Warning "* *"
        "more than one result" => "the last one that is not * counts; kept the other as text",
    MoveAfterResult Warning "* e4"
        "moves after the result" => "the game goes on",
    ResultInVariation Warning "e4(d4 *)"
        "a result inside a variation" => "kept it as text",
    OddResult Note "1/2"
        "a result in an unusual spelling" => "read it as the usual one",
    UnclosedBrace Warning "{"
        "a comment that is not closed" => "closed it where the game ends",
    StrayBrace Warning "}"
        "a } without a {" => "ignored it",
    BraceInComment Note "{{}"
        "a { inside a comment; comments do not nest" => "the comment ends at the first }",
    UnclosedVariation Warning "e4(d4"
        "a variation that is not closed" => "closed it where the game ends",
    StrayParenthesis Warning ")"
        "a ) without a (" => "ignored it",
    EmptyVariation Note "e4()"
        "a variation without anything in it" => "ignored it",
    VariationWithoutMoves Warning "e4({x})"
        "a variation without a move in it" => "kept it as text",
    VariationBeforeMove Warning "(e4)d4"
        "a variation before the first move" => "took it as an alternative to the move that follows",
    IllegalMove Error "e5"
        "an illegal move" => "kept the rest of the line as text",
    AmbiguousMove Error "Nf3 a6 d3 a5 Nd2"
        "a move that two pieces could make" => "kept the rest of the line as text",
    UnreadableMove Error "e9"
        "a move that cannot be read" => "kept the rest of the line as text",
    GluedMoves Warning "e4e5"
        "a move and another, or a result, without a blank between them" => "took them apart",
    WrongNumber Note "2.e4"
        "a move number that does not fit the position" => "went by the position",
    UnknownWord Warning "x"
        "a word that is no move" => "kept it as text",
    StrayPunctuation Note ","
        "punctuation that means nothing here" => "ignored it",
    NagBeforeMove Note "e4($1 d4)"
        "a mark before the move of a variation" => "took it as a mark on that move",
    NagWithoutNumber Warning "$"
        "a $ without a number" => "kept it as text",
    NagTooLarge Warning "$4294967296"
        "a mark with too large a number" => "kept it as text",
    TooMany Note ""
        "more complaints in a game than are kept" => "left the others out",
    OddMark Note "e4!!!"
        "a mark that is not in use" => "took it for several",
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.what())
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Complaint { kind, place, .. } = self;
        let Place { line, column, .. } = place;
        write!(f, "{line}:{column}: {}: {}", kind.severity(), kind.what())?;
        if !self.excerpt.is_empty() {
            write!(f, ": {:?}", self.excerpt)?;
        }
        write!(f, "; {}", kind.done())
    }
}

/// A complaint before its place in the file is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Finding {
    pub kind: Kind,
    pub span: Span,
    pub node: NodeId,
}
