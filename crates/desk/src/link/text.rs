//! A long text in order: parts in a temporary file, between parts in memory.

use std::io::{self, Read, Seek, SeekFrom, Write};

use tempfile::SpooledTempFile;

/// Unchanged text up to this size is kept in memory.
const IN_MEMORY: usize = 16 << 20;

/// The text of linked games.
#[derive(Debug, Default)]
pub struct NewText {
    /// Unchanged text.
    kept: Option<SpooledTempFile>,
    parts: Vec<Part>,
}

#[derive(Debug)]
enum Part {
    /// So many bytes of the unchanged text.
    Kept(u64),
    New(Vec<u8>),
}

impl NewText {
    /// Adds unchanged text, whose place [`push_kept`](NewText::push_kept) gives.
    pub(super) fn keep(&mut self, text: &[u8]) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        let new = || SpooledTempFile::new(IN_MEMORY);
        self.kept.get_or_insert_with(new).write_all(text)
    }

    /// The next bytes of the unchanged text follow here.
    pub(super) fn push_kept(&mut self, bytes: u64) {
        if bytes > 0 {
            self.parts.push(Part::Kept(bytes));
        }
    }

    /// Appends new text.
    pub(super) fn push(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        if let Some(Part::New(text)) = self.parts.last_mut() {
            return write(text);
        }
        let mut text = Vec::new();
        write(&mut text);
        self.parts.push(Part::New(text));
    }

    /// Writes all of it.
    pub fn write_to(&mut self, out: &mut impl Write) -> io::Result<()> {
        if let Some(kept) = &mut self.kept {
            kept.seek(SeekFrom::Start(0))?;
        }
        for part in &self.parts {
            match (part, &mut self.kept) {
                (Part::New(text), _) => out.write_all(text)?,
                (Part::Kept(bytes), Some(kept)) => {
                    io::copy(&mut kept.take(*bytes), out)?;
                }
                (Part::Kept(_), None) => {}
            }
        }
        Ok(())
    }
}
