//! The store with a real server, which is stopped, killed, filled, paused and locked.

use super::server::{PROBED, real, settle};
use super::{Bed, fair, now, patient, probes_of_many_loads, probes_since, quick, save};
use crate::{HANG, eventually};
use abide_fetch::RecordError;
use abide_fetch::pace::{SlotAnswer, SlotHolder, Slots};
use abide_fetch::store::{Lease, SharedStore, Store, StoreError};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Waits until the store saves records again, after an open breaker lets a probe through.
async fn is_back(bed: &Bed, store: &SharedStore) {
    eventually("it is known again", async || {
        let saved = save(store, &bed.record("User-agent: *\nDisallow: /x\n", now())).await;
        let is_kept = saved.is_ok() && matches!(store.load(&bed.origin()).await, Ok(Some(_)));
        let before = bed.site.connections();
        bed.ask(store).await;
        is_kept && bed.site.connections() == before
    })
    .await;
    bed.heard();
}

fn has_slow_or_down(heard: &[StoreError]) -> bool {
    heard
        .iter()
        .any(|error| matches!(error, StoreError::Slow | StoreError::Down(_)))
}

fn has_refused(heard: &[StoreError], with: &str) -> bool {
    heard
        .iter()
        .any(|error| matches!(error, StoreError::Refused(said) if said.starts_with(with)))
}

/// The whole protocol, over TCP and over a socket: members do not fetch what another has stored.
#[tokio::test]
async fn n6_one_fetch_for_all() {
    let Some(server) = real() else { return };
    for url in [
        server.url(),
        server.socket_url(),
        format!("{}/3", server.url()),
    ] {
        let bed = Bed::new();
        let members: Vec<_> = (0..8)
            .map(|_| {
                let member = bed.builder(&patient(&url)).build();
                let page = bed.site.url("/x");
                tokio::spawn(async move { member.for_url(&page).await.allows("/x") })
            })
            .collect();
        for member in members {
            assert!(!member.await.unwrap());
        }
        assert_eq!((bed.site.connections(), bed.heard()), (1, Vec::new()));
    }
}

/// V1: killed and restarted: misses meanwhile, then the store is used again automatically.
#[tokio::test]
async fn v1_killed_and_restarted() {
    let Some(mut server) = real() else {
        return;
    };
    let (bed, store) = (Bed::new(), fair(&server.url()));
    is_back(&bed, &store).await;
    server.kill();
    for _ in 0..6 {
        bed.ask(&store).await;
    }
    assert!(has_slow_or_down(&bed.heard()));
    server.restart();
    is_back(&bed, &store).await;
    // An unnoticed restart costs nothing.
    server.kill();
    server.restart();
    settle().await;
    assert_eq!(store.load(&bed.origin()).await, Ok(None));
}

/// V2: stopped. The kernel accepts connections for the server, which never answers.
#[tokio::test]
async fn v2_stopped() {
    let Some(server) = real() else { return };
    let (bed, store) = (Bed::new(), fair(&server.url()));
    is_back(&bed, &store).await;
    crate::stop(server.process());
    let began = Instant::now();
    bed.ask_beside_silence(&bed.builder(&store).build()).await;
    for _ in 0..5 {
        bed.ask(&store).await;
    }
    probes_of_many_loads(&store, &bed.origin(), began).await;
    crate::signal(server.process(), "-CONT");
    is_back(&bed, &store).await;
}

/// V3: everything is paused.
#[tokio::test]
async fn v3_paused() {
    let Some(server) = real() else { return };
    let (bed, store) = (Bed::new(), fair(&server.url()));
    is_back(&bed, &store).await;
    server.order(&["CLIENT", "PAUSE", "5000", "ALL"]);
    bed.ask_beside_silence(&bed.builder(&store).build()).await;
    for _ in 0..5 {
        bed.ask(&store).await;
    }
    is_back(&bed, &store).await;
}

/// V4: writes are paused. Reads continue to work, however many writes fail.
#[tokio::test]
async fn v4_writes_paused() {
    let Some(server) = real() else { return };
    let (bed, store) = (Bed::new(), fair(&server.url()));
    is_back(&bed, &store).await;
    let known = bed.origin();
    server.order(&["CLIENT", "PAUSE", "600000", "WRITE"]);
    for _ in 0..6 {
        let cold = Bed::new();
        cold.ask(&store).await;
        assert!(has_slow_or_down(&cold.heard()));
        let found = store.load(&known).await;
        assert!(matches!(found, Ok(Some(_))), "{found:?}");
    }
    server.order(&["CLIENT", "UNPAUSE"]);
    is_back(&bed, &store).await;
}

/// V5: full, without eviction.
#[tokio::test]
async fn v5_full() {
    let Some(server) = real() else { return };
    let (bed, store) = (Bed::new(), fair(&server.url()));
    is_back(&bed, &store).await;
    server.order(&["CONFIG", "SET", "maxmemory-policy", "noeviction"]);
    server.order(&["CONFIG", "SET", "maxmemory", "1"]);
    let known = bed.origin();
    let full = Bed::new();
    for _ in 0..6 {
        full.ask(&store).await;
        let found = store.load(&known).await;
        assert!(matches!(found, Ok(Some(_))), "{found:?}");
    }
    assert!(has_refused(&full.heard(), "OOM"));
    server.order(&["CONFIG", "SET", "maxmemory", "0"]);
    is_back(&bed, &store).await;
}

/// V6: all data is gone between two requests.
#[tokio::test]
async fn v6_flushed() {
    let Some(server) = real() else { return };
    let (bed, store) = (Bed::new(), patient(&server.url()));
    for number in 1..=4 {
        bed.ask(&store).await;
        bed.ask(&store).await;
        assert_eq!(bed.site.connections(), number);
        server.order(&["FLUSHALL"]);
    }
    // A member that has the rules already does not ask again.
    let robots = bed.builder(&store).build();
    bed.ask_of(&robots).await;
    server.order(&["FLUSHALL"]);
    bed.ask_of(&robots).await;
    assert_eq!((bed.site.connections(), bed.heard()), (5, Vec::new()));
}

/// V7: demoted to a replica without a master: reads work while it serves stale data; otherwise
/// neither reads nor writes do.
#[tokio::test]
async fn v7_demoted() {
    let Some(server) = real() else { return };
    let (bed, store) = (Bed::new(), fair(&server.url()));
    is_back(&bed, &store).await;
    server.order(&["REPLICAOF", "127.0.0.1", "1"]);
    let cold = Bed::new();
    cold.ask(&store).await;
    assert!(has_refused(&cold.heard(), "READONLY"));
    assert!(matches!(store.load(&bed.origin()).await, Ok(Some(_))));
    server.order(&["CONFIG", "SET", "replica-serve-stale-data", "no"]);
    let (began, before) = (Instant::now(), server.connections());
    for _ in 0..40 {
        bed.ask(&store).await;
    }
    assert!(has_refused(&bed.heard(), "MASTERDOWN"));
    // One of the connections belongs to this request. A probe of reads or of writes may use
    // another.
    let connections = server.connections() - before;
    assert!(connections <= 4 + 2 * probes_since(began), "{connections}");
    server.order(&["REPLICAOF", "NO", "ONE"]);
    is_back(&bed, &store).await;
}

/// V8: an endless script: silence, then BUSY.
#[tokio::test]
async fn v8_busy() {
    let Some(server) = real() else { return };
    let (bed, store) = (Bed::new(), fair(&server.url()));
    is_back(&bed, &store).await;
    let (url, script) = (server.url(), "while true do end");
    let busy = std::thread::spawn(move || {
        let mut stream = TcpStream::connect(url.trim_start_matches("redis://")).unwrap();
        let command = format!(
            "*3\r\n$4\r\nEVAL\r\n${}\r\n{script}\r\n$1\r\n0\r\n",
            script.len()
        );
        stream.write_all(command.as_bytes()).unwrap();
        stream
    });
    let stream = busy.join().unwrap();
    bed.ask(&store).await;
    eventually("busy", async || {
        server.admin(&["PING"]).starts_with("-BUSY")
    })
    .await;
    for _ in 0..6 {
        bed.ask(&store).await;
    }
    let heard = bed.heard();
    assert!(
        has_slow_or_down(&heard) || has_refused(&heard, "BUSY"),
        "{heard:?}"
    );
    eventually("killed", async || {
        server.admin(&["SCRIPT", "KILL"]).starts_with("+OK")
    })
    .await;
    drop(stream);
    is_back(&bed, &store).await;
}

/// V9: the password changes.
#[tokio::test]
async fn v9_another_password() {
    let Some(server) = real() else { return };
    let (bed, store) = (Bed::new(), fair(&server.url()));
    is_back(&bed, &store).await;
    server.order(&["CONFIG", "SET", "requirepass", "secret"]);
    let store_again = fair(&server.url());
    for _ in 0..4 {
        bed.ask(&store_again).await;
    }
    assert!(has_refused(&bed.heard(), "NOAUTH"));
    let url = |password: &str| server.url().replace("//", &format!("//:{password}@"));
    bed.ask(&fair(&url("wrong"))).await;
    let heard = bed.heard();
    assert!(has_refused(&heard, "Password"), "{heard:?}");
    assert!(!format!("{heard:?}").contains("wrong@"));
    is_back(&bed, &fair(&url("secret"))).await;
}

/// The user that the guide describes has the permissions that it needs, and no others.
#[tokio::test]
async fn the_user_of_the_guide() {
    let Some(server) = real() else { return };
    let guide = include_str!("../../../../../docs/fetching.md");
    let line = guide.lines().find(|line| line.starts_with("ACL SETUSER"));
    let words: Vec<_> = line.unwrap().split(' ').collect();
    server.order(&words);
    let url = server.url().replace("//", "//abide:password@");
    for url in [format!("{url}/2"), url] {
        let (bed, store) = (Bed::new(), patient(&url));
        bed.ask(&store).await;
        bed.ask(&store).await;
        let lease = store.lease(&bed.origin()).await;
        assert!(matches!(lease, Ok(Lease::Ours(_))), "{lease:?}");
        drop(lease);
        let holder = SlotHolder::random().unwrap();
        let slot = store
            .take(
                "a",
                &holder,
                Duration::ZERO,
                abide_fetch::pace::QueueEnd::Back,
            )
            .await;
        assert!(matches!(slot, Ok(SlotAnswer::Wait(_))), "{slot:?}");
        assert!(store.keep("a", &holder, Duration::ZERO).await.unwrap());
        store.end("a", &holder, None).await.unwrap();
        eventually("given back", async || {
            matches!(store.lease(&bed.origin()).await, Ok(Lease::Ours(_)))
        })
        .await;
        assert_eq!((bed.site.connections(), bed.heard()), (1, Vec::new()));
    }
}

/// Connects to a server that admits one client: the previous client must be gone.
fn only_client(address: &str) -> TcpStream {
    let began = Instant::now();
    loop {
        let mut stream = TcpStream::connect(address).unwrap();
        let mut said = [0];
        let is_asked = stream.write_all(b"PING\r\n").is_ok();
        if is_asked && stream.read_exact(&mut said).is_ok() && said == *b"+" {
            return stream;
        }
        assert!(began.elapsed() < HANG, "never let in");
    }
}

/// V10: the server admits no more clients.
#[tokio::test]
async fn v10_too_many_clients() {
    let Some(server) = real() else { return };
    server.order(&["CONFIG", "SET", "maxclients", "1"]);
    let address = server.url().trim_start_matches("redis://").to_owned();
    let only = only_client(&address);
    let (bed, store) = (Bed::new(), fair(&server.url()));
    for _ in 0..6 {
        bed.ask(&store).await;
    }
    assert!(!bed.heard().is_empty());
    drop(only);
    eventually("let in", async || {
        server
            .admin(&["CONFIG", "SET", "maxclients", "100"])
            .starts_with('+')
    })
    .await;
    is_back(&bed, &store).await;
}

/// V11: a list under the key of a record.
#[tokio::test]
async fn v11_a_list() {
    let Some(server) = real() else { return };
    let (bed, store) = (Bed::new(), patient(&server.url()));
    server.order(&["LPUSH", &bed.record_key(), "x"]);
    bed.ask(&store).await;
    assert!(has_refused(&bed.heard(), "WRONGTYPE"));
    bed.ask(&store).await;
    assert_eq!((bed.site.connections(), bed.heard()), (1, Vec::new()));
}

/// V12: a hundred megabytes under the key of a record: the store requests less than one of them,
/// and deletes the value.
#[tokio::test]
async fn v12_a_hundred_megabytes() {
    let Some(server) = real() else { return };
    let (bed, store) = (Bed::new(), patient(&server.url()));
    server.order(&["SETRANGE", &bed.record_key(), "104857600", "x"]);
    let found = store.load(&bed.origin()).await;
    assert_eq!(found, Err(StoreError::Record(RecordError::Shape)));
    eventually("gone", async || {
        server.admin(&["EXISTS", &bed.record_key()]) == ":0\r\n"
    })
    .await;
    bed.ask(&store).await;
    let sent = server.admin(&["INFO", "stats"]);
    let sent = sent
        .lines()
        .find_map(|line| line.strip_prefix("total_net_output_bytes:"));
    let sent: u64 = sent.unwrap().trim().parse().unwrap();
    assert!(sent < 2 << 20, "{sent} bytes");
}

/// V12 and V13: records turn to garbage repeatedly, while many callers ask.
#[tokio::test]
async fn v12_garbage_meanwhile() {
    let Some(server) = real() else { return };
    let (bed, store) = (Bed::new(), patient(&server.url()));
    let mut deleted = 0;
    for number in 0..12 {
        let garbage = "abide\u{1}".repeat(number * 7 + 1);
        server.order(&["SET", &bed.record_key(), &garbage]);
        bed.ask(&store).await;
        let heard = bed.heard();
        assert!(matches!(heard[0], StoreError::Record(_)), "{heard:?}");
        // A record that seems to belong to another key is left alone. All others are deleted as
        // often as they are met, and the lease once; then the next caller may proceed.
        let is_left =
            |error: &&StoreError| matches!(error, StoreError::Record(RecordError::Key(_)));
        deleted += heard.len() - heard.iter().filter(is_left).count() + 1;
        eventually("taken away", async || server.calls("del") == deleted).await;
    }
}

/// V14: members of two versions alternate: each finds its own records, and none deletes a later
/// one's.
#[tokio::test]
async fn v14_two_versions() {
    let Some(server) = real() else { return };
    let (bed, store) = (Bed::new(), patient(&server.url()));
    let later = format!("abide\u{4}{}", "x".repeat(99));
    server.order(&["SET", &bed.record_key(), &later]);
    let found = store.load(&bed.origin()).await;
    assert_eq!(found, Err(StoreError::Record(RecordError::Version(4))));
    settle().await;
    assert!(server.admin(&["GET", &bed.record_key()]).contains(&later));
}

/// V16 and V17: a member compares its record with the stored one by the time of confirmation.
#[tokio::test]
async fn v17_the_newer_of_two() {
    let Some(server) = real() else { return };
    let (bed, store) = (Bed::new(), patient(&server.url()));
    let robots = bed.builder(&store).build();
    bed.ask_of(&robots).await;
    save(
        &store,
        &bed.record("User-agent: *\nAllow: /\n", now() - 7_200),
    )
    .await
    .unwrap();
    bed.ask_of(&robots).await;
    assert_eq!((bed.site.connections(), bed.heard()), (1, Vec::new()));
}

/// V20: down for a while, with many callers: few connections, one probe at a time; and used again
/// as soon as it is back.
#[tokio::test]
async fn v20_down_and_back() {
    let Some(mut server) = real() else {
        return;
    };
    let (bed, store) = (Bed::new(), quick(&server.url()));
    is_back(&bed, &store).await;
    server.kill();
    let port: u16 = server.url().rsplit(':').next().unwrap().parse().unwrap();
    // Accepts no connection, and counts the attempts.
    let counting = std::net::TcpListener::bind(("127.0.0.1", port)).unwrap();
    counting.set_nonblocking(true).unwrap();
    let (began, mut came) = (Instant::now(), Vec::new());
    while began.elapsed() < PROBED * 3 {
        for _ in 0..20 {
            let found = store.load(&bed.origin()).await;
            assert!(found.is_err());
        }
        while let Ok((stream, _)) = counting.accept() {
            came.push(stream);
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!((3..=8).contains(&came.len()), "{} connections", came.len());
    drop((counting, came));
    server.restart();
    is_back(&bed, &store).await;
}
