//! The roles of colours, and their values on light and dark paper.

/// A colour by its role.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ink {
    /// The background of the whole picture.
    Paper,
    /// Text on the background.
    Text,
    /// Secondary text.
    Faint,
    /// Branches to the moves of the mainline.
    Mainline,
    /// Other branches.
    Branch,
    /// Arcs between equal positions; neighbours have different numbers, below [`ARC_INKS`].
    Transposition(u8),
    /// The outline of highlighted cards.
    Marked,
    /// The card of White's move.
    WhiteCard,
    /// The text on it.
    OnWhiteCard,
    /// The card of Black's move.
    BlackCard,
    /// The text on it.
    OnBlackCard,
    /// The outline of cards.
    CardEdge,
    /// The label of a folded part.
    Fold,
    /// The text on it.
    OnFold,
    /// The sign of a comment.
    Comment,
    /// A light square.
    LightSquare,
    /// A dark square.
    DarkSquare,
    /// The squares of the last move, blended with their colour.
    LastMove,
    /// White's pieces.
    WhitePiece,
    /// Black's pieces.
    BlackPiece,
    /// The outline of pieces.
    PieceEdge,
    /// Lines on White's pieces.
    OnWhitePiece,
    /// Lines on Black's pieces.
    OnBlackPiece,
    /// Green arrows and squares.
    Green,
    /// Red ones.
    Red,
    /// Yellow ones.
    Yellow,
    /// Blue ones.
    Blue,
}

/// Light or dark.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Theme {
    /// Dark text on light paper.
    #[default]
    Light,
    /// Light text on dark paper.
    Dark,
}

/// A colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Colour {
    /// Red, green, blue.
    pub rgb: [u8; 3],
    /// The opacity, of 255.
    pub alpha: u8,
}

impl Theme {
    /// The colour of an ink.
    pub fn colour(self, ink: Ink) -> Colour {
        let (light, dark, alpha) = tones(ink);
        let tone: u32 = match self {
            Theme::Light => light,
            Theme::Dark => dark,
        };
        let [_, red, green, blue] = tone.to_be_bytes();
        Colour {
            rgb: [red, green, blue],
            alpha,
        }
    }
}

/// The number of colours of arcs.
pub const ARC_INKS: u8 = ARC_TONES.len() as u8;

/// Orange, teal, violet, green, brown and crimson: none is the colour of the mainline or of
/// highlighted cards.
const ARC_TONES: [(u32, u32); 6] = [
    (0xd26f36, 0xe08c55),
    (0x0b8a83, 0x3fbdb4),
    (0x7a4fc0, 0xa98be8),
    (0x4f8f1d, 0x8fc251),
    (0x8a6a00, 0xd0aa3a),
    (0xb8324f, 0xea6f86),
];

/// The colour on light paper, on dark paper, and its opacity.
fn tones(ink: Ink) -> (u32, u32, u8) {
    const FULL: u8 = 255;
    match ink {
        Ink::Transposition(number) => {
            let (light, dark) = ARC_TONES[usize::from(number) % ARC_TONES.len()];
            (light, dark, FULL)
        }
        Ink::Paper => (0xffffff, 0x1b1d20, FULL),
        Ink::Text => (0x1f2328, 0xe8e6e1, FULL),
        Ink::Faint => (0x667078, 0x9aa3ab, FULL),
        Ink::Mainline => (0x1d5fa8, 0x63a4e8, FULL),
        Ink::Branch => (0xb4bcc4, 0x596069, FULL),
        Ink::Marked => (0xc2189b, 0xf06fd3, FULL),
        Ink::WhiteCard => (0xffffff, 0xe9e6df, FULL),
        Ink::OnWhiteCard => (0x1f2328, 0x1b1d20, FULL),
        Ink::BlackCard => (0x3c4248, 0x383d43, FULL),
        Ink::OnBlackCard => (0xffffff, 0xf1efea, FULL),
        Ink::CardEdge => (0x77818a, 0x7d868f, FULL),
        Ink::Fold => (0xeef1f4, 0x2a2e33, FULL),
        Ink::OnFold => (0x56606a, 0xa9b2bb, FULL),
        Ink::Comment => (0xd99a00, 0xf2c14e, FULL),
        Ink::LightSquare => (0xf3e3c7, 0xd9cbb2, FULL),
        Ink::DarkSquare => (0xba8b62, 0x8f6d50, FULL),
        Ink::LastMove => (0xe3cf2f, 0xd6c63a, 120),
        Ink::WhitePiece => (0xffffff, 0xf7f4ee, FULL),
        Ink::BlackPiece => (0x3a3634, 0x2a2827, FULL),
        Ink::PieceEdge => (0x1c1918, 0x121110, FULL),
        Ink::OnWhitePiece => (0x1c1918, 0x121110, FULL),
        Ink::OnBlackPiece => (0xf3eee6, 0xe5dfd5, FULL),
        Ink::Green => (0x2f8f2f, 0x3fae3f, 185),
        Ink::Red => (0xc42b2b, 0xd84a4a, 185),
        Ink::Yellow => (0xe0a800, 0xe8b71d, 185),
        Ink::Blue => (0x1f66c7, 0x4587e0, 185),
    }
}

impl std::fmt::Display for Colour {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [red, green, blue] = self.rgb;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}
