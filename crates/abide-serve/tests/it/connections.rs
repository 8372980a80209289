//! Connections that are slow or idle, or too many.

use crate::client::{answered, connect, get};
use crate::{config, run};
use abide_serve::Config;
use std::io::{Read, Write};
use std::time::{Duration, Instant};

/// How long the service keeps a connection on which this was sent.
fn kept(mut stream: std::net::TcpStream, sent: &[u8]) -> Duration {
    let start = Instant::now();
    stream.write_all(sent).unwrap();
    let mut read = Vec::new();
    let _ = stream.read_to_end(&mut read);
    start.elapsed()
}

/// A1: a head has its time, and so has an idle connection.
#[test]
fn slow_heads_and_idle_connections_end() {
    let service = run(&Config {
        head_timeout: Some(1),
        ..config()
    });
    for sent in [
        &b""[..],
        b"GET /hea",
        b"GET /healthz HTTP/1.1\r\nHost: x\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
    ] {
        let time = kept(connect(service.address), sent);
        assert!(
            time < Duration::from_secs(4),
            "{time:?} after {:?}",
            String::from_utf8_lossy(sent)
        );
    }
    assert!(service.count("abide_problems_total", "head-too-slow") >= 2);
}

/// A1: an answer that nobody takes does not stay.
#[test]
fn a_client_that_does_not_read_loses_its_connection() {
    let service = run(&Config {
        body_timeout: Some(1),
        ..config()
    });
    let mut stream = connect(service.address);
    let lines = "{\"url\":\"https://e.example/\",\"agent\":\"A\",\"robots\":\"\"}\n".repeat(20_000);
    let head = format!(
        "POST /v1/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/jsonl\r\nContent-Length: {}\r\n\r\n",
        lines.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream
        .set_write_timeout(Some(Duration::from_secs(8)))
        .unwrap();
    let start = Instant::now();
    // The answers are fifty times as long as what is sent, and nobody takes them.
    let _ = stream.write_all(lines.as_bytes());
    while start.elapsed() < Duration::from_secs(8) && service.count("abide_connections", "") > 1 {
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(start.elapsed() < Duration::from_secs(8));
}

/// A1 and G-43: slow clients are at the cost of nobody else.
#[test]
fn many_slow_connections_leave_room_for_others() {
    let service = run(&config());
    let mut slow = Vec::new();
    for number in 0..300 {
        let mut stream = connect(service.address);
        if number % 2 == 0 {
            stream
                .write_all(b"POST /v1/decide HTTP/1.1\r\nContent-Le")
                .unwrap();
        }
        slow.push(stream);
    }
    let start = Instant::now();
    for _ in 0..50 {
        assert_eq!(get(service.address, "/healthz").status, 200);
    }
    assert!(
        start.elapsed() < Duration::from_secs(2),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn more_connections_wait_until_there_is_room() {
    let service = run(&Config {
        max_connections: Some(2),
        head_timeout: Some(1),
        ..config()
    });
    let _idle = [connect(service.address), connect(service.address)];
    // Answered when the idle ones have ended.
    assert_eq!(get(service.address, "/healthz").status, 200);
}

/// A connection that is closed with unread bytes is reset, and the answer can be lost.
#[test]
fn a_client_that_sends_too_much_sees_the_answer() {
    let service = run(&Config {
        max_body: Some(10_000),
        ..config()
    });
    let fields = format!("X: {}\r\n", "a".repeat(7_000));
    let head = format!(
        "GET /healthz HTTP/1.1\r\nHost: x\r\n{}\r\n",
        fields.repeat(128)
    );
    let body = format!(
        "POST /v1/decide HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000000\r\n\r\n{}",
        " ".repeat(1 << 20)
    );
    for _ in 0..25 {
        for (request, status) in [(&head, 431), (&body, 413)] {
            let mut stream = connect(service.address);
            // In pieces, so that the answer is there before the end is sent.
            for piece in request.as_bytes().chunks(50_000) {
                stream.write_all(piece).unwrap();
            }
            let mut read = Vec::new();
            stream.read_to_end(&mut read).unwrap();
            assert_eq!(answered(&read).unwrap().status, status);
        }
    }
    until(|| service.count("abide_problems_total", "head-too-large") == 25);
}

#[test]
fn a_client_that_never_ends_loses_its_connection() {
    let service = run(&config());
    let mut stream = connect(service.address);
    let start = Instant::now();
    let piece = "a".repeat(1 << 16);
    let mut sent = 0;
    let _ = stream.write_all(b"GET / HTTP/1.1\r\nX: ");
    while stream.write_all(piece.as_bytes()).is_ok() {
        sent += piece.len();
        assert!(sent < 64 << 20);
    }
    assert!(start.elapsed() < Duration::from_secs(10));
    // This one sends nothing more, and keeps its end open.
    let mut silent = connect(service.address);
    let request = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    silent.write_all(request).unwrap();
    until(|| service.count("abide_connections", "") == 1);
}

/// Waits until something holds, which has to be soon.
fn until(holds: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(10);
    while !holds() {
        assert!(Instant::now() < end, "it never holds");
        std::thread::sleep(Duration::from_millis(50));
    }
}
