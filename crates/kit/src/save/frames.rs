//! zstd in frames that can be read one by one, with a table of them at the end.
//!
//! This is the seekable format of zstd: ordinary frames, then a skippable frame that programs
//! without a use for it pass over. A text of one frame has no table.

use std::io::{self, Write};

use crate::input::{SEEK_TABLE, SEEK_TABLE_END};

/// The text of a frame: small enough to share a file among many computers, large enough that
/// starting anew costs little compression.
const FRAME_TEXT: usize = 16 << 20;

type Encoder = zstd::Encoder<'static, Vec<u8>>;

/// Compresses what is written to it.
pub struct Frames<W: Write> {
    sink: W,
    encoder: Encoder,
    current: Frame,
    done: Vec<Frame>,
    frame_text: usize,
}

/// The size of a frame.
#[derive(Clone, Copy, Default)]
struct Frame {
    compressed: usize,
    text: usize,
}

impl<W: Write> Frames<W> {
    pub fn new(sink: W) -> io::Result<Frames<W>> {
        Frames::of_size(FRAME_TEXT, sink)
    }

    fn of_size(frame_text: usize, sink: W) -> io::Result<Frames<W>> {
        Ok(Frames {
            sink,
            encoder: new_encoder()?,
            current: Frame::default(),
            done: Vec::new(),
            frame_text,
        })
    }

    /// Completes the last frame and writes the table.
    pub fn finish(mut self) -> io::Result<W> {
        if self.current.text > 0 || self.done.is_empty() {
            self.end_frame()?;
        }
        if self.done.len() > 1 {
            self.sink.write_all(&seek_table(&self.done)?)?;
        }
        Ok(self.sink)
    }

    fn end_frame(&mut self) -> io::Result<()> {
        let ended = std::mem::replace(&mut self.encoder, new_encoder()?);
        let bytes = ended.finish()?;
        self.sink.write_all(&bytes)?;
        let mut frame = std::mem::take(&mut self.current);
        frame.compressed += bytes.len();
        self.done.push(frame);
        Ok(())
    }
}

impl<W: Write> Write for Frames<W> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        if self.current.text == self.frame_text {
            self.end_frame()?;
        }
        let room = self.frame_text - self.current.text;
        let written = self.encoder.write(&buf[..buf.len().min(room)])?;
        self.current.text += written;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.encoder.flush()?;
        let bytes = std::mem::take(self.encoder.get_mut());
        self.current.compressed += bytes.len();
        self.sink.write_all(&bytes)?;
        self.sink.flush()
    }
}

fn new_encoder() -> io::Result<Encoder> {
    zstd::Encoder::new(Vec::new(), zstd::DEFAULT_COMPRESSION_LEVEL)
}

/// A skippable frame with the sizes of all frames.
fn seek_table(frames: &[Frame]) -> io::Result<Vec<u8>> {
    let mut table = Vec::with_capacity(8 + 8 * frames.len() + 9);
    table.extend(SEEK_TABLE);
    table.extend(number(8 * frames.len() + 9)?);
    for frame in frames {
        table.extend(number(frame.compressed)?);
        table.extend(number(frame.text)?);
    }
    table.extend(number(frames.len())?);
    // No checksums.
    table.push(0);
    table.extend(SEEK_TABLE_END);
    Ok(table)
}

fn number(number: usize) -> io::Result<[u8; 4]> {
    let number = u32::try_from(number).map_err(io::Error::other)?;
    Ok(number.to_le_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{Layout, layout};

    fn packed(text: &[u8], frame_text: usize) -> Vec<u8> {
        let mut frames = Frames::of_size(frame_text, Vec::new()).unwrap();
        for some in text.chunks(700) {
            frames.write_all(some).unwrap();
            if some[0].is_multiple_of(3) {
                frames.flush().unwrap();
            }
        }
        frames.finish().unwrap()
    }

    fn layout_of(bytes: &[u8]) -> Layout {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.zst");
        std::fs::write(&path, bytes).unwrap();
        layout(&path).unwrap()
    }

    #[test]
    fn the_frames_are_the_text_and_the_table_finds_them() {
        for len in [0, 1, 999, 1000, 1001, 3000, 12_345] {
            let text: Vec<u8> = (0..len).map(|n: u32| (n % 251) as u8).collect();
            let bytes = packed(&text, 1000);
            assert_eq!(zstd::decode_all(&bytes[..]).unwrap(), text, "{len}");
            let frames = match layout_of(&bytes) {
                Layout::Frames(starts) => starts.len(),
                _ => 1,
            };
            assert_eq!(frames, text.len().div_ceil(1000).max(1), "{len}");
        }
    }

    #[test]
    fn the_table_agrees_with_the_headers() {
        let text: Vec<u8> = b"1. e4 e5 *\n".repeat(5000);
        let bytes = packed(&text, 10_000);
        let count = text.len().div_ceil(10_000);
        let without_table = &bytes[..bytes.len() - (8 + 8 * count + 9)];
        assert_eq!(layout_of(&bytes), layout_of(without_table));
    }
}
