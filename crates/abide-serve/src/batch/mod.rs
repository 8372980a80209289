//! `/v1/batch`: JSON Lines in and out, in order, while they come.

mod answers;
mod lines;

use crate::asker::Asker;
use crate::body::check_media_type;
use crate::parts::Parts;
use crate::problem::Problem;
use crate::query::Query;
use crate::state::App;
use answers::answers;
use axum::body::{Body, Bytes};
use axum::extract::{RawQuery, Request};
use axum::response::Response;
use futures_util::stream::{self, Stream, StreamExt};
use http::{HeaderValue, header};
use lines::{Ended, Reader};
use std::io;
use std::sync::Arc;
use tokio::sync::mpsc;

/// The media types of JSON Lines.
const MEDIA_TYPES: [&str; 3] = [
    "application/x-ndjson",
    "application/jsonl",
    "application/json",
];

/// Answers many requests of the contract, one per line. The answers come in the order of the
/// lines, each before the next line is waited for. A line that cannot be read is answered with an
/// object with `error`. The service reads no faster than the client takes the answers, so a client
/// reads while it sends.
#[utoipa::path(
    post,
    path = "/v1/batch",
    tag = "decisions",
    params(("slim" = Option<bool>, Query, description = "Leave out usages that no source mentions")),
    request_body(
        content = String,
        content_type = "application/x-ndjson",
        description = "One request of the contract per line",
        examples(
            ("two lines" = (value = json!("{\"id\":1,\"url\":\"https://example.com/a\",\"agent\":\"ExampleBot\",\"robots\":\"\"}\n{\"id\":2,\"url\":\"https://example.com/b\",\"agent\":\"ExampleBot\",\"robots_status\":503}\n"))),
        ),
    ),
    responses(
        (status = 200, description = "One decision per line", body = String, content_type = "application/x-ndjson"),
        (status = 415, description = "Not JSON Lines", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn post(
    asker: Asker,
    RawQuery(query): RawQuery,
    request: Request,
) -> Result<Response, Problem> {
    let query = Query::read(query.as_deref(), &["slim"])?;
    let is_slim = query.flag("slim")?;
    let (parts, body) = request.into_parts();
    check_media_type(&parts.headers, &MEDIA_TYPES)?;
    let mut response = Response::new(Body::from_stream(stream_of(asker, body, is_slim)));
    let media_type = HeaderValue::from_static("application/x-ndjson");
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, media_type);
    Ok(response)
}

/// The answers to a chunk; or the line that ends a batch early.
type Begun = Result<Parts, Bytes>;

/// The answers to the lines of `body`.
fn stream_of(
    asker: Asker,
    body: Body,
    is_slim: bool,
) -> impl Stream<Item = Result<Bytes, io::Error>> {
    let (sender, chunks) = mpsc::channel(asker.app.threads);
    // A task of its own, so that all threads have work while earlier answers are sent.
    tokio::spawn(async move {
        tokio::select! {
            () = read(asker, body, is_slim, &sender) => {}
            // The client has gone.
            () = sender.closed() => {}
        }
    });
    let chunks = stream::unfold(chunks, async |mut chunks: mpsc::Receiver<Begun>| {
        chunks.recv().await.map(|chunk| (chunk, chunks))
    });
    chunks.flat_map(|chunk| match chunk {
        Ok(parts) => parts.left_stream(),
        Err(line) => stream::iter([Ok(line)]).right_stream(),
    })
}

/// Begins to answer the chunks of `body`, as many at a time as `chunks` has room for.
async fn read(asker: Asker, body: Body, is_slim: bool, chunks: &mpsc::Sender<Begun>) {
    let mut reader = Reader::new(Arc::clone(&asker.app), body);
    while let Ok(room) = chunks.reserve().await {
        match reader.next().await {
            Ok(Some(chunk)) => {
                room.send(Ok(answers(&asker, chunk, is_slim)));
            }
            Ok(None) => return,
            Err(ended) => {
                room.send(Err(error_line(&asker.app, &ended)));
                return;
            }
        }
    }
}

/// The line that ends a batch early.
fn error_line(app: &App, ended: &Ended) -> Bytes {
    app.counts.batch_errors.increment(1);
    app.counts.problem(ended.code);
    let mut line = Vec::new();
    abide_json::ErrorJson::new(ended.code, &ended.message)
        .with_input_line(Some(ended.line))
        .write_line(&mut line);
    line.push(b'\n');
    line.into()
}
