//! The store with a test server that follows a script.

use super::server::settle;
use super::{
    Bed, DEADLINE, Heard, Warnings, fair, now, patient, patient_options, probes_of_many_loads,
    probes_since, quick, record, save, sealed, within,
};
use crate::{at_once, client, ended, eventually, gate};
use abide_fetch::http::{BoxFuture, Retrieval};
use abide_fetch::machine::{Event, Validators};
use abide_fetch::store::{Lease, SharedOptions, SharedStore, Store, StoreError};
use abide_fetch::{Body, Record, RecordError, Resource, Retriever, RobotsCache, Seal};
use abide_testkit::fault::{Act, ReceivedCommand, RespServer};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const MAX_RECORD_BYTES: usize = 768 << 10;

fn is_read(command: &ReceivedCommand) -> bool {
    command.name == "GETRANGE"
}

/// A server that answers every read with `reply`, and is correct otherwise.
fn replying(reply: impl Into<Vec<u8>>) -> RespServer {
    let reply = reply.into();
    RespServer::new(move |command| {
        vec![if is_read(command) {
            Act::Say(reply.clone())
        } else {
            Act::Answer
        }]
    })
}

fn is_refused(error: &StoreError, with: &str) -> bool {
    matches!(error, StoreError::Refused(said) if said.starts_with(with))
}

/// A saved record is loaded by another member, and not fetched again.
#[tokio::test]
async fn a_good_server() {
    let (server, bed) = (RespServer::good(), Bed::new());
    for _ in 0..4 {
        bed.ask(&patient(&server.url())).await;
    }
    assert_eq!((bed.site.connections(), bed.heard()), (1, Vec::new()));
    let known = ["GETRANGE", "SET", "GET", "PEXPIRE", "DEL"];
    assert!(
        server
            .commands()
            .iter()
            .all(|command| known.contains(&command.name.as_str()))
    );
}

/// Addresses in all spellings, and invalid ones; a password is never shown.
#[tokio::test]
async fn urls_and_passwords() {
    for url in [
        "redis://h",
        "valkey://h:1/3",
        "redis://user:secret@[::1]:7000/2",
        "rediss://:secret@h",
        "unix:///run/valkey.sock",
    ] {
        let store = SharedStore::new(url, SharedOptions::default()).unwrap();
        assert!(!format!("{store:?}").contains("secret"), "{store:?}");
    }
    for url in [
        "",
        "h:1",
        "http://secret@h",
        "redis://",
        "redis://:secret@h:99999",
        "redis://:secret@h/x",
    ] {
        let error = SharedStore::new(url, SharedOptions::default()).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("secret"), "{error}");
    }
    // A server that repeats what it receives.
    let server = RespServer::new(|command| {
        let password = String::from_utf8_lossy(&command.arguments[0]).into_owned();
        vec![Act::Say(
            format!("-WRONGPASS not {password}\r\n").into_bytes(),
        )]
    });
    let url = server.url().replace("//", "//:secret@");
    let bed = Bed::new();
    bed.ask(&patient(&url)).await;
    let heard = format!("{:?}", bed.heard());
    assert!(
        heard.contains("Password authentication failed") && !heard.contains("secret"),
        "{heard}"
    );
}

/// V1 and V10: a server that closes each connection, at once or after an error: an error at once,
/// then a pause.
#[tokio::test]
async fn v10_closed_at_once() {
    for last_words in ["", "-ERR max number of clients reached\r\n"] {
        let server = RespServer::new(move |_| vec![Act::Say(last_words.into()), Act::Close]);
        let (bed, store, began) = (Bed::new(), patient(&server.url()), Instant::now());
        for _ in 0..40 {
            bed.ask(&store).await;
        }
        // Three attempts of reads and three of writes, and the probes of both.
        let connections = server.connections();
        assert!(connections <= 6 + 2 * probes_since(began), "{connections}");
        assert!(bed.heard().len() >= 40);
    }
}

/// V7: a replica refuses writes and serves reads; one without its master refuses both. It is asked
/// at most once a second, on one connection.
#[tokio::test]
async fn v7_a_replica() {
    let server = RespServer::new(|command| {
        vec![if is_read(command) {
            Act::Answer
        } else {
            Act::Say(b"-READONLY You can't write against a read only replica.\r\n".to_vec())
        }]
    });
    let (bed, store) = (Bed::new(), patient(&server.url()));
    server.put(
        &bed.record_key(),
        bed.record("", now() - 90_000).to_bytes(&Seal::checksum()),
    );
    let began = Instant::now();
    for _ in 0..40 {
        bed.ask(&store).await;
    }
    let heard = bed.heard();
    assert!(is_refused(&heard[0], "READONLY"), "{heard:?}");
    // After that the breaker is open, except for probes, each of which may have its own connection.
    let (command, probes) = (server.count("SET"), probes_since(began));
    assert!((3..=3 + probes).contains(&command), "{command} writes");
    assert!(server.count("GETRANGE") >= 40 && server.connections() <= 2 + probes);
    let masterless = replying("-MASTERDOWN Link with MASTER is down\r\n");
    let (store, began) = (patient(&masterless.url()), Instant::now());
    for _ in 0..40 {
        bed.ask(&store).await;
    }
    assert!(is_refused(&bed.heard()[0], "MASTERDOWN"));
    let command = masterless.count("GETRANGE");
    assert!(
        (3..=3 + probes_since(began)).contains(&command),
        "{command}"
    );
}

/// V8, V9 and V11: every error that a server may return is a miss and a warning, never an answer.
#[tokio::test]
async fn v11_every_refusal() {
    let long = format!("ERR \x1b[31m{}", "x".repeat(10_000));
    for said in [
        "WRONGTYPE Operation against a key holding the wrong kind of value",
        "MOVED 3999 127.0.0.1:6381",
        "ASK 3999 127.0.0.1:6381",
        "LOADING the dataset is in memory",
        "MISCONF Errors writing to the AOF file",
        "BUSY a script is running",
        "NOAUTH Authentication required.",
        "NOPERM no permission",
        "OOM command not allowed",
        "CLUSTERDOWN The cluster is down",
        "TRYAGAIN Multiple keys",
        "SOMETHING new",
        "",
        &long,
    ] {
        let server = replying(format!("-{said}\r\n"));
        let (bed, store) = (Bed::new(), patient(&server.url()));
        bed.ask(&store).await;
        let heard = bed.heard();
        let StoreError::Refused(told) = &heard[0] else {
            panic!("{said}: {heard:?}")
        };
        assert!(told.len() < 200 && !told.contains('\x1b'), "{told}");
        assert_eq!(bed.site.connections(), 1);
    }
}

/// V11: a key of another type says nothing about the state of the server, and is overwritten.
#[tokio::test]
async fn v11_the_wrong_type_is_about_one_key() {
    let server = replying("-WRONGTYPE Operation against a key\r\n");
    let (bed, store) = (Bed::new(), patient(&server.url()));
    for _ in 0..9 {
        bed.ask(&store).await;
    }
    assert!(server.count("GETRANGE") >= 18, "the breaker is closed");
    assert!(server.value(&bed.record_key()).is_some());
}

/// V12: no prefix of a record, no flipped bit and no record of another key is used; it is deleted,
/// and the site is asked. (G-41 reads all of them.)
#[tokio::test]
async fn v12_values_that_are_none() {
    let (server, bed) = (RespServer::good(), Bed::new());
    let (store, key) = (patient(&server.url()), bed.record_key());
    let good = bed
        .record("User-agent: *\nAllow: /\n", now())
        .to_bytes(&Seal::checksum());
    let other = Resource::robots_txt("https://other.example/").unwrap();
    let mut values: Vec<_> = (1..good.len())
        .step_by(23)
        .map(|end| good[..end].to_vec())
        .collect();
    values.extend((0..good.len()).step_by(17).map(|at| {
        let mut flipped = good.clone();
        // Not the version, because a later version is left alone.
        flipped[at] ^= if at == 5 { 1 } else { 0x10 };
        flipped
    }));
    values.push(record(&other, "", now()).to_bytes(&Seal::checksum()));
    values.push(vec![b'x'; MAX_RECORD_BYTES + 1]);
    for value in values {
        server.put(&key, value);
        let found = store.load(&bed.origin()).await;
        assert!(matches!(found, Err(StoreError::Record(_))), "{found:?}");
        eventually("taken away", async || server.value(&key).is_none()).await;
    }
    assert_eq!(store.load(&bed.origin()).await, Ok(None));
    server.put(&key, good[..99].to_vec());
    bed.ask(&store).await;
    assert_eq!(bed.heard()[0], StoreError::Record(RecordError::Seal));
    settle().await;
    server.put(&key, "");
    assert_eq!(store.load(&bed.origin()).await, Ok(None));
}

/// V12 and V19: the store requests no more than its bound, and more data than that ends the
/// connection.
#[tokio::test]
async fn v12_a_value_without_end() {
    for begin in ["$99999999999\r\n", "$5\r\n", "+", "-ERR ", ":1"] {
        let opening = begin.to_owned();
        let server = RespServer::new(move |_| {
            vec![
                Act::Say(opening.clone().into_bytes()),
                Act::Endless(vec![b'1'; 16 << 10]),
            ]
        });
        let (bed, store) = (Bed::new(), patient(&server.url()));
        // The amount of data ends it, not a deadline.
        let found = ended(store.load(&bed.origin())).await;
        assert!(
            matches!(found, Err(StoreError::Down(_) | StoreError::Refused(_))),
            "{found:?}"
        );
        settle().await;
        // Bytes in the buffers of the sockets count as accepted.
        assert!(server.bytes() < 16 << 20, "{}", server.bytes());
    }
}

/// V13: records written without the fleet's key are not trusted.
#[tokio::test]
async fn v13_a_hostile_writer() {
    let bed = Bed::new();
    let fleet = Seal::keyed(1, b"the fleet's secret");
    let forged = bed.record("User-agent: *\nAllow: /\n", now());
    for (seal, damaged) in [
        (Seal::keyed(2, b"x"), RecordError::Key(2)),
        (Seal::checksum(), RecordError::Seal),
        (Seal::keyed(1, b"guessed"), RecordError::Seal),
    ] {
        // Each record has its own server, because deleting one must not affect the next.
        let server = RespServer::good();
        server.put(&bed.record_key(), forged.to_bytes(&seal));
        bed.ask(&sealed(&server.url(), fleet.clone())).await;
        let heard = bed.heard();
        let forged = StoreError::Record(damaged);
        assert!(!heard.is_empty() && heard.iter().all(|error| *error == forged));
    }
    assert_eq!(bed.site.connections(), 3);
    // A record that the fleet wrote itself is trusted.
    let server = RespServer::good();
    for _ in 0..2 {
        bed.ask(&sealed(&server.url(), fleet.clone())).await;
    }
    assert_eq!((bed.site.connections(), bed.heard()), (4, Vec::new()));
}

/// V14: a record of a later version is a miss, and is not deleted.
#[tokio::test]
async fn v14_a_later_version_is_left_alone() {
    let (server, bed) = (RespServer::good(), Bed::new());
    let mut later = bed.record("", now()).to_bytes(&Seal::checksum());
    later[5] = 4;
    server.put(&bed.record_key(), later.clone());
    let store = patient(&server.url());
    let found = store.load(&bed.origin()).await;
    assert_eq!(found, Err(StoreError::Record(RecordError::Version(4))));
    settle().await;
    assert_eq!(server.value(&bed.record_key()), Some(later.clone()));
    bed.ask(&store).await;
    assert_eq!(bed.heard()[0], StoreError::Record(RecordError::Version(4)));
    assert_eq!(server.value(&bed.record_key()), Some(later));
}

/// V15: a reply that arrives too late is discarded: its connection is not used again.
#[tokio::test]
async fn v15_a_late_reply() {
    let (bed, other) = (
        Bed::new(),
        Resource::robots_txt("https://other.example/").unwrap(),
    );
    let late = bed.record("", now()).to_bytes(&Seal::checksum());
    let late = [format!("${}\r\n", late.len()).as_bytes(), &late, b"\r\n"].concat();
    let (gone, whoever_asked_has_gone) = gate();
    let server = RespServer::new(move |command| {
        if is_read(command) && command.connection == 0 {
            whoever_asked_has_gone();
            vec![Act::Say(late.clone())]
        } else {
            vec![Act::Answer]
        }
    });
    let store = fair(&server.url());
    let found = ended(store.load(&other)).await;
    assert_eq!(found, Err(StoreError::Slow));
    gone.send(()).unwrap();
    assert_eq!(store.load(&bed.origin()).await, Ok(None));
    assert_eq!(server.connections(), 2);
}

/// V15: one reply more than requested, together with the first or after it. A connection that sends
/// data between two requests is not used again; and if a reply arrives just after the next request,
/// it belongs to another key, which the record shows.
#[tokio::test]
async fn v15_a_reply_too_many() {
    let (bed, other) = (
        Bed::new(),
        Resource::robots_txt("https://other.example/").unwrap(),
    );
    let body = bed.record("", now()).to_bytes(&Seal::checksum());
    let body = [format!("${}\r\n", body.len()).as_bytes(), &body, b"\r\n"].concat();
    for millis in [0, 1, 15] {
        let extra = body.clone();
        let server = RespServer::new(move |command| {
            let (first, more) = (b"$0\r\n\r\n".to_vec(), extra.clone());
            if !is_read(command) || command.connection > 0 {
                vec![Act::Answer]
            } else if millis == 0 {
                vec![Act::Say([first, more].concat())]
            } else {
                let pause = Act::Sleep(Duration::from_millis(millis));
                vec![Act::Say(first), pause, Act::Say(more)]
            }
        });
        let store = patient(&server.url());
        let load = async || {
            let found = store.load(&other).await;
            assert!(!matches!(found, Ok(Some(_))), "a reply to another question");
        };
        for _ in 0..3 {
            load().await;
        }
        if millis > 0 {
            eventually("another connection", async || {
                load().await;
                let command = server.commands();
                command.iter().any(|one| is_read(one) && one.connection > 0)
            })
            .await;
        }
        let found = store.load(&bed.origin()).await;
        assert!(!matches!(found, Ok(Some(_))), "{millis} ms: {found:?}");
    }
}

/// V15: a reply is read alike however it is split.
#[tokio::test]
async fn v15_replies_in_pieces() {
    let bed = Bed::new();
    let whole = bed.record("User-agent: *\nDisallow: /x\n", now());
    let bytes = whole.to_bytes(&Seal::checksum());
    let bytes = [format!("${}\r\n", bytes.len()).as_bytes(), &bytes, b"\r\n"].concat();
    for length in [1, 2, 3, 7, 64] {
        let bytes = bytes.clone();
        let server = RespServer::new(move |_| {
            vec![Act::Drip(bytes.clone(), length, Duration::from_micros(50))]
        });
        let found = patient(&server.url()).load(&bed.origin()).await;
        assert_eq!(found, Ok(Some(whole.clone())));
    }
}

/// s02 and V15: an invalid reply, or one of an unexpected kind, ends in an error within the
/// deadline, and ends the connection.
#[tokio::test]
async fn s02_hostile_replies() {
    let nested = "*1\r\n".repeat(100_000);
    let deep = "*1000000000\r\n".repeat(90);
    for reply in [
        "$-2\r\n",
        "$99999999999\r\n",
        "$99999999999999999999\r\n",
        "*1000000000\r\n",
        "+OK",
        "$3\r\nabcde",
        &nested,
        &deep,
        ">2\r\n+message\r\n+x\r\n",
        ">1000000000\r\n",
        "|1\r\n+a\r\n+b\r\n$0\r\n\r\n",
        "%1\r\n+a\r\n+b\r\n",
        "%-1\r\n",
        "|9223372036854775807\r\n",
        "~1\r\n+a\r\n",
        "_\r\n",
        "#t\r\n",
        ",1.5\r\n",
        "(12345678901234567890\r\n",
        "=5\r\ntxt:x\r\n",
        "!3\r\nERR\r\n",
        "=-1\r\n",
        ":x\r\n",
        ":1\r\n",
        "+PONG\r\n",
        "\r\n",
        "HTTP/1.1 400 Bad Request\r\n\r\n",
        "\0\0\0\0",
        "$0\r\nxx",
        "-\u{202e}\r\n",
    ] {
        let server = replying(reply);
        // The library reads any length below zero as a missing value, which is harmless.
        let is_miss = reply == "$-2\r\n";
        let bed = Bed::new();
        let store = if is_miss {
            patient(&server.url())
        } else {
            quick(&server.url())
        };
        let shown: String = reply.chars().take(20).collect();
        let found = ended(store.load(&bed.origin())).await;
        assert!(
            if is_miss {
                found == Ok(None)
            } else {
                found.is_err()
            },
            "{shown}: {found:?}"
        );
        bed.ask(&store).await;
        assert_eq!(bed.heard().is_empty(), is_miss, "{shown}");
    }
}

/// V16: a record dated by a wrong clock, in the future or without a valid time, is not used, and
/// does not stay for ever.
#[tokio::test]
async fn v16_clocks_of_others() {
    for seconds in [
        now() + 86_400,
        now() + 31_536_000,
        i64::MAX - 90_000,
        0,
        i64::MIN,
        now() - 86_400,
    ] {
        let (server, bed) = (RespServer::good(), Bed::new());
        let store = patient(&server.url());
        save(&store, &bed.record("User-agent: *\nAllow: /\n", seconds))
            .await
            .unwrap();
        bed.ask(&store).await;
        assert_eq!(bed.site.connections(), 1, "{seconds}");
        // The fetched record replaces it.
        bed.ask(&store).await;
        assert_eq!(bed.site.connections(), 1, "{seconds}");
    }
}

thread_local! {
    /// The clock of this test.
    static CLOCK: Cell<i64> = const { Cell::new(0) };
}

fn clock() -> abide::Moment {
    crate::at(CLOCK.get())
}

/// V17: a member that has seen a newer answer keeps it, whatever a lagging replica returns.
#[tokio::test]
async fn v17_an_older_record() {
    let is_lagging = Arc::new(AtomicBool::new(false));
    let bed = Bed::new();
    let older = bed
        .record("User-agent: *\nAllow: /\n", now() - 7_200)
        .to_bytes(&Seal::checksum());
    let older = [format!("${}\r\n", older.len()).as_bytes(), &older, b"\r\n"].concat();
    let lagging = Arc::clone(&is_lagging);
    let server = RespServer::new(move |command| {
        vec![if is_read(command) && lagging.load(Ordering::SeqCst) {
            Act::Say(older.clone())
        } else if command.name == "SET" && lagging.load(Ordering::SeqCst) {
            // Another member renews it all the time.
            Act::Say(b"$-1\r\n".to_vec())
        } else {
            Act::Answer
        }]
    });
    CLOCK.set(now());
    let robots = bed.builder(&patient(&server.url())).clock(clock).build();
    bed.ask_of(&robots).await;
    is_lagging.store(true, Ordering::SeqCst);
    for hour in [20, 21, 22] {
        CLOCK.set(now() + hour * 3_600);
        let before = server.count("GETRANGE");
        bed.ask_of(&robots).await;
        if hour == 22 {
            eventually("looked at", async || server.count("GETRANGE") > before).await;
        }
        settle().await;
        bed.ask_of(&robots).await;
    }
    assert_eq!(bed.site.connections(), 1);
}

/// V18: a slow server costs a decision one deadline, and costs cached rules nothing.
#[tokio::test]
async fn v18_a_slow_server() {
    for is_too_slow in [false, true] {
        let acts = if is_too_slow {
            vec![Act::Hang]
        } else {
            vec![Act::Sleep(Duration::from_millis(5)), Act::Answer]
        };
        let server = RespServer::new(move |_| acts.clone());
        let bed = Bed::new();
        let store = [patient, fair][usize::from(is_too_slow)](&server.url());
        let robots = bed.builder(&store).build();
        if is_too_slow {
            bed.ask_beside_silence(&robots).await;
            let is_lease = |command: &ReceivedCommand| command.key().starts_with("abide:lease:");
            assert!(!server.commands().iter().any(is_lease), "it is asked once");
            assert_eq!(server.count("GETRANGE"), 1);
        } else {
            bed.ask_of(&robots).await;
            assert_eq!(bed.heard(), []);
        }
        let before = server.count("GETRANGE");
        let url = bed.site.url("/x");
        for _ in 0..1_000 {
            assert!(!at_once(robots.for_url(&url)).allows("/x"));
        }
        settle().await;
        assert_eq!(
            (server.count("GETRANGE"), bed.site.connections()),
            (before, 1)
        );
    }
}

/// V18: connecting to a distant server takes longer than one operation may. No caller waits for
/// that, and later callers find the connection.
#[tokio::test]
async fn v18_a_slow_greeting() {
    let (gone, nobody_waits) = gate();
    // A caller gets its answer over the first connection, or never.
    let server = RespServer::new(move |command| match command.name.as_str() {
        "AUTH" if command.connection > 0 => vec![Act::Hang],
        "AUTH" => {
            nobody_waits();
            vec![Act::Answer]
        }
        _ => vec![Act::Answer],
    });
    let url = server.url().replace("redis://", "redis://:secret@");
    // Half of the second within which a connection must be made.
    let (bed, store) = (Bed::new(), within(&url, Duration::from_millis(500)));
    let began = Instant::now();
    assert_eq!(store.load(&bed.origin()).await, Err(StoreError::Slow));
    gone.send(()).unwrap();
    eventually("a connection is there", async || {
        store.load(&bed.origin()).await == Ok(None)
    })
    .await;
    // Connections that are being set up when a breaker lets a probe through.
    let connections = server.connections();
    assert!(connections <= 4 + probes_since(began), "{connections}");
}

/// V19: a slow connection and large values: the deadline holds, and no more values are in transit
/// than there are connections.
#[tokio::test]
async fn v19_a_narrow_line() {
    let value = [b"$700000\r\n".as_slice(), &vec![b'x'; 700_000]].concat();
    let server =
        RespServer::new(move |_| vec![Act::Drip(value.clone(), 1_250, Duration::from_millis(10))]);
    let (bed, store) = (Bed::new(), quick(&server.url()));
    let began = Instant::now();
    let loads = (0..100).map(|_| {
        let (store, origin) = (store.clone(), bed.origin());
        tokio::spawn(async move { ended(store.load(&origin)).await })
    });
    let loads: Vec<_> = loads.collect();
    for load in loads {
        // The value never ends.
        assert!(load.await.unwrap().is_err());
    }
    let connections = server.connections();
    assert!(connections <= 10 + probes_since(began), "{connections}");
    bed.ask(&store).await;
    assert!(!bed.heard().is_empty());
}

/// A record that is too large to share is not shared.
#[tokio::test]
async fn v19_a_record_too_large() {
    let (server, bed) = (RespServer::good(), Bed::new());
    let saved = save(
        &patient(&server.url()),
        &bed.record(&"x".repeat(MAX_RECORD_BYTES), 0),
    )
    .await;
    assert!(matches!(saved, Err(StoreError::Refused(_))) && server.commands().is_empty());
}

/// G-40 and V2: a server that accepts connections and never answers. A decision waits for at most
/// one deadline, and for nothing once the breaker is open; then one probe at a time asks the
/// server.
#[tokio::test]
async fn g_40_a_hung_server() {
    let server = RespServer::new(|_| vec![Act::Hang]);
    let (bed, store) = (Bed::new(), quick(&server.url()));
    let opened = Instant::now();
    for _ in 0..3 {
        let began = Instant::now();
        let found = ended(store.load(&bed.origin())).await;
        assert_eq!(found, Err(StoreError::Slow));
        assert!(began.elapsed() >= DEADLINE);
    }
    let probes = probes_of_many_loads(&store, &bed.origin(), opened).await;
    assert!(server.connections() <= 3 + probes);
    // For a whole decision, with and without an open breaker.
    let (bed, fresh) = (Bed::new(), fair(&server.url()));
    bed.ask_beside_silence(&bed.builder(&fresh).build()).await;
    bed.ask(&store).await;
    // A hundred callers during a probe cost one more connection.
    eventually("probed", async || {
        let before = server.connections();
        let command: Vec<_> = (0..100)
            .map(|_| {
                let (store, origin) = (store.clone(), bed.origin());
                tokio::spawn(async move { store.load(&origin).await })
            })
            .collect();
        for one in command {
            assert!(one.await.unwrap().is_err());
        }
        let connections = server.connections() - before;
        assert!(connections <= 1, "{connections}");
        connections == 1
    })
    .await;
}

/// A store that never answers.
#[derive(Debug)]
struct Mute;

impl Store for Mute {
    fn patience(&self) -> Duration {
        Duration::from_millis(400)
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn load<'a>(&'a self, _: &'a Resource) -> BoxFuture<'a, Result<Option<Record>, StoreError>> {
        Box::pin(std::future::pending())
    }

    fn save<'a>(
        &'a self,
        _: &'a Record,
        _: &'a Event<Body>,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(std::future::pending())
    }

    fn lease<'a>(&'a self, _: &'a Resource) -> BoxFuture<'a, Result<Lease, StoreError>> {
        Box::pin(std::future::pending())
    }
}

/// A site that answers without a network.
struct Near;

impl Retriever for Near {
    fn retrieve<'a>(&'a self, _: &'a str, _: &'a Validators) -> BoxFuture<'a, Retrieval> {
        let body = "User-agent: *\nDisallow: /x\n";
        Box::pin(async move { Retrieval::new(Event::file(body, &[], crate::at(now()))) })
    }
}

/// G-40: a decision waits for the store once in all, however much it needs to read from a silent
/// store or save to it. The clock advances by itself, so the result does not depend on the machine.
#[tokio::test(start_paused = true)]
async fn g_40_a_silent_store_is_waited_for_once() {
    let warnings = Arc::<Warnings>::default();
    let robots = RobotsCache::with_retriever(client(), Near)
        .store(Mute)
        .observer(Heard(Arc::clone(&warnings)))
        .build();
    let began = tokio::time::Instant::now();
    let policy = robots.for_url("https://a.example/x").await;
    assert!(!policy.allows("/x") && policy.allows("/y"));
    let (took, patience) = (began.elapsed(), Mute.patience());
    assert!((patience..patience * 3 / 2).contains(&took), "{took:?}");
    let heard = || std::mem::take(&mut *warnings.0.lock().unwrap());
    assert_eq!(heard(), [StoreError::Slow]);
    // The failure to save the answer is reported too, later.
    eventually("heard", async || heard() == [StoreError::Slow]).await;
}

/// If the URL asks for TLS, nothing is sent in plain text.
#[tokio::test]
async fn nothing_in_the_clear() {
    let server = RespServer::new(|_| vec![Act::Hang]);
    let url = server.url().replace("redis://", "rediss://:secret@");
    let (bed, store) = (Bed::new(), fair(&url));
    assert!(ended(store.load(&bed.origin())).await.is_err());
    assert!(server.connections() == 1 && server.commands().is_empty());
}

/// N6 and N7: a lease belongs to one member for as long as that member lives and renews it; it ends
/// with its holder.
#[tokio::test]
async fn n7_a_lease_and_its_end() {
    let (server, bed) = (RespServer::good(), Bed::new());
    let mut options = patient_options();
    options.lease = Duration::from_secs(5);
    let store = || SharedStore::new(&server.url(), options.clone()).unwrap();
    let (ours, theirs) = (store(), store());
    let held = ours.lease(&bed.origin()).await.unwrap();
    assert!(matches!(held, Lease::Ours(_)));
    // Four times three tenths of the lease exceed its duration.
    eventually("renewed", async || {
        let lease = theirs.lease(&bed.origin()).await.unwrap();
        assert!(matches!(lease, Lease::Theirs));
        server.count("PEXPIRE") >= 4
    })
    .await;
    drop(held);
    eventually("given back", async || server.count("DEL") == 1).await;
    eventually("another's", async || {
        matches!(theirs.lease(&bed.origin()).await, Ok(Lease::Ours(_)))
    })
    .await;
}

/// N7: a former holder neither renews nor releases a lease that another member has taken.
#[tokio::test]
async fn n7_a_lease_that_was_lost() {
    let server = RespServer::good();
    // One that checks the lease meanwhile, and one that does not before it ends.
    for lease in [Duration::from_secs(2), crate::NEVER] {
        let mut options = patient_options();
        options.lease = lease;
        let store = SharedStore::new(&server.url(), options).unwrap();
        let origin =
            Resource::robots_txt(&format!("https://{}.example/", lease.as_secs())).unwrap();
        let key = format!("abide:lease:{origin}");
        let held = store.lease(&origin).await.unwrap();
        server.put(&key, "somebody else's");
        let looked = server.count("GET");
        let looks = async || server.count("GET") > looked;
        if lease < crate::HANG {
            eventually("looked after", looks).await;
            drop(held);
        } else {
            drop(held);
            eventually("looked at", looks).await;
        }
        settle().await;
        assert_eq!(server.value(&key), Some(b"somebody else's".to_vec()));
        assert_eq!((server.count("PEXPIRE"), server.count("DEL")), (0, 0));
    }
}

/// Every record of every origin has its own key, under the configured prefix.
#[tokio::test]
async fn keys_begin_with_the_prefix() {
    let (server, mut options) = (RespServer::good(), patient_options());
    options.prefix = "other:".to_owned();
    let store = SharedStore::new(&server.url(), options).unwrap();
    let origin = Resource::robots_txt("https://a.example:8443/").unwrap();
    let written: Record = record(&origin, "x", 0);
    save(&store, &written).await.unwrap();
    drop(store.lease(&origin).await);
    assert_eq!(store.load(&origin).await, Ok(Some(written)));
    assert!(
        server
            .commands()
            .iter()
            .all(|command| command.key().starts_with("other:"))
    );
}
