//! The answers to a chunk of lines.

use super::lines::{Chunk, Line};
use crate::decide;
use crate::parts::{PartWriter, Parts, parts};
use crate::sites::requested;
use crate::state::App;
use abide_fetch::Origin;
use abide_json::{AnswerOptions, Request, RequestError, write_answer};
use futures_util::stream::{self, StreamExt};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use tokio::runtime::Handle;

/// How many sites one chunk fetches at once.
const AT_ONCE: usize = 32;

/// Begins to answer a chunk on a thread of its own.
pub(super) async fn answers(app: Arc<App>, chunk: Chunk, is_slim: bool) -> Parts {
    fetch_ahead(&app, &chunk).await;
    let worker = app.worker().await;
    let (mut writer, parts) = parts(&app, worker);
    let runtime = Handle::current();
    tokio::task::spawn_blocking(move || {
        // Fails if the client has gone: then nobody wants the rest.
        let _ = write(&app, &runtime, &chunk, is_slim, &mut writer).and_then(|()| writer.finish());
    });
    parts
}

/// Fetches the robots.txt files that the lines need, several at once.
async fn fetch_ahead(app: &App, chunk: &Chunk) {
    let mut sites = BTreeMap::new();
    for (_, line, bytes) in chunk.lines() {
        // Lines that say what robots.txt is are read once, by the thread that answers.
        if line == Line::TooLong || memchr::memmem::find(bytes, b"\"robots").is_some() {
            continue;
        }
        let request = Request::read(bytes)
            .ok()
            .filter(|request| !request.has_robots());
        let url = request.and_then(|request| requested(request.url()).ok());
        if let Some((origin, url)) = url.and_then(|url| Some((Origin::of(url.as_str())?, url))) {
            sites.entry(origin.as_str().to_owned()).or_insert(url);
        }
    }
    if sites.len() > 1 {
        stream::iter(sites.into_values())
            .for_each_concurrent(AT_ONCE, |url| async move {
                app.sites.state(url.as_str()).await;
            })
            .await;
    }
}

/// Answers every line.
fn write(
    app: &App,
    runtime: &Handle,
    chunk: &Chunk,
    is_slim: bool,
    out: &mut PartWriter,
) -> io::Result<()> {
    for (number, line, bytes) in chunk.lines() {
        let options = AnswerOptions {
            is_slim,
            input_line: Some(number),
        };
        let error = match line {
            Line::TooLong => {
                let limit = app.settings.limits.line;
                let error = RequestError::TooLong { limit };
                error.write_at(&mut *out, number)?;
                Some(error)
            }
            Line::Whole => answer(app, runtime, bytes, options, out)?,
        };
        out.write_all(b"\n")?;
        app.counts.batch_lines.increment(1);
        if let Some(error) = error {
            app.counts.batch_errors.increment(1);
            app.counts.problem(error.code());
        }
    }
    Ok(())
}

/// Answers one line.
fn answer(
    app: &App,
    runtime: &Handle,
    line: &[u8],
    options: AnswerOptions,
    out: &mut PartWriter,
) -> io::Result<Option<RequestError>> {
    let Ok(request) = Request::read(line) else {
        return write_answer(out, line, options);
    };
    if request.has_robots() {
        return request.write_answer(out, options);
    }
    let written = runtime.block_on(decide::write_by_site(app, &request, options, &mut *out));
    match written {
        Ok(written) => written.map(|()| None),
        Err(error) => {
            request.write_error(out, &error, options)?;
            Ok(Some(error))
        }
    }
}
