//! The key of a server, and the names that requests may use for it.

use std::net::{IpAddr, SocketAddr};

/// The secret of a server.
#[derive(Clone)]
pub struct Key(String);

/// 128 bits cannot be guessed.
const KEY_BYTES: usize = 16;

impl Key {
    /// A new random key.
    pub fn random() -> std::io::Result<Key> {
        let mut bytes = [0; KEY_BYTES];
        getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
        Ok(Key(bytes
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()))
    }

    /// The key as text.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Compares in a time that does not depend on the place of the first difference.
    pub fn is(&self, given: &str) -> bool {
        let differences = self.0.bytes().zip(given.bytes());
        let differences = differences.fold(0, |all, (a, b)| all | (a ^ b));
        given.len() == self.0.len() && differences == 0
    }
}

/// Keys are not printed with the state of the server.
impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key")
    }
}

/// The names that a request may use for this server. A name that an attacker controls may resolve to
/// this machine; its page is kept out because its `Host` is another.
#[derive(Clone, Debug)]
pub struct Hosts {
    names: Vec<String>,
    /// Listening on all addresses: any number is accepted, because a number cannot be rebound.
    any_number: bool,
    port: u16,
}

impl Hosts {
    /// The names of an address; `host` is the name that was asked for.
    pub fn new(address: SocketAddr, host: &str) -> Hosts {
        let port = address.port();
        let known = ["localhost", "127.0.0.1", "[::1]", host];
        let own = address.to_string();
        let names = known.map(|name| format!("{name}:{port}"));
        Hosts {
            names: names.into_iter().chain([own]).collect(),
            any_number: address.ip().is_unspecified(),
            port,
        }
    }

    /// True if a request may name this host.
    pub fn has(&self, host: &str) -> bool {
        let is_named = self
            .names
            .iter()
            .any(|name| name.eq_ignore_ascii_case(host));
        is_named || self.any_number && self.is_number(host)
    }

    fn is_number(&self, host: &str) -> bool {
        let Some((name, port)) = host.rsplit_once(':') else {
            return false;
        };
        let name = name.trim_start_matches('[').trim_end_matches(']');
        name.parse::<IpAddr>().is_ok() && port.parse() == Ok(self.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(address: &str, host: &str) -> Hosts {
        Hosts::new(address.parse().unwrap(), host)
    }

    #[test]
    fn only_known_hosts_are_served() {
        let own = hosts("127.0.0.1:8080", "127.0.0.1");
        for good in [
            "127.0.0.1:8080",
            "localhost:8080",
            "LOCALHOST:8080",
            "[::1]:8080",
        ] {
            assert!(own.has(good), "{good}");
        }
        for bad in [
            "",
            "127.0.0.1",
            "127.0.0.1:80",
            "evil.example:8080",
            "192.168.0.2:8080",
        ] {
            assert!(!own.has(bad), "{bad}");
        }
        let all = hosts("0.0.0.0:8080", "0.0.0.0");
        assert!(all.has("192.168.0.2:8080") && !all.has("evil.example:8080"));
        assert!(hosts("192.168.0.2:80", "desk.local").has("desk.local:80"));
    }

    #[test]
    fn keys_are_random_and_compared_whole() {
        let key = Key::random().unwrap();
        assert_eq!(key.text().len(), 32);
        assert!(key.is(key.text()));
        assert!(!key.is("") && !key.is(&key.text()[1..]));
        assert!(!key.is(Key::random().unwrap().text()));
        assert_eq!(format!("{key:?}"), "Key");
    }
}
