//! One tokio runtime per process, and values that a forked child creates again.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3_async_runtimes::generic::{ContextExt, Runtime as GenericRuntime};
use pyo3_async_runtimes::{TaskLocals, generic};
use std::cell::OnceCell;
use std::future::Future;
use std::pin::Pin;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tokio::runtime::{Handle, Runtime};
use tokio::sync::watch;
use tokio::task::{JoinError, JoinHandle};

/// How many threads serve all sockets. They wait most of the time.
const THREADS: usize = 2;
/// How long the end of the interpreter waits for tasks.
const FAREWELL: Duration = Duration::from_secs(1);
/// How long a blocking call waits before it looks for Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(100);

/// A value of one process. A forked child creates its own: the parent's threads do not exist in the
/// child, and locks that they hold are never released there.
pub(crate) struct PerProcess<T> {
    current: AtomicPtr<(u32, T)>,
}

impl<T> PerProcess<T> {
    pub(crate) const fn new() -> Self {
        Self {
            current: AtomicPtr::new(ptr::null_mut()),
        }
    }

    /// The value of this process; made by `make` if there is none.
    pub(crate) fn get<E>(&self, make: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
        let process = std::process::id();
        let known = self.current.load(Ordering::Acquire);
        // SAFETY: the pointer is null or came from `Box::into_raw` below, and a box is only freed
        // when `self` is dropped.
        if let Some((owner, value)) = unsafe { known.as_ref() }
            && *owner == process
        {
            return Ok(value);
        }
        let own = Box::into_raw(Box::new((process, make()?)));
        let exchanged =
            self.current
                .compare_exchange(known, own, Ordering::AcqRel, Ordering::Acquire);
        let current = match exchanged {
            // The value of the parent process stays allocated: dropping it would wait for threads
            // that do not exist here.
            Ok(_) => own,
            Err(other) => {
                // SAFETY: `own` was not published, so nobody else has it.
                drop(unsafe { Box::from_raw(own) });
                other
            }
        };
        // SAFETY: as above; `current` is not null.
        Ok(unsafe { &(*current).1 })
    }
}

impl<T> Drop for PerProcess<T> {
    fn drop(&mut self) {
        let known = *self.current.get_mut();
        if known.is_null() {
            return;
        }
        // SAFETY: the pointer came from `Box::into_raw`, and `&mut self` says that nobody borrows.
        unsafe {
            if (*known).0 == std::process::id() {
                drop(Box::from_raw(known));
            }
        }
    }
}

static NETWORK: PerProcess<Network> = PerProcess::new();

/// The runtime, and how its tasks for asyncio end before the interpreter does.
struct Network {
    runtime: Runtime,
    /// One thread that hands results to Python. They wait for the GIL one after the other anyway.
    callbacks: Runtime,
    /// Whether the interpreter is about to end.
    ending: watch::Sender<bool>,
}

fn network() -> PyResult<&'static Network> {
    NETWORK.get(|| {
        let failed =
            |error| PyRuntimeError::new_err(format!("cannot start the network threads: {error}"));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(THREADS)
            .thread_name("abide-robots")
            .enable_all()
            .build();
        let callbacks = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .max_blocking_threads(1)
            .thread_name("abide-robots-py")
            .build();
        Ok(Network {
            runtime: runtime.map_err(failed)?,
            callbacks: callbacks.map_err(failed)?,
            ending: watch::Sender::new(false),
        })
    })
}

/// The runtime of this process.
pub(crate) fn runtime() -> PyResult<&'static Runtime> {
    Ok(&network()?.runtime)
}

/// Ends the tasks for asyncio, which would otherwise call an interpreter that is gone. Python runs
/// it at exit.
#[pyfunction]
pub(crate) fn end_network(py: Python<'_>) {
    let Ok(network) = NETWORK.get(|| Err(())) else {
        return;
    };
    network.ending.send_replace(true);
    let gone = async { tokio::time::timeout(FAREWELL, network.ending.closed()).await };
    // Tasks that are still busy after that time are left alone.
    let _ = py.detach(|| network.runtime.block_on(gone));
}

/// Waits for a future without the GIL. Ctrl-C and other signals end the wait.
pub(crate) fn wait<T: Send + 'static>(
    py: Python<'_>,
    future: impl Future<Output = T> + Send + 'static,
) -> PyResult<T> {
    let runtime = runtime()?;
    let mut task = runtime.spawn(future);
    loop {
        let waited = py
            .detach(|| runtime.block_on(async { tokio::time::timeout(PATIENCE, &mut task).await }));
        match waited {
            Ok(done) => {
                return done.map_err(|error| PyRuntimeError::new_err(error.to_string()));
            }
            Err(_) => py.check_signals().inspect_err(|_| task.abort())?,
        }
    }
}

/// A future as an awaitable of asyncio. What needs no waiting, such as a site in memory, is done at
/// once.
pub(crate) fn awaitable<'py, T>(
    py: Python<'py>,
    future: impl Future<Output = PyResult<T>> + Send + 'static,
) -> PyResult<Bound<'py, PyAny>>
where
    T: for<'p> IntoPyObject<'p> + Send + 'static,
{
    static LOOP: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let running = LOOP.import(py, "asyncio", "get_running_loop")?.call0()?;
    let runtime = runtime()?;
    let mut future: Pin<Box<dyn Future<Output = PyResult<T>> + Send>> = Box::pin(future);
    let polled = py.detach(|| {
        let _entered = runtime.enter();
        future
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
    });
    match polled {
        Poll::Pending => generic::future_into_py::<PerProcessRuntime, _, T>(py, future),
        Poll::Ready(done) => {
            let ready = running.call_method0("create_future")?;
            match done {
                Ok(value) => ready.call_method1("set_result", (value,))?,
                Err(error) => ready.call_method1("set_exception", (error,))?,
            };
            Ok(ready)
        }
    }
}

tokio::task_local! {
    static LOCALS: OnceCell<TaskLocals>;
}

/// The runtime of this process, as pyo3-async-runtimes asks for one. Its own would not survive a
/// fork.
struct PerProcessRuntime;

fn handle() -> Handle {
    // Every caller started the runtime before.
    runtime().map_or_else(|_| Handle::current(), |runtime| runtime.handle().clone())
}

/// Runs `future` until it is done, or the interpreter is about to end.
async fn until_the_end(future: impl Future<Output = ()>) {
    match network().map(|network| network.ending.subscribe()) {
        Ok(mut ending) => tokio::select! {
            biased;
            _ = ending.wait_for(|ending| *ending) => {}
            () = future => {}
        },
        Err(_) => future.await,
    }
}

impl generic::JoinError for Ended {
    fn is_panic(&self) -> bool {
        self.0.is_panic()
    }

    fn into_panic(self) -> Box<dyn std::any::Any + Send + 'static> {
        self.0.into_panic()
    }
}

/// How a task ended before its time.
struct Ended(JoinError);

/// A task under way.
struct Task(JoinHandle<()>);

impl Future for Task {
    type Output = Result<(), Ended>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(context).map_err(Ended)
    }
}

impl GenericRuntime for PerProcessRuntime {
    type JoinError = Ended;
    type JoinHandle = Task;

    fn spawn<F>(future: F) -> Task
    where
        F: Future<Output = ()> + Send + 'static,
    {
        Task(handle().spawn(until_the_end(future)))
    }

    fn spawn_blocking<F>(work: F) -> Task
    where
        F: FnOnce() + Send + 'static,
    {
        let ending = network().map(|network| network.ending.subscribe());
        let callbacks = network().map(|network| network.callbacks.handle().clone());
        let callbacks = callbacks.unwrap_or_else(|_| Handle::current());
        Task(callbacks.spawn_blocking(move || {
            // Holding `ending` makes the end of the interpreter wait for `work`.
            if !ending.as_ref().is_ok_and(|ending| *ending.borrow()) {
                work();
            }
        }))
    }
}

impl ContextExt for PerProcessRuntime {
    fn scope<F, R>(locals: TaskLocals, future: F) -> Pin<Box<dyn Future<Output = R> + Send>>
    where
        F: Future<Output = R> + Send + 'static,
    {
        Box::pin(LOCALS.scope(OnceCell::from(locals), future))
    }

    fn get_task_locals() -> Option<TaskLocals> {
        LOCALS
            .try_with(|cell| cell.get().cloned())
            .unwrap_or_default()
    }
}
