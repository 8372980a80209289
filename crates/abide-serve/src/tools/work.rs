//! Where requests are answered that keep a processor busy.

use crate::answer;
use crate::asker::Asker;
use crate::problem::Problem;
pub(super) use crate::tool_limits::Deadline;
use crate::workers::Work;
use axum::response::Response;

/// Answers with the JSON that `work` writes, on a thread that may be busy. `work` has to look at
/// the deadline in every loop that a request can make long: nothing else can end it.
pub(super) async fn answer(
    asker: &Asker,
    work: impl FnOnce(&Deadline) -> Result<Vec<u8>, Problem> + Send + 'static,
) -> Result<Response, Problem> {
    let tools = &asker.app.tools;
    let _present = tools.enter(asker.key())?;
    let worker = asker.worker(Work::Tool).await;
    let longest = tools.longest();
    let task = tokio::task::spawn_blocking(move || {
        // Held until the work is done, even if nobody waits for the answer any more.
        let _worker = worker;
        work(&Deadline::after(longest))
    });
    match task.await {
        Ok(done) => done.map(answer::json),
        Err(bug) => std::panic::resume_unwind(bug.into_panic()),
    }
}
