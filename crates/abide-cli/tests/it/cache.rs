//! Files that the cache keeps between calls, and what they prove later.

use crate::fetch::{Server, response};
use crate::{Ran, abide};
use abide_testkit::valkey::ValkeyServer;
use serde_json::Value;

/// A cache for one test, and the call that uses it.
struct Cache(tempfile::TempDir);

impl Cache {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &str {
        self.0.path().to_str().unwrap()
    }

    fn check(&self, url: &str, more: &[&str]) -> Ran {
        let mut args = vec![
            "check",
            url,
            "--agent",
            "f",
            "--allow-private",
            "--cache",
            self.path(),
        ];
        args.extend(more);
        abide(&args, b"")
    }
}

#[test]
fn a_file_is_kept_between_calls() {
    let server = Server::start(|_| response("200 OK", "", "User-agent: *\nDisallow: /x\n"));
    let cache = Cache::new();
    for _ in 0..3 {
        let ran = cache.check(&server.url("/x"), &[]);
        assert_eq!((ran.status, ran.stderr.as_str()), (1, ""));
    }
    assert_eq!(server.paths(), ["/robots.txt"]);
    let ran = cache.check(&server.url("/x"), &["--offline"]);
    assert_eq!(ran.status, 1);
    // Offline, a URL whose file is not in the cache is unknown, and not allowed.
    let ran = cache.check("http://127.0.0.1:9/x", &["--offline"]);
    assert_eq!(ran.status, 3);
    assert!(ran.stdout.contains("crawl: unknown"), "{}", ran.stdout);
    assert_eq!(server.paths().len(), 1);
}

#[test]
fn evidence_carries_the_hash_of_the_file() {
    let server = Server::start(|_| response("200 OK", "", "User-agent: *\nDisallow: /x\n"));
    let cache = Cache::new();
    let ran = cache.check(&server.url("/x"), &["--format", "json"]);
    let decision: Value = serde_json::from_str(&ran.stdout).unwrap();
    let hash = decision["retrieval"]["sha256"].as_str().unwrap().to_owned();
    assert_eq!(decision["retrieval"]["state"], "fresh");
    assert_eq!(
        decision["usages"]["crawl"]["evidence"][0]["sha256"],
        hash.as_str()
    );
    // The hash identifies the stored bytes.
    let shown = abide(&["cache", "show", cache.path(), &hash], b"");
    assert_eq!(shown.stdout, "User-agent: *\nDisallow: /x\n");
}

/// The proof that an operator needs: the rules that applied at an instant in the past, and the file
/// that stated them.
#[test]
fn the_past_is_decided_as_it_was() {
    let server = Server::start(|_| response("200 OK", "", "User-agent: *\nDisallow: /x\n"));
    let cache = Cache::new();
    let (before, url) = ("2020-01-01T00:00:00Z", server.url("/x"));
    let ran = cache.check(&url, &["--format", "json"]);
    let decision: Value = serde_json::from_str(&ran.stdout).unwrap();
    let fetched = decision["retrieval"]["fetched_at"].as_str().unwrap();
    let then = cache.check(&url, &["--at", fetched, "--format", "json"]);
    let then: Value = serde_json::from_str(&then.stdout).unwrap();
    assert_eq!(then["retrieval"], decision["retrieval"]);
    assert_eq!(then["usages"]["crawl"], decision["usages"]["crawl"]);
    let early = cache.check(&url, &["--at", before]);
    assert!(early.stdout.contains("crawl: unknown"), "{}", early.stdout);
    assert_eq!(server.paths().len(), 1, "the past is not fetched");
}

#[test]
fn a_cache_is_listed_shown_and_pruned() {
    let server = Server::start(|_| response("200 OK", "", "User-agent: *\nDisallow: /x\n"));
    let missing = Server::start(|_| response("404 Not Found", "", ""));
    let cache = Cache::new();
    cache.check(&server.url("/x"), &[]);
    cache.check(&missing.url("/x"), &[]);
    let list = abide(&["cache", "ls", cache.path()], b"").stdout;
    assert_eq!(list.lines().count(), 2, "{list}");
    assert!(list.contains("a file of 27 bytes until"), "{list}");
    assert!(list.contains("no file (HTTP status 404) until"), "{list}");
    let shown = abide(&["cache", "show", cache.path(), &server.url("/any")], b"").stdout;
    let address = server.url("");
    let address = address.trim_start_matches("http://");
    for line in [
        format!("asked       {}: 200 (", server.url("/robots.txt")),
        format!(" ms, {address})"),
        "field       connection: close".to_owned(),
    ] {
        assert!(shown.contains(&line), "{line}: {shown}");
    }
    let json = abide(
        &[
            "fetch",
            "--allow-private",
            "--cache",
            cache.path(),
            "--format",
            "jsonl",
            &server.url("/"),
        ],
        b"",
    );
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["requests"].as_array().map(Vec::len), Some(0), "{json}");
    let trail = &json["trail"];
    assert_eq!(trail["requests"][0]["address"], address);
    assert_eq!(trail["requests"][0]["status"], 200);
    assert_eq!(trail["fields"][1]["name"], "connection");
    assert_eq!(server.paths().len(), 1, "nothing was requested for it");
    for label in [
        "current",
        "fetched",
        "confirmed",
        "fresh until",
        "sha256",
        "served",
    ] {
        assert!(shown.contains(&format!("\n  {label}")), "{shown}");
    }
    let pruned = abide(&["cache", "prune", cache.path(), "--older-than", "0"], b"");
    assert_eq!(
        pruned.stdout, "removed: 0 events, 0 files\n",
        "it is all in force still"
    );
    assert_eq!(abide(&["cache", "ls", cache.path()], b"").stdout, list);
}

#[test]
fn mistakes_are_told() {
    let cache = Cache::new();
    let nowhere = cache.0.path().join("nowhere");
    let nowhere = nowhere.to_str().unwrap();
    for args in [
        &["cache", "ls", nowhere][..],
        &["cache", "prune", nowhere, "--older-than", "1"],
        &["cache", "show", nowhere, "https://a.example/"],
        &["cache", "show", cache.path(), "not a url"],
        &["cache", "ls", "redis://127.0.0.1:1/"],
        &["cache", "prune", cache.path()],
        &[
            "check",
            "https://a.example/",
            "--agent",
            "f",
            "--cache",
            cache.path(),
            "--cache-key",
            "secret",
        ],
        &[
            "check",
            "https://a.example/",
            "--agent",
            "f",
            "--cache",
            cache.path(),
            "--at",
            "2999-01-01T00:00:00Z",
        ],
        &["check", "https://a.example/", "--agent", "f", "--offline"],
        &[
            "check",
            "https://a.example/",
            "--agent",
            "f",
            "--at",
            "2026-01-01T00:00:00Z",
        ],
        &[
            "check",
            "https://a.example/",
            "--agent",
            "f",
            "--cache",
            nowhere,
            "--at",
            "2026-01-01T00:00:00Z",
        ],
    ] {
        let ran = abide(args, b"");
        assert_eq!(ran.status, 2, "{args:?}");
        assert!(
            ran.stderr.starts_with("error: "),
            "{args:?}: {}",
            ran.stderr
        );
    }
    assert!(
        !std::path::Path::new(nowhere).exists(),
        "asking about a cache makes none"
    );
}

/// V and B: a damaged cache costs a fetch and a warning, and changes no answer.
#[test]
fn a_damaged_cache_costs_a_retrieval() {
    let server = Server::start(|_| response("200 OK", "", "User-agent: *\nDisallow: /x\n"));
    let cache = Cache::new();
    std::fs::write(
        cache.0.path().join("robots.redb"),
        b"User-agent: *\nAllow: /\n".repeat(500),
    )
    .unwrap();
    let ran = cache.check(&server.url("/x"), &[]);
    assert_eq!(ran.status, 1);
    assert!(
        ran.stderr.contains("warning: ") && ran.stderr.contains("move it aside"),
        "{}",
        ran.stderr
    );
    // A folder that cannot be created is an error in the call.
    let file = cache.0.path().join("robots.redb").join("below");
    let args = [
        "check",
        &server.url("/x"),
        "--agent",
        "f",
        "--allow-private",
        "--cache",
        file.to_str().unwrap(),
    ];
    assert_eq!(abide(&args, b"").status, 2);
}

/// Two calls at the same time: one of them stores the file, both answer.
#[test]
fn calls_at_the_same_time() {
    let server = Server::start(|_| {
        std::thread::sleep(std::time::Duration::from_millis(200));
        response("200 OK", "", "User-agent: *\nDisallow: /x\n")
    });
    let cache = Cache::new();
    let url = server.url("/x");
    std::thread::scope(|scope| {
        let calls: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| cache.check(&url, &[]).status))
            .collect();
        for call in calls {
            assert_eq!(call.join().unwrap(), 1);
        }
    });
    assert_eq!(cache.check(&url, &["--offline"]).status, 1);
}

/// All callers that share a server share its files; only those that know its secret trust them.
#[test]
fn a_server_keeps_files_for_many() {
    let Some(shared) = ValkeyServer::start("a cache on a server") else {
        return;
    };
    let server = Server::start(|_| response("200 OK", "", "User-agent: *\nDisallow: /x\n"));
    let (url, cache) = (server.url("/x"), shared.socket_url());
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "of the fleet\n").unwrap();
    let secret = secret.to_str().unwrap();
    let check = |more: &[&str]| {
        let mut args = vec![
            "check",
            &url,
            "--agent",
            "f",
            "--allow-private",
            "--cache",
            &cache,
        ];
        args.extend(more);
        abide(&args, b"")
    };
    for _ in 0..3 {
        let ran = check(&["--cache-key", secret]);
        assert_eq!((ran.status, ran.stderr.as_str()), (1, ""));
    }
    assert_eq!(server.paths().len(), 1);
    let shown = abide(&["cache", "show", &cache, &url, "--cache-key", secret], b"").stdout;
    assert!(shown.contains("a file of 27 bytes until"), "{shown}");
    let ran = check(&[]);
    assert_eq!(ran.status, 1);
    assert!(
        ran.stderr
            .contains("the record was signed with an unknown key"),
        "{}",
        ran.stderr
    );
    assert_eq!(server.paths().len(), 2, "what is not believed is fetched");
    // A caller without the secret does not replace signed records either.
    check(&["--cache-key", secret]);
    assert_eq!(server.paths().len(), 2);
    // Only a cache in files keeps the past.
    assert_eq!(check(&["--at", "2026-01-01T00:00:00Z"]).status, 2);
}

/// A server that is down costs a warning and a fetch.
#[test]
fn a_server_that_is_down() {
    let server = Server::start(|_| response("200 OK", "", "User-agent: *\nDisallow: /x\n"));
    for cache in ["redis://127.0.0.1:1/", "unix:///nowhere/at/all.sock"] {
        let args = [
            "check",
            &server.url("/x"),
            "--agent",
            "f",
            "--allow-private",
            "--cache",
            cache,
        ];
        let ran = abide(&args, b"");
        assert_eq!(ran.status, 1);
        assert!(ran.stderr.contains("warning: the cache"), "{}", ran.stderr);
    }
    let args = [
        "check",
        &server.url("/x"),
        "--agent",
        "f",
        "--cache",
        "ftp://127.0.0.1/",
    ];
    let ran = abide(&args, b"");
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("redis://"), "{}", ran.stderr);
}

/// Records of documents beside robots.txt are listed and shown by their URL.
#[test]
fn pref_131_documents_in_the_cache() {
    use abide_fetch::machine::{Event, RetrievalSettings, State};
    use abide_fetch::store::{FileStore, Store};
    use abide_fetch::{Body, Record, Resource};
    let cache = Cache::new();
    let (page, url) = (
        "https://e.example/x",
        "https://e.example/.well-known/tdmrep.json",
    );
    let store = FileStore::open(cache.0.path().join("robots.redb")).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    for (resource, text) in [
        (Resource::robots_txt(page), "User-agent: *\n"),
        (Resource::document(url), "[]"),
    ] {
        let now = abide_fetch::http::now();
        let event = Event::file(text.as_bytes().to_vec(), &[], now).with_body(Body::new);
        let record = Record {
            resource: resource.unwrap(),
            state: State::default().after(event.clone(), &RetrievalSettings::default()),
        };
        runtime.block_on(store.save(&record, &event)).unwrap();
    }
    drop(store);
    let ran = abide(&["cache", "ls", cache.path()], b"");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let lines: Vec<_> = ran.stdout.lines().collect();
    assert!(
        lines[0].starts_with("https://e.example  a file of 14 bytes"),
        "{lines:?}"
    );
    assert!(
        lines[1].starts_with(&format!("{url}  a file of 2 bytes")),
        "{lines:?}"
    );
    for (asked, shown) in [(page, "https://e.example"), (url, url)] {
        let ran = abide(&["cache", "show", cache.path(), asked], b"");
        assert_eq!(ran.stdout.lines().next(), Some(shown), "{}", ran.stderr);
    }
    let ran = abide(&["cache", "prune", cache.path(), "--older-than", "1"], b"");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
}

/// A single failure a month ago, with no attempt since, opens no site, neither offline nor in the
/// past.
#[test]
fn a_site_that_was_left_alone_is_unknown() {
    use abide_fetch::machine::{Event, RetrievalSettings, State};
    use abide_fetch::store::{FileStore, Store};
    use abide_fetch::{Body, Record, Resource};
    let cache = Cache::new();
    let day = 86_400;
    let now = abide_fetch::http::now().unix_seconds();
    let then = |days: i64| abide::Moment::from_unix_seconds(now - days * day);
    let failure = |days: i64| {
        let cause = abide::rep::Cause::Status(503);
        Event::<Vec<u8>>::failure(cause, then(days)).with_body(Body::new)
    };
    let keep = |name: &str, days: &[i64]| {
        let store = FileStore::open(cache.0.path().join("robots.redb")).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let mut record = Record {
            resource: Resource::robots_txt(name).unwrap(),
            state: State::default(),
        };
        for days in days {
            let event = failure(*days);
            record.state = record
                .state
                .after(event.clone(), &RetrievalSettings::default());
            runtime
                .as_ref()
                .unwrap()
                .block_on(store.save(&record, &event))
                .unwrap();
        }
    };
    keep("https://left.example/", &[40]);
    keep(
        "https://asked.example/",
        &(0..=40).rev().collect::<Vec<_>>(),
    );
    // With gaps between the attempts, it is not known that the site failed all the time.
    keep("https://gaps.example/", &[40, 30, 20, 10, 0]);
    let said = |url: &str, more: &[&str]| {
        let ran = cache.check(url, more);
        ran.stdout.lines().nth(1).unwrap_or_default().to_owned()
    };
    let at = then(5).to_string();
    for more in [&["--offline"][..], &["--at", &at]] {
        let output = said("https://left.example/x", more);
        assert!(output.starts_with("crawl: unknown"), "{output}");
    }
    let output = said("https://asked.example/x", &["--offline"]);
    assert!(output.starts_with("crawl: allowed"), "{output}");
    let output = said("https://gaps.example/x", &["--offline"]);
    assert!(output.starts_with("crawl: disallowed"), "{output}");
}

/// `fetch` does not succeed if the result is unknown.
#[test]
fn fetching_offline_what_is_not_kept() {
    let cache = Cache::new();
    let server = Server::start(|_| response("200 OK", "", "User-agent: *\nDisallow: /x\n"));
    assert_eq!(cache.check(&server.url("/x"), &[]).status, 1);
    let args = [
        "fetch",
        "http://127.0.0.1:9/",
        "--cache",
        cache.path(),
        "--offline",
    ];
    let ran = abide(&args, b"");
    assert_eq!(ran.status, 3);
    assert!(ran.stdout.contains("nothing is known"), "{}", ran.stdout);
}

/// A misspelt folder must not look like a cache in which nothing is known.
#[test]
fn a_run_that_fetches_nothing_needs_a_cache() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("typo");
    let missing = missing.to_str().unwrap();
    let list = folder.path().join("urls.txt");
    std::fs::write(&list, "https://a.example/\n").unwrap();
    let list = list.to_str().unwrap();
    let check = ["check", "https://a.example/", "-a", "f", "--cache", missing];
    let many = ["check", "--urls", list, "-a", "f", "--cache", missing];
    let fetch = ["fetch", "https://a.example/", "--cache", missing];
    for (call, more) in [
        (&check[..], &["--offline"][..]),
        (&check, &["--at", "2026-01-01T00:00:00Z"]),
        (&many, &["--offline"]),
        (&many, &["--at", "2026-01-01T00:00:00Z"]),
        (&fetch, &["--offline"]),
    ] {
        let args = [call, more].concat();
        let ran = abide(&args, b"");
        assert_eq!((ran.status, &*ran.stdout), (2, ""), "{args:?}");
        let output = format!("there is no cache at {missing}");
        assert!(ran.stderr.contains(&output), "{}", ran.stderr);
        assert!(!std::fs::exists(missing).unwrap(), "{args:?}");
    }
}

/// Replaces the record of the site `which` by a damaged one of this `name`, as a faulty disk may
/// do.
fn damage(cache: &Cache, which: &str, name: &str) {
    const RECORDS: redb::TableDefinition<'_, &str, &[u8]> = redb::TableDefinition::new("records");
    let mut builder = redb::Database::builder();
    builder.set_concurrency_mode(redb::ConcurrencyMode::SingleWriter);
    let database = builder.create(cache.0.path().join("robots.redb")).unwrap();
    let write = database.begin_write().unwrap();
    {
        let mut records = write.open_table(RECORDS).unwrap();
        assert!(records.remove(which).unwrap().is_some(), "{which}");
        records.insert(name, &b"damaged"[..]).unwrap();
    }
    write.commit().unwrap();
}

/// R5: one site with a damaged record, or with a damaged name, hides no other, and is reported by
/// every command.
#[test]
fn r5_a_damaged_site_hides_no_other() {
    let sites: Vec<_> = (0..3)
        .map(|_| Server::start(|_| response("200 OK", "", "User-agent: *\nDisallow: /x\n")))
        .collect();
    let cache = Cache::new();
    for site in &sites {
        cache.check(&site.url("/x"), &[]);
    }
    let origin = |at: usize| sites[at].url("");
    damage(&cache, &origin(0), &origin(0));
    damage(&cache, &origin(1), "no\u{1b}[31m origin");
    let shown = [origin(0), r"no\x1b[31m origin".to_owned()];
    let list = abide(&["cache", "ls", cache.path()], b"");
    assert_eq!(list.status, 2);
    assert_eq!(list.stdout.lines().count(), 3, "{}", list.stdout);
    for name in &shown {
        let line = list.stdout.lines().find(|line| line.starts_with(name));
        assert!(line.unwrap().contains("damaged: "), "{}", list.stdout);
    }
    assert!(
        list.stdout
            .contains(&format!("{}  a file of 27 bytes", origin(2)))
    );
    let one = abide(&["cache", "show", cache.path(), &origin(0)], b"");
    assert_eq!(one.status, 2);
    assert!(
        one.stdout.contains("the next fetch replaces it"),
        "{}",
        one.stdout
    );
    let other = abide(&["cache", "show", cache.path(), &origin(2)], b"");
    assert_eq!((other.status, &*other.stderr), (0, ""));
    let pruned = abide(&["cache", "prune", cache.path(), "--older-than", "0"], b"");
    assert_eq!(pruned.status, 2);
    assert!(pruned.stdout.starts_with("removed: "), "{}", pruned.stdout);
    for name in &shown {
        assert!(
            pruned
                .stderr
                .contains(&format!("{name}: its record is damaged"))
        );
    }
    // The next fetch replaces a damaged record.
    cache.check(&sites[0].url("/x"), &[]);
    let list = abide(&["cache", "ls", cache.path()], b"");
    assert!(
        list.stdout
            .contains(&format!("{}  a file of 27 bytes", origin(0)))
    );
}

/// R8: a cache that its user may not write is read, and the user hears that nothing is kept. Root
/// may write everything, so as root the command runs as another user.
#[cfg(target_os = "linux")]
#[test]
fn r8_a_cache_that_may_only_be_read_is_read() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let set = |path: &std::path::Path, mode: u32| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let server = Server::start(|_| response("200 OK", "", "User-agent: *\nDisallow: /x\n"));
    let cache = Cache::new();
    cache.check(&server.url("/x"), &[]);
    let folder = tempfile::tempdir().unwrap();
    let command = folder.path().join("abide");
    std::fs::copy(env!("CARGO_BIN_EXE_abide"), &command).unwrap();
    set(folder.path(), 0o755);
    set(&cache.0.path().join("robots.redb"), 0o444);
    set(cache.0.path(), 0o555);
    let is_root = std::fs::metadata("/proc/self").unwrap().uid() == 0;
    let mut call = if is_root {
        let mut call = std::process::Command::new("setpriv");
        call.args(["--reuid=65534", "--regid=65534", "--clear-groups"]);
        call.arg(&command);
        call
    } else {
        std::process::Command::new(&command)
    };
    let url = server.url("/x");
    call.args([
        "check",
        &url,
        "--agent",
        "f",
        "--offline",
        "--allow-private",
    ]);
    let ran = call.args(["--cache", cache.path()]).output().unwrap();
    let (stdout, stderr) = (
        String::from_utf8_lossy(&ran.stdout),
        String::from_utf8_lossy(&ran.stderr),
    );
    assert!(stdout.contains("crawl: disallowed"), "{stdout}{stderr}");
    assert!(stderr.contains("is read-only"), "{stderr}");
    assert_eq!(ran.status.code(), Some(1));
    set(cache.0.path(), 0o755);
}

/// A file that is longer than the limit is shown as cut, everywhere, and its hash covers what is
/// kept.
#[test]
fn a_file_that_was_cut_is_shown_as_cut() {
    let body = format!("User-agent: *\nDisallow: /x\n{}", "# more\n".repeat(80_000));
    let kept = body[..512_000].to_owned();
    let server = Server::start(move |_| response("200 OK", "", &body));
    let cache = Cache::new();
    let ran = cache.check(&server.url("/x"), &["--format", "json"]);
    let decision: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(decision["retrieval"]["cut"], true);
    let hash = decision["retrieval"]["sha256"].as_str().unwrap();
    let bytes = abide(&["cache", "show", cache.path(), hash], b"").stdout;
    assert!(bytes == kept, "{} bytes", bytes.len());
    let size = "the first 512000 bytes of a file";
    let fetched = [
        "fetch",
        &server.url("/"),
        "--allow-private",
        "--cache",
        cache.path(),
    ];
    for call in [
        &["cache", "ls", cache.path()][..],
        &["cache", "show", cache.path(), &server.url("/")],
        &fetched,
    ] {
        let ran = abide(call, b"");
        assert!(ran.stdout.contains(size), "{call:?}: {}", ran.stdout);
    }
}

/// A store that is down is reported once for a site, although it is read and written.
#[test]
fn one_warning_for_each_cause() {
    let server = Server::start(|_| response("200 OK", "", "User-agent: *\n"));
    let down = "redis://127.0.0.1:1";
    let url = server.url("/");
    let ran = abide(&["fetch", &url, "--allow-private", "--cache", down], b"");
    let warnings = ran
        .stderr
        .lines()
        .filter(|line| line.starts_with("warning"));
    assert_eq!(warnings.count(), 1, "{}", ran.stderr);
}
