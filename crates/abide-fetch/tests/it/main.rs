//! The machine against its vectors, its table, an oracle that replays history, and an oracle of RFC
//! 9111; the guard against its registries. Tests are named after the faults of the catalogue that
//! they show.

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests, which tell their figures"
)]

mod adapters;
mod catalogue;
mod documents;
mod examples;
mod faults;
mod fields;
mod file_store;
mod fleet;
mod freshness;
mod guard;
mod history;
mod http;
mod pace;
mod proxy;
mod redirects;
mod requested;
mod robots;
mod shared;
mod simulation;
mod trail;
mod vectors;

use abide::{Client, Moment, ProductToken};
use std::pin::pin;
use std::process::{Child, Command};
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

/// A limit against hanging: far longer than any step takes, even on a slow and busy machine. No
/// test measures anything with it.
const HANG: Duration = Duration::from_secs(5 * 60);
/// Longer than [`HANG`]: for deadlines that must not expire in a test.
const NEVER: Duration = Duration::from_secs(20 * 60);
/// For the deadline that must expire in a test.
const SOON: Duration = Duration::from_millis(400);

/// An instant, in seconds.
fn at(seconds: i64) -> Moment {
    Moment::from_unix_seconds(seconds)
}

fn client() -> Client {
    Client::new(ProductToken::new("f").unwrap())
}

/// The result of `work`, which must not hang.
async fn ended<T>(work: impl Future<Output = T>) -> T {
    let ended = tokio::time::timeout(HANG, work).await;
    ended.expect("it hangs")
}

/// The result of `work`, which must not wait for the network, a timer or another task.
fn at_once<T>(work: impl Future<Output = T>) -> T {
    match pin!(work).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => panic!("it waits"),
    }
}

/// Waits until `is_so` returns `true`.
async fn eventually(what: &str, is_so: impl AsyncFn() -> bool) {
    let began = Instant::now();
    while !is_so().await {
        assert!(began.elapsed() < HANG, "never: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Sends a process a signal by its name: `-CONT`.
fn signal(process: &Child, name: &str) {
    let pid = process.id().to_string();
    let sent = Command::new("kill").args([name, &pid]).status();
    assert!(sent.unwrap().success());
}

/// Stops a process: none of its threads runs until it receives `-CONT`.
fn stop(process: &Child) {
    signal(process, "-STOP");
    // After the signal is sent, it may take a while to reach all threads.
    let began = Instant::now();
    while !is_stopped(process) {
        assert!(began.elapsed() < HANG, "it is never stopped");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Whether no thread of the process runs, as far as the system reports.
fn is_stopped(process: &Child) -> bool {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{}/task", process.id())) else {
        return true;
    };
    threads.map_while(Result::ok).all(|thread| {
        let status = std::fs::read_to_string(thread.path().join("status")).unwrap_or_default();
        status.contains("State:\tT")
    })
}

/// A gate that a server waits for before it continues, and the sender that opens it.
fn gate() -> (Sender<()>, impl Fn() + Send + Sync) {
    let (opened, opens) = channel();
    let opens = Mutex::new(opens);
    (opened, move || {
        // The gate also opens when the test is over.
        let _ = opens.lock().unwrap().recv();
    })
}
