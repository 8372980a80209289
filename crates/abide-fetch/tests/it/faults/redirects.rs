//! Redirects over a network (R): which servers get which requests, and whose rules result. Single
//! hops are tested in `redirects`, without a network.

use super::network::{Names, Servers};
use super::{
    FILE, OVERRUN, Retrieval, answer, fails, fetch, fetch_with, file, paused, redirect, retrieved,
    run, saying, strikes, succeeds, timely, unavailable,
};
use crate::http::options;
use abide::rep::Cause;
use abide_fetch::RobotsCache;
use abide_fetch::guard::Guard;
use abide_fetch::http::Fetcher;
use abide_fetch::machine::RetrievalSettings;
use abide_testkit::fault::{ByteServer, Script, Step, TlsLab};
use std::time::Duration;

const PUBLIC: &str = "93.184.216.34";

fn over(names: &Names, servers: &Servers) -> Fetcher {
    let (names, servers) = (names.clone(), servers.clone());
    Fetcher::with_network(
        Guard::new(),
        options(),
        RetrievalSettings::default(),
        names,
        servers,
    )
    .unwrap()
}

/// Fetches a URL in memory, where every name is public and a function of host and path answers
/// requests.
fn simulated(
    url: &str,
    serving: impl Fn(&str, &str) -> Vec<u8> + Send + Sync + 'static,
) -> (Retrieval, Names, Servers) {
    let names = Names::all(&[PUBLIC]);
    let servers = Servers::by(move |_, head| {
        let (host, path) = asked(head);
        serving(&host, &path)
    });
    let retrieval = paused(timely(&over(&names, &servers), url, OVERRUN));
    (retrieval, names, servers)
}

/// The host and the path of a request.
fn asked(head: &str) -> (String, String) {
    let path = head.split(' ').nth(1).unwrap().to_owned();
    let host = head
        .lines()
        .find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("host").then(|| value.trim())
        })
        .unwrap()
        .to_owned();
    (host, path)
}

fn robots(names: &Names, servers: &Servers) -> RobotsCache {
    let settings = RetrievalSettings::default();
    RobotsCache::with_retriever(crate::client(), over(names, servers))
        .settings(settings)
        .memory(1 << 20)
        .build()
}

/// The rules come from the end of the chain, and apply to its beginning.
#[test]
fn r1_up_to_five_hops() {
    for hops in 1..=5_usize {
        let statuses = ["301", "302", "303", "307", "308"];
        let serving = move |host: &str, path: &str| {
            let hop = host.trim_end_matches(".example").trim_start_matches('h');
            let hop: usize = hop.parse().unwrap_or_default();
            assert_eq!(path == "/robots.txt", hop == 0, "other paths, too");
            if hop == hops {
                return file("", FILE.as_bytes());
            }
            let start = format!("HTTP/1.1 {} X", statuses[(hop + hops) % 5]);
            let to = format!("Location: http://h{}.example/other?{hop}\r\n", hop + 1);
            answer(&start, &to, b"User-agent: *\nAllow: /\n")
        };
        let url = "http://h0.example/robots.txt";
        let (retrieval, names, _) = simulated(url, serving);
        succeeds(&retrieval, FILE.as_bytes(), &format!("{hops} hops"));
        assert_eq!(names.asked().len(), hops + 1);
        // The rules are cached for the first site; nothing was asked of the last one on its own
        // account.
        let names = Names::all(&[PUBLIC]);
        let servers = Servers::by(move |_, head| {
            let (host, path) = asked(head);
            match (host.as_str(), path.as_str()) {
                ("h5.example", "/robots.txt") => file("", b"User-agent: *\nDisallow: /own\n"),
                _ => serving(&host, &path),
            }
        });
        let robots = robots(&names, &servers);
        paused(async {
            let first = robots.for_url("http://h0.example/").await;
            assert!(!first.allows("/x") && first.allows("/own"));
            assert_eq!(robots.sites(), 1);
            if hops == 5 {
                let last = robots.for_url("http://h5.example/").await;
                assert!(last.allows("/x") && !last.allows("/own"));
            }
        });
    }
}

/// H22: loops of one, two and five hops, and growing ones, mean a missing file after five
/// redirects.
#[test]
fn r2_and_h22_loops_and_more_than_five() {
    let url = "http://a.example/robots.txt";
    for (what, requests, serving) in [
        (
            "itself",
            1,
            Box::new(|_: &str, _: &str| redirect("/robots.txt")) as Box<Serving>,
        ),
        (
            "two",
            2,
            Box::new(|host: &str, _: &str| match host {
                "a.example" => redirect("http://b.example/robots.txt"),
                _ => redirect("http://a.example/robots.txt"),
            }),
        ),
        (
            "five",
            5,
            Box::new(|_: &str, path: &str| match path {
                "/1" => redirect("/2"),
                "/2" => redirect("/3"),
                "/3" => redirect("/4"),
                "/4" => redirect("/robots.txt"),
                _ => redirect("/1"),
            }),
        ),
        (
            "a query that grows",
            6,
            Box::new(|_: &str, path: &str| redirect(&format!("{path}?q"))),
        ),
        (
            "a fragment",
            1,
            Box::new(|_: &str, _: &str| redirect("/robots.txt#again")),
        ),
    ] {
        let (retrieval, _, servers) = simulated(url, serving);
        assert_eq!(unavailable(&retrieval), Cause::RedirectLimit, "{what}");
        assert_eq!(servers.connected().len(), requests, "{what}");
    }
}

type Serving = dyn Fn(&str, &str) -> Vec<u8> + Send + Sync;

/// H21: a site that redirects five hops to another redirect affects only its own rules, not those
/// of the other site.
#[test]
fn r3_and_h21_another_site_s_budget() {
    let serving = |head: &str| {
        let (host, path) = asked(head);
        match (host.as_str(), path.as_str()) {
            ("evil.example", "/5") => redirect("http://victim.example/robots.txt"),
            ("evil.example", "/robots.txt") => redirect("/2"),
            ("evil.example", path) => {
                let hop: u32 = path.trim_start_matches('/').parse().unwrap();
                redirect(&format!("/{}", hop + 1))
            }
            ("victim.example", "/robots.txt") => redirect("http://www.victim.example/rules"),
            _ => file("", FILE.as_bytes()),
        }
    };
    let (names, servers) = (
        Names::all(&[PUBLIC]),
        Servers::by(move |_, head| serving(head)),
    );
    let robots = robots(&names, &servers);
    paused(async {
        let evil = robots.for_url("http://evil.example/").await;
        assert!(evil.allows("/x"), "too many redirects are a missing file");
        for site in ["http://victim.example/", "http://www.victim.example/"] {
            let asked_before = servers.connected().len();
            let victim = robots.for_url(site).await;
            assert!(!victim.allows("/x") && victim.allows("/y"), "{site}");
            assert!(
                servers.connected().len() > asked_before,
                "{site} is asked itself"
            );
        }
        assert_eq!(robots.sites(), 3);
    });
}

#[test]
fn r4_what_is_at_the_end() {
    for hops in 1..=5 {
        let ending = |end: Vec<u8>| {
            let (retrieval, ..) = simulated("http://a.example/robots.txt", move |_, path| {
                let hop: usize = path.trim_start_matches('/').parse().unwrap_or_default();
                if hop == hops {
                    end.clone()
                } else {
                    redirect(&format!("/{}", hop + 1))
                }
            });
            retrieval
        };
        let missing = ending(answer("HTTP/1.1 404 Not Found", "", b""));
        assert_eq!(unavailable(&missing), Cause::Status(404));
        for status in [429, 500, 503, 206, 304] {
            let start = format!("HTTP/1.1 {status} X");
            let retrieval = ending(answer(&start, "", b""));
            fails(
                &retrieval,
                Cause::Status(status),
                &format!("{status}, {hops}"),
            );
        }
        fails(&ending(Vec::new()), Cause::Network, "nothing");
    }
    let silent = ByteServer::new(Script::always([Step::Hang]));
    let first = ByteServer::new(Script::saying(redirect(&silent.url("/"))));
    strikes(
        |options| &mut options.head_timeout,
        &first.url("/robots.txt"),
        "silence",
    );
    let first = ByteServer::new(Script::saying(redirect("http://127.0.0.1:1/")));
    fails(
        &fetch(&first.url("/robots.txt")),
        Cause::Connect,
        "nobody there",
    );
}

/// H20: an invalid `Location`, and one that is invalid in another way; none of them can add a line
/// to a request.
#[test]
fn r5_and_h20_locations() {
    let start = "HTTP/1.1 302 Found\r\n";
    let long = format!("http://b.example/{}", "a".repeat(60 << 10));
    let longer = format!("http://b.example/{}", "a".repeat(64 << 10));
    for (fields, cause) in [
        ("", Cause::BadRedirect),
        ("Location:\r\n", Cause::BadRedirect),
        ("Location: \t \r\n", Cause::BadRedirect),
        ("Location: /a\r\nLocation: /b\r\n", Cause::BadRedirect),
        ("Location: /a\r\nLocation: /a\r\n", Cause::BadRedirect),
        ("Location: http://victim/\rX: y\r\n", Cause::Network),
        ("Location: /a\0b\r\n", Cause::Network),
        ("Location: /a b\r\n", Cause::BadRedirect),
        ("Location: /a\tb\r\n", Cause::BadRedirect),
        ("Location: http://\r\n", Cause::BadRedirect),
        ("Location: http://[::1\r\n", Cause::BadRedirect),
        ("Location: http://a b/\r\n", Cause::BadRedirect),
        ("Location: http://b.example:99999/\r\n", Cause::BadRedirect),
        (&format!("Location: {long}\r\n"), Cause::BadRedirect),
        (&format!("Location: {longer}\r\n"), Cause::Network),
    ] {
        let bytes = format!("{start}{fields}Content-Length: 0\r\n\r\n");
        let (retrieval, _, servers) = simulated("http://a.example/robots.txt", move |_, _| {
            bytes.clone().into_bytes()
        });
        fails(&retrieval, cause, &format!("{fields:.40}"));
        assert_eq!(servers.connected().len(), 1, "{fields:.40}");
    }
    let latin = [
        start.as_bytes(),
        b"Location: /caf\xE9\r\nContent-Length: 0\r\n\r\n",
    ]
    .concat();
    fails(&saying(latin), Cause::BadRedirect, "Latin-1");
    for (location, expected) in [
        ("/r", "http://a.example/r"),
        ("r", "http://a.example/r"),
        ("./r", "http://a.example/r"),
        ("../../r", "http://a.example/r"),
        ("//h.example", "http://h.example/"),
        ("?q", "http://a.example/robots.txt?q"),
        ("?q#f", "http://a.example/robots.txt?q"),
        ("\\\\h.example/r", "http://h.example/r"),
        ("HTTP://H.Example:80/r", "http://h.example/r"),
        ("/\u{e9}", "http://a.example/%C3%A9"),
        ("/%0d%0aX:%20y", "http://a.example/%0d%0aX:%20y"),
    ] {
        let to = location.to_owned();
        let (retrieval, _, servers) =
            simulated("http://a.example/robots.txt", move |host, path| {
                if (host, path) == ("a.example", "/robots.txt") {
                    redirect(&to)
                } else {
                    file("", FILE.as_bytes())
                }
            });
        succeeds(&retrieval, FILE.as_bytes(), location);
        assert_eq!(retrieval.hops[1].url.as_str(), expected);
        for request in servers.requests() {
            // A request has six lines and an empty one.
            assert_eq!(request.matches("\r\n").count(), 7, "{request}");
            assert_eq!(request.matches('\r').count(), 7, "{request}");
        }
    }
}

#[test]
fn r6_other_schemes() {
    let opened = std::env::temp_dir().join("abide-never-opened");
    std::fs::write(&opened, FILE).unwrap();
    for location in [
        &format!("file://{}", opened.display()),
        "file:///etc/passwd",
        "ftp://b.example/robots.txt",
        "gopher://b.example/",
        "data:text/plain,User-agent:%20*",
        "javascript:alert(1)",
        "http+unix://%2Ftmp%2Fs/",
        "ws://b.example/",
        "about:blank",
        "blob:http://b.example/1",
        "view-source:http://b.example/",
        "httpx://b.example/",
    ] {
        let to = location.to_owned();
        let (retrieval, names, servers) =
            simulated("http://a.example/robots.txt", move |_, _| redirect(&to));
        fails(&retrieval, Cause::BadRedirect, location);
        assert_eq!((names.asked().len(), servers.connected().len()), (1, 1));
    }
    std::fs::remove_file(&opened).unwrap();
}

/// User information appears in no request and in no report.
#[test]
fn r7_user_information() {
    let (retrieval, _, servers) = simulated(
        "http://user:s3cret@a.example/robots.txt#top",
        |host, _| match host {
            "a.example" => redirect("http://other:s3cret@b.example/r"),
            _ => file("", FILE.as_bytes()),
        },
    );
    succeeds(&retrieval, FILE.as_bytes(), "user information");
    let told = format!("{retrieval:?}{:?}", servers.requests());
    assert_eq!(servers.requests().len(), 2);
    for secret in ["s3cret", "user:", "other:", "uthorization"] {
        assert!(!told.contains(secret), "{secret} in {told}");
    }
    let refused = fetch_with("http://user:s3cret@127.0.0.1/", Guard::new(), options());
    assert!(!format!("{refused:?}").contains("s3cret"));
}

/// A redirect to a refused address: unreachable, not retried for a minute, and no connection is
/// made.
#[test]
fn r8_to_denied_addresses() {
    for target in [
        "http://127.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]/",
        "http://[::ffff:a9fe:a9fe]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[2002:7f00:1::]/",
        "http://127.0.0.1./",
        "http://2130706433/",
        "http://localhost/",
        "http://localhost./",
        "http://metadata.google.internal/",
        "http://denied.example/",
        "http://denied.example./",
        "https://denied.example/",
    ] {
        for hops in 1..=5_usize {
            let names = Names::by(|name, _| {
                let denied = name.starts_with("denied");
                Ok(super::network::ips(&[if denied {
                    "10.0.0.1"
                } else {
                    PUBLIC
                }]))
            });
            let servers = Servers::by(move |_, head| {
                let (_, path) = asked(head);
                let hop: usize = path.trim_start_matches('/').parse().unwrap_or_default();
                if hop + 1 == hops {
                    redirect(target)
                } else {
                    redirect(&format!("/{}", hop + 1))
                }
            });
            let fetcher = over(&names, &servers);
            let url = "http://a.example/robots.txt";
            let retrieval = paused(timely(&fetcher, url, OVERRUN));
            fails(&retrieval, Cause::Refused, target);
            assert!((59..=300).contains(&super::wait(&retrieval)), "{target}");
            let connected = servers.connected();
            assert_eq!(connected.len(), hops, "{target}");
            assert!(connected.iter().all(|to| to.ip().to_string() == PUBLIC));
        }
    }
}

/// From https to http: followed and reported, or refused by choice; never because TLS failed.
#[test]
fn r9_downgrades() {
    let lab = TlsLab::new();
    let plain = ByteServer::new(Script::saying(file("", FILE.as_bytes())));
    let tls = lab.good(&["localhost"]).server();
    let script = Script::saying(redirect(&plain.url("/r")));
    let secure = ByteServer::secure(tls, script);
    let url = format!("https://localhost:{}/robots.txt", secure.address().port());
    let mut trusting = options();
    trusting.roots = vec![abide_fetch::Certificate::from_der(lab.root().to_vec())];
    let retrieval = fetch_with(&url, Guard::open(), trusting.clone());
    succeeds(&retrieval, FILE.as_bytes(), "downgraded");
    assert!(retrieval.is_downgraded);
    let mut settings = RetrievalSettings::default();
    settings.follows_downgrade = false;
    let strict = Fetcher::new(Guard::open(), trusting, settings).unwrap();
    let retrieval = run(retrieved(&strict, &url));
    fails(&retrieval, Cause::BadRedirect, "refused by choice");
    assert_eq!(plain.connections(), 1);
}

#[test]
fn r10_ports() {
    for (port, cause) in [
        ("0", Cause::BadRedirect),
        ("65536", Cause::BadRedirect),
        ("-1", Cause::BadRedirect),
        ("80x", Cause::BadRedirect),
        ("22", Cause::Refused),
        ("25", Cause::Refused),
        ("6379", Cause::Refused),
        ("6667", Cause::Refused),
    ] {
        let to = format!("http://b.example:{port}/");
        let (retrieval, _, servers) = simulated("http://a.example/robots.txt", {
            let to = to.clone();
            move |_, _| redirect(&to)
        });
        fails(&retrieval, cause, port);
        assert_eq!(servers.connected().len(), 1, "{port}");
        let (retrieval, _, servers) = simulated(&to, |_, _| file("", b""));
        fails(&retrieval, cause, port);
        assert!(servers.connected().is_empty(), "{port}");
    }
}

/// Sites that redirect back and forth until the client sends a cookie, which it never does.
#[test]
fn r11_back_and_forth_with_cookies() {
    let (retrieval, _, servers) = simulated("http://a.example/robots.txt", |host, _| {
        let to = if host == "a.example" {
            "www.a.example"
        } else {
            "a.example"
        };
        let fields = format!("Set-Cookie: seen=1\r\nLocation: http://{to}/robots.txt\r\n");
        answer("HTTP/1.1 302 Found", &fields, b"")
    });
    assert_eq!(unavailable(&retrieval), Cause::RedirectLimit);
    assert_eq!(servers.requests().len(), 2);
    for request in servers.requests() {
        assert!(
            !request.to_ascii_lowercase().contains("cookie"),
            "{request}"
        );
    }
}

#[test]
fn r12_what_only_looks_like_a_redirect() {
    let page = "<meta http-equiv=refresh content='0; url=/other'>\n\
                <script>location = '/other'</script>\nUser-agent: *\nDisallow: /x\n";
    let fields = "Refresh: 0; url=/other\r\nLocation: /other\r\nContent-Location: /other\r\n";
    let (retrieval, _, servers) = simulated("http://a.example/robots.txt", move |_, path| {
        assert_eq!(path, "/robots.txt");
        file(fields, page.as_bytes())
    });
    succeeds(&retrieval, page.as_bytes(), "a page");
    assert_eq!(servers.connected().len(), 1);
}

#[test]
fn r13_statuses_that_do_not_redirect() {
    for status in (300..400).filter(|status| ![301, 302, 303, 307, 308].contains(status)) {
        let (retrieval, _, servers) = simulated("http://a.example/robots.txt", move |_, _| {
            let start = format!("HTTP/1.1 {status} X");
            answer(&start, "Location: http://b.example/\r\n", FILE.as_bytes())
        });
        fails(&retrieval, Cause::Status(status), &status.to_string());
        assert_eq!(servers.connected().len(), 1, "{status}");
    }
}

/// An authority has one entry, however it is spelled; another authority has another.
#[test]
fn r14_spellings_of_an_authority() {
    let names = Names::all(&[PUBLIC]);
    let servers = Servers::saying(file("", FILE.as_bytes()));
    let robots = robots(&names, &servers);
    paused(async {
        for (known, spellings) in [
            (
                1,
                vec![
                    "http://xn--exmple-cua.example/",
                    "http://exämple.example/a",
                    "http://EXÄMPLE.Example:80/b?c",
                    "http://ex%C3%A4mple.example/",
                    "HTTP://exämple.example.",
                    "http://user:password@exämple.example/",
                    "http://exa\u{308}mple.example/",
                    "http://ｅｘäｍｐｌｅ。example/",
                ],
            ),
            (2, vec!["http://exämple.example:8080/"]),
            (3, vec!["http://www.exämple.example/"]),
            (4, vec!["http://93.184.216.34/", "http://0x5db8d822/"]),
        ] {
            for spelling in spellings {
                let policy = robots.for_url(spelling).await;
                assert!(!policy.allows("/x") && policy.allows("/y"), "{spelling}");
                assert_eq!(robots.sites(), known, "{spelling}");
            }
        }
        assert_eq!(servers.connected().len(), 4);
    });
}

/// Slow hops share one deadline.
#[test]
fn r15_every_hop_is_slow() {
    let mut slow = options();
    slow.deadline = Duration::from_secs(1);
    let names = Names::all(&["93.184.216.34"]);
    let servers = Servers::by(|_, head| {
        let path = head.split(' ').nth(1).unwrap();
        redirect(&format!("/{}{}", path.len(), "x".repeat(path.len())))
    });
    let servers = servers.taking(Duration::from_millis(300));
    let fetcher = Fetcher::with_network(
        Guard::new(),
        slow.clone(),
        RetrievalSettings::default(),
        names,
        servers,
    );
    let fetcher = fetcher.unwrap();
    let (took, retrieval) = paused(async {
        let began = tokio::time::Instant::now();
        let url = "http://a.example/robots.txt";
        let retrieval = timely(&fetcher, url, slow.deadline).await;
        (began.elapsed(), retrieval)
    });
    fails(&retrieval, Cause::Timeout, "slow hops");
    assert!(took >= slow.deadline, "{took:?}");
    assert_eq!(retrieval.hops.len(), 4);
}
