//! A PNG file from runs of equal pixels.
//!
//! Nearly all of a large tree is paper. An encoder that takes bytes copies, filters and compares all
//! of them; this one writes each run as one pixel and a repetition of it, so that its work grows
//! with the number of runs. The checksum of a run has a closed form, too.

use flate2::Crc;

/// The bytes that a PNG file starts with.
const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
/// 8 bits per channel, red, green and blue, the usual methods, rows from top to bottom.
const FORMAT: [u8; 5] = [8, 2, 0, 0, 0];
/// The start of a zlib stream with a window of 32 KB.
const ZLIB: [u8; 2] = [0x78, 0x01];
/// Data after which a chunk ends.
const CHUNK: usize = 1 << 20;
/// The longest repetition of DEFLATE, and the pixels in it.
const LONGEST: usize = 258;
const MOST_REPEATED: usize = LONGEST / 3;

/// A file that is being written.
pub struct RunEncoder {
    file: Vec<u8>,
    /// The start of the current chunk of data.
    chunk: usize,
    bits: Bits,
    sum: Adler,
}

impl RunEncoder {
    /// The start of a picture of this size.
    pub fn new(width: u32, height: u32) -> RunEncoder {
        let mut file = SIGNATURE.to_vec();
        let header = begin_chunk(&mut file, b"IHDR");
        file.extend(width.to_be_bytes());
        file.extend(height.to_be_bytes());
        file.extend(FORMAT);
        end_chunk(&mut file, header);
        let chunk = begin_chunk(&mut file, b"IDAT");
        file.extend(ZLIB);
        let mut bits = Bits::default();
        // The only block, and its code is the fixed one.
        bits.push(&mut file, 0b011, 3);
        RunEncoder {
            file,
            chunk,
            bits,
            sum: Adler::default(),
        }
    }

    /// Writes the next row; the fourth part of a pixel is not written.
    pub fn row(&mut self, pixels: &[[u8; 4]]) {
        // The pixels follow as they are.
        self.literals(&[0]);
        self.sum.byte(0);
        let mut rest = pixels;
        while let Some(&first) = rest.first() {
            let count = equal_pixels(rest, first);
            self.run([first[0], first[1], first[2]], count);
            rest = &rest[count..];
        }
        if self.file.len() - self.chunk > CHUNK {
            end_chunk(&mut self.file, self.chunk);
            self.chunk = begin_chunk(&mut self.file, b"IDAT");
        }
    }

    /// The file.
    pub fn finish(mut self) -> Vec<u8> {
        let (end, width) = LENGTH_CODES[0];
        self.bits.push(&mut self.file, end, width);
        self.bits.flush(&mut self.file);
        self.file.extend(self.sum.value().to_be_bytes());
        end_chunk(&mut self.file, self.chunk);
        let end = begin_chunk(&mut self.file, b"IEND");
        end_chunk(&mut self.file, end);
        self.file
    }

    fn run(&mut self, pixel: [u8; 3], count: usize) {
        self.literals(&pixel);
        self.sum.run(pixel, count as u64);
        let mut left = count - 1;
        while left > 0 {
            let repeated = left.min(MOST_REPEATED);
            let (code, width) = REPETITIONS[repeated];
            self.bits.push(&mut self.file, code, width);
            left -= repeated;
        }
    }

    fn literals(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            let (code, width) = LITERALS[usize::from(byte)];
            self.bits.push(&mut self.file, code, width);
        }
    }
}

/// The number of equal pixels at the start.
fn equal_pixels(pixels: &[[u8; 4]], first: [u8; 4]) -> usize {
    /// Pixels that are compared without a branch.
    const BLOCK: usize = 16;
    let first = u32::from_ne_bytes(first);
    let differs = |pixel: &[u8; 4]| u32::from_ne_bytes(*pixel) != first;
    let (blocks, _) = pixels.as_chunks::<BLOCK>();
    let is_other = |block: &[[u8; 4]; BLOCK]| {
        let bits = |bits, pixel: &[u8; 4]| bits | (u32::from_ne_bytes(*pixel) ^ first);
        block.iter().fold(0, bits) != 0
    };
    // Most runs are short or very long.
    let near = &pixels[..pixels.len().min(BLOCK)];
    if let Some(end) = near.iter().position(differs) {
        return end;
    }
    let passed = blocks.iter().position(is_other).unwrap_or(blocks.len()) * BLOCK;
    let rest = &pixels[passed..];
    passed + rest.iter().position(differs).unwrap_or(rest.len())
}

/// Appends the frame of a chunk, and returns the place of its data.
fn begin_chunk(file: &mut Vec<u8>, kind: &[u8; 4]) -> usize {
    file.extend([0; 4]);
    file.extend(kind);
    file.len()
}

/// Fills in the length and appends the checksum.
fn end_chunk(file: &mut Vec<u8>, data: usize) {
    let length = (file.len() - data) as u32;
    file[data - 8..data - 4].copy_from_slice(&length.to_be_bytes());
    let mut crc = Crc::new();
    crc.update(&file[data - 4..]);
    file.extend(crc.sum().to_be_bytes());
}

/// Bits that do not fill bytes yet, the first one lowest.
#[derive(Default)]
struct Bits {
    bits: u64,
    count: u32,
}

impl Bits {
    fn push(&mut self, out: &mut Vec<u8>, bits: u32, count: u32) {
        self.bits |= u64::from(bits) << self.count;
        self.count += count;
        if self.count >= 32 {
            out.extend((self.bits as u32).to_le_bytes());
            self.bits >>= 32;
            self.count -= 32;
        }
    }

    fn flush(&mut self, out: &mut Vec<u8>) {
        let bytes = self.bits.to_le_bytes();
        out.extend(&bytes[..self.count.div_ceil(8) as usize]);
    }
}

/// The checksum of a zlib stream, reduced late.
struct Adler {
    low: u64,
    high: u64,
}

impl Default for Adler {
    fn default() -> Adler {
        Adler { low: 1, high: 0 }
    }
}

impl Adler {
    const MODULUS: u64 = 65521;
    /// Sums below this leave room for a run of any row.
    const LATE: u64 = 1 << 28;

    fn byte(&mut self, byte: u8) {
        self.low += u64::from(byte);
        self.high += self.low;
        self.reduce();
    }

    fn run(&mut self, pixel: [u8; 3], count: u64) {
        let [red, green, blue] = pixel.map(u64::from);
        let sum = red + green + blue;
        // Every byte adds the low part up to it; that part grows by `sum` from pixel to pixel.
        let each = 3 * self.low + 3 * red + 2 * green + blue;
        self.high += count * each + 3 * sum * (count * (count - 1) / 2);
        self.low += count * sum;
        self.reduce();
    }

    fn reduce(&mut self) {
        if self.low >= Adler::LATE || self.high >= Adler::LATE {
            self.low %= Adler::MODULUS;
            self.high %= Adler::MODULUS;
        }
    }

    fn value(&self) -> u32 {
        (((self.high % Adler::MODULUS) << 16) | (self.low % Adler::MODULUS)) as u32
    }
}

/// A code and its number of bits, the first bit lowest.
type Code = (u32, u32);

/// The codes of bytes in the fixed code of DEFLATE.
const LITERALS: [Code; 256] = {
    let mut codes = [(0, 0); 256];
    let mut byte = 0;
    while byte < 256 {
        codes[byte] = if byte < 144 {
            (first_bit_lowest(0x30 + byte as u32, 8), 8)
        } else {
            (first_bit_lowest(0x190 + (byte - 144) as u32, 9), 9)
        };
        byte += 1;
    }
    codes
};

/// The codes of the end of a block and of the classes of lengths.
const LENGTH_CODES: [Code; 30] = {
    let mut codes = [(0, 0); 30];
    let mut class = 0;
    while class < 30 {
        codes[class] = if class < 24 {
            (first_bit_lowest(class as u32, 7), 7)
        } else {
            (first_bit_lowest(0xc0 + (class - 24) as u32, 8), 8)
        };
        class += 1;
    }
    codes
};

/// The repetition of the last pixel so many times: its length, and the distance 3.
const REPETITIONS: [Code; MOST_REPEATED + 1] = {
    let mut codes = [(0, 0); MOST_REPEATED + 1];
    let mut count = 1;
    while count <= MOST_REPEATED {
        let (class, extra, extra_bits) = length_class(3 * count);
        let (code, bits) = LENGTH_CODES[class];
        let distance = first_bit_lowest(2, 5);
        let distance = distance << (bits + extra_bits);
        codes[count] = (code | (extra << bits) | distance, bits + extra_bits + 5);
        count += 1;
    }
    codes
};

/// The class of a length from 3 to 258, counted from 1, and the bits that tell it from others of
/// its class.
const fn length_class(length: usize) -> (usize, u32, u32) {
    if length == LONGEST {
        return (29, 0, 0);
    }
    let from = length - 3;
    if from < 8 {
        return (from + 1, 0, 0);
    }
    // Four classes for each power of two.
    let extra_bits = from.ilog2() - 2;
    let class = 4 * extra_bits as usize + (from >> extra_bits) + 1;
    let extra = from & ((1 << extra_bits) - 1);
    (class, extra as u32, extra_bits)
}

/// The lowest bits of a code in reverse order.
const fn first_bit_lowest(code: u32, bits: u32) -> u32 {
    code.reverse_bits() >> (32 - bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    /// Rows of runs of all lengths, at all distances from the start of a row.
    #[test]
    fn every_run_reads_back() {
        let colours = [[255, 255, 255, 255], [0, 1, 143, 255], [144, 200, 254, 255]];
        let width = 3000;
        let row = |number: usize| -> Vec<[u8; 4]> {
            let runs = (number..).flat_map(|at| {
                let count = (at * 37 + number * 101) % 300 + 1;
                std::iter::repeat_n(colours[at % 3], count)
            });
            runs.take(width).collect()
        };
        let rows: Vec<_> = (0..400).map(row).collect();
        let mut encoder = RunEncoder::new(width as u32, rows.len() as u32);
        rows.iter().for_each(|row| encoder.row(row));
        let file = encoder.finish();
        let mut reader = png::Decoder::new(Cursor::new(file))
            .read_info()
            .expect("a header");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        reader.next_frame(&mut pixels).expect("pixels");
        let expected = rows.iter().flatten().flat_map(|pixel| &pixel[..3]);
        assert!(pixels.iter().eq(expected));
    }

    /// The sum of a run is that of its bytes.
    #[test]
    fn closed_form_of_checksums() {
        let (mut fast, mut plain) = (Adler::default(), Adler::default());
        for count in (1..200).chain([64_000_000]) {
            let pixel = [count as u8, 255, 3];
            fast.run(pixel, count);
            for _ in 0..count {
                pixel.into_iter().for_each(|byte| plain.byte(byte));
            }
            assert_eq!(fast.value(), plain.value(), "{count}");
        }
    }

    #[test]
    fn runs_are_measured_exactly() {
        for length in 1..100 {
            let mut pixels = vec![[7; 4]; length];
            assert_eq!(equal_pixels(&pixels, [7; 4]), length);
            pixels.extend([[8; 4]; 40]);
            assert_eq!(equal_pixels(&pixels, [7; 4]), length);
        }
    }
}
