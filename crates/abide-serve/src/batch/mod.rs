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
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, sleep_until};

/// The media types of JSON Lines.
const MEDIA_TYPES: [&str; 3] = [
    "application/x-ndjson",
    "application/jsonl",
    "application/json",
];

/// After how long it is looked again whether there is memory.
const AGAIN: Duration = Duration::from_millis(20);

/// Answers many requests of the contract, one per line. The answers come in the order of the
/// lines, each before the next line is waited for. A line that cannot be read is answered with an
/// object with `error`. The service reads at most 16 MiB ahead of the answers that the client
/// takes, so a client that sends more reads while it sends. Each line counts for the quota; lines
/// above it wait.
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
    let lines = Reader::new(&asker, body);
    let mut response = Response::new(Body::from_stream(stream_of(asker, lines, is_slim)));
    let media_type = HeaderValue::from_static("application/x-ndjson");
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, media_type);
    Ok(response)
}

/// The answers to a chunk; or the line that ends a batch early.
type Begun = Result<Parts, Bytes>;

/// When the client took a part of the answers last.
#[derive(Debug)]
struct Taken(Mutex<Instant>);

impl Taken {
    fn now(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// Waits until it took none for so long.
    async fn none_for(&self, patience: Duration) {
        loop {
            let last = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if last.elapsed() >= patience {
                return;
            }
            sleep_until(last + patience).await;
        }
    }
}

/// The answers to lines.
fn stream_of(
    asker: Asker,
    lines: Reader,
    is_slim: bool,
) -> impl Stream<Item = Result<Bytes, io::Error>> {
    let taken = Arc::new(Taken(Mutex::new(Instant::now())));
    let shown = Arc::clone(&taken);
    let (sender, chunks) = mpsc::channel(asker.app.threads);
    // A task of its own, so that all threads have work while earlier answers are sent.
    tokio::spawn(async move {
        tokio::select! {
            () = read(asker, lines, is_slim, &sender, &taken) => {}
            // The client has gone.
            () = sender.closed() => {}
        }
    });
    let chunks = stream::unfold(chunks, async |mut chunks: mpsc::Receiver<Begun>| {
        chunks.recv().await.map(|chunk| (chunk, chunks))
    });
    let parts = chunks.flat_map(|chunk| match chunk {
        Ok(parts) => parts.left_stream(),
        Err(line) => stream::iter([Ok(line)]).right_stream(),
    });
    parts.inspect(move |_| shown.now())
}

/// Begins to answer the lines, as many chunks at a time as `chunks` has room for.
async fn read(
    asker: Asker,
    mut reader: Reader,
    is_slim: bool,
    chunks: &mpsc::Sender<Begun>,
    taken: &Taken,
) {
    let app = &asker.app;
    while let Some(room) = room(&asker, &mut reader, chunks, taken).await {
        match reader.next().await {
            Ok(Some(chunk)) => {
                room.send(Ok(answers(&asker, chunk, is_slim)));
            }
            Ok(None) => return,
            Err(ended) => {
                room.send(Err(error_line(app, &ended)));
                if !app.is_draining() {
                    tokio::spawn(reader.drop_rest());
                }
                return;
            }
        }
    }
}

/// Waits until one more chunk may be answered, and reads on meanwhile. `None` if the client has
/// gone.
async fn room<'c>(
    Asker { app, caller, .. }: &Asker,
    reader: &mut Reader,
    chunks: &'c mpsc::Sender<Begun>,
    taken: &Taken,
) -> Option<mpsc::Permit<'c, Begun>> {
    // Before the connection is cut because its client does not read.
    let patience = app.settings.limits.body_timeout.mul_f32(0.9);
    loop {
        let is_full = reader.is_full();
        // Where memory is short, answers that are not read next would take it.
        let waits =
            app.in_flight.is_short(&caller.key) && chunks.capacity() < chunks.max_capacity();
        tokio::select! {
            biased;
            room = chunks.reserve(), if !waits => return room.ok(),
            () = reader.read_ahead() => {}
            () = taken.none_for(patience), if is_full => reader.refuse_rest(),
            () = sleep(AGAIN), if waits => {}
        }
    }
}

/// The line that ends a batch early.
fn error_line(app: &App, ended: &Ended) -> Bytes {
    app.counts.batch_errors.increment(1);
    app.counts.problem(ended.code);
    let mut line = Vec::new();
    abide_contract::ErrorJson::new(ended.code, &ended.message)
        .with_input_line(Some(ended.line))
        .write_line(&mut line);
    line.push(b'\n');
    line.into()
}
