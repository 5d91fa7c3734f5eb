//! Errors of the interface: a status, a code for programs, a message for people.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use desk::archive::ArchiveError;
use desk::edit::VerbError;
use desk::place::PlaceError;
use desk::session::SessionError;
use serde_json::json;

use crate::reply::json_response;

/// Why a request was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ApiError {
    status: StatusCode,
    code: &'static str,
    message: String,
    /// The current epoch, for numbers of another one.
    epoch: Option<u64>,
}

/// What a request returns.
pub type Answer<T> = Result<T, ApiError>;

impl ApiError {
    fn new(status: StatusCode, code: &'static str, message: impl ToString) -> ApiError {
        ApiError {
            status,
            code,
            message: message.to_string(),
            epoch: None,
        }
    }

    /// A parameter or body that cannot be read.
    pub fn bad_request(message: impl ToString) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, "bad_request", message)
    }

    /// Key, host or origin.
    pub fn forbidden(message: impl ToString) -> ApiError {
        ApiError::new(StatusCode::FORBIDDEN, "forbidden", message)
    }

    /// A change of files that are shown only.
    pub fn read_only() -> ApiError {
        let message = "the server was started with --read-only";
        ApiError::new(StatusCode::FORBIDDEN, "read_only", message)
    }

    /// No such route, file, game, node or job.
    pub fn not_found(message: impl ToString) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    /// Numbers of another epoch.
    pub fn stale(epoch: u64) -> ApiError {
        ApiError {
            epoch: Some(epoch),
            ..ApiError::new(
                StatusCode::CONFLICT,
                "stale",
                "the chapters were renumbered",
            )
        }
    }

    /// A change that does not apply.
    pub fn refused(message: impl ToString) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, "refused", message)
    }

    /// A file that exists.
    pub fn exists(message: impl ToString) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, "exists", message)
    }

    /// A body that is too long.
    pub fn too_large(message: impl ToString) -> ApiError {
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
    }

    /// Too many jobs.
    pub fn busy(message: impl ToString) -> ApiError {
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, "busy", message)
    }

    /// Writing failed.
    pub fn failed(message: impl ToString) -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "failed", message)
    }

    /// The code.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// The message.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut error = json!({"code": self.code, "message": self.message});
        if let Some(epoch) = self.epoch {
            error["epoch"] = epoch.into();
        }
        json_response(self.status, &json!({ "error": error }))
    }
}

impl From<SessionError> for ApiError {
    fn from(error: SessionError) -> ApiError {
        let conflict = |code, message: String| ApiError::new(StatusCode::CONFLICT, code, message);
        match &error {
            SessionError::Leftover(changes) => {
                let s = if *changes == 1 { "" } else { "s" };
                let message = format!("an earlier session left {changes} unsaved change{s}");
                conflict("leftover", message)
            }
            SessionError::Misfit(_) => {
                let message = "there are unsaved changes of an earlier session, \
                               but the file was changed since";
                conflict("misfit", message.to_owned())
            }
            SessionError::InUse(_) => ApiError::new(StatusCode::LOCKED, "in_use", error),
            SessionError::ChangedOnDisk(path) => {
                let message = format!("{} was changed by another program", path.display());
                conflict("changed_on_disk", message)
            }
            SessionError::Exists(path) => ApiError::exists(format!("{} exists", path.display())),
            SessionError::Archived => ApiError {
                message: error.to_string(),
                ..ApiError::read_only()
            },
            SessionError::NoName => ApiError::refused("there is no file to save to"),
            SessionError::NothingCopied => {
                ApiError::refused("nothing to paste; cut or copy a move first")
            }
            SessionError::Input(_)
            | SessionError::Save(_)
            | SessionError::Journal(_)
            | SessionError::Stale => ApiError::failed(error),
            _ => ApiError::refused(error),
        }
    }
}

impl From<ArchiveError> for ApiError {
    fn from(error: ArchiveError) -> ApiError {
        ApiError::failed(error)
    }
}

impl From<VerbError> for ApiError {
    fn from(error: VerbError) -> ApiError {
        ApiError::bad_request(error)
    }
}

impl From<PlaceError> for ApiError {
    fn from(error: PlaceError) -> ApiError {
        ApiError::not_found(error)
    }
}
