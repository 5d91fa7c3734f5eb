//! Limits on input for the whole process: they bound memory and disk use for any file.

use std::fmt;
use std::fs;
use std::sync::OnceLock;

/// Limits on input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The greatest unpacked size of a compressed file.
    pub unpacked: Size,
    /// The greatest size of text in memory at once: one game, or a file that is opened whole.
    pub text: Size,
}

static LIMITS: OnceLock<Limits> = OnceLock::new();

impl Limits {
    /// The limits of this process.
    pub fn current() -> Limits {
        *LIMITS.get_or_init(Limits::default)
    }

    /// The greatest size of data that grows with all games read: eight times the text in memory at
    /// once, a quarter of the memory by default.
    pub fn kept(self) -> Size {
        Size(self.text.0.saturating_mul(8))
    }

    /// Sets the limits of this process, before anything is read: later calls have no effect.
    pub fn set(self) {
        LIMITS.get_or_init(|| self);
    }
}

impl Default for Limits {
    /// Unpacked 1 TiB: more than any collection of games. Text 1/32 of the memory that this process
    /// may use, because a tree takes up to twenty times its text; from 16 MiB to 2 GiB.
    fn default() -> Limits {
        const ASSUMED_MEMORY: u64 = 8 << 30;
        let text = memory().unwrap_or(ASSUMED_MEMORY) / 32;
        Limits {
            unpacked: Size(1 << 40),
            text: Size(text.clamp(16 << 20, 2 << 30)),
        }
    }
}

/// The memory that this process may use, as far as the system reports it.
pub fn memory() -> Option<u64> {
    let field = |file: &str, name: &str| {
        let text = fs::read_to_string(file).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    let installed = field("/proc/meminfo", "MemTotal:").map(|kib| kib.saturating_mul(1024));
    // In bytes; not a number if there is no limit.
    let address_space = field("/proc/self/limits", "Max address space");
    let group = fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let group = group.and_then(|text| text.trim().parse().ok());
    [installed, address_space, group]
        .into_iter()
        .flatten()
        .min()
}

/// A number of bytes, written `500 bytes`, `1.5 GiB` or `2 TiB`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Size(pub u64);

const UNITS: [(char, u64); 4] = [
    ('K', 1 << 10),
    ('M', 1 << 20),
    ('G', 1 << 30),
    ('T', 1 << 40),
];

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = UNITS.iter().rfind(|(_, size)| self.0 >= *size);
        match unit {
            None => write!(f, "{} bytes", self.0),
            Some((unit, size)) if self.0.is_multiple_of(*size) => {
                write!(f, "{} {unit}iB", self.0 / size)
            }
            Some((unit, size)) => write!(f, "{:.1} {unit}iB", self.0 as f64 / *size as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        let written = [(500, "500 bytes"), (3 << 29, "1.5 GiB"), (1 << 40, "1 TiB")];
        for (bytes, text) in written {
            assert_eq!(Size(bytes).to_string(), text);
        }
    }

    #[test]
    fn default_limits_fit_in_memory() {
        let limits = Limits::default();
        assert!(limits.text >= Size(16 << 20) && limits.text <= Size(2 << 30));
        assert!(memory().is_none_or(|memory| limits.text.0 <= (memory / 32).max(16 << 20)));
    }
}
