//! Figures of retrieval: how many questions a warm cache answers, how fast many sites are fetched,
//! and what a site costs in memory. `cargo bench -p abide-fetch`; with `ABIDE_CORPUS` set to a
//! folder of real files, these are used, else made-up ones.

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "figures"
)]

use abide::{Client, Moment, ProductToken};
use abide_fetch::guard::Guard;
use abide_fetch::http::{BoxFuture, Fetcher, Options, Retrieval};
use abide_fetch::machine::{Event, RetrievalSettings, Validators};
use abide_fetch::pace::{NextVisit, PaceSettings, QueueEnd, Schedule, VisitResult};
use abide_fetch::{Retriever, RobotsCache};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn main() {
    if std::env::args().any(|argument| argument == "--serve") {
        return serve();
    }
    let files = files();
    let bytes: usize = files.iter().map(Vec::len).sum();
    println!("{} files, {bytes} bytes", files.len());
    memory(&files);
    warm(&files);
    many();
    pace();
}

/// A million sites, each visited five times: how long a turn takes when nobody waits for it.
fn pace() {
    const SITES: u64 = 1_000_000;
    let mut schedule = Schedule::new(&PaceSettings::default());
    for round in 0..5 {
        let now = Duration::from_secs(round * 1_000);
        let began = Instant::now();
        for site in 0..SITES {
            schedule.join(site, site, QueueEnd::Back, now).unwrap();
            let NextVisit::Begin(_, visit) = schedule.next(now) else {
                panic!("nobody is due");
            };
            schedule.end(visit, &VisitResult::default(), now);
        }
        let each = began.elapsed().as_nanos() / u128::from(SITES);
        println!("{each} ns a turn, {} sites", schedule.sites());
    }
    // All of them wait at once, and come in the order in which they are due.
    let now = Duration::from_secs(10_000);
    let began = Instant::now();
    for site in 0..SITES {
        schedule.join(site, site, QueueEnd::Back, now).unwrap();
    }
    while let NextVisit::Begin(_, visit) = schedule.next(now) {
        schedule.end(visit, &VisitResult::default(), now);
    }
    let each = began.elapsed().as_nanos() / u128::from(SITES);
    println!("{each} ns a turn, all waiting at once");
}

fn client() -> Client {
    Client::new(ProductToken::new("ExampleBot").unwrap())
}

/// The files of a folder, or some that were made up.
fn files() -> Vec<Vec<u8>> {
    let Ok(folder) = std::env::var("ABIDE_CORPUS") else {
        let rules = |number: usize| {
            let rules = (0..number % 60).map(|rule| format!("Disallow: /{rule}/{number}*/\n"));
            format!("User-agent: *\n{}", rules.collect::<String>()).into_bytes()
        };
        return (0..2_000).map(rules).collect();
    };
    let mut found = Vec::new();
    let mut folders = vec![std::path::PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    found
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect()
}

/// Answers from memory.
struct Memory(Arc<Vec<Vec<u8>>>);

impl Retriever for Memory {
    fn retrieve<'a>(&'a self, url: &'a str, _: &'a Validators) -> BoxFuture<'a, Retrieval> {
        let digits: String = url.chars().filter(char::is_ascii_digit).collect();
        let number: usize = digits.parse().unwrap();
        let body = self.0[number % self.0.len()].clone();
        Box::pin(
            async move { Retrieval::new(Event::file(body, &[], Moment::from_unix_seconds(0))) },
        )
    }
}

fn at() -> Moment {
    Moment::from_unix_seconds(60)
}

fn filled(files: &[Vec<u8>]) -> (RobotsCache, Vec<String>) {
    let robots = RobotsCache::with_retriever(client(), Memory(Arc::new(files.to_vec())))
        .clock(at as fn() -> Moment)
        .memory(4 << 30)
        .build();
    let sites = (0..files.len()).map(|number| format!("https://site{number}.example"));
    let sites: Vec<_> = sites.collect();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        for site in &sites {
            robots.for_url(&format!("{site}/")).await;
        }
    });
    (robots, sites)
}

/// Kilobytes that the system counts, by this name.
fn kilobytes(name: &str, process: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status
        .lines()
        .find(|line| line.starts_with(name))
        .unwrap_or_default();
    let digits: String = line.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_default()
}

fn memory(files: &[Vec<u8>]) {
    let before = kilobytes("VmRSS", "self");
    let (robots, sites) = filled(files);
    let after = kilobytes("VmRSS", "self");
    let bytes: usize = files.iter().map(Vec::len).sum();
    let retriever = bytes as u64 / 1_024;
    let kept = (after - before).saturating_sub(retriever) * 1_024;
    println!(
        "memory: {} sites, {} bytes a site, of which {} are the file as it came",
        robots.sites(),
        kept / sites.len() as u64,
        bytes / sites.len()
    );
}

fn warm(files: &[Vec<u8>]) {
    const ASKED: u32 = 1_000_000;
    let (robots, sites) = filled(files);
    let urls: Vec<_> = (0..10_000)
        .map(|number| format!("{}/path/{number}?q=1", sites[number * 7 % sites.len()]))
        .collect();
    let urls = Arc::new(urls);
    for threads in [1_u32, 2] {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(threads as usize)
            .enable_all()
            .build()
            .unwrap();
        let began = Instant::now();
        runtime.block_on(async {
            let ask = |first: usize| {
                let (robots, urls) = (robots.clone(), Arc::clone(&urls));
                tokio::spawn(async move {
                    let mut allowed = 0;
                    for url in urls.iter().cycle().skip(first).take(ASKED as usize) {
                        allowed += usize::from(robots.for_url(url).await.allows(url));
                    }
                    allowed
                })
            };
            let asked: Vec<_> = (0..threads as usize).map(ask).collect();
            for one in asked {
                assert!(one.await.unwrap() > 0);
            }
        });
        let each = began.elapsed().as_secs_f64() / f64::from(ASKED * threads);
        println!(
            "warm, {threads} threads: {:.2} million for_url + allows a second",
            1e-6 / each
        );
    }
}

/// Ten thousand origins of this machine's own, behind one port.
fn many() {
    const SITES: u32 = 10_000;
    let mut server = Command::new(std::env::current_exe().unwrap())
        .arg("--serve")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut port = String::new();
    BufReader::new(server.stdout.take().unwrap())
        .read_line(&mut port)
        .unwrap();
    let port: u16 = port.trim().parse().unwrap();
    let mut options = Options::new("ExampleBot/1.0 (+https://bot.example/)");
    options.concurrency.spacing = Duration::ZERO;
    let fetcher = Fetcher::new(Guard::open(), options, RetrievalSettings::default()).unwrap();
    let robots = RobotsCache::with_retriever(client(), fetcher).build();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let before = kilobytes("VmHWM", "self");
    let began = Instant::now();
    runtime.block_on(async {
        let mut tasks = tokio::task::JoinSet::new();
        for site in 0..SITES {
            let robots = robots.clone();
            tasks.spawn(async move {
                let [_, _, high, low] = site.to_be_bytes();
                let url = format!("http://127.1.{high}.{low}:{port}/x");
                assert!(!robots.for_url(&url).await.allows(&url));
            });
        }
        while let Some(done) = tasks.join_next().await {
            done.unwrap();
        }
    });
    let rate = f64::from(SITES) / began.elapsed().as_secs_f64();
    let peak = kilobytes("VmHWM", "self");
    println!(
        "cold: {SITES} origins on loopback, {rate:.0} a second, peak {} MB (before: {} MB)",
        peak / 1_024,
        before / 1_024
    );
    server.kill().unwrap();
    server.wait().unwrap();
}

/// Answers every request with a small file, on all addresses of this machine.
fn serve() {
    let listener = TcpListener::bind("0.0.0.0:0").unwrap();
    println!("{}", listener.local_addr().unwrap().port());
    let listener = Arc::new(listener);
    let work = || {
        let listener = Arc::clone(&listener);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let _ = answer(stream);
            }
        })
    };
    let threads: Vec<_> = (0..8).map(|_| work()).collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

fn answer(mut stream: TcpStream) -> std::io::Result<()> {
    let mut head = [0; 2_048];
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    let _ = stream.read(&mut head)?;
    let body = "User-agent: *\nDisallow: /x\n";
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n{body}"
    )
}
