//! From requests to functions: parameters and bodies in, JSON out, work away from the sockets.

use std::sync::Arc;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{self, MethodRouter};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Answer, ApiError};
use crate::shared::Shared;

/// Bodies may be this long.
pub const LONGEST_BODY: usize = 4 << 20;

/// A server's routes have this state.
pub type Routes = MethodRouter<Arc<Shared>>;

/// The client that asks for a change, as it named itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Client(pub Option<String>);

impl Client {
    fn of(headers: &HeaderMap) -> Client {
        let is_name = |name: &&str| {
            let is_sign = |sign: u8| sign.is_ascii_alphanumeric() || sign == b'-';
            name.len() <= 64 && name.bytes().all(is_sign)
        };
        let name = headers.get("x-gametree-client");
        let name = name.and_then(|name| name.to_str().ok()).filter(is_name);
        Client(name.map(str::to_owned))
    }
}

/// A route that answers a question.
pub fn get<Q, R>(answer: fn(&Arc<Shared>, Q) -> Answer<R>) -> Routes
where
    Q: DeserializeOwned + Send + 'static,
    R: Serialize + Send + 'static,
{
    routing::get(
        move |State(shared): State<Arc<Shared>>, uri: Uri| async move {
            let query = match Query::<Q>::try_from_uri(&uri) {
                Ok(Query(query)) => query,
                Err(error) => return ApiError::bad_request(error.body_text()).into_response(),
            };
            work(StatusCode::OK, move || answer(&shared, query)).await
        },
    )
}

/// Bytes with their media type.
pub type Typed = (&'static str, Vec<u8>);

/// A route that answers with bytes of its own type.
pub fn get_bytes<Q>(answer: fn(&Arc<Shared>, Q) -> Answer<Typed>) -> Routes
where
    Q: DeserializeOwned + Send + 'static,
{
    routing::get(
        move |State(shared): State<Arc<Shared>>, uri: Uri| async move {
            let query = match Query::<Q>::try_from_uri(&uri) {
                Ok(Query(query)) => query,
                Err(error) => return ApiError::bad_request(error.body_text()).into_response(),
            };
            match blocking(move || answer(&shared, query)).await {
                Ok((kind, bytes)) => {
                    let headers = [
                        (header::CONTENT_TYPE, kind),
                        (header::CACHE_CONTROL, "no-store"),
                    ];
                    (headers, bytes).into_response()
                }
                Err(error) => error.into_response(),
            }
        },
    )
}

/// A route with a body.
pub fn post<B, R>(answer: fn(&Arc<Shared>, B, Client) -> Answer<R>) -> Routes
where
    B: DeserializeOwned + Send + 'static,
    R: Serialize + Send + 'static,
{
    post_with(StatusCode::OK, answer)
}

/// A route with a body that starts a job.
pub fn post_job<B, R>(answer: fn(&Arc<Shared>, B, Client) -> Answer<R>) -> Routes
where
    B: DeserializeOwned + Send + 'static,
    R: Serialize + Send + 'static,
{
    post_with(StatusCode::ACCEPTED, answer)
}

fn post_with<B, R>(status: StatusCode, answer: fn(&Arc<Shared>, B, Client) -> Answer<R>) -> Routes
where
    B: DeserializeOwned + Send + 'static,
    R: Serialize + Send + 'static,
{
    routing::post(
        move |State(shared): State<Arc<Shared>>, request: Request| async move {
            let client = Client::of(request.headers());
            match read_body::<B>(request).await {
                Ok(body) => work(status, move || answer(&shared, body, client)).await,
                Err(error) => error.into_response(),
            }
        },
    )
}

/// A page of another site cannot send this type without being asked first.
async fn read_body<B: DeserializeOwned>(request: Request) -> Answer<B> {
    let kind = request.headers().get(header::CONTENT_TYPE);
    let is_json = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    if !is_json {
        return Err(ApiError::bad_request(
            "Content-Type must be application/json",
        ));
    }
    let bytes = read_bytes(request.into_body()).await?;
    serde_json::from_slice(&bytes).map_err(ApiError::bad_request)
}

async fn read_bytes(body: Body) -> Answer<Bytes> {
    let read = to_bytes(body, LONGEST_BODY).await;
    read.map_err(|_| ApiError::too_large(format!("the body has more than {LONGEST_BODY} bytes")))
}

async fn work<R: Serialize + Send + 'static>(
    status: StatusCode,
    answer: impl FnOnce() -> Answer<R> + Send + 'static,
) -> Response {
    let text = move || answer().map(|answer| to_json(&answer));
    match blocking(text).await {
        Ok(text) => text_response(status, text),
        Err(error) => error.into_response(),
    }
}

/// Runs work on a thread that may wait.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Answer<T> + Send + 'static,
) -> Answer<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(ApiError::failed(error)))
}

/// An answer in JSON.
pub fn json_response(status: StatusCode, value: &impl Serialize) -> Response {
    text_response(status, to_json(value))
}

fn to_json(value: &impl Serialize) -> Vec<u8> {
    // Only a map whose keys are not texts could fail.
    serde_json::to_vec(value).unwrap_or_default()
}

fn text_response(status: StatusCode, text: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    let json = HeaderValue::from_static("application/json");
    headers.insert(header::CONTENT_TYPE, json);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
