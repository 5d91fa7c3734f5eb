//! Files mapped into memory.

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// The bytes of a file, read from disk when they are looked at.
#[derive(Debug)]
pub struct Mapped(Mmap);

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Maps a file that is never changed in place, only replaced by renaming.
///
/// The user of the bytes must accept any content: lengths and checksums are tested before an entry
/// is used.
#[allow(
    unsafe_code,
    reason = "files larger than memory must be usable, so they are mapped and not read"
)]
pub fn map(file: &File) -> io::Result<Mapped> {
    // SAFETY: the map is only read, as bytes of any content. This program replaces mapped files by
    // renaming and never changes one in place, so a map keeps showing the same file.
    unsafe { Mmap::map(file) }.map(Mapped)
}
