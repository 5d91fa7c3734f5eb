//! Complaints: problems found in a PGN, their location, and how the reader handled them.

use super::Span;
use std::fmt;
use tree::NodeId;

/// One problem in a game.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Complaint {
    /// The kind of problem.
    pub kind: ComplaintKind,
    /// Its location in the file.
    pub location: Location,
    /// The number of the game in its file, from 1.
    pub game: u64,
    /// The last node before the problem.
    pub node: NodeId,
    /// The text at the location: the word, the tag, the start of the comment.
    pub excerpt: Box<str>,
}

/// A location in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Location {
    /// The offset of the first byte.
    pub offset: u64,
    /// The number of bytes.
    pub len: u32,
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1, in characters.
    pub column: u32,
}

/// The severity of a complaint.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Unusual, but unambiguous.
    Note,
    /// The reader had to guess or to correct something.
    Warning,
    /// The reader kept something as text because it could not interpret it.
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

/// Declares the kinds. The example is the doc comment, so the list is also the test plan.
macro_rules! kinds {
    ($($kind:ident $severity:ident $example:literal $message:literal => $action:literal,)*) => {
        /// The kinds of complaints, each with the shortest input that causes it.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[non_exhaustive]
        pub enum ComplaintKind {
            $(#[doc = concat!("`", $example, "`")] $kind,)*
        }

        impl ComplaintKind {
            /// All kinds.
            pub const ALL: &[ComplaintKind] = &[$(ComplaintKind::$kind),*];

            /// The shortest input that causes it; `\u{…}` stands for a byte that is not UTF-8.
            pub fn example(self) -> &'static str {
                match self { $(ComplaintKind::$kind => $example,)* }
            }

            /// The name in machine-readable reports.
            pub fn name(self) -> &'static str {
                match self { $(ComplaintKind::$kind => stringify!($kind),)* }
            }

            /// The severity.
            pub fn severity(self) -> Severity {
                match self { $(ComplaintKind::$kind => Severity::$severity,)* }
            }

            /// The problem, as a message.
            pub fn message(self) -> &'static str {
                match self { $(ComplaintKind::$kind => $message,)* }
            }

            /// How the reader handled it.
            pub fn action(self) -> &'static str {
                match self { $(ComplaintKind::$kind => $action,)* }
            }
        }
    };
}

kinds! {
    NotUtf8 Note "{\u{e9}}"
        "invalid UTF-8" => "read as Windows-1252",
    GameTooLong Error ""
        "game longer than the limit" => "split at a line end; the rest is read as another game",
    NoBlankLine Warning "*\n[A \"\"]"
        "tag directly after the movetext of another game" => "started a new game",
    GamesRunTogether Warning "* 1."
        "move number 1 directly after a result" => "started a new game",
    BlankLine Note "e4\n\ne5"
        "blank line in the movetext" => "continued the game",
    TagUnterminated Warning "[A \""
        "unterminated tag" => "ended the tag at the end of the line",
    TagWithoutValue Warning "[A]"
        "tag without a value" => "used an empty value",
    TagUnquoted Warning "[A b]"
        "tag value without quotes" => "used the text up to the bracket",
    TagQuote Warning "[A \"\"\"]"
        "unescaped quote in a tag value (write \\\")" => "kept it as part of the value",
    TagRepeated Note "[A \"\"][A \"\"]"
        "duplicate tag" => "kept both; the first one is used",
    BadFen Error "[FEN \"x\"]"
        "invalid FEN in the FEN tag" => "kept the moves as text",
    OddFen Warning "[FEN \"k7/8/8/8/8/8/8/K7 w K\"]"
        "unusual or impossible position in the FEN tag" => "used the valid parts",
    UnknownVariant Error "[Variant \"x\"]"
        "unknown variant" => "read the moves by the rules of standard chess",
    SetUpWithoutFen Warning "[SetUp \"1\"]"
        "SetUp tag without a FEN tag" => "used the standard starting position",
    BadResultTag Warning "[Result \"\"]"
        "invalid result in the Result tag" => "kept the tag",
    ResultContradiction Warning "[Result \"0-1\"]1-0"
        "result differs from the Result tag" => "kept both",
    MissingResult Note "e4"
        "missing result at the end of the game" => "used the Result tag, or *",
    SecondResult Warning "* *"
        "more than one result" => "used the last one that is not *; kept the other as text",
    MoveAfterResult Warning "* e4"
        "moves after the result" => "continued the game",
    ResultInVariation Warning "e4(d4 *)"
        "result inside a variation" => "kept it as text",
    OddResult Note "1/2"
        "nonstandard spelling of a result" => "read as the standard result",
    UnclosedBrace Warning "{"
        "unclosed comment" => "closed it at the end of the game",
    StrayBrace Warning "}"
        "} without {" => "ignored",
    BraceInComment Note "{{}"
        "{ inside a comment (comments do not nest)" => "ended the comment at the first }",
    UnclosedVariation Warning "e4(d4"
        "unclosed variation" => "closed it at the end of the game",
    StrayParenthesis Warning ")"
        ") without (" => "ignored",
    EmptyVariation Note "e4()"
        "empty variation" => "ignored",
    VariationWithoutMoves Warning "e4({x})"
        "variation without moves" => "kept it as text",
    VariationBeforeMove Warning "(e4)d4"
        "variation before the first move" => "read as an alternative to the next move",
    IllegalMove Error "e5"
        "illegal move" => "kept the rest of the line as text",
    AmbiguousMove Error "Nf3 a6 d3 a5 Nd2"
        "ambiguous move" => "kept the rest of the line as text",
    UnreadableMove Error "e9"
        "invalid move" => "kept the rest of the line as text",
    GluedMoves Warning "e4e5"
        "missing space after a move" => "split the text after the move",
    WrongNumber Note "2.e4"
        "wrong move number" => "used the number of the position",
    UnknownWord Warning "x"
        "unknown word" => "kept it as text",
    StrayPunctuation Note ","
        "unexpected punctuation" => "ignored",
    NagBeforeMove Note "e4($1 d4)"
        "annotation glyph before the first move of a variation" => "applied it to that move",
    NagWithoutNumber Warning "$"
        "$ without a number" => "kept it as text",
    NagTooLarge Warning "$4294967296"
        "annotation glyph with too large a number" => "kept it as text",
    TooMany Note ""
        "too many complaints in one game" => "omitted the rest",
    OddMark Note "e4!!!"
        "nonstandard annotation glyph" => "split it into several",
}

impl fmt::Display for ComplaintKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Complaint { kind, location, .. } = self;
        let Location { line, column, .. } = location;
        let (severity, message) = (kind.severity(), kind.message());
        write!(f, "{line}:{column}: {severity}: {message}")?;
        if !self.excerpt.is_empty() {
            write!(f, ": {:?}", self.excerpt)?;
        }
        write!(f, "; {}", kind.action())
    }
}

/// A complaint before its location in the file is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Finding {
    pub kind: ComplaintKind,
    pub span: Span,
    pub node: NodeId,
}
