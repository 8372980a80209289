//! The answers to a chunk of lines.

use super::lines::{Chunk, Line};
use crate::asker::Asker;
use crate::decide::SiteAnswer;
use crate::parts::{PartWriter, Parts, parts};
use crate::sites::requested;
use crate::state::App;
use crate::workers::{Desk, Work};
use abide_contract::{AnswerOptions, Request, RequestError, write_answer};
use abide_fetch::Origin;
use futures_util::stream::{FuturesOrdered, FuturesUnordered, StreamExt};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// For how many sites, and then for how many lines, one chunk waits at once.
const MAX_CONCURRENT: usize = 64;

/// Begins to answer a chunk.
pub(super) fn answers(asker: &Asker, chunk: Chunk, is_slim: bool) -> Parts {
    let desk = Desk::default();
    let (writer, parts) = parts(&asker.app, asker.key(), desk.clone());
    let asker = asker.clone();
    tokio::spawn(async move {
        let gone = writer.gone();
        let work = write(asker.clone(), chunk, is_slim, writer);
        tokio::select! {
            // Fails if the client has gone: then nobody wants the rest.
            _ = asker.run(Work::Batch, &desk, work) => {}
            () = gone => {}
        }
    });
    parts
}

/// Answers every line, in order.
async fn write(asker: Asker, chunk: Chunk, is_slim: bool, mut out: PartWriter) -> io::Result<()> {
    fetch_ahead(&asker, &chunk).await;
    let mut waiting = FuturesOrdered::new();
    for (number, line, bytes) in chunk.lines() {
        let question = AskedLine::new(number, line, bytes);
        if waiting.is_empty()
            && let Some(site) = question.known(&asker.app)
        {
            question.write(&asker.app, site, is_slim, &mut out)?;
            continue;
        }
        waiting.push_back(question.with_site(&asker));
        if waiting.len() == MAX_CONCURRENT
            && let Some((question, site)) = waiting.next().await
        {
            question.write(&asker.app, site, is_slim, &mut out)?;
        }
    }
    while let Some((question, site)) = waiting.next().await {
        question.write(&asker.app, site, is_slim, &mut out)?;
    }
    out.finish()
}

/// Fetches what the lines need of their sites, of several at once: what the first line about a site
/// needs. Sites that are slow so delay each other least.
async fn fetch_ahead(asker: &Asker, chunk: &Chunk) {
    let mut firsts = BTreeMap::new();
    for (_, line, bytes) in chunk.lines() {
        // Lines that say what robots.txt is are read once, when they are answered.
        if line == Line::TooLong || memchr::memmem::find(bytes, b"\"robots").is_some() {
            continue;
        }
        let request = Request::read(bytes)
            .ok()
            .filter(|request| !request.has_robots());
        let origin = request.as_ref().and_then(|request| {
            let url = requested(request.url()).ok()?;
            Some(Origin::of(url.as_str())?.as_str().to_owned())
        });
        if let (Some(request), Some(origin)) = (request, origin) {
            let wants_documents = matches!(request.documents(), Ok(Some(_)));
            firsts.entry((origin, wants_documents)).or_insert(request);
        }
    }
    if firsts.len() < 2 {
        return;
    }
    let mut fetching = FuturesUnordered::new();
    for request in firsts.into_values() {
        fetching.push(fetched(asker, request));
        if fetching.len() == MAX_CONCURRENT {
            fetching.next().await;
        }
    }
    while fetching.next().await.is_some() {}
}

/// Fetches what `request` needs of its site.
async fn fetched(asker: &Asker, request: Request<'_>) {
    if SiteAnswer::known(&asker.app, &request).is_none() {
        // What is wrong is said where the line is answered.
        let _ = SiteAnswer::of(&asker.app, &request, asker.turns()).await;
    }
}

/// What a site says, if a line asks about one.
type OfSite = Option<Result<SiteAnswer, RequestError>>;

/// A line, read once.
struct AskedLine<'c> {
    number: u64,
    line: Line,
    bytes: &'c [u8],
    /// What it asks; `None` if it cannot be read.
    request: Option<Request<'c>>,
}

impl<'c> AskedLine<'c> {
    fn new(number: u64, line: Line, bytes: &'c [u8]) -> Self {
        let request = match line {
            Line::TooLong => None,
            Line::Whole => Request::read(bytes).ok(),
        };
        Self {
            number,
            line,
            bytes,
            request,
        }
    }

    /// What it asks about a site.
    fn of_site(&self) -> Option<&Request<'c>> {
        self.request
            .as_ref()
            .filter(|request| !request.has_robots())
    }

    /// What the site of the line says, if nothing has to be fetched for it.
    fn known(&self, app: &App) -> Option<OfSite> {
        match self.of_site() {
            None => Some(None),
            Some(request) => SiteAnswer::known(app, request).map(Some),
        }
    }

    /// Waits for what the site of the line says.
    async fn with_site(self, asker: &Asker) -> (Self, OfSite) {
        let site = match self.of_site() {
            None => None,
            Some(request) => Some(SiteAnswer::of(&asker.app, request, asker.turns()).await),
        };
        (self, site)
    }

    /// Writes the answer.
    fn write(
        &self,
        app: &App,
        site: OfSite,
        is_slim: bool,
        out: &mut PartWriter,
    ) -> io::Result<()> {
        let options = AnswerOptions {
            is_slim,
            input_line: Some(self.number),
        };
        let error = match (&self.request, site) {
            (None, _) if self.line == Line::TooLong => {
                let limit = app.settings.limits.line;
                let error = RequestError::too_long(limit);
                error.write_at(&mut *out, self.number)?;
                Some(error)
            }
            (None, _) => write_answer(&mut *out, self.bytes, options)?,
            (Some(request), None) => request.write_answer(&mut *out, options)?,
            (Some(request), Some(site)) => {
                match site.and_then(|site| site.write(request, options, &mut *out)) {
                    Ok(written) => written.map(|()| None)?,
                    Err(error) => {
                        request.write_error(&mut *out, &error, options)?;
                        Some(error)
                    }
                }
            }
        };
        out.write_all(b"\n")?;
        app.counts.batch_lines.increment(1);
        if let Some(error) = error {
            app.counts.batch_errors.increment(1);
            app.counts.problem(error.code());
        }
        Ok(())
    }
}
