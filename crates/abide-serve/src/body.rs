//! Reads the bodies of requests, within limits of length and time.

use crate::gate::Permits;
use crate::in_flight::MAX_UNCOUNTED_BYTES;
use crate::problem::Problem;
use crate::query::Query;
use crate::sites::MIN_WORKER_BYTES;
use crate::state::App;
use axum::body::{Body, Bytes};
use axum::extract::FromRequest;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Request, StatusCode, header};
use http_body_util::BodyExt;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// The body of a request that says that it is JSON: bytes that are not parsed yet.
#[derive(Clone, Debug)]
pub(crate) struct JsonBytes(pub(crate) Bytes);

impl FromRequest<Arc<App>> for JsonBytes {
    type Rejection = Problem;

    async fn from_request(request: Request<Body>, app: &Arc<App>) -> Result<Self, Problem> {
        Query::read(request.uri().query(), &[])?;
        json_bytes(request, app).await.map(Self)
    }
}

/// The body of a request that has to say that it is JSON. The query is not read.
pub(crate) async fn json_bytes(request: Request<Body>, app: &App) -> Result<Bytes, Problem> {
    let (parts, body) = request.into_parts();
    check_media_type(&parts.headers, &["application/json"])?;
    whole(&parts, body, app).await
}

/// A request whose members are known: JSON that was read strictly.
#[derive(Clone, Debug)]
pub(crate) struct Json<T>(pub(crate) T);

impl<T: DeserializeOwned + Send + 'static> FromRequest<Arc<App>> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request<Body>, app: &Arc<App>) -> Result<Self, Problem> {
        let JsonBytes(bytes) = JsonBytes::from_request(request, app).await?;
        if bytes.len() <= MIN_WORKER_BYTES {
            return read(&bytes).map(Self);
        }
        let reading = tokio::task::spawn_blocking(move || read(&bytes));
        match reading.await {
            Ok(value) => value.map(Self),
            Err(bug) => std::panic::resume_unwind(bug.into_panic()),
        }
    }
}

/// Reads a JSON object. The problem names the member that is wrong.
fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    Ok(abide_contract::read(bytes)?)
}

/// Checks that the request says that its body has one of these media types, and no coding.
pub(crate) fn check_media_type(headers: &HeaderMap, known: &[&'static str]) -> Result<(), Problem> {
    let unsupported = |detail: String, member: &'static str, remedy: String| {
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        Problem::new(status, "unsupported-media-type", detail, remedy).at(member)
    };
    if let Some(coding) = headers.get(header::CONTENT_ENCODING) {
        let coding = abide::explain::visible(coding.as_bytes());
        return Err(unsupported(
            format!("the body is encoded with {coding}"),
            "Content-Encoding",
            "send the body without a coding".to_owned(),
        ));
    }
    if headers.get_all(header::CONTENT_TYPE).iter().count() > 1 {
        let detail = "the request says twice what its body is".to_owned();
        return Err(unsupported(
            detail,
            "Content-Type",
            "send it once".to_owned(),
        ));
    }
    let given = headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    let bare = given.and_then(|given| given.split(|byte| *byte == b';').next());
    let bare = bare.unwrap_or_default().trim_ascii();
    if known
        .iter()
        .any(|known| bare.eq_ignore_ascii_case(known.as_bytes()))
    {
        return Ok(());
    }
    let found = match given {
        None => "the request does not say what its body is".to_owned(),
        Some(given) => format!("the body is {}", abide::explain::visible(given)),
    };
    let remedy = format!("send Content-Type: {}", known.join(" or "));
    Err(unsupported(found, "Content-Type", remedy))
}

/// Reads a whole body within the limits of length and time. Its bytes are counted as they come, and
/// until the request is answered.
async fn whole(head: &Parts, mut body: Body, app: &App) -> Result<Bytes, Problem> {
    let (limit, patience) = (app.settings.limits.body, app.settings.limits.body_timeout);
    let permits = head.extensions.get::<Arc<Permits>>();
    let caller = permits.map_or_else(Arc::default, |permits| Arc::clone(&permits.key));
    let mut counted = MAX_UNCOUNTED_BYTES;
    let announced = head.headers.get(header::CONTENT_LENGTH);
    let announced = announced.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > limit as u64) {
        return Err(too_large(limit));
    }
    let mut first: Option<Bytes> = None;
    let mut more: Vec<u8> = Vec::new();
    while let Some(piece) = piece(&mut body, patience).await? {
        let length = first.as_ref().map_or(0, Bytes::len).max(more.len()) + piece.len();
        if length > limit {
            return Err(too_large(limit));
        }
        if length > counted {
            // A growing list can have room for twice as much.
            let memory = app.in_flight.admit(&caller, 2 * counted)?;
            counted *= 2;
            if let Some(permits) = permits {
                permits.hold(memory);
            }
        }
        match first.take() {
            None if more.is_empty() => first = Some(piece),
            None => more.extend_from_slice(&piece),
            Some(before) => {
                more.reserve(before.len() + piece.len());
                more.extend_from_slice(&before);
                more.extend_from_slice(&piece);
            }
        }
    }
    Ok(first.unwrap_or_else(|| more.into()))
}

/// The next piece of a body.
pub(crate) async fn piece(body: &mut Body, patience: Duration) -> Result<Option<Bytes>, Problem> {
    loop {
        let frame = timeout(patience, body.frame()).await.map_err(|_| {
            Problem::new(
                StatusCode::REQUEST_TIMEOUT,
                "body-too-slow",
                format!("no byte of the body came for {} s", patience.as_secs()),
                "send the body without pauses",
            )
        })?;
        match frame {
            None => return Ok(None),
            Some(Ok(frame)) => {
                if let Ok(data) = frame.into_data() {
                    return Ok(Some(data));
                }
            }
            Some(Err(error)) => {
                return Err(Problem::bad_request(
                    "incomplete-body",
                    format!("the body ended early: {error}"),
                    "send as many bytes as Content-Length says, or whole chunks",
                ));
            }
        }
    }
}

fn too_large(limit: usize) -> Problem {
    Problem::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        "body-too-large",
        format!("the body has more than {limit} bytes"),
        "send less, or raise max-body where the service is configured",
    )
}
