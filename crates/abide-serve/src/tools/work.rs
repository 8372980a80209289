//! Where requests are answered that keep a processor busy.

use crate::answer;
use crate::asker::Asker;
use crate::problem::Problem;
use crate::workers::Work as Kind;
use abide_contract::tools::Work;
use axum::response::Response;
use std::time::Instant;

/// Answers with the JSON that `ask` writes, on a thread that may be busy.
pub(super) async fn answer(
    asker: &Asker,
    ask: impl FnOnce(&Work<'_>) -> Result<Vec<u8>, Problem> + Send + 'static,
) -> Result<Response, Problem> {
    let tools = &asker.app.tools;
    let _present = tools.enter(asker.key())?;
    let worker = asker.worker(Kind::Tool).await;
    let longest = tools.longest();
    let task = tokio::task::spawn_blocking(move || {
        // Held until the work is done, even if nobody waits for the answer any more.
        let _worker = worker;
        let end = Instant::now() + longest;
        let too_long = format!("the answer takes more than {} s", longest.as_secs());
        ask(&Work::while_it(&|| Instant::now() < end, &too_long))
    });
    match task.await {
        Ok(done) => done.map(answer::json),
        Err(bug) => std::panic::resume_unwind(bug.into_panic()),
    }
}
