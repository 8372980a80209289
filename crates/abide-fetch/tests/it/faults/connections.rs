//! Faults in connections and TLS (C).

use super::network::{Attempt, Counting, Names, Servers};
use super::{
    FILE, OVERRUN, Retrieval, answer, fails, fetch, fetch_with, file, from, paused, retrieved, run,
    saying, strikes, striking, succeeds, timely,
};
use crate::http::{ok, options, unreachable};
use crate::robots::{CLOCK, clock};
use crate::{client, eventually};
use abide::rep::Cause;
use abide_fetch::guard::Guard;
use abide_fetch::http::{Fetcher, Options, SystemResolver};
use abide_fetch::machine::RetrievalSettings;
use abide_fetch::store::{FileStore, Store};
use abide_fetch::{Resource, RobotsCache};
use abide_testkit::fault::{ByteServer, Certified, Script, Step, TlsLab, Toxic, Toxin, namespace};
use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The client tries one connection, and no other.
#[test]
fn c1_refused() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let closed = listener.local_addr().unwrap();
    drop(listener);
    let connector = Counting::default();
    let connects = Arc::clone(&connector.connects);
    let resolver = SystemResolver;
    let fetcher = Fetcher::with_network(
        Guard::open(),
        options(),
        RetrievalSettings::default(),
        resolver,
        connector,
    );
    let url = format!("http://{closed}/robots.txt");
    let retrieval = run(retrieved(&fetcher.unwrap(), &url));
    fails(&retrieval, Cause::Connect, "refused");
    assert_eq!(connects.load(Ordering::SeqCst), 1);
    assert!((0..=2).contains(&super::wait(&retrieval)));
}

/// A listener with a full queue does not answer new connections.
#[test]
fn c2_nobody_answers() {
    let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
    let any: SocketAddr = "127.0.0.1:0".parse().unwrap();
    socket.bind(&any.into()).unwrap();
    socket.listen(0).unwrap();
    let address = socket.local_addr().unwrap().as_socket().unwrap();
    let mut queue = Vec::new();
    while let Ok(stream) = TcpStream::connect_timeout(&address, Duration::from_secs(1)) {
        queue.push(stream);
        assert!(queue.len() < 10, "the queue never fills");
    }
    let url = format!("http://{address}/robots.txt");
    strikes(|options| &mut options.connect_timeout, &url, "no answer");
}

#[test]
fn c3_no_way_there() {
    let setup = "ip route add unreachable 8.8.8.0/24\nip route add prohibit 8.8.4.0/24";
    namespace::within(module_path!(), "c3_no_way_there", setup, &[], || {
        for (host, what) in [
            ("8.8.8.8", "host unreachable"),
            ("8.8.4.4", "prohibited"),
            ("1.1.1.1", "network unreachable"),
        ] {
            let url = format!("http://{host}/robots.txt");
            fails(
                &fetch_with(&url, Guard::new(), options()),
                Cause::Connect,
                what,
            );
        }
    });
}

#[test]
fn c4_silence() {
    for script in [Script::unread([Step::Hang]), Script::always([Step::Hang])] {
        let server = ByteServer::new(script);
        let url = server.url("/robots.txt");
        strikes(|options| &mut options.head_timeout, &url, "silence");
    }
}

/// The server of [`c4_a_stopped_process`], in a separate process.
#[test]
#[ignore = "runs inside of another test"]
fn serves_until_it_is_killed() {
    if std::env::var_os("ABIDE_TEST_SERVES").is_some() {
        let server = ByteServer::new(Script::saying(file("", FILE.as_bytes())));
        println!("serves {}", server.url("/robots.txt"));
        std::thread::sleep(crate::NEVER);
    }
}

/// A server whose process is stopped: the system still accepts connections for it, but nothing
/// answers.
#[test]
fn c4_a_stopped_process() {
    use std::io::{BufRead, BufReader};
    let mut process = std::process::Command::new(std::env::current_exe().unwrap())
        .args([
            "faults::connections::serves_until_it_is_killed",
            "--exact",
            "--ignored",
            "--nocapture",
        ])
        .env("ABIDE_TEST_SERVES", "1")
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let url = lines
        .map_while(Result::ok)
        // When tests run one at a time, the name of the test precedes it on the line.
        .find_map(|line| Some(line.split_once("serves ")?.1.to_owned()))
        .unwrap();
    assert!(crate::http::state(&fetch(&url)).copy().is_some());
    crate::stop(&process);
    strikes(|options| &mut options.head_timeout, &url, "stopped");
    crate::signal(&process, "-CONT");
    assert!(crate::http::state(&fetch(&url)).copy().is_some());
    process.kill().unwrap();
    process.wait().unwrap();
}

/// A reset at every byte: no part counts as a file before all of it has arrived.
#[test]
fn c5_resets() {
    // The client may see the reset already when it connects.
    let cause = unreachable(&from(Script::unread([Step::Rst])));
    assert!(
        matches!(cause, Cause::Network | Cause::Connect),
        "{cause:?}"
    );
    let whole = file("", FILE.as_bytes());
    let server = resetting(whole.clone());
    for at in 0..whole.len() {
        let retrieval = fetch(&server.url(&format!("/{at}")));
        let cause = unreachable(&retrieval);
        assert!(
            matches!(cause, Cause::Network | Cause::Truncated),
            "{at}: {cause:?}"
        );
    }
    assert_eq!(server.connections(), whole.len(), "nothing is tried again");
    // A proxy can break the connection as well as the server.
    let server = ByteServer::new(Script::saying(whole));
    let toxic = Toxic::before(server.address(), Toxin::Reset(40));
    unreachable(&fetch(&toxic.url("/robots.txt")));
}

/// Sends as much of the answer as the path says, waits until the client has read it, and resets.
fn resetting(whole: Vec<u8>) -> ByteServer {
    ByteServer::new(Script::by(move |hit| {
        let at: usize = hit.path.trim_start_matches('/').parse().unwrap();
        let part = whole[..at].to_vec();
        vec![
            Step::Send(part),
            Step::Sleep(Duration::from_millis(2)),
            Step::Rst,
        ]
    }))
}

/// H29: a reset at every byte of an answer without a length.
#[test]
fn h29_resets_after_every_byte() {
    let body = FILE.repeat(40);
    let unframed = format!("HTTP/1.1 200 OK\r\n\r\n{body}").into_bytes();
    let server = resetting(unframed.clone());
    for at in (0..=unframed.len()).step_by(41) {
        unreachable(&fetch(&server.url(&format!("/{at}"))));
    }
}

/// An orderly close at every byte: a message is a file only when it is complete.
#[test]
fn c6_ends() {
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\
                   e\r\nUser-agent: *\n\r\nc\r\nDisallow: /x\r\n1\r\n\n\r\n0\r\n\r\n";
    for whole in [file("", FILE.as_bytes()), chunked.as_bytes().to_vec()] {
        let bytes = whole.clone();
        let server = ByteServer::new(Script::by(move |hit| {
            let at: usize = hit.path.trim_start_matches('/').parse().unwrap();
            vec![Step::send(&bytes[..at]), Step::Fin]
        }));
        for at in 0..whole.len() {
            let cause = unreachable(&fetch(&server.url(&format!("/{at}"))));
            assert!(
                matches!(cause, Cause::Network | Cause::Truncated),
                "{at} of {:?}: {cause:?}",
                String::from_utf8_lossy(&whole)
            );
        }
        let retrieval = fetch(&server.url(&format!("/{}", whole.len())));
        succeeds(&retrieval, FILE.as_bytes(), "all of it");
    }
}

#[test]
fn c7_the_link_dies() {
    namespace::within(module_path!(), "c7_the_link_dies", "", &[], || {
        let server = ByteServer::new(Script::always([
            Step::send("HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\nUser-agent: *\n"),
            Step::Sleep(Duration::from_millis(200)),
            Step::send("Disallow: /".repeat(4)),
            Step::Hang,
        ]));
        let url = server.url("/robots.txt");
        let down = std::thread::spawn(move || {
            while server.accepted() == 0 {
                std::thread::sleep(Duration::from_millis(1));
            }
            let link = std::process::Command::new("ip")
                .args(["link", "set", "lo", "down"])
                .status();
            assert!(link.unwrap().success());
            server
        });
        strikes(|options| &mut options.idle_timeout, &url, "a dead link");
        drop(down.join().unwrap());
    });
}

/// A connection of 8 kbit/s: content that has arrived by the deadline is not a file. Connections
/// that are only odd succeed.
#[test]
fn c8_slow_lines() {
    let server = ByteServer::new(Script::saying(file("", FILE.repeat(1_000).as_bytes())));
    let slow = Toxic::before(server.address(), Toxin::Bandwidth(1_000));
    let url = slow.url("/robots.txt");
    strikes(|options| &mut options.deadline, &url, "8 kbit/s");
    let stuck = Toxic::before(server.address(), Toxin::Timeout(5_000));
    let url = stuck.url("/robots.txt");
    strikes(|options| &mut options.idle_timeout, &url, "stuck");
    let server = ByteServer::new(Script::saying(file("", FILE.as_bytes())));
    for toxin in [
        Toxin::Latency(Duration::from_millis(100)),
        Toxin::Slicer(7, Duration::from_millis(1)),
    ] {
        let odd = Toxic::before(server.address(), toxin);
        succeeds(&fetch(&odd.url("/robots.txt")), FILE.as_bytes(), "odd");
    }
}

/// The server closes its side before it reads the request: what it sent until then counts.
#[test]
fn c9_half_closed() {
    let nothing = Script::unread([Step::HalfClose, Step::Hang]);
    fails(&from(nothing), Cause::Network, "closed without a word");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        // The request has arrived and stays unread: an answer before it would be rejected.
        stream.peek(&mut [0]).unwrap();
        stream.write_all(&file("", FILE.as_bytes())).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        stream
    });
    let retrieval = fetch(&format!("http://{address}/robots.txt"));
    succeeds(&retrieval, FILE.as_bytes(), "closed after the answer");
    drop(server.join().unwrap());
}

fn trusting(lab: &TlsLab) -> Options {
    let mut options = options();
    options.roots = vec![abide_fetch::Certificate::from_der(lab.root().to_vec())];
    options
}

/// Fetches over https from a server with this certificate, under the name `localhost`.
fn secured(lab: &TlsLab, certified: &Certified, steps: &[Step]) -> (Retrieval, ByteServer) {
    let server = ByteServer::secure(certified.server(), Script::always(steps));
    let url = format!("https://localhost:{}/robots.txt", server.address().port());
    (fetch_with(&url, Guard::open(), trusting(lab)), server)
}

/// Invalid certificates: the client sends no request, and does not fall back to http.
#[test]
fn c10_certificates() {
    let (lab, other) = (TlsLab::new(), TlsLab::new());
    let names = ["localhost"];
    let steps = [Step::send(file("", FILE.as_bytes())), Step::Fin];
    let (retrieval, _) = secured(&lab, &lab.good(&names), &steps);
    succeeds(&retrieval, FILE.as_bytes(), "as it should be");
    let (retrieval, _) = secured(&lab, &lab.behind(3, &names), &steps);
    succeeds(&retrieval, FILE.as_bytes(), "behind three others");
    for (what, certified, told) in [
        ("expired", lab.expired(&names), "expired"),
        ("not yet valid", lab.not_yet_valid(&names), "not valid yet"),
        (
            "wrong name",
            lab.good(&["other.example"]),
            "not valid for name",
        ),
        ("no names", lab.without_names("localhost"), "not valid for"),
        ("self-signed", TlsLab::self_signed(&names), "UnknownIssuer"),
        ("unknown authority", other.good(&names), "UnknownIssuer"),
        (
            "SHA-1",
            lab.over_sha1(&names),
            "UnsupportedSignatureAlgorithm",
        ),
        ("100 certificates", lab.behind(99, &names), ""),
    ] {
        let (retrieval, server) = secured(&lab, &certified, &steps);
        fails(&retrieval, Cause::Tls, what);
        let failure = retrieval.hops[0].failure.as_deref().unwrap();
        assert!(failure.contains(told), "{what}: {failure}");
        assert_eq!(server.connections(), 1, "{what}");
        assert!(server.requests().is_empty(), "{what}");
    }
}

/// A server that waits, refuses, or speaks another protocol where TLS is expected; and TLS where it
/// is not.
#[test]
fn c11_handshakes() {
    let server = ByteServer::new(Script::unread([Step::Hang]));
    let url = format!("https://{}/robots.txt", server.address());
    strikes(|options| &mut options.connect_timeout, &url, "a stall");
    let alert = [0x15, 3, 3, 0, 2, 2, 40];
    for (what, said) in [
        ("an alert", alert.to_vec()),
        ("plain text", answer("HTTP/1.1 400 Bad Request", "", b"")),
    ] {
        let server = ByteServer::new(Script::unread([Step::send(said), Step::Fin]));
        let retrieval = fetch(&format!("https://{}/robots.txt", server.address()));
        fails(&retrieval, Cause::Tls, what);
    }
    let lab = TlsLab::new();
    let tls = lab.good(&["localhost"]).server();
    let server = ByteServer::secure(tls, Script::saying(file("", b"")));
    fails(
        &fetch(&server.url("/robots.txt")),
        Cause::Network,
        "TLS at http",
    );
    assert!(server.requests().is_empty());
}

/// H30: a body without a length is complete when TLS is closed in order; a body with a length, when
/// all of it has arrived.
#[test]
fn c12_and_h30_closed_without_a_word() {
    let (lab, names) = (TlsLab::new(), ["localhost"]);
    let good = lab.good(&names);
    let unframed = format!("HTTP/1.1 200 OK\r\n\r\n{FILE}");
    let (retrieval, _) = secured(&lab, &good, &[Step::send(unframed.as_str()), Step::Cut]);
    fails(&retrieval, Cause::Truncated, "without close_notify");
    let (retrieval, _) = secured(&lab, &good, &[Step::send(unframed), Step::Fin]);
    succeeds(&retrieval, FILE.as_bytes(), "with close_notify");
    let framed = file("", FILE.as_bytes());
    let (retrieval, _) = secured(&lab, &good, &[Step::send(framed), Step::Cut]);
    succeeds(&retrieval, FILE.as_bytes(), "with a length");
}

/// Endless empty TLS records: the TLS library has bounds, and the client a deadline.
#[test]
fn c13_floods_of_records() {
    for (what, record) in [
        ("empty handshakes", vec![0x16, 3, 3, 0, 0]),
        ("empty data", vec![0x17, 3, 3, 0, 0]),
        ("changes of cipher", vec![0x14, 3, 3, 0, 1, 1]),
        ("warnings", vec![0x15, 3, 3, 0, 2, 1, 90]),
        (
            "requests for a new handshake",
            vec![0x16, 3, 3, 0, 4, 0, 0, 0, 0],
        ),
    ] {
        let server = ByteServer::new(Script::unread([Step::endless(record.repeat(1_000))]));
        let url = format!("https://{}/robots.txt", server.address());
        let retrieval = fetch_with(
            &url,
            Guard::open(),
            striking(|options| &mut options.deadline),
        );
        let cause = unreachable(&retrieval);
        assert!(
            matches!(cause, Cause::Tls | Cause::Timeout),
            "{what}: {cause:?}"
        );
    }
    flood_of_key_updates();
}

/// Repeated key updates in place of an answer.
fn flood_of_key_updates() {
    let lab = TlsLab::new();
    let tls = lab.good(&["localhost"]).server();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut server = rustls::ServerConnection::new(tls).unwrap();
        while server.is_handshaking() {
            server.complete_io(&mut stream).unwrap();
        }
        let _ = stream.read(&mut [0; 4_096]);
        while server.refresh_traffic_keys().is_ok() {
            while server.wants_write() {
                if server.write_tls(&mut stream).is_err() {
                    return;
                }
            }
        }
        let _ = stream.flush();
    });
    let url = format!("https://localhost:{port}/robots.txt");
    let mut options = trusting(&lab);
    options.deadline = Duration::from_millis(1_500);
    let cause = unreachable(&fetch_with(&url, Guard::open(), options));
    assert!(
        matches!(cause, Cause::Tls | Cause::Timeout | Cause::Network),
        "{cause:?}"
    );
}

/// Ten thousand hosts at twenty addresses at once: the number of retrievals is bounded in total and
/// per host, and the number of connections per address, even for an address that is tried second.
#[test]
fn c14_so_many_at_a_time() {
    let mut options = options();
    options.deadline = Duration::from_secs(5);
    options.concurrency.in_all = 300;
    let concurrency = options.concurrency;
    let names = Names::by(|name, _| {
        let at: u8 = name.bytes().fold(0, u8::wrapping_add) % 20;
        let second = IpAddr::from(Ipv4Addr::new(93, 184, 1, at));
        Ok(match at {
            // A dead address of its own before one that all of these hosts share.
            0..5 => vec![dead(name), IpAddr::from([93, 184, 2, 0])],
            _ => vec![second],
        })
    });
    let crowd = Crowd::asked_by(options, names, 10_000, "example");
    let most = crowd.most.lock().unwrap();
    let (in_all, at_an_address) = most[..2].split_at(1);
    assert!((250..=300).contains(&in_all[0]), "{in_all:?} in all");
    assert!(
        (concurrency.per_address / 2..=concurrency.per_address).contains(&at_an_address[0]),
        "{at_an_address:?} at an address"
    );
}

/// The hosts of one registrant share the limit of its domain, however many hosts and addresses it
/// has; a suffix that many registrants share has no such limit.
#[test]
fn c14_the_hosts_of_one_registrant() {
    for (suffix, together) in [("one.example.com", 16), ("co.uk", 300)] {
        let mut options = options();
        options.concurrency.in_all = 300;
        let names = Names::by(|name, _| Ok(vec![dead_or_not(name)]));
        let crowd = Crowd::asked_by(options, names, 600, suffix);
        let most = crowd.most.lock().unwrap()[0];
        assert!(
            (together / 2..=together).contains(&most),
            "{most} below {suffix}"
        );
    }
}

/// An address used only by this name, which answers.
fn dead_or_not(name: &str) -> IpAddr {
    let IpAddr::V4(address) = dead(name) else {
        unreachable!()
    };
    let [_, _, high, low] = address.octets();
    IpAddr::from([93, 185, high, low])
}

fn dead(name: &str) -> IpAddr {
    let at = name.bytes().fold(0_u16, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(byte.into())
    });
    let [high, low] = at.to_be_bytes();
    IpAddr::from([8, 9, high, low])
}

/// Servers that record the maximum number of concurrent connections, in total and per address.
#[derive(Clone, Debug, Default)]
struct Crowd {
    now: Arc<Mutex<HashMap<IpAddr, usize>>>,
    most: Arc<Mutex<[usize; 2]>>,
}

impl Crowd {
    /// Fetches from this many hosts below `suffix` at once. Each of them has a file: waiting for a
    /// turn is not a failure.
    fn asked_by(options: Options, names: Names, hosts: u32, suffix: &str) -> Self {
        let crowd = Self::default();
        let (guard, settings) = (Guard::new(), RetrievalSettings::default());
        let fetcher = Fetcher::with_network(guard, options, settings, names, crowd.clone());
        let fetcher = fetcher.unwrap();
        paused(async {
            let mut tasks = tokio::task::JoinSet::new();
            for at in 0..hosts {
                let fetcher = fetcher.clone();
                let url = format!("http://h{at}.{suffix}/robots.txt");
                tasks.spawn(async move { retrieved(&fetcher, &url).await });
            }
            while let Some(done) = tasks.join_next().await {
                assert!(crate::http::state(&done.unwrap()).copy().is_some());
            }
        });
        crowd
    }
}

impl abide_fetch::http::Connector for Crowd {
    fn connect(
        &self,
        address: SocketAddr,
    ) -> abide_fetch::http::BoxFuture<'_, std::io::Result<Box<dyn abide_fetch::http::Stream>>> {
        Box::pin(async move {
            let IpAddr::V4(v4) = address.ip() else {
                return Err(std::io::ErrorKind::ConnectionRefused.into());
            };
            if v4.octets()[0] == 8 {
                return Err(std::io::ErrorKind::ConnectionRefused.into());
            }
            let mut now = self.now.lock().unwrap();
            *now.entry(address.ip()).or_default() += 1;
            let mut most = self.most.lock().unwrap();
            most[0] = most[0].max(now.values().sum());
            most[1] = most[1].max(now[&address.ip()]);
            let (near, mut far) = tokio::io::duplex(4_096);
            let counts = Arc::clone(&self.now);
            tokio::spawn(async move {
                use tokio::io::{AsyncReadExt, AsyncWriteExt};
                tokio::time::sleep(Duration::from_millis(20)).await;
                let _ = far.write_all(&file("", FILE.as_bytes())).await;
                let _ = far.read_to_end(&mut Vec::new()).await;
                *counts.lock().unwrap().get_mut(&address.ip()).unwrap() -= 1;
            });
            let bytes = near;
            Ok(Box::new(super::network::Near::at(bytes, address))
                as Box<dyn abide_fetch::http::Stream>)
        })
    }
}

/// H35: a connection carries one answer. Anything after it is discarded.
#[test]
fn c15_and_h35_more_than_an_answer() {
    let forged = file("", b"User-agent: *\nAllow: /\n");
    let server = ByteServer::new(Script::by(move |_| {
        vec![
            Step::Send(file("Connection: keep-alive\r\n", FILE.as_bytes())),
            Step::Send(forged.clone()),
            Step::Sleep(Duration::from_millis(50)),
            Step::Send(forged.clone()),
            Step::Hang,
        ]
    }));
    let fetcher = Fetcher::new(Guard::open(), options(), RetrievalSettings::default()).unwrap();
    run(async {
        for path in ["/robots.txt", "/other", "/robots.txt"] {
            let url = server.url(path);
            let retrieval = retrieved(&fetcher, &url).await;
            succeeds(&retrieval, FILE.as_bytes(), path);
        }
    });
    assert_eq!((server.connections(), server.requests().len()), (3, 3));
    for head in server.requests() {
        assert!(
            head.to_ascii_lowercase().contains("connection: close\r\n"),
            "{head}"
        );
    }
}

/// The in-memory network refuses what it is configured to refuse, so that the other tests are
/// meaningful.
#[test]
fn servers_in_memory_can_refuse() {
    let servers = Servers::saying("").trying(|_| Attempt::Refused);
    let names = Names::all(&["93.184.216.34"]);
    let fetcher = Fetcher::with_network(
        Guard::new(),
        options(),
        RetrievalSettings::default(),
        names,
        servers,
    );
    let url = "http://a.example/robots.txt";
    let retrieval = paused(timely(&fetcher.unwrap(), url, OVERRUN));
    fails(&retrieval, Cause::Connect, "refused");
    fails(&saying(""), Cause::Network, "nothing");
}

/// O1: a fetch that fails because this machine has no descriptor, buffer or port left is no outage
/// of the site: nothing is kept, rules that are fresh still apply, and the next question asks
/// again.
#[test]
fn o1_a_local_fault_is_not_kept() {
    let numbers: &[i32] = if cfg!(target_os = "linux") {
        &[24, 23, 12, 105, 99]
    } else {
        &[24, 23]
    };
    for number in numbers.iter().copied() {
        let is_short = Arc::new(AtomicBool::new(true));
        let short = Arc::clone(&is_short);
        let servers = Servers::saying(ok("User-agent: *\nDisallow: /x\n")).trying(move |_| {
            if short.load(Ordering::SeqCst) {
                Attempt::Failed(std::io::Error::from_raw_os_error(number))
            } else {
                Attempt::Served
            }
        });
        let names = Names::all(&["93.184.216.34"]);
        let settings = RetrievalSettings::default();
        let fetcher =
            Fetcher::with_network(Guard::new(), options(), settings, names, servers.clone());
        let folder = tempfile::tempdir().unwrap();
        let store = FileStore::open(folder.path().join("robots.redb")).unwrap();
        let robots = RobotsCache::with_retriever(client(), fetcher.unwrap())
            .clock(clock)
            .store(store.clone())
            .build();
        let url = "http://a.example/x";
        let connections = || servers.connected().len();
        CLOCK.set(0);
        run(async {
            for asked in 1..=2 {
                let found = robots.site_rules(url).await;
                assert!(found.is_local && !found.policy.allows("http://a.example/y"));
                assert_eq!((connections(), robots.sites()), (asked, 0), "{number}");
                let resource = Resource::robots_txt(url).unwrap();
                assert_eq!(store.load(&resource).await, Ok(None));
            }
            is_short.store(false, Ordering::SeqCst);
            let found = robots.site_rules(url).await;
            assert!(!found.is_local && !found.policy.allows(url), "{number}");
            assert!(found.policy.allows("http://a.example/y") && found.outage.is_none());
            // A renewal that fails so is tried again in a while, and the rules apply meanwhile.
            is_short.store(true, Ordering::SeqCst);
            CLOCK.set(22 * 3_600);
            robots.site_rules(url).await;
            eventually("tried", async || connections() == 4).await;
            is_short.store(false, Ordering::SeqCst);
            CLOCK.set(22 * 3_600 + 10);
            eventually("renewed", async || {
                let found = robots.site_rules(url).await;
                assert!(found.outage.is_none() && found.policy.allows("http://a.example/y"));
                found.checked_at == Some(crate::at(22 * 3_600 + 10))
            })
            .await;
        });
    }
}

/// O1 and C3: a machine without IPv6 has no address for a site that has only IPv6 ones. That is no
/// shortage, and does not hide that the other addresses refuse.
#[test]
fn o1_and_c3_no_ipv6() {
    let servers = Servers::saying("").trying(|address| {
        if address.is_ipv6() {
            Attempt::Failed(std::io::ErrorKind::AddrNotAvailable.into())
        } else {
            Attempt::Refused
        }
    });
    for addresses in [
        &["2606:4700::1"][..],
        &["2606:4700::1", "93.184.216.34"],
        &["93.184.216.34", "2606:4700::1"],
    ] {
        let (names, settings) = (Names::all(addresses), RetrievalSettings::default());
        let fetcher =
            Fetcher::with_network(Guard::new(), options(), settings, names, servers.clone());
        let retrieval = run(retrieved(&fetcher.unwrap(), "http://a.example/robots.txt"));
        fails(&retrieval, Cause::Connect, "no IPv6");
        assert!(!retrieval.is_local, "{addresses:?}");
    }
}

/// R10: a port that is not listed is refused before the name is looked up. Whoever asks for it is
/// told, and nothing is kept; a site that redirects there is unreachable.
#[test]
fn r10_ports_that_are_not_listed() {
    let moved = "HTTP/1.1 301 M\r\nLocation: http://a.example:8088/\r\nContent-Length: 0\r\n\r\n";
    let (servers, names) = (Servers::saying(moved), Names::all(&["93.184.216.34"]));
    let (guard, settings) = (Guard::new().ports_only([80]), RetrievalSettings::default());
    let fetcher =
        Fetcher::with_network(guard, options(), settings, names.clone(), servers.clone()).unwrap();
    let asked = run(retrieved(&fetcher, "http://a.example:8088/robots.txt"));
    fails(&asked, Cause::Refused, "asked for");
    assert!(asked.is_local && names.asked().is_empty() && servers.connected().is_empty());
    let redirected = run(retrieved(&fetcher, "http://a.example/robots.txt"));
    fails(&redirected, Cause::Refused, "redirected");
    assert!(!redirected.is_local && servers.connected().len() == 1);
    let last = redirected.hops.last().unwrap();
    assert_eq!(last.cause, Some(Cause::Refused));
    assert!(last.failure.as_ref().unwrap().contains("port 8088"));
}

/// R10: a file that refers to such a port costs no more fetches than any other file.
#[test]
fn r10_a_reference_to_another_port() {
    let robots = "##ACAP version=1.0\nACAP-crawler: *\nACAP-permissions-reference: http://b.example:8088/x\n\
                  ACAP-permissions-reference: /more.txt\n";
    let servers = Servers::saying(ok(robots));
    let (guard, settings) = (Guard::new().ports_only([80]), RetrievalSettings::default());
    let names = Names::all(&["93.184.216.34"]);
    let fetcher = Fetcher::with_network(guard, options(), settings, names, servers.clone());
    let robots = RobotsCache::with_retriever(client(), fetcher.unwrap())
        .clock(clock)
        .build();
    CLOCK.set(0);
    run(async {
        for _ in 0..3 {
            robots.for_url("http://a.example/x").await;
        }
    });
    assert_eq!(servers.connected().len(), 2);
}
