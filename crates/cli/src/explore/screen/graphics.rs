//! Pictures on terminals that can show them: the protocols of Kitty and iTerm2, and Sixel.
//!
//! Three small encoders for one opaque picture; a library for all kinds of pictures would take
//! longer to build than the rest of the screen.

use std::collections::HashMap;

use desk::draw::Pixels;

/// How a terminal takes pictures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// Kitty, Ghostty, Konsole.
    Kitty,
    /// iTerm2, WezTerm, mintty.
    Iterm,
    /// xterm, foot, mlterm, Windows Terminal, tmux.
    Sixel,
}

/// The number of our picture, for terminals that keep pictures.
const PICTURE: u32 = 71;

/// Base64 characters in one command of Kitty's protocol.
const CHUNK: usize = 4096;

impl Protocol {
    /// The bytes that show a picture at the cursor, in this many columns and lines.
    pub fn show(self, pixels: &Pixels, columns: u16, lines: u16) -> Vec<u8> {
        match self {
            Protocol::Kitty => kitty(&pixels.to_png(), columns, lines),
            Protocol::Iterm => iterm(&pixels.to_png(), columns, lines),
            Protocol::Sixel => sixel(pixels),
        }
    }

    /// The bytes that remove the picture. Elsewhere the text that is written over it does that.
    pub fn hide(self) -> Vec<u8> {
        match self {
            Protocol::Kitty => format!("\x1b_Ga=d,d=I,i={PICTURE},q=2\x1b\\").into_bytes(),
            Protocol::Iterm | Protocol::Sixel => Vec::new(),
        }
    }
}

/// The PNG in pieces; `q=2`: no answers, `C=1`: the cursor stays.
fn kitty(png: &[u8], columns: u16, lines: u16) -> Vec<u8> {
    let text = base64(png);
    let mut bytes = Vec::new();
    let mut chunks = text.as_bytes().chunks(CHUNK).peekable();
    let mut keys = format!("a=T,f=100,i={PICTURE},p=1,c={columns},r={lines},C=1,q=2,");
    while let Some(chunk) = chunks.next() {
        let more = u8::from(chunks.peek().is_some());
        bytes.extend(format!("\x1b_G{keys}m={more};").bytes());
        bytes.extend(chunk);
        bytes.extend(b"\x1b\\");
        keys.clear();
    }
    bytes
}

fn iterm(png: &[u8], columns: u16, lines: u16) -> Vec<u8> {
    let text = base64(png);
    let size = png.len();
    format!(
        "\x1b]1337;File=inline=1;size={size};width={columns};height={lines};\
         preserveAspectRatio=0:{text}\x07"
    )
    .into_bytes()
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |index: usize| u32::from(group.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let value = bits >> (18 - 6 * digit) & 63;
            let is_padding = digit > group.len();
            text.push(if is_padding {
                '='
            } else {
                char::from(DIGITS[value as usize])
            });
        }
    }
    text
}

/// Colours of a Sixel picture at most.
const COLOURS: usize = 256;

/// Bands of six lines; in each band every colour draws its pixels in one pass.
fn sixel(pixels: &Pixels) -> Vec<u8> {
    let (colours, indexed) = reduce(&pixels.rgb);
    let mut text = format!("\x1bP0;1;0q\"1;1;{};{}", pixels.width, pixels.height);
    for (index, rgb) in colours.iter().enumerate() {
        let [red, green, blue] = rgb.map(|part| (u32::from(part) * 100 + 127) / 255);
        text += &format!("#{index};2;{red};{green};{blue}");
    }
    let width = pixels.width.max(1) as usize;
    for band in indexed.chunks(6 * width) {
        text += &sixel_band(band, width);
    }
    text += "\x1b\\";
    text.into_bytes()
}

fn sixel_band(band: &[u8], width: usize) -> String {
    let mut rows: HashMap<u8, Vec<u8>> = HashMap::new();
    for (index, &colour) in band.iter().enumerate() {
        let row = rows.entry(colour).or_insert_with(|| vec![0; width]);
        row[index % width] |= 1 << (index / width);
    }
    let mut rows: Vec<(u8, Vec<u8>)> = rows.into_iter().collect();
    rows.sort_unstable();
    let rows = rows
        .iter()
        .map(|(colour, row)| format!("#{colour}{}", run_lengths(row)));
    rows.collect::<Vec<_>>().join("$") + "-"
}

/// Repeated characters as `!12?`.
fn run_lengths(row: &[u8]) -> String {
    let mut text = String::new();
    for run in row.chunk_by(|a, b| a == b) {
        let c = char::from(b'?' + run[0]);
        match run.len() {
            count @ 4.. => text += &format!("!{count}{c}"),
            count => text.extend(std::iter::repeat_n(c, count)),
        }
    }
    text
}

/// The most frequent colours, and the index of the nearest of them for each pixel.
fn reduce(rgb: &[[u8; 3]]) -> (Vec<[u8; 3]>, Vec<u8>) {
    let mut counts: HashMap<[u8; 3], usize> = HashMap::new();
    for &colour in rgb {
        *counts.entry(colour).or_default() += 1;
    }
    let mut colours: Vec<([u8; 3], usize)> = counts.into_iter().collect();
    colours.sort_unstable_by_key(|&(colour, count)| (std::cmp::Reverse(count), colour));
    let kept: Vec<[u8; 3]> = colours.iter().take(COLOURS).map(|&(c, _)| c).collect();
    let nearest = |colour: [u8; 3]| {
        let distances = kept.iter().map(|&other| distance(colour, other));
        let least = distances.enumerate().min_by_key(|&(_, distance)| distance);
        least.map_or(0, |(index, _)| index as u8)
    };
    let known = colours.iter().map(|&(colour, _)| (colour, nearest(colour)));
    let indices: HashMap<[u8; 3], u8> = known.collect();
    let indexed = rgb.iter().map(|colour| indices[colour]).collect();
    (kept, indexed)
}

/// How different two colours are.
pub fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    let parts = a
        .iter()
        .zip(b)
        .map(|(&a, b)| u32::from(a.abs_diff(b)).pow(2));
    parts.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixels(width: u32, height: u32, rgb: impl Fn(u32, u32) -> [u8; 3]) -> Pixels {
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        Pixels {
            width,
            height,
            rgb: places.map(|(x, y)| rgb(x, y)).collect(),
        }
    }

    /// The examples of RFC 4648.
    #[test]
    fn base64_as_in_the_standard() {
        for (text, encoded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(text.as_bytes()), encoded);
        }
    }

    /// Reads a Sixel picture: colour of each pixel in percent.
    fn decode(bytes: &[u8]) -> Vec<Vec<[u32; 3]>> {
        let text = std::str::from_utf8(bytes).expect("ASCII");
        let body = text.strip_prefix("\x1bP0;1;0q\"1;1;").expect("a head");
        let (size, body) = body.split_once('#').expect("colours");
        let (width, height) = size.split_once(';').expect("a size");
        let (width, height): (usize, usize) = (width.parse().unwrap(), height.parse().unwrap());
        let mut picture = vec![vec![[0; 3]; width]; height.next_multiple_of(6)];
        let (mut colours, mut x, mut y, mut colour) = (HashMap::new(), 0, 0, 0);
        let body = format!("#{}", body.strip_suffix("\x1b\\").expect("an end"));
        let mut rest = body.as_str();
        let number = |rest: &mut &str| {
            let end = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            let number: u32 = rest[..end].parse().expect("a number");
            *rest = &rest[end..];
            number
        };
        while let Some(c) = rest.chars().next() {
            rest = &rest[1..];
            match c {
                '#' => {
                    colour = number(&mut rest);
                    if let Some(after) = rest.strip_prefix(";2;") {
                        rest = after;
                        let red = number(&mut rest);
                        rest = &rest[1..];
                        let green = number(&mut rest);
                        rest = &rest[1..];
                        colours.insert(colour, [red, green, number(&mut rest)]);
                    }
                }
                '$' => x = 0,
                '-' => (x, y) = (0, y + 6),
                c => {
                    let (count, c) = match c {
                        '!' => {
                            let count = number(&mut rest);
                            let c = rest.chars().next().expect("a sixel");
                            rest = &rest[1..];
                            (count, c)
                        }
                        c => (1, c),
                    };
                    for _ in 0..count {
                        for bit in 0..6 {
                            if (c as u8 - b'?') >> bit & 1 == 1 {
                                picture[y + bit][x] = colours[&colour];
                            }
                        }
                        x += 1;
                    }
                }
            }
        }
        picture.truncate(height);
        picture
    }

    #[test]
    fn sixel_shows_the_same_pixels() {
        let rgb = |x: u32, y: u32| match (x / 5 + y / 3) % 3 {
            0 => [255, 0, 0],
            1 => [0, 255, 0],
            _ => [255, 255, 255],
        };
        let decoded = decode(&sixel(&pixels(31, 20, rgb)));
        for y in 0..20 {
            for x in 0..31 {
                let wanted = rgb(x, y).map(|part| u32::from(part) * 100 / 255);
                assert_eq!(decoded[y as usize][x as usize], wanted, "{x} {y}");
            }
        }
    }

    #[test]
    fn many_colours_become_the_nearest_frequent_ones() {
        let many = pixels(64, 64, |x, y| [x as u8 * 4, y as u8 * 4, 0]);
        let (colours, indexed) = reduce(&many.rgb);
        assert_eq!(colours.len(), COLOURS);
        assert_eq!(indexed.len(), 64 * 64);
    }

    #[test]
    fn kitty_gets_the_png_in_chunks() {
        let noise = pixels(90, 90, |x, y| {
            [(x * 37 + y * 91) as u8, (x * y) as u8, (x ^ y) as u8]
        });
        let png = noise.to_png();
        let bytes = Protocol::Kitty.show(&noise, 16, 8);
        let text = String::from_utf8(bytes).expect("ASCII");
        let commands: Vec<&str> = text.split_terminator("\x1b\\").collect();
        assert!(
            commands.len() > 1 && commands[0].contains("c=16,r=8"),
            "{}",
            commands[0]
        );
        let payload: String = commands
            .iter()
            .map(|command| command.split_once(';').expect("a payload").1)
            .collect();
        assert_eq!(payload, base64(&png));
        assert!(commands.iter().all(|command| command.len() < CHUNK + 100));
        assert!(
            commands
                .last()
                .is_some_and(|last| last.starts_with("\x1b_Gm=0;"))
        );
    }
}
