//! Pieces and pictures in block characters: four blocks to a cell, in two colours.

use desk::Role;
use desk::draw::Pixels;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;

use super::graphics::distance;
use super::palette::Palette;

/// Pixels of the picture to a block, in each direction.
const DETAIL: u32 = 4;

/// The characters by their blocks: 1 upper left, 2 upper right, 4 lower left, 8 lower right.
const BLOCKS: [char; 16] = [
    ' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█',
];

/// A cell: its character, the colour of the blocks and that of the rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockCell {
    block: char,
    front: [u8; 3],
    back: [u8; 3],
}

/// The size of the picture for this many columns and lines.
pub fn size(columns: u16, lines: u16) -> (u32, u32) {
    let side = |cells: u16| u32::from(cells) * 2 * DETAIL;
    (side(columns), side(lines))
}

/// The cells of a picture of this [`size`], from left to right and from top to bottom.
pub fn cells(pixels: &Pixels) -> Vec<BlockCell> {
    let (columns, lines) = (pixels.width / (2 * DETAIL), pixels.height / (2 * DETAIL));
    let places = (0..lines).flat_map(|line| (0..columns).map(move |column| (column, line)));
    let cell = |(column, line)| {
        let block = |x: u32, y: u32| average(pixels, 2 * column + x, 2 * line + y);
        fit([block(0, 0), block(1, 0), block(0, 1), block(1, 1)])
    };
    places.map(cell).collect()
}

/// Draws cells into an area of their size.
pub fn draw(buffer: &mut Buffer, area: Rect, cells: &[BlockCell], palette: Palette) {
    for (place, cell) in area.positions().zip(cells) {
        let style = Style::new()
            .fg(palette.rgb(cell.front))
            .bg(palette.rgb(cell.back));
        if let Some(drawn) = buffer.cell_mut(place) {
            drawn.set_char(cell.block).set_style(style);
        }
    }
}

/// The columns and lines of a [silhouette](silhouette).
pub const SILHOUETTE: (u16, u16) = (6, 3);

/// A piece for squares that are too small for a picture: three lines of six characters.
pub fn silhouette(role: Role) -> [String; 3] {
    let shape = shape(role);
    [0, 2, 4].map(|line| {
        let is_set = |line: usize, column: usize| shape[line].as_bytes()[column] == b'#';
        let cell = |column: usize| {
            let corners = [(0, 0), (0, 1), (1, 0), (1, 1)];
            let corners = corners.into_iter().enumerate();
            let mask = corners.filter(|&(_, (y, x))| is_set(line + y, 2 * column + x));
            BLOCKS[mask.map(|(bit, _)| 1 << bit).sum::<usize>()]
        };
        (0..6).map(cell).collect()
    })
}

/// Blocks are twice as high as wide.
fn shape(role: Role) -> [&'static str; 6] {
    match role {
        Role::Pawn => [
            "            ",
            "     ##     ",
            "    ####    ",
            "     ##     ",
            "    ####    ",
            "   ######   ",
        ],
        Role::Knight => [
            "     ###    ",
            "   #######  ",
            "  #### #### ",
            "  ##  ##### ",
            "     #####  ",
            "   ######## ",
        ],
        Role::Bishop => [
            "     ##     ",
            "    ## #    ",
            "    # ##    ",
            "     ##     ",
            "    ####    ",
            "  ########  ",
        ],
        Role::Rook => [
            "            ",
            "  ## ## ##  ",
            "  ########  ",
            "   ######   ",
            "   ######   ",
            "  ########  ",
        ],
        Role::Queen => [
            " #  #  #  # ",
            " ## #  # ## ",
            "  ########  ",
            "   ######   ",
            "    ####    ",
            "  ########  ",
        ],
        Role::King => [
            "     ##     ",
            "   ######   ",
            "     ##     ",
            "  ########  ",
            "   ######   ",
            "  ########  ",
        ],
    }
}

fn average(pixels: &Pixels, column: u32, line: u32) -> [u8; 3] {
    let row = |y: u32| {
        let start = ((line * DETAIL + y) * pixels.width + column * DETAIL) as usize;
        &pixels.rgb[start..start + DETAIL as usize]
    };
    let block: Vec<[u8; 3]> = (0..DETAIL).flat_map(row).copied().collect();
    mean(&block)
}

fn mean(colours: &[[u8; 3]]) -> [u8; 3] {
    let count = colours.len().max(1);
    [0, 1, 2].map(|part| {
        let sum: usize = colours.iter().map(|colour| usize::from(colour[part])).sum();
        (sum / count) as u8
    })
}

/// The two groups of blocks whose colours differ least from their mean.
fn fit(blocks: [[u8; 3]; 4]) -> BlockCell {
    let split = |mask: usize| {
        let group = |is_front: bool| {
            let chosen = (0..4).filter(move |bit| (mask >> bit & 1 == 1) == is_front);
            chosen.map(|bit| blocks[bit]).collect::<Vec<_>>()
        };
        let (front, back) = (group(true), group(false));
        let cell = BlockCell {
            block: BLOCKS[mask],
            front: mean(&front),
            back: mean(&back),
        };
        let error = |group: &[[u8; 3]], mean| {
            let distances = group.iter().map(|&colour| distance(colour, mean));
            distances.sum::<u32>()
        };
        (error(&front, cell.front) + error(&back, cell.back), cell)
    };
    // The other eight masks are the same with front and back exchanged.
    let (mut least, mut best) = split(0);
    for (error, cell) in (1..8).map(split) {
        if error < least {
            (least, best) = (error, cell);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: [u8; 3] = [255; 3];
    const BLACK: [u8; 3] = [0; 3];

    #[test]
    fn blocks_follow_the_colours() {
        for (mask, &block) in BLOCKS.iter().enumerate().take(8).skip(1) {
            let colour = |bit: usize| if mask >> bit & 1 == 1 { WHITE } else { BLACK };
            let cell = fit([0, 1, 2, 3].map(colour));
            let wanted = BlockCell {
                block,
                front: WHITE,
                back: BLACK,
            };
            assert_eq!(cell, wanted);
        }
        let plain = fit([WHITE; 4]);
        assert_eq!((plain.block, plain.back), (' ', WHITE));
    }

    #[test]
    fn silhouettes_are_of_one_size_and_differ() {
        let pieces = Role::ALL.map(silhouette);
        for (index, piece) in pieces.iter().enumerate() {
            assert!(piece.iter().all(|line| line.chars().count() == 6));
            assert!(!pieces[..index].contains(piece));
        }
        assert_eq!(silhouette(Role::Rook)[2], " ▟██▙ ");
    }

    #[test]
    fn a_picture_has_a_cell_for_each_place() {
        let (width, height) = size(3, 2);
        let pixels = Pixels {
            width,
            height,
            rgb: vec![WHITE; (width * height) as usize],
        };
        assert_eq!(cells(&pixels).len(), 6);
    }
}
