//! Who may ask: the key, the host, the origin; and what the page may load.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::access::Hosts;
use crate::error::ApiError;
use crate::shared::Shared;

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
