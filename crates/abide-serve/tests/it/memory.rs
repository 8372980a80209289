//! What is on its way has its part of the memory: more is refused, and clients that do not read get
//! no more of it.

use crate::client::{answered, ask, connect, escaped, get, post};
use crate::{Running, config, run, site};
use abide_serve::Config;
use serde_json::json;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// What bodies and answers of one caller may take if `memory` is small.
const MIN_ROOM_BYTES: u64 = 8 << 20;

fn service() -> Running {
    run(&Config {
        memory: Some(1),
        body_timeout: Some(30),
        ..config()
    })
}

/// A path, and a file of which each line matches it: the decision has all of them.
fn long_file() -> (String, String) {
    let letters = || 'a'..='z';
    let pairs = letters().flat_map(|first| letters().map(move |second| (first, second)));
    let lines = pairs.flat_map(|(first, second)| {
        letters().map(move |third| format!("Disallow: /*{first}*{second}*{third}\n"))
    });
    let lines: String = lines.take(14_000).collect();
    let path: String = letters().collect();
    (
        format!("/{}", path.repeat(3)),
        format!("User-agent: *\n{lines}"),
    )
}

/// A connection on which a request was sent, and nothing is read: not by the system either, but for
/// some bytes.
fn unread(address: SocketAddr, request: &str) -> TcpStream {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()
        .unwrap();
    let stream = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(8 << 10).unwrap();
        socket.connect(address).await.unwrap().into_std().unwrap()
    });
    stream.set_nonblocking(false).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    let mut stream = stream;
    stream.write_all(request.as_bytes()).unwrap();
    stream
}

fn rest(mut stream: TcpStream) -> Vec<u8> {
    let mut read = Vec::new();
    let _ = stream.read_to_end(&mut read);
    read
}

/// Waits until the service holds so many bytes. It never holds more than it may.
fn holds(service: &Running, bytes: u64) {
    let start = Instant::now();
    let mut reached = None;
    while reached.is_none_or(|at: Instant| at.elapsed() < Duration::from_secs(1)) {
        let held = service.count("abide_bytes_in_flight", "");
        assert!(held <= MIN_ROOM_BYTES, "{held}");
        if held >= bytes {
            reached.get_or_insert_with(Instant::now);
        }
        assert!(start.elapsed() < Duration::from_secs(40), "{held}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Waits until the service has given all memory back.
fn is_given_back(service: &Running) {
    let start = Instant::now();
    while service.count("abide_bytes_in_flight", "") > 0 {
        assert!(start.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn answers_that_nobody_reads_take_bounded_memory() {
    let service = service();
    let (path, file) = long_file();
    let site = site(&file);
    let url = escaped(&site.url(&path));
    let path = format!("/v1/decide?url={url}&agent=A");
    let long = get(service.address, &path).body.len() as u64;
    assert!(long > 2 << 20, "{long}");
    let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    let slow: Vec<_> = (0..8).map(|_| unread(service.address, &request)).collect();
    // Of each answer a part is in memory. Bodies that do not end take the rest.
    holds(&service, MIN_ROOM_BYTES / 8);
    let mut open = Vec::new();
    let refused = loop {
        open.push(open_body(service.address, 400_000));
        assert!(open.len() < 100);
        let answer = get(service.address, "/v1/known-robots");
        if answer.status != 200 {
            break answer;
        }
    };
    assert_eq!(refused.status, 503);
    let problem = refused.json();
    assert_eq!(problem["code"], "too-many-at-once");
    assert!(!problem["remedy"].as_str().unwrap().is_empty());
    assert_eq!(refused.field("retry-after"), Some("1"));
    assert!(service.count("abide_problems_total", "too-many-at-once") >= 1);
    // What is small and needs no memory is answered.
    assert_eq!(get(service.address, "/healthz").status, 200);
    drop(open);
    for stream in slow {
        // One that ended is whole.
        if let Some(answer) = answered(&rest(stream)) {
            assert_eq!(answer.status, 200);
            assert_eq!(answer.body.len() as u64, long);
        }
    }
    // Everything is given back.
    is_given_back(&service);
    assert_eq!(get(service.address, &path).status, 200);
    assert_eq!(service.count("abide_requests_in_progress", ""), 0);
}

#[test]
fn answers_to_long_requests_take_bounded_memory() {
    let service = service();
    let (path, file) = long_file();
    let url = format!("https://e.example{path}");
    let body = json!({"url": url, "agent": "A", "robots": file});
    let body = body.to_string();
    let whole = post(service.address, "/v1/decide", &body).body;
    assert!(whole.len() > 2 << 20, "{}", String::from_utf8_lossy(&whole));
    let request = format!(
        "POST /v1/decide HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let slow: Vec<_> = (0..12).map(|_| unread(service.address, &request)).collect();
    holds(&service, MIN_ROOM_BYTES / 2);
    for stream in slow {
        // One that began is whole.
        if let Some(answer) = answered(&rest(stream)) {
            match answer.status {
                200 => assert_eq!(answer.body.len(), whole.len()),
                status => assert_eq!(status, 503),
            }
        }
    }
    is_given_back(&service);
    assert_eq!(post(service.address, "/v1/decide", &body).status, 200);
}

/// A connection on which so many bytes of a longer body were sent.
fn open_body(address: SocketAddr, bytes: usize) -> TcpStream {
    let length = bytes + 1_000;
    let mut stream = connect(address);
    let head = format!(
        "POST /v1/decide HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let _ = stream.write_all(&vec![b' '; bytes]);
    stream
}

#[test]
fn bodies_that_do_not_end_take_bounded_memory() {
    let service = run(&Config {
        memory: Some(1),
        body_timeout: Some(5),
        ..config()
    });
    let open: Vec<_> = (0..6)
        .map(|_| open_body(service.address, 3_900_000))
        .collect();
    holds(&service, MIN_ROOM_BYTES / 2);
    let statuses: Vec<_> = open
        .into_iter()
        .filter_map(|stream| answered(&rest(stream)))
        .map(|answer| answer.status)
        .collect();
    assert!(
        statuses.iter().all(|status| [408, 503].contains(status)),
        "{statuses:?}"
    );
    assert!(service.count("abide_problems_total", "too-many-at-once") >= 4);
    is_given_back(&service);
}

/// The lines of a batch, and their number.
fn lines(bytes: usize) -> (String, usize) {
    let line =
        json!({"id": "a".repeat(4_000), "url": "https://e.example/", "agent": "A", "robots": ""});
    let line = format!("{line}\n");
    let number = bytes / line.len();
    (line.repeat(number), number)
}

/// Sends a batch as clients do that read nothing before they have sent everything.
fn sent_before_read(service: &Running, lines: &str) -> Vec<serde_json::Value> {
    let fields = [("Content-Type", "application/jsonl")];
    let path = "/v1/batch?slim=true";
    ask(service.address, "POST", path, &fields, lines.as_bytes()).lines()
}

#[test]
fn a_client_may_send_16_mb_before_it_reads() {
    let service = run(&Config {
        body_timeout: Some(3),
        ..config()
    });
    let (lines, number) = lines(16_000_000);
    let answers = sent_before_read(&service, &lines);
    assert_eq!(answers.len(), number);
    assert!(answers.iter().all(|answer| answer["usages"].is_object()));
    is_given_back(&service);
}

#[test]
fn a_client_that_sends_more_before_it_reads_is_told() {
    let service = run(&Config {
        memory: Some(1),
        body_timeout: Some(2),
        ..config()
    });
    let (lines, number) = lines(40 << 20);
    let answers = sent_before_read(&service, &lines);
    let (last, others) = answers.split_last().unwrap();
    let answered = others.len();
    assert!((1_000..number).contains(&answered), "{answered}: {last}");
    assert!(others.iter().all(|answer| answer["usages"].is_object()));
    assert_eq!(last["error"]["code"], "answers-not-read", "{last}");
    assert_eq!(last["error"]["input_line"], others.len() + 1);
    assert_eq!(service.count("abide_problems_total", "answers-not-read"), 1);
    is_given_back(&service);
}
