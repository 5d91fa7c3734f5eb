//! Limits on input for the whole process: they bound memory and disk use for any file.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::str::FromStr;
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

    /// The memory for data that can also be kept in a temporary file: 1 GiB, at most a quarter of
    /// the memory that this process may use.
    pub fn default_memory() -> Size {
        let quarter = memory().map_or(u64::MAX, |memory| memory / 4);
        Size(quarter.min(1 << 30))
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
    let group = read_report("/sys/fs/cgroup/memory.max");
    // not a number if there is no limit
    let group = group.and_then(|text| text.trim().parse().ok());
    [installed_memory(), address_space(), group]
        .into_iter()
        .flatten()
        .min()
}

/// By a system call, because `/proc/meminfo` is text that the system writes for each reader.
#[cfg(target_os = "linux")]
fn installed_memory() -> Option<u64> {
    let info = rustix::system::sysinfo();
    #[allow(clippy::useless_conversion)] // 32 bits where a word has 32
    let units = u64::from(info.totalram);
    Some(units.saturating_mul(info.mem_unit.into()))
}

#[cfg(not(target_os = "linux"))]
fn installed_memory() -> Option<u64> {
    None
}

/// The limit on addresses that the caller of the program set.
#[cfg(unix)]
fn address_space() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::As).current
}

#[cfg(not(unix))]
fn address_space() -> Option<u64> {
    None
}

/// The first page of a file that the system writes on demand, such as `/sys/fs/cgroup/memory.max`: one read,
/// because each costs as much as opening it, and the size of such a file is not known before.
fn read_report(file: &str) -> Option<String> {
    let mut page = [0; 4096];
    let length = File::open(file).ok()?.read(&mut page).ok()?;
    Some(String::from_utf8_lossy(page.get(..length)?).into_owned())
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

/// The error of text that is not a size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotASize;

impl fmt::Display for NotASize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a size above 0, such as 500k, 256M or 2G")
    }
}

impl std::error::Error for NotASize {}

impl FromStr for Size {
    type Err = NotASize;

    /// Reads `100000`, `500k`, `256M`, `1.5GiB`.
    fn from_str(text: &str) -> Result<Size, NotASize> {
        let number = text.trim_end_matches(['B', 'b']).trim_end_matches('i');
        let has_unit = |(unit, _): &&(char, u64)| {
            let last = number.chars().next_back();
            last.is_some_and(|last| last.eq_ignore_ascii_case(unit))
        };
        let (number, unit) = match UNITS.iter().find(has_unit) {
            Some((_, size)) => (&number[..number.len() - 1], *size as f64),
            None => (number, 1.0),
        };
        let bytes = number.trim_end().parse::<f64>().map_err(|_| NotASize)? * unit;
        if (1.0..u64::MAX as f64).contains(&bytes) {
            Ok(Size(bytes as u64))
        } else {
            Err(NotASize)
        }
    }
}

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
    fn sizes_are_read() {
        for (text, bytes) in [
            ("500", 500),
            ("1k", 1024),
            ("1.5GiB", 3 << 29),
            ("2TB", 2 << 40),
            ("256 M", 256 << 20),
        ] {
            assert_eq!(text.parse(), Ok(Size(bytes)), "{text}");
        }
        for text in ["", "M", "0", "-1", "inf", "NaN", "1e300", "10X", "é"] {
            assert_eq!(text.parse::<Size>(), Err(NotASize), "{text}");
        }
    }

    #[test]
    fn default_limits_fit_in_memory() {
        let limits = Limits::default();
        assert!(limits.text >= Size(16 << 20) && limits.text <= Size(2 << 30));
        assert!(memory().is_none_or(|memory| limits.text.0 <= (memory / 32).max(16 << 20)));
    }
}
