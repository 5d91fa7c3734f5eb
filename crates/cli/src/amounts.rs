//! Times, counts and sizes as they are typed: `500ms`, `10M`, `4G`.

use std::str::FromStr;
use std::time::Duration;

use kit::Limits;
use kit::limits::Size;

/// `10`, `2.5s`, `500ms`, `2m`, `1h`
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let units = [
        ("ms", 0.001),
        ("s", 1.0),
        ("m", 60.0),
        ("h", 3600.0),
        ("", 1.0),
    ];
    let (number, unit) = split_unit(text, &units)?;
    Duration::try_from_secs_f64(number * unit)
        .map_err(|_| "expected a time, such as 10, 500ms or 2m".to_owned())
}

/// `1000000`, `10k`, `2.5M`, `1G`
pub fn parse_count(text: &str) -> Result<u64, String> {
    let units = [("k", 1e3), ("K", 1e3), ("M", 1e6), ("G", 1e9), ("", 1.0)];
    let (number, unit) = split_unit(text, &units)?;
    Ok((number * unit) as u64)
}

/// `1000000`, `500M`, `4G`
pub fn parse_bytes(text: &str) -> Result<usize, String> {
    let (k, text) = (1024f64, text.trim_end_matches(['B', 'b']));
    let units = [
        ("k", k),
        ("K", k),
        ("M", k * k),
        ("G", k * k * k),
        ("T", k * k * k * k),
        ("", 1.0),
    ];
    let (number, unit) = split_unit(text, &units)?;
    match number * unit {
        bytes if bytes >= k * k => Ok(bytes as usize),
        _ => Err("expected at least 1M".to_owned()),
    }
}

/// The value of an option `--memory`.
pub fn memory(given: Option<usize>) -> Size {
    given.map_or_else(Limits::default_memory, |bytes| Size(bytes as u64))
}

fn split_unit(text: &str, units: &[(&str, f64)]) -> Result<(f64, f64), String> {
    let number = |name: &str| {
        f64::from_str(text.strip_suffix(name)?)
            .ok()
            .filter(|n| n.is_finite() && *n >= 0.0)
    };
    let found = units
        .iter()
        .find_map(|&(name, unit)| Some((number(name)?, unit)));
    let names: Vec<&str> = units
        .iter()
        .map(|unit| unit.0)
        .filter(|name| !name.is_empty())
        .collect();
    found.ok_or_else(|| {
        format!(
            "expected a number, optionally with a unit: {}",
            names.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_units() {
        assert_eq!(parse_time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_time("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(parse_time("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_count("2.5M"), Ok(2_500_000));
        assert_eq!(parse_bytes("4GB"), Ok(4 << 30));
        for wrong in ["", "x", "-1", "1e999", "nan", "1w"] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
        assert!(parse_bytes("10k").is_err());
    }
}
