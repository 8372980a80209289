//! Who asks, and what it may use of what all callers share.

use crate::problem::Problem;
use crate::retrievals::RequestTurns;
use crate::shares::Share;
use crate::state::App;
use crate::tokens::Caller;
use crate::workers::{Desk, Work};
use axum::extract::FromRequestParts;
use http::request;
use std::sync::Arc;

/// A request in progress: the service, who asks it, and the retrievals of the request.
#[derive(Clone, Debug)]
pub(crate) struct Asker {
    pub(crate) app: Arc<App>,
    pub(crate) caller: Arc<Caller>,
    turns: RequestTurns,
}

impl FromRequestParts<Arc<App>> for Asker {
    type Rejection = Problem;

    async fn from_request_parts(
        parts: &mut request::Parts,
        app: &Arc<App>,
    ) -> Result<Self, Problem> {
        let caller = parts.extensions.get::<Arc<Caller>>();
        let caller = caller.cloned().ok_or_else(Problem::bug)?;
        Ok(Self {
            app: Arc::clone(app),
            turns: RequestTurns::new(&app.retrievals, &caller),
            caller,
        })
    }
}

impl Asker {
    /// The turns of the retrievals of this request.
    pub(crate) const fn turns(&self) -> &RequestTurns {
        &self.turns
    }

    /// The key of the caller among those that share something.
    pub(crate) fn key(&self) -> &Arc<str> {
        &self.caller.key
    }

    /// Waits for a worker.
    pub(crate) async fn worker(&self, work: Work) -> Share {
        self.app.workers.worker(work, self.key()).await
    }

    /// Runs `task` as [`Workers::run`](crate::workers::Workers::run) does.
    pub(crate) async fn run<F>(&self, work: Work, desk: &Desk, task: F) -> F::Output
    where
        F: Future<Output: Send> + Send + 'static,
    {
        let workers = &self.app.workers;
        workers.run(work, self.key(), desk, task).await
    }
}
