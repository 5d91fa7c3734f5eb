//! The server: its address, its routes, its end.

use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Router, middleware, routing};
use desk::session::Session;
use kit::Stop;

use crate::access::{Hosts, Key};
use crate::error::ApiError;
use crate::guard::{check_key, check_origin, has_key, no_key};
use crate::shared::Shared;
use crate::{api, assets};

/// How to serve.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The name or number of the address to listen on.
    pub host: String,
    /// The port; 0 is a free one.
    pub port: u16,
    /// Files cannot be changed.
    pub read_only: bool,
}

impl Default for Options {
    /// This machine only, on a free port.
    fn default() -> Options {
        Options {
            host: "127.0.0.1".to_owned(),
            port: 0,
            read_only: false,
        }
    }
}

/// A server that listens already.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    host: String,
    shared: Arc<Shared>,
}

/// Changes of the files on disk and the request to stop are noticed this often.
const DISK_INTERVAL: Duration = Duration::from_secs(2);
const STOP_INTERVAL: Duration = Duration::from_millis(50);

/// Requests that take longer are cut off at the end.
const GRACE: Duration = Duration::from_millis(500);

impl Server {
    /// Listens for the browser. Nothing is answered before [`run`](Server::run).
    pub fn bind(session: Session, options: &Options) -> io::Result<Server> {
        let host = options.host.trim_start_matches('[').trim_end_matches(']');
        let mut addresses = (host, options.port).to_socket_addrs()?;
        let address = addresses.next().ok_or(io::ErrorKind::AddrNotAvailable)?;
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let hosts = Hosts::new(address, host);
        let key = Key::random()?;
        let shared = Shared::new(session, key, hosts, address.port(), options.read_only);
        Ok(Server {
            listener,
            address,
            host: shown_host(host, address),
            shared: Arc::new(shared),
        })
    }

    /// The address of the page, with its key.
    pub fn address(&self) -> String {
        let (host, port, key) = (&self.host, self.address.port(), self.shared.key.text());
        format!("http://{host}:{port}/?key={key}")
    }

    /// Serves until a stop is requested. Returns the session: its unsaved changes are in the
    /// journals.
    pub fn run(self, stop: &Stop) -> io::Result<Option<Session>> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        let shared = Arc::clone(&self.shared);
        let served = runtime.block_on(self.serve(stop));
        runtime.shutdown_timeout(GRACE);
        served?;
        Ok(last_owner(shared).map(Shared::into_session))
    }

    async fn serve(self, stop: &Stop) -> io::Result<()> {
        self.listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let disk = tokio::spawn(watch_disk(Arc::clone(&self.shared)));
        let (shared, stop) = (Arc::clone(&self.shared), stop.clone());
        let end = async move {
            while !stop.is_raised() {
                tokio::time::sleep(STOP_INTERVAL).await;
            }
            shared.jobs.stop_all();
            shared.hub.send("closing", &serde_json::json!({}));
            shared.hub.close();
        };
        let serving = axum::serve(listener, router(self.shared)).with_graceful_shutdown(end);
        let served = serving.await;
        disk.abort();
        served
    }
}

/// The state, once jobs and other work have stopped; none if that takes too long.
fn last_owner(mut shared: Arc<Shared>) -> Option<Shared> {
    let end = Instant::now() + GRACE;
    loop {
        match Arc::try_unwrap(shared) {
            Ok(shared) => return Some(shared),
            Err(_) if Instant::now() > end => return None,
            Err(still) => shared = still,
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// The host for the address line; "all addresses" is not one a browser can open.
fn shown_host(host: &str, address: SocketAddr) -> String {
    match address {
        _ if address.ip().is_unspecified() => "localhost".to_owned(),
        SocketAddr::V6(_) if host.contains(':') => format!("[{host}]"),
        _ => host.to_owned(),
    }
}

fn router(shared: Arc<Shared>) -> Router {
    let key = middleware::from_fn_with_state(Arc::clone(&shared), check_key);
    let origin = middleware::from_fn_with_state(Arc::clone(&shared), check_origin);
    let api = api::routes()
        .route("/events", routing::get(api::events::events))
        .fallback(no_route)
        .method_not_allowed_fallback(no_method)
        .layer(key);
    Router::new()
        .route("/", routing::get(page))
        .nest("/api", api)
        .fallback(assets::asset)
        .layer(origin)
        .with_state(shared)
}

/// The page: with the key in its address, it becomes a cookie; without, the cookie is needed.
async fn page(
    State(shared): State<Arc<Shared>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let pairs = query.as_deref().unwrap_or_default().split('&');
    let key = pairs.filter_map(|pair| pair.strip_prefix("key=")).next();
    match key {
        Some(key) if shared.key.is(key) => {
            let name = shared.cookie_name();
            let cookie = format!("{name}={key}; Path=/; HttpOnly; SameSite=Strict");
            let headers = [
                (header::SET_COOKIE, cookie),
                (header::LOCATION, "/".to_owned()),
            ];
            (StatusCode::SEE_OTHER, headers).into_response()
        }
        Some(_) => no_key(),
        None if has_key(&shared, &headers) => assets::index(),
        None => no_key(),
    }
}

async fn no_route() -> Response {
    ApiError::not_found("no such route").into_response()
}

async fn no_method() -> Response {
    let mut response = ApiError::bad_request("this route has another method").into_response();
    *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
    response
}

/// Tells the pages when another program changes a file.
async fn watch_disk(shared: Arc<Shared>) {
    let mut before: Vec<bool> = vec![false; shared.work().session.files().len()];
    loop {
        tokio::time::sleep(DISK_INTERVAL).await;
        let (watched, old) = (Arc::clone(&shared), before.clone());
        let look = move || {
            let work = watched.work();
            let files = work.session.files().iter();
            let now: Vec<bool> = files.map(|file| file.seems_changed_on_disk()).collect();
            if now != old {
                watched.send_files(&work);
            }
            now
        };
        before = tokio::task::spawn_blocking(look).await.unwrap_or(before);
    }
}
