//! Answers: bytes with their media type.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use serde::Serialize;

/// Bytes with their media type.
pub type Typed = (&'static str, Vec<u8>);

/// The media type of most answers.
pub const JSON: &str = "application/json";

/// An answer in JSON.
pub fn json_response(status: StatusCode, value: &impl Serialize) -> Response {
    response(status, JSON, to_json(value))
}

/// A value as JSON.
pub fn to_json(value: &impl Serialize) -> Vec<u8> {
    // Only a map whose keys are not texts could fail.
    serde_json::to_vec(value).unwrap_or_default()
}

/// An answer of bytes. Browsers keep no copy.
pub fn response(status: StatusCode, kind: &'static str, bytes: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(bytes));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
