//! Counts what a retrieval allocates and reads (G-22, G-23), whatever a server sends. A separate
//! binary, because it replaces the allocator; the count includes the allocations of the servers.

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests"
)]

use abide_fetch::guard::Guard;
use abide_fetch::http::{Fetcher, Options};
use abide_fetch::machine::{RetrievalSettings, Validators};
use abide_fetch::pace::{NextVisit, PaceSettings, QueueEnd, Schedule, VisitResult};
use abide_testkit::fault::{ByteServer, Script, Step};
use dhat::HeapStats;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use std::time::Duration;

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

/// Heap bytes that a retrieval may use: twice the limit, and a part that does not depend on it.
const MAX_HEAP_BYTES: usize = (1 << 20) + 512_000;

#[test]
fn g_22_memory_of_a_retrieval() {
    let bomb = gzip_of_zeros(64);
    let packed = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n";
    let empty_members = gzip_of_zeros(0).repeat(50);
    let chunk = format!("1000\r\n{}\r\n", "x".repeat(4_096));
    let head = Step::send;
    for (what, steps) in [
        (
            "a file",
            vec![head("HTTP/1.1 200 OK\r\n\r\nUser-agent: *\n"), Step::Fin],
        ),
        (
            "endless body",
            vec![
                head("HTTP/1.1 200 OK\r\n\r\n"),
                Step::endless("x".repeat(4_096)),
            ],
        ),
        (
            "endless lines",
            vec![
                head("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n"),
                Step::endless("Disallow: /x\n".repeat(300)),
            ],
        ),
        (
            "endless chunks",
            vec![
                head("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
                Step::endless(chunk),
            ],
        ),
        (
            "endless chunks of a byte",
            vec![
                head("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
                Step::endless("1\r\nx\r\n".repeat(500)),
            ],
        ),
        (
            "a bomb",
            vec![head(packed), Step::Send(bomb.clone()), Step::Fin],
        ),
        ("endless bombs", vec![head(packed), Step::endless(bomb)]),
        (
            "endless empty members",
            vec![head(packed), Step::endless(empty_members)],
        ),
        (
            "endless fields",
            vec![
                head("HTTP/1.1 200 OK\r\n"),
                Step::endless("X: y\r\n".repeat(500)),
            ],
        ),
        (
            "an endless field",
            vec![
                head("HTTP/1.1 200 OK\r\nX: "),
                Step::endless("y".repeat(4_096)),
            ],
        ),
        (
            "endless interim answers",
            vec![Step::endless("HTTP/1.1 103 X\r\n\r\n".repeat(100))],
        ),
        (
            "an endless body of an error",
            vec![
                head("HTTP/1.1 404 X\r\n\r\n"),
                Step::endless("x".repeat(4_096)),
            ],
        ),
    ] {
        retrieve(what, steps);
    }
    descriptors_and_tasks_go_back();
    memory_of_a_pace();
}

/// How many bytes the pace of a site may take.
const MAX_SITE_BYTES: usize = 200;
/// A number of sites for which tables have grown just before, and have the most room to spare.
const SITES: u64 = 230_000;

/// The pace of a site takes at most 200 bytes, however often it is visited, and visits that have
/// left take none.
fn memory_of_a_pace() {
    let profiler = dhat::Profiler::builder().testing().build();
    let mut schedule = Schedule::new(&PaceSettings::default());
    let second = Duration::from_secs;
    let mut sites = 0;
    for round in 0..4 {
        for site in 0..SITES {
            let now = second(round * 1_000);
            schedule.set_delay(site, 1, second(site % 90), now).unwrap();
            let ticket = schedule.join(site, (), QueueEnd::Back, now).unwrap();
            schedule.join(site, (), QueueEnd::Back, now).unwrap();
            schedule.leave(ticket).unwrap();
            match schedule.next(now) {
                NextVisit::Begin((), visit) => {
                    schedule.end(visit, &VisitResult::default(), now);
                }
                other => panic!("{other:?}"),
            }
        }
        sites = schedule.sites();
        let bytes = HeapStats::get().curr_bytes / sites;
        println!("{bytes} bytes for each of {sites} sites");
        assert!(bytes <= MAX_SITE_BYTES, "{bytes}");
    }
    drop(profiler);
    assert_eq!(u64::try_from(sites), Ok(SITES));
}

fn options() -> Options {
    let mut options = Options::new("TestBot/1.0");
    options.deadline = Duration::from_secs(2);
    options.concurrency.spacing = Duration::ZERO;
    options
}

fn runtime() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_all().build().unwrap()
}

/// Runs one retrieval from a server with these steps, with the allocator's counters reset.
fn retrieve(what: &str, steps: Vec<Step>) {
    let server = ByteServer::new(Script::always(steps));
    let fetcher = Fetcher::new(Guard::open(), options(), RetrievalSettings::default()).unwrap();
    let (runtime, url) = (runtime(), server.url("/robots.txt"));
    let profiler = dhat::Profiler::builder().testing().build();
    let retrieval = runtime.block_on(fetcher.retrieve(&url, &Validators::default()));
    let most = HeapStats::get().max_bytes;
    drop(profiler);
    println!("{what}: {most} bytes at most");
    assert_eq!(server.connections(), 1, "{what}");
    assert_eq!(retrieval.hops.len(), 1, "{what}");
    assert!(most <= MAX_HEAP_BYTES, "{what}: {most}");
}

/// A hundred retrievals that fail midway leave no connection and no task behind.
fn descriptors_and_tasks_go_back() {
    let descriptors = || std::fs::read_dir("/proc/self/fd").unwrap().count();
    let runtime = runtime();
    let fetcher = Fetcher::new(Guard::open(), options(), RetrievalSettings::default()).unwrap();
    let steps = [
        Step::send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nUser-agent: *\n"),
        Step::Rst,
    ];
    let server = ByteServer::new(Script::always(steps));
    let url = server.url("/robots.txt");
    // The server opens its own descriptors only when it runs.
    runtime.block_on(fetcher.retrieve(&url, &Validators::default()));
    let (before, mut after) = (descriptors(), 0);
    runtime.block_on(async {
        for _ in 1..100 {
            fetcher.retrieve(&url, &Validators::default()).await;
        }
        // Waits at most a minute, so that the test cannot hang.
        for _ in 0..6_000 {
            let tasks = tokio::runtime::Handle::current()
                .metrics()
                .num_alive_tasks();
            after = descriptors();
            if tasks == 0 && after <= before {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{before} descriptors before, {after} after");
    });
    assert_eq!(server.connections(), 100);
}

fn gzip_of_zeros(megabytes: usize) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    for _ in 0..megabytes {
        packer.write_all(&vec![0; 1 << 20]).unwrap();
    }
    packer.finish().unwrap()
}
