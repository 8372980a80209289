//! The catalogue of faults: names, connections, heads, bodies, redirects. The name of each test
//! begins with the number of its fault. Besides what its name says, each test checks that only the
//! right rules apply, that the deadline is kept, and that no task is left behind.

mod bodies;
mod connections;
mod guard_matrix;
mod heads;
mod names;
mod network;
mod redirects;
mod torture;

use crate::http::{body, options, state, unreachable};
use crate::{HANG, SOON, client, ended};
use abide::rep::Cause;
use abide_fetch::guard::Guard;
use abide_fetch::http::{Fetcher, Options, Retrieval, SystemResolver};
use abide_fetch::machine::{CurrentRules, NextFetch, RetrievalSettings, Validators};
use abide_testkit::fault::{ByteServer, Script, Step};
use network::Counting;
use std::time::Duration;
use tokio::time::Instant;

/// How far a retrieval may exceed its deadline under a clock that advances by itself, and so does
/// not depend on the speed of the machine.
const OVERRUN: Duration = Duration::from_millis(250);
/// A file with a rule.
const FILE: &str = "User-agent: *\nDisallow: /x\n";

/// Runs `work`, and checks that no task is left behind.
fn run<T>(work: impl Future<Output = T>) -> T {
    settled(tokio::runtime::Builder::new_current_thread(), work, HANG)
}

/// Runs `work` with a clock that advances when everything is idle, and checks that no task is left
/// behind.
pub(crate) fn paused<T>(work: impl Future<Output = T>) -> T {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.start_paused(true);
    settled(builder, work, Duration::from_secs(1))
}

/// Runs `work`, and checks that its tasks end `within` this time after it, by the clock of the
/// runtime.
fn settled<T>(
    mut builder: tokio::runtime::Builder,
    work: impl Future<Output = T>,
    within: Duration,
) -> T {
    let runtime = builder.enable_all().build().unwrap();
    let result = runtime.block_on(work);
    runtime.block_on(async {
        let over = Instant::now();
        while over.elapsed() < within {
            if tokio::runtime::Handle::current()
                .metrics()
                .num_alive_tasks()
                == 0
            {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("tasks are left behind");
    });
    // A lookup of the system may continue; nothing waits for it.
    runtime.shutdown_background();
    result
}

/// Fetches `url` with a client that may connect anywhere.
fn fetch(url: &str) -> Retrieval {
    fetch_with(url, Guard::open(), options())
}

fn fetch_with(url: &str, guard: Guard, options: Options) -> Retrieval {
    let fetcher = Fetcher::new(guard, options, RetrievalSettings::default()).unwrap();
    run(retrieved(&fetcher, url))
}

/// Fetches `url` without a stored copy.
async fn retrieved(fetcher: &Fetcher, url: &str) -> Retrieval {
    ended(fetcher.retrieve(url, &Validators::default())).await
}

/// [`options`] in which only this deadline expires soon.
fn striking(which: impl FnOnce(&mut Options) -> &mut Duration) -> Options {
    let mut options = options();
    *which(&mut options) = SOON;
    options
}

/// Checks that this deadline alone ends a retrieval of `url`, and not before its time.
fn strikes(which: impl FnOnce(&mut Options) -> &mut Duration, url: &str, what: &str) -> Retrieval {
    let began = Instant::now();
    let retrieval = fetch_with(url, Guard::open(), striking(which));
    fails(&retrieval, Cause::Timeout, what);
    assert!(began.elapsed() >= SOON, "{what}");
    retrieval
}

/// Runs one retrieval, and checks that it kept its deadline, by a clock that advances by itself.
async fn timely(fetcher: &Fetcher, url: &str, deadline: Duration) -> Retrieval {
    let began = Instant::now();
    let retrieval = retrieved(fetcher, url).await;
    let took = began.elapsed();
    assert!(took <= deadline + OVERRUN, "{url} took {took:?}");
    retrieval
}

/// Fetches from a server with this script.
fn from(script: Script) -> Retrieval {
    fetch(&ByteServer::new(script).url("/robots.txt"))
}

/// Fetches from a server that sends these bytes and closes the connection.
fn saying(bytes: impl Into<Vec<u8>>) -> Retrieval {
    from(Script::saying(bytes))
}

/// Fetches from a server with these steps, and counts the bytes that were read.
fn counted(steps: impl Into<Vec<Step>>) -> (Retrieval, usize) {
    let server = ByteServer::new(Script::always(steps));
    let connector = Counting::default();
    let read = connector.read.clone();
    let fetcher = Fetcher::with_network(
        Guard::open(),
        options(),
        RetrievalSettings::default(),
        SystemResolver,
        connector,
    );
    let (fetcher, url) = (fetcher.unwrap(), server.url("/robots.txt"));
    let retrieval = run(retrieved(&fetcher, &url));
    let read = read.load(std::sync::atomic::Ordering::SeqCst);
    (retrieval, read)
}

/// An answer whose body has the declared length.
fn answer(start: &str, fields: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let mut bytes = format!("{start}\r\n{fields}Content-Length: {length}\r\n\r\n").into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

/// A successful answer whose body has the declared length.
fn file(fields: &str, body: &[u8]) -> Vec<u8> {
    answer("HTTP/1.1 200 OK", fields, body)
}

/// A redirect.
fn redirect(to: &str) -> Vec<u8> {
    answer("HTTP/1.1 302 Found", &format!("Location: {to}\r\n"), b"")
}

/// Checks that the file is missing, so that everything is allowed; returns the cause.
fn unavailable(retrieval: &Retrieval) -> Cause {
    let state = state(retrieval);
    let plan = state.plan(abide_fetch::http::now(), &RetrievalSettings::default());
    match plan.current {
        CurrentRules::AllowAll(cause) => {
            assert!(plan.current.policy(&client()).allows("/x"));
            cause
        }
        other => panic!("{other:?}: {:?}", retrieval.hops),
    }
}

/// Seconds until the site may be retried after a failure.
fn wait(retrieval: &Retrieval) -> i64 {
    let (state, now) = (state(retrieval), abide_fetch::http::now());
    match state.plan(now, &RetrievalSettings::default()).next {
        NextFetch::Now => 0,
        NextFetch::At(moment) => moment.unix_seconds() - now.unix_seconds(),
    }
}

/// Checks that the file is unreachable for this reason.
fn fails(retrieval: &Retrieval, cause: Cause, what: &str) {
    let found = unreachable(retrieval);
    assert_eq!(found, cause, "{what}: {:?}", retrieval.hops);
    let told = retrieval.hops.last().and_then(|hop| hop.failure.as_ref());
    let has_status = retrieval
        .hops
        .last()
        .is_some_and(|hop| hop.status.is_some());
    assert!(
        told.is_some() || has_status || retrieval.hops.is_empty(),
        "{what}: no hop tells why"
    );
}

/// Checks that the retrieval returned the file.
fn succeeds(retrieval: &Retrieval, expected: &[u8], what: &str) {
    let found = state(retrieval);
    assert!(found.copy().is_some(), "{what}: {:?}", retrieval.hops);
    assert_eq!(body(retrieval), expected, "{what}");
}

/// Prints figures, for runs with `--nocapture`.
#[expect(clippy::print_stdout, reason = "figures of a test run")]
fn told(text: &str) {
    println!("{text}");
}
