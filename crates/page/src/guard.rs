//! Who may ask: the key, the host, the origin; and what the page may load.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::ApiError;
use crate::shared::Shared;

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

    fn has(&self, host: &str) -> bool {
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

/// What the page may load and do; see API.md.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                      img-src 'self' data:; font-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// Checks host and origin of every request, and adds the headers of every answer.
pub async fn check_origin(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match is_own(&shared.hosts, request.headers()) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    for (name, value) in HEADERS {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
    response
}

fn is_own(hosts: &Hosts, headers: &HeaderMap) -> Result<(), ApiError> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let host = text(header::HOST).unwrap_or_default();
    if !hosts.has(host) {
        return Err(ApiError::forbidden("unknown Host"));
    }
    let is_other = |origin: &str| !origin.eq_ignore_ascii_case(&format!("http://{host}"));
    if text(header::ORIGIN).is_some_and(is_other) {
        return Err(ApiError::forbidden("a request from another origin"));
    }
    let site = text(HeaderName::from_static("sec-fetch-site"));
    let mode = text(HeaderName::from_static("sec-fetch-mode"));
    // A link from elsewhere to the page is harmless: it needs the key.
    if matches!(site, Some("cross-site" | "same-site")) && mode != Some("navigate") {
        return Err(ApiError::forbidden("a request from another site"));
    }
    Ok(())
}

/// Checks the key of every request to the interface.
pub async fn check_key(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    if has_key(&shared, request.headers()) {
        next.run(request).await
    } else {
        ApiError::forbidden("the key is missing or wrong").into_response()
    }
}

/// True if a request has the key, as a header or as the cookie of this port.
pub fn has_key(shared: &Shared, headers: &HeaderMap) -> bool {
    let is_key = |value: &HeaderValue| value.to_str().is_ok_and(|text| shared.key.is(text));
    let name = shared.cookie_name();
    let in_cookie = |value: &HeaderValue| {
        let mut pairs = value.to_str().unwrap_or_default().split(';');
        pairs.any(|pair| {
            let pair = pair.trim().split_once('=');
            pair.is_some_and(|(known, text)| known == name && shared.key.is(text))
        })
    };
    headers.get_all("x-gametree-key").iter().any(is_key)
        || headers.get_all(header::COOKIE).iter().any(in_cookie)
}

/// The answer to a request for the page without its key.
pub fn no_key() -> Response {
    let text = "Open the address that gametree printed, with its key: http://…/?key=…\n";
    let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    (StatusCode::FORBIDDEN, kind, text).into_response()
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
