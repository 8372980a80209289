//! The store against a real server, which is stopped, killed, filled, paused and locked.

use super::server::{PROBED, Real, settle};
use super::{BUSY, Bed, DEADLINE, eventually, now, patient, quick, save};
use abide_fetch::Damaged;
use abide_fetch::store::{Lease, SharedStore, Store, StoreError};
use std::time::{Duration, Instant};

/// Nobody who asks waits for longer than one deadline beyond what a site takes, and hears the site's rules.
async fn asked_in_time(bed: &Bed, store: &SharedStore) {
    let took = bed.ask(store).await;
    assert!(took < DEADLINE + BUSY, "{took:?}");
}

/// The store keeps records again, once a breaker that opened lets it be tried.
async fn is_back(bed: &Bed, store: &SharedStore) {
    eventually("back", async || {
        let saved = save(store, &bed.record("User-agent: *\nDisallow: /x\n", now())).await;
        saved.is_ok() && matches!(store.load(&bed.origin()).await, Ok(Some(_)))
    })
    .await;
    bed.heard();
    let before = bed.site.connections();
    bed.ask(store).await;
    assert_eq!(bed.site.connections(), before, "it is known again");
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

/// All of it, over TCP and over a socket: what one member brought, the others do not fetch.
#[tokio::test]
async fn n6_one_fetch_for_all() {
    let Some(server) = Real::new() else { return };
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

/// V1: killed, and started again: misses meanwhile, and then the store is used again by itself.
#[tokio::test]
async fn v1_killed_and_restarted() {
    let Some(mut server) = Real::new() else {
        return;
    };
    let (bed, store) = (Bed::new(), quick(&server.url()));
    is_back(&bed, &store).await;
    server.kill();
    for _ in 0..6 {
        asked_in_time(&bed, &store).await;
    }
    assert!(has_slow_or_down(&bed.heard()));
    server.restart();
    is_back(&bed, &store).await;
    // A restart that nobody noticed costs nothing.
    server.kill();
    server.restart();
    settle().await;
    assert_eq!(store.load(&bed.origin()).await, Ok(None));
}

/// V2: stopped. The kernel accepts for it, and nothing is ever said.
#[tokio::test]
async fn v2_stopped() {
    let Some(server) = Real::new() else { return };
    let (bed, store) = (Bed::new(), quick(&server.url()));
    is_back(&bed, &store).await;
    server.signal("-STOP");
    let mut took = Vec::new();
    for _ in 0..6 {
        took.push(bed.ask(&store).await);
    }
    assert!(took.iter().all(|took| *took < DEADLINE + BUSY), "{took:?}");
    assert!(bed.heard().contains(&StoreError::Slow));
    let mut open = Vec::new();
    for _ in 0..1_000 {
        let began = Instant::now();
        assert!(store.load(&bed.origin()).await.is_err());
        open.push(began.elapsed());
    }
    open.sort_unstable();
    println!(
        "stopped: decisions {took:?}; open: median {:?}, p99 {:?}",
        open[500], open[990]
    );
    assert!(open[500] < Duration::from_micros(500));
    server.signal("-CONT");
    is_back(&bed, &store).await;
}

/// V3: everything is paused.
#[tokio::test]
async fn v3_paused() {
    let Some(server) = Real::new() else { return };
    let (bed, store) = (Bed::new(), quick(&server.url()));
    is_back(&bed, &store).await;
    server.order(&["CLIENT", "PAUSE", "600", "ALL"]);
    for _ in 0..6 {
        asked_in_time(&bed, &store).await;
    }
    assert!(bed.heard().contains(&StoreError::Slow));
    is_back(&bed, &store).await;
}

/// V4: writes are paused. Reads live on, however many writes fail.
#[tokio::test]
async fn v4_writes_paused() {
    let Some(server) = Real::new() else { return };
    let (bed, store) = (Bed::new(), quick(&server.url()));
    is_back(&bed, &store).await;
    let known = bed.origin();
    server.order(&["CLIENT", "PAUSE", "900", "WRITE"]);
    for _ in 0..6 {
        let cold = Bed::new();
        asked_in_time(&cold, &store).await;
        assert!(has_slow_or_down(&cold.heard()));
        let found = store.load(&known).await;
        assert!(matches!(found, Ok(Some(_))), "{found:?}");
    }
    is_back(&bed, &store).await;
}

/// V5: full, and evicting nothing.
#[tokio::test]
async fn v5_full() {
    let Some(server) = Real::new() else { return };
    let (bed, store) = (Bed::new(), quick(&server.url()));
    is_back(&bed, &store).await;
    server.order(&["CONFIG", "SET", "maxmemory-policy", "noeviction"]);
    server.order(&["CONFIG", "SET", "maxmemory", "1"]);
    let known = bed.origin();
    let full = Bed::new();
    for _ in 0..6 {
        asked_in_time(&full, &store).await;
        let found = store.load(&known).await;
        assert!(matches!(found, Ok(Some(_))), "{found:?}");
    }
    assert!(has_refused(&full.heard(), "OOM"));
    server.order(&["CONFIG", "SET", "maxmemory", "0"]);
    is_back(&bed, &store).await;
}

/// V6: everything is gone, between any two questions.
#[tokio::test]
async fn v6_flushed() {
    let Some(server) = Real::new() else { return };
    let (bed, store) = (Bed::new(), patient(&server.url()));
    for number in 1..=4 {
        bed.ask(&store).await;
        bed.ask(&store).await;
        assert_eq!(bed.site.connections(), number);
        server.order(&["FLUSHALL"]);
    }
    // Whoever knows already does not ask again.
    let robots = bed.builder(&store).build();
    bed.ask_of(&robots).await;
    server.order(&["FLUSHALL"]);
    bed.ask_of(&robots).await;
    assert_eq!((bed.site.connections(), bed.heard()), (5, Vec::new()));
}

/// V7: demoted to a replica of nobody: reads while it serves what is old, and neither when it does not.
#[tokio::test]
async fn v7_demoted() {
    let Some(server) = Real::new() else { return };
    let (bed, store) = (Bed::new(), quick(&server.url()));
    is_back(&bed, &store).await;
    server.order(&["REPLICAOF", "127.0.0.1", "1"]);
    let cold = Bed::new();
    asked_in_time(&cold, &store).await;
    assert!(has_refused(&cold.heard(), "READONLY"));
    assert!(matches!(store.load(&bed.origin()).await, Ok(Some(_))));
    server.order(&["CONFIG", "SET", "replica-serve-stale-data", "no"]);
    let before = server.connections();
    for _ in 0..8 {
        asked_in_time(&bed, &store).await;
    }
    assert!(has_refused(&bed.heard(), "MASTERDOWN"));
    // One of them is this question's own.
    assert!(server.connections() <= before + 4);
    server.order(&["REPLICAOF", "NO", "ONE"]);
    is_back(&bed, &store).await;
}

/// V8: a script that does not end: silence, and then BUSY.
#[tokio::test]
async fn v8_busy() {
    let Some(server) = Real::new() else { return };
    let (bed, store) = (Bed::new(), quick(&server.url()));
    is_back(&bed, &store).await;
    let (url, script) = (server.url(), "while true do end");
    let busy = std::thread::spawn(move || {
        use std::io::Write;
        let mut stream = std::net::TcpStream::connect(url.trim_start_matches("redis://")).unwrap();
        let command = format!(
            "*3\r\n$4\r\nEVAL\r\n${}\r\n{script}\r\n$1\r\n0\r\n",
            script.len()
        );
        stream.write_all(command.as_bytes()).unwrap();
        stream
    });
    let stream = busy.join().unwrap();
    for _ in 0..6 {
        asked_in_time(&bed, &store).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
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
    let Some(server) = Real::new() else { return };
    let (bed, store) = (Bed::new(), quick(&server.url()));
    is_back(&bed, &store).await;
    server.order(&["CONFIG", "SET", "requirepass", "secret"]);
    server.admin(&["CLIENT", "KILL", "TYPE", "normal"]);
    let store_again = quick(&server.url());
    for _ in 0..4 {
        asked_in_time(&bed, &store_again).await;
    }
    assert!(has_refused(&bed.heard(), "NOAUTH"));
    let url = |password: &str| server.url().replace("//", &format!("//:{password}@"));
    asked_in_time(&bed, &quick(&url("wrong"))).await;
    let heard = bed.heard();
    assert!(has_refused(&heard, "Password"), "{heard:?}");
    assert!(!format!("{heard:?}").contains("wrong@"));
    is_back(&bed, &quick(&url("secret"))).await;
}

/// The user that the guide describes may do what is needed, and nothing else.
#[tokio::test]
async fn the_user_of_the_guide() {
    let Some(server) = Real::new() else { return };
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
        eventually("given back", async || {
            matches!(store.lease(&bed.origin()).await, Ok(Lease::Ours(_)))
        })
        .await;
        assert_eq!((bed.site.connections(), bed.heard()), (1, Vec::new()));
    }
}

/// V10: no more clients are let in.
#[tokio::test]
async fn v10_too_many_clients() {
    let Some(server) = Real::new() else { return };
    server.order(&["CONFIG", "SET", "maxclients", "1"]);
    let address = server.url().trim_start_matches("redis://").to_owned();
    let only = std::net::TcpStream::connect(address).unwrap();
    let (bed, store) = (Bed::new(), quick(&server.url()));
    tokio::time::sleep(Duration::from_millis(30)).await;
    for _ in 0..6 {
        asked_in_time(&bed, &store).await;
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
    let Some(server) = Real::new() else { return };
    let (bed, store) = (Bed::new(), patient(&server.url()));
    server.order(&["LPUSH", &bed.record_key(), "x"]);
    bed.ask(&store).await;
    assert!(has_refused(&bed.heard(), "WRONGTYPE"));
    bed.ask(&store).await;
    assert_eq!((bed.site.connections(), bed.heard()), (1, Vec::new()));
}

/// V12: a hundred megabytes under the key of a record: less than one is asked for, and it is taken away.
#[tokio::test]
async fn v12_a_hundred_megabytes() {
    let Some(server) = Real::new() else { return };
    let (bed, store) = (Bed::new(), patient(&server.url()));
    server.order(&["SETRANGE", &bed.record_key(), "104857600", "x"]);
    let found = store.load(&bed.origin()).await;
    assert_eq!(found, Err(StoreError::Damaged(Damaged::Shape)));
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
    assert!(sent < 2 << 20, "{sent} octets");
}

/// V12 and V13: what is there turns to garbage, over and over, while everybody asks.
#[tokio::test]
async fn v12_garbage_meanwhile() {
    let Some(server) = Real::new() else { return };
    let (bed, store) = (Bed::new(), patient(&server.url()));
    for number in 0..12 {
        let garbage = "abide\u{1}".repeat(number * 7 + 1);
        server.order(&["SET", &bed.record_key(), &garbage]);
        bed.ask(&store).await;
        assert!(matches!(bed.heard()[0], StoreError::Damaged(_)));
    }
}

/// V14: members of two versions take turns: each finds its own, and none takes away a later one's.
#[tokio::test]
async fn v14_two_versions() {
    let Some(server) = Real::new() else { return };
    let (bed, store) = (Bed::new(), patient(&server.url()));
    let later = format!("abide\u{2}{}", "x".repeat(99));
    server.order(&["SET", &bed.record_key(), &later]);
    let found = store.load(&bed.origin()).await;
    assert_eq!(found, Err(StoreError::Damaged(Damaged::Version(2))));
    settle().await;
    assert!(server.admin(&["GET", &bed.record_key()]).contains(&later));
}

/// V16 and V17: what a member knows is compared with what is there by when it was confirmed.
#[tokio::test]
async fn v17_the_newer_of_two() {
    let Some(server) = Real::new() else { return };
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

/// V20: down for a while, with a crowd that asks: few connections, one probe at a time; and warm again at once
/// when it is back.
#[tokio::test]
async fn v20_down_and_back() {
    let Some(mut server) = Real::new() else {
        return;
    };
    let (bed, store) = (Bed::new(), quick(&server.url()));
    is_back(&bed, &store).await;
    server.kill();
    let port: u16 = server.url().rsplit(':').next().unwrap().parse().unwrap();
    // Accepts nobody, and counts who comes.
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
    let began = Instant::now();
    is_back(&bed, &store).await;
    println!("warm {:?} after it was back", began.elapsed());
}
