//! The files of the page, inside the program.

use axum::body::Body;
use axum::http::{HeaderValue, Uri, header};
use axum::response::{IntoResponse, Response};

use crate::error::ApiError;

/// A file of the page.
struct Asset {
    /// Its path in the address.
    path: &'static str,
    bytes: &'static [u8],
}

// `ASSETS` and `HAS_PAGE`: what build.rs made of `web`.
include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// A file of the page; never a file of the disk.
pub async fn asset(uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    match find(path) {
        Some(response) => response,
        None => ApiError::not_found("no such page").into_response(),
    }
}

/// The page itself.
pub fn index() -> Response {
    find("index.html").unwrap_or_else(|| ApiError::not_found("no such page").into_response())
}

fn find(path: &str) -> Option<Response> {
    let asset = ASSETS.iter().find(|asset| asset.path == path)?;
    let mut response = Response::new(Body::from(asset.bytes));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(path)));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    Some(response)
}

fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, end)| end) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "woff2" => "font/woff2",
        "json" => "application/json",
        _ => "application/octet-stream",
    }
}
