//! Where the service computes: on threads that may be busy, as many at a time as there are workers.

use crate::shares::{Share, Shares};
use metrics::Gauge;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use tokio::sync::Notify;

/// What a worker is needed for. Each kind has workers of its own, so that none waits for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    Decision,
    Batch,
    Tool,
}

/// The workers of each kind.
#[derive(Debug)]
pub(crate) struct Workers {
    decisions: Shares,
    batches: Shares,
    tools: Shares,
    /// How much work waits for a worker.
    waiting: Gauge,
}

impl Workers {
    /// For a machine with so many processors. There are more workers of each kind than processors,
    /// so that short work need not wait for long work, and one caller can keep all of them busy
    /// with its share.
    pub(crate) fn new(processors: usize, waiting: Gauge) -> Self {
        let some = || Shares::new(processors * 2 + 2);
        Self {
            decisions: some(),
            batches: some(),
            tools: some(),
            waiting,
        }
    }

    /// Waits for a worker.
    pub(crate) async fn worker(&self, work: Work, caller: &Arc<str>) -> Share {
        let shares = match work {
            Work::Decision => &self.decisions,
            Work::Batch => &self.batches,
            Work::Tool => &self.tools,
        };
        let _waiting = Raised::new(&self.waiting);
        shares.take(caller).await
    }

    /// Runs `task` on threads that may be busy. It holds a worker, which is in `desk`, while it
    /// computes, and nothing while it waits: whatever a site does, it keeps no worker.
    pub(crate) async fn run<F>(
        &self,
        work: Work,
        caller: &Arc<str>,
        desk: &Desk,
        task: F,
    ) -> F::Output
    where
        F: Future<Output: Send> + Send + 'static,
    {
        let mut task = Box::pin(task);
        let woken = Arc::new(Woken(Notify::new()));
        loop {
            desk.take(self.worker(work, caller).await);
            let (step, desk) = (Step(task, Waker::from(Arc::clone(&woken))), desk.clone());
            let polled = tokio::task::spawn_blocking(move || {
                let polled = step.poll();
                desk.leave();
                polled
            });
            match polled.await {
                Ok((Poll::Ready(done), _)) => return done,
                Ok((Poll::Pending, rest)) => task = rest,
                Err(bug) => std::panic::resume_unwind(bug.into_panic()),
            }
            woken.0.notified().await;
        }
    }
}

/// A level that is one higher until this is dropped.
struct Raised<'g>(&'g Gauge);

impl<'g> Raised<'g> {
    fn new(level: &'g Gauge) -> Self {
        level.increment(1);
        Self(level)
    }
}

impl Drop for Raised<'_> {
    fn drop(&mut self) {
        self.0.decrement(1);
    }
}

/// What is computed from one wait to the next.
struct Step<F>(Pin<Box<F>>, Waker);

impl<F: Future> Step<F> {
    fn poll(mut self) -> (Poll<F::Output>, Pin<Box<F>>) {
        let polled = self.0.as_mut().poll(&mut Context::from_waker(&self.1));
        (polled, self.0)
    }
}

/// Says that a task can go on.
struct Woken(Notify);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.notify_one();
    }
}

/// The place of the worker that a task has. Who waits within a computation leaves it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Desk(Arc<Mutex<Option<Share>>>);

impl Desk {
    fn take(&self, worker: Share) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(worker);
    }

    /// Gives the worker back.
    pub(crate) fn leave(&self) {
        let worker = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(worker);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;
    use tokio::sync::oneshot;

    #[tokio::test]
    async fn a_task_that_waits_holds_no_worker_and_computes_on_no_thread_of_the_runtime() {
        let (workers, caller) = (
            Arc::new(Workers::new(1, Gauge::noop())),
            Arc::<str>::from("a"),
        );
        let of_runtime = thread::current().id();
        let mut waiting = Vec::new();
        // Many more than there are workers.
        for _ in 0..50 {
            let (go_on, wait) = oneshot::channel::<()>();
            let (began, begins) = oneshot::channel();
            let (workers, caller) = (Arc::clone(&workers), Arc::clone(&caller));
            let running = tokio::spawn(async move {
                let task = async move {
                    assert_ne!(thread::current().id(), of_runtime);
                    began.send(()).unwrap();
                    wait.await.unwrap();
                    assert_ne!(thread::current().id(), of_runtime);
                    7
                };
                workers
                    .run(Work::Batch, &caller, &Desk::default(), task)
                    .await
            });
            begins.await.unwrap();
            waiting.push((go_on, running));
        }
        drop(workers.worker(Work::Batch, &caller).await);
        for (go_on, running) in waiting {
            go_on.send(()).unwrap();
            assert_eq!(running.await.unwrap(), 7);
        }
    }
}
