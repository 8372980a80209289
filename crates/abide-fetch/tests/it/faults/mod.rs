//! The catalogue of faults: names, connections, heads, bodies, redirects. Each test begins with the fault's own
//! number, and asserts besides what its name says that nothing is in force that should not be, that the deadline
//! is kept, and that no task is left behind.

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
use abide::rep::access::Cause;
use abide_fetch::guard::Guard;
use abide_fetch::http::{Fetcher, Options, Retrieval, SystemResolver};
use abide_fetch::machine::{InForce, Next, Settings, Validators};
use abide_testkit::fault::{ByteServer, Script, Step};
use network::Counting;
use std::time::Duration;
use tokio::time::Instant;

/// How much longer than its deadline a retrieval may take, where the clock goes on by itself and so tells nothing of
/// the machine.
const OVERRUN: Duration = Duration::from_millis(250);
/// A file that says something.
const FILE: &str = "User-agent: *\nDisallow: /x\n";

/// Runs `work`, and sees that no task is left behind it.
fn run<T>(work: impl Future<Output = T>) -> T {
    settled(tokio::runtime::Builder::new_current_thread(), work, HANG)
}

/// The same, with a clock that goes on by itself when nothing else does.
pub(crate) fn paused<T>(work: impl Future<Output = T>) -> T {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.start_paused(true);
    settled(builder, work, Duration::from_secs(1))
}

/// Runs `work`, and sees that its tasks end `within` such a time after it, by the runtime's clock.
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
    // A lookup of the system may go on; nobody waits for it.
    runtime.shutdown_background();
    result
}

/// What comes of `url` for a client that may go anywhere.
fn fetch(url: &str) -> Retrieval {
    fetch_with(url, Guard::open(), options())
}

fn fetch_with(url: &str, guard: Guard, options: Options) -> Retrieval {
    let fetcher = Fetcher::new(guard, options, Settings::default()).unwrap();
    run(retrieved(&fetcher, url))
}

/// What comes of `url` without anything known of it.
async fn retrieved(fetcher: &Fetcher, url: &str) -> Retrieval {
    ended(fetcher.retrieve(url, &Validators::default())).await
}

/// [`options`] of which this deadline strikes soon, and no other.
fn striking(which: impl FnOnce(&mut Options) -> &mut Duration) -> Options {
    let mut options = options();
    *which(&mut options) = SOON;
    options
}

/// That nothing ends a retrieval of `url` but this one deadline, and not before its time.
fn strikes(which: impl FnOnce(&mut Options) -> &mut Duration, url: &str, what: &str) -> Retrieval {
    let began = Instant::now();
    let retrieval = fetch_with(url, Guard::open(), striking(which));
    fails(&retrieval, Cause::Timeout, what);
    assert!(began.elapsed() >= SOON, "{what}");
    retrieval
}

/// One retrieval, and that it kept its deadline, by a clock that goes on by itself.
async fn timely(fetcher: &Fetcher, url: &str, deadline: Duration) -> Retrieval {
    let began = Instant::now();
    let retrieval = retrieved(fetcher, url).await;
    let took = began.elapsed();
    assert!(took <= deadline + OVERRUN, "{url} took {took:?}");
    retrieval
}

/// What comes of a server with this script.
fn from(script: Script) -> Retrieval {
    fetch(&ByteServer::new(script).url("/robots.txt"))
}

/// What comes of a server that says this, and closes.
fn saying(octets: impl Into<Vec<u8>>) -> Retrieval {
    from(Script::saying(octets))
}

/// The same, and how many octets were read of it.
fn counted(steps: impl Into<Vec<Step>>) -> (Retrieval, usize) {
    let server = ByteServer::new(Script::always(steps));
    let connector = Counting::default();
    let read = connector.read.clone();
    let fetcher = Fetcher::with_network(
        Guard::open(),
        options(),
        Settings::default(),
        SystemResolver,
        connector,
    );
    let (fetcher, url) = (fetcher.unwrap(), server.url("/robots.txt"));
    let retrieval = run(retrieved(&fetcher, &url));
    let read = read.load(std::sync::atomic::Ordering::SeqCst);
    (retrieval, read)
}

/// An answer with a body that is as long as it says.
fn answer(start: &str, fields: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let mut octets = format!("{start}\r\n{fields}Content-Length: {length}\r\n\r\n").into_bytes();
    octets.extend_from_slice(body);
    octets
}

/// The same, of a file.
fn file(fields: &str, body: &[u8]) -> Vec<u8> {
    answer("HTTP/1.1 200 OK", fields, body)
}

/// A redirect.
fn redirect(to: &str) -> Vec<u8> {
    answer("HTTP/1.1 302 Found", &format!("Location: {to}\r\n"), b"")
}

/// That the file is a missing one, so that everything is allowed; and why.
fn unavailable(retrieval: &Retrieval) -> Cause {
    let state = state(retrieval);
    let plan = state.plan(abide_fetch::http::now(), &Settings::default());
    match plan.in_force {
        InForce::AllowAll(cause) => {
            assert!(plan.in_force.policy(&client()).allows("/x"));
            cause
        }
        other => panic!("{other:?}: {:?}", retrieval.hops),
    }
}

/// Seconds until the site may be asked again after a failure.
fn wait(retrieval: &Retrieval) -> i64 {
    let (state, now) = (state(retrieval), abide_fetch::http::now());
    match state.plan(now, &Settings::default()).next {
        Next::Now => 0,
        Next::At(moment) => moment.unix_seconds() - now.unix_seconds(),
    }
}

/// That it is unreachable for this reason.
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

/// That it is the file.
fn succeeds(retrieval: &Retrieval, expected: &[u8], what: &str) {
    let found = state(retrieval);
    assert!(found.copy().is_some(), "{what}: {:?}", retrieval.hops);
    assert_eq!(body(retrieval), expected, "{what}");
}

/// Figures, for whoever runs the tests with `--nocapture`.
#[expect(clippy::print_stdout, reason = "figures of a test run")]
fn told(text: &str) {
    println!("{text}");
}
