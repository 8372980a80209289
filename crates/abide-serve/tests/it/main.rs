//! Tests of the service as clients see it: real connections to a real service, and sites that are
//! real servers, all on loopback.

#![allow(
    missing_docs,
    clippy::format_collect,
    clippy::too_many_lines,
    clippy::unwrap_used,
    reason = "tests"
)]

mod access;
mod authz;
mod bad_input;
mod batch;
mod client;
mod clients;
mod configuration;
mod connections;
mod decisions;
mod document;
mod fairness;
mod hostile;
mod memory;
mod operations;
mod page;
mod proxies;
mod shutdown;
mod sites;
mod spellings;
mod tools;
mod turns;

use abide_serve::{Config, Service};
use abide_testkit::fault::{ByteServer, Script, Step};
use std::net::SocketAddr;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::oneshot;

/// A service on loopback. Ends when it is dropped.
struct Running {
    address: SocketAddr,
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// The config of tests: any port, sites on loopback, no log.
fn config() -> Config {
    Config {
        listen: Some("127.0.0.1:0".to_owned()),
        allow_private: Some(true),
        ..Config::default()
    }
}

/// Starts a service.
fn run(config: &Config) -> Running {
    let settings = config.checked().unwrap();
    let (end, ended) = oneshot::channel();
    let (started, starts) = std::sync::mpsc::channel();
    let thread = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let service = Service::new(settings).await.unwrap();
            started.send(service.address().unwrap()).unwrap();
            let end = async {
                let _ = ended.await;
            };
            service.run(end).await;
        });
        runtime.shutdown_timeout(Duration::from_millis(100));
    });
    Running {
        address: starts.recv().unwrap(),
        end: Some(end),
        thread: Some(thread),
    }
}

impl Running {
    /// Ends the service as SIGTERM does.
    fn begin_to_end(&mut self) {
        if let Some(end) = self.end.take() {
            let _ = end.send(());
        }
    }

    /// Waits until it has ended.
    fn wait(&mut self) {
        self.begin_to_end();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }

    /// The value of a counter, summed over its labels that contain `label`.
    fn count(&self, metric: &str, label: &str) -> u64 {
        let text = client::get(self.address, "/metrics").text();
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let own = lines.filter(|line| line.starts_with(metric) && line.contains(label));
        own.map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap())
            .sum()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.wait();
    }
}

/// Waits for something that has to happen.
fn until(what: &str, happened: impl Fn() -> bool) {
    for _ in 0..2_000 {
        if happened() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("{what} did not happen");
}

/// A site that serves this robots.txt.
fn site(robots: &str) -> ByteServer {
    let answer = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nCache-Control: max-age=3600\r\nContent-Length: {}\r\n\r\n{robots}",
        robots.len()
    );
    ByteServer::new(Script::always([Step::send(answer), Step::Fin]))
}
