//! From requests to functions: parameters and bodies in, JSON out, work away from the sockets.

use std::sync::Arc;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{self, MethodRouter};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Answer, ApiError};
use crate::reply::{JSON, Typed, response, to_json};
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

/// The work of a route without a body, whatever its parameters: one type for all routes, so that the
/// handling of requests is compiled once.
type Question = Arc<dyn Fn(&Arc<Shared>, &Uri) -> Answer<Typed> + Send + Sync>;

/// The work of a route with a body.
type Request = Arc<dyn Fn(&Arc<Shared>, &[u8], Client) -> Answer<Typed> + Send + Sync>;

/// A route that answers a question.
pub fn get<Q, R>(answer: fn(&Arc<Shared>, Q) -> Answer<R>) -> Routes
where
    Q: DeserializeOwned + 'static,
    R: Serialize + 'static,
{
    question(Arc::new(move |shared, uri| {
        let found = answer(shared, parameters(uri)?)?;
        Ok((JSON, to_json(&found)))
    }))
}

/// A route that answers with bytes of its own type.
pub fn get_bytes<Q>(answer: fn(&Arc<Shared>, Q) -> Answer<Typed>) -> Routes
where
    Q: DeserializeOwned + 'static,
{
    question(Arc::new(move |shared, uri| {
        answer(shared, parameters(uri)?)
    }))
}

/// A route with a body.
pub fn post<B, R>(answer: fn(&Arc<Shared>, B, Client) -> Answer<R>) -> Routes
where
    B: DeserializeOwned + 'static,
    R: Serialize + 'static,
{
    request(StatusCode::OK, with_body(answer))
}

/// A route with a body that starts a job.
pub fn post_job<B, R>(answer: fn(&Arc<Shared>, B, Client) -> Answer<R>) -> Routes
where
    B: DeserializeOwned + 'static,
    R: Serialize + 'static,
{
    request(StatusCode::ACCEPTED, with_body(answer))
}

fn parameters<Q: DeserializeOwned>(uri: &Uri) -> Answer<Q> {
    let read = Query::<Q>::try_from_uri(uri);
    let Query(query) = read.map_err(|error| ApiError::bad_request(error.body_text()))?;
    Ok(query)
}

fn with_body<B, R>(answer: fn(&Arc<Shared>, B, Client) -> Answer<R>) -> Request
where
    B: DeserializeOwned + 'static,
    R: Serialize + 'static,
{
    Arc::new(move |shared, bytes, client| {
        let body = serde_json::from_slice(bytes).map_err(ApiError::bad_request)?;
        let found = answer(shared, body, client)?;
        Ok((JSON, to_json(&found)))
    })
}

fn question(answer: Question) -> Routes {
    routing::get(
        move |State(shared): State<Arc<Shared>>, uri: Uri| async move {
            work(StatusCode::OK, move || answer(&shared, &uri)).await
        },
    )
}

fn request(status: StatusCode, answer: Request) -> Routes {
    routing::post(
        move |State(shared): State<Arc<Shared>>, request: axum::extract::Request| async move {
            let client = Client::of(request.headers());
            match read_body(request).await {
                Ok(body) => work(status, move || answer(&shared, &body, client)).await,
                Err(error) => error.into_response(),
            }
        },
    )
}

/// A page of another site cannot send this type without being asked first.
async fn read_body(request: axum::extract::Request) -> Answer<Bytes> {
    let kind = request.headers().get(header::CONTENT_TYPE);
    let is_json = kind.is_some_and(|kind| kind.as_bytes().starts_with(JSON.as_bytes()));
    if !is_json {
        return Err(ApiError::bad_request(
            "Content-Type must be application/json",
        ));
    }
    read_bytes(request.into_body()).await
}

async fn read_bytes(body: Body) -> Answer<Bytes> {
    let read = to_bytes(body, LONGEST_BODY).await;
    read.map_err(|_| ApiError::too_large(format!("the body has more than {LONGEST_BODY} bytes")))
}

/// Runs work on a thread that may wait.
async fn work(
    status: StatusCode,
    answer: impl FnOnce() -> Answer<Typed> + Send + 'static,
) -> Response {
    let done = tokio::task::spawn_blocking(answer).await;
    match done.unwrap_or_else(|error| Err(ApiError::failed(error))) {
        Ok((kind, bytes)) => response(status, kind, bytes),
        Err(error) => error.into_response(),
    }
}
