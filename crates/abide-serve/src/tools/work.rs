//! Where requests are answered that keep a processor busy.

use crate::problem::Problem;
use crate::state::App;
pub(super) use crate::tool_limits::Deadline;
use serde::Serialize;

/// Does `work` on a thread that may be busy. It has to look at the deadline in every loop that a
/// request can make long: nothing else can end it.
pub(crate) async fn run<T: Send + 'static>(
    app: &App,
    work: impl FnOnce(&Deadline) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let _present = app.tools.enter()?;
    let worker = app.worker().await;
    let longest = app.tools.longest();
    let task = tokio::task::spawn_blocking(move || {
        // Held until the work is done, even if nobody waits for the answer any more.
        let _worker = worker;
        work(&Deadline::after(longest))
    });
    match task.await {
        Ok(done) => done,
        Err(bug) => std::panic::resume_unwind(bug.into_panic()),
    }
}

/// `value` as the commands write it: indented, with a line end.
pub(crate) fn indented(value: &impl Serialize) -> Vec<u8> {
    let mut text = abide_json::text::pretty(value).into_bytes();
    text.push(b'\n');
    text
}

/// `value` on one line.
pub(crate) fn line(value: &impl Serialize) -> Vec<u8> {
    let mut text = abide_json::text::line(value).into_bytes();
    text.push(b'\n');
    text
}
