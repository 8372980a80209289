//! The end of the service: what was accepted is answered.

use crate::client::{answered, connect, escaped};
use crate::{config, run};
use abide_serve::Config;
use abide_testkit::fault::{ByteServer, Script, Step};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A14: an answer closes its connection while the service drains.
#[test]
fn a_request_in_progress_is_answered() {
    let slow = ByteServer::new(Script::always([
        Step::Sleep(Duration::from_secs(2)),
        Step::send("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n"),
        Step::Fin,
    ]));
    let mut service = run(&config());
    let mut stream = connect(service.address);
    let query = format!("/v1/decide?url={}&agent=A", escaped(&slow.url("/x")));
    let request = format!("GET {query} HTTP/1.1\r\nHost: x\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    service.begin_to_end();
    let mut read = Vec::new();
    stream.read_to_end(&mut read).unwrap();
    let answered = answered(&read).unwrap();
    assert_eq!(answered.status, 200);
    assert_eq!(answered.field("connection"), Some("close"));
    service.wait();
}

#[test]
fn while_the_service_drains_it_is_not_ready() {
    let mut service = run(&Config {
        drain_delay: Some(2),
        ..config()
    });
    service.begin_to_end();
    std::thread::sleep(Duration::from_millis(500));
    let ready = crate::client::get(service.address, "/readyz");
    assert_eq!(
        (ready.status, ready.json()["code"].as_str()),
        (503, Some("shutting-down"))
    );
    assert_eq!(crate::client::get(service.address, "/healthz").status, 200);
    service.wait();
    assert!(TcpStream::connect(service.address).is_err());
}

#[test]
fn a_batch_ends_with_an_error_line_after_the_grace_period() {
    let mut service = run(&Config {
        grace: Some(1),
        ..config()
    });
    let mut stream = connect(service.address);
    let line = "{\"url\":\"https://e.example/\",\"agent\":\"A\",\"robots\":\"\"}\n";
    let request = format!(
        "POST /v1/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/jsonl\r\nContent-Length: 100000\r\n\r\n{line}{line}"
    );
    stream.write_all(request.as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let start = Instant::now();
    service.begin_to_end();
    let mut read = Vec::new();
    let _ = stream.read_to_end(&mut read);
    let lines = answered(&read).unwrap().lines();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[2]["error"]["code"], "shutting-down");
    assert_eq!(lines[2]["error"]["input_line"], 3);
    service.wait();
    assert!(
        start.elapsed() < Duration::from_secs(4),
        "{:?}",
        start.elapsed()
    );
}

/// O5 and G-44: the end loses no request.
#[test]
fn under_load_no_accepted_request_is_lost() {
    let mut service = run(&config());
    let (stop, lost, done) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicUsize::new(0)),
        Arc::new(AtomicUsize::new(0)),
    );
    let address = service.address;
    let clients: Vec<_> = (0..16)
        .map(|number| {
            let (stop, lost, done) = (Arc::clone(&stop), Arc::clone(&lost), Arc::clone(&done));
            std::thread::spawn(move || {
                // Half of the clients keep their connections.
                let keeps = number % 2 == 0;
                while !stop.load(Ordering::Relaxed) {
                    let Ok(mut stream) = TcpStream::connect(address) else {
                        return;
                    };
                    stream
                        .set_read_timeout(Some(Duration::from_secs(10)))
                        .unwrap();
                    let mut is_answered = false;
                    loop {
                        let close = if keeps { "" } else { "Connection: close\r\n" };
                        let request = format!("GET /healthz HTTP/1.1\r\nHost: x\r\n{close}\r\n");
                        let mut room = [0; 2_048];
                        let sent = stream.write_all(request.as_bytes());
                        let read = sent.and_then(|()| stream.read(&mut room)).unwrap_or(0);
                        let answer = String::from_utf8_lossy(&room[..read]).into_owned();
                        if !answer.starts_with("HTTP/1.1 200") {
                            // The kernel opens connections until the service closes its socket,
                            // which accepts none of the last ones. The next one is then refused.
                            let is_accepted = is_answered || TcpStream::connect(address).is_ok();
                            lost.fetch_add(usize::from(is_accepted), Ordering::Relaxed);
                            break;
                        }
                        is_answered = true;
                        done.fetch_add(1, Ordering::Relaxed);
                        if !keeps || answer.contains("connection: close") {
                            break;
                        }
                    }
                }
            })
        })
        .collect();
    std::thread::sleep(Duration::from_millis(700));
    service.begin_to_end();
    service.wait();
    stop.store(true, Ordering::Relaxed);
    for client in clients {
        client.join().unwrap();
    }
    assert!(done.load(Ordering::Relaxed) > 500);
    assert_eq!(lost.load(Ordering::Relaxed), 0);
}
