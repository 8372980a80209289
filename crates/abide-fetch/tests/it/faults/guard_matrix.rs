//! The guard (4.4, G-50, G-51) and the corpus of URLs and names (5.3), over networks that record
//! every connection. The client never connects to an address that is not public, however and
//! wherever the address is written.

use super::network::{Names, Servers, ips};
use super::{
    FILE, OVERRUN, Retrieval, fails, fetch_with, file, paused, redirect, succeeds, timely, told,
};
use crate::guard::spellings;
use crate::http::{options, state, unreachable};
use abide::rep::Cause;
use abide_fetch::RobotsCache;
use abide_fetch::guard::Guard;
use abide_fetch::http::Fetcher;
use abide_fetch::machine::RetrievalSettings;
use abide_testkit::fault::{ByteServer, DnsServer, Reply, Script, Step, namespace};
use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

const PUBLIC: &str = "93.184.216.34";

/// Addresses that the client must never reach, in the ranges of 4.4, and their equivalents.
const DENIED: [&str; 20] = [
    "127.0.0.1",
    "10.0.0.1",
    "169.254.169.254",
    "192.168.1.1",
    "172.31.255.255",
    "100.100.100.200",
    "192.0.0.192",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "::ffff:127.0.0.1",
    "::ffff:a9fe:a9fe",
    "64:ff9b::7f00:1",
    "64:ff9b:1::a00:1",
    "2002:7f00:1::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "fd00:ec2::254",
    "fe80::5efe:10.0.0.1",
];

fn over(guard: Guard, names: &Names, servers: &Servers) -> Fetcher {
    let (names, servers) = (names.clone(), servers.clone());
    Fetcher::with_network(
        guard,
        options(),
        RetrievalSettings::default(),
        names,
        servers,
    )
    .unwrap()
}

/// The addresses that a name of the matrix resolves to on the nth lookup, derived from the denied
/// address in it. Only `rebinding` changes: its first answer is public.
fn records(name: &str, nth: usize) -> Vec<IpAddr> {
    let mut labels = name.trim_end_matches('.').split('.');
    let (trick, at) = (labels.next().unwrap(), labels.next().unwrap_or_default());
    let denied = at
        .strip_prefix('d')
        .and_then(|at| at.parse::<usize>().ok())
        .and_then(|at| DENIED.get(at));
    let Some(denied) = denied else {
        return ips(&[PUBLIC]);
    };
    let v6 = "2606:2800:220:1::1";
    match trick {
        "alone" => ips(&[denied]),
        "twice" => ips(&[denied, denied]),
        "before" => ips(&[denied, PUBLIC]),
        "behind" => ips(&[PUBLIC, denied]),
        "among" => ips(&[v6, denied, PUBLIC, denied]),
        "last" => [ips(&[PUBLIC]).repeat(499), ips(&[denied])].concat(),
        "rebinding" if !nth.is_multiple_of(2) => ips(&[denied]),
        _ => ips(&[PUBLIC]),
    }
}

/// Every host of the matrix: each spelling of an address, and each trick with a name.
fn hosts() -> Vec<String> {
    let mut hosts = Vec::new();
    for (at, denied) in DENIED.iter().enumerate() {
        match denied.parse().unwrap() {
            IpAddr::V4(v4) => hosts.extend(spellings(v4.octets())),
            IpAddr::V6(v6) => hosts.extend([format!("[{v6}]"), format!("[{}]", long(v6))]),
        }
        for trick in [
            "alone",
            "twice",
            "before",
            "behind",
            "among",
            "last",
            "rebinding",
        ] {
            hosts.push(format!("{trick}.d{at}.example"));
        }
        hosts.push(format!("ALONE.D{at}.Example."));
        hosts.push(format!("user:password@alone.d{at}.example"));
        hosts.push(format!("alone。d{at}。example"));
    }
    hosts
}

/// All groups of an address, written in full and in upper case.
fn long(address: Ipv6Addr) -> String {
    let groups = address.segments().map(|group| format!("{group:04X}"));
    groups.join(":")
}

/// Each host at the end of this many redirects, at each port, for a strict guard and a default one.
#[test]
fn g_50_the_matrix() {
    let names = Names::by(|name, nth| Ok(records(name, nth)));
    // The first hosts redirect as their URL says; the last one serves a file.
    let servers = Servers::by(|_, head| {
        let path = head.split(' ').nth(1).unwrap();
        match path.strip_prefix("/hop?").and_then(|to| to.split_once(';')) {
            None => file("", FILE.as_bytes()),
            Some(("0", end)) => redirect(&format!("http://{end}/robots.txt")),
            Some((left, end)) => {
                let left: usize = left.parse().unwrap();
                redirect(&format!("http://hop{left}.example/hop?{};{end}", left - 1))
            }
        }
    });
    let (mut cases, mut refused, mut files) = (0_u32, 0_u32, 0_u32);
    let fetchers = [Guard::new(), Guard::new().strict()].map(|guard| over(guard, &names, &servers));
    let hosts = hosts();
    paused(async {
        for (at, host) in hosts.iter().enumerate() {
            for hops in 0..=5_usize {
                // Two of three ports, in rotation.
                for port in [[80, 22], [8080, 80], [22, 8080]][(at + hops) % 3] {
                    let end = format!("{host}:{port}");
                    let url = match hops {
                        0 => format!("http://{end}/robots.txt"),
                        _ => format!("http://start.example/hop?{};{end}", hops - 1),
                    };
                    let fetcher = &fetchers[(at + hops) % 2];
                    let retrieval = timely(fetcher, &url, OVERRUN).await;
                    if state(&retrieval).copy().is_some() {
                        succeeds(&retrieval, FILE.as_bytes(), &url);
                        files += 1;
                    } else {
                        fails(&retrieval, Cause::Refused, &url);
                        refused += 1;
                    }
                    assert!(port != 22 || retrieval.hops.last().unwrap().status.is_none());
                    cases += 1;
                }
            }
        }
    });
    let reached: BTreeSet<IpAddr> = servers.connected().iter().map(SocketAddr::ip).collect();
    let public: BTreeSet<IpAddr> = ips(&[PUBLIC, "2606:2800:220:1::1"]).into_iter().collect();
    let denied = reached.difference(&public).count();
    told(&format!(
        "G-50: {cases} cases of {} hosts, {} connections: {refused} refused, {files} files from public addresses, \
         {denied} denied addresses reached",
        hosts.len(),
        servers.connected().len()
    ));
    assert_eq!(denied, 0, "{reached:?}");
    assert!(
        servers
            .connected()
            .iter()
            .all(|to| [80, 8080].contains(&to.port()))
    );
    assert!(cases >= 2_000 && files > 100 && refused > 2_000);
}

/// The matrix over sockets: listeners at denied addresses receive no connection.
#[test]
fn g_50_canaries_in_a_network() {
    const CANARIES: [&str; 7] = [
        "169.254.169.254",
        "10.0.0.1",
        "127.0.0.1",
        "::1",
        "fd00::1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::1",
    ];
    let setup = "for a in 93.184.216.34 169.254.169.254 10.0.0.1; do ip addr add $a/32 dev lo; done\n\
                 for a in fd00::1 64:ff9b::7f00:1 2002:7f00:1::1; do ip addr add $a/128 dev lo nodad; done";
    let name = "g_50_canaries_in_a_network";
    namespace::within(module_path!(), name, setup, &["127.0.0.1"], || {
        let bare = |address: &str| match address.parse().unwrap() {
            IpAddr::V4(v4) => v4.to_string(),
            IpAddr::V6(v6) => format!("[{v6}]"),
        };
        let canaries = CANARIES.map(|address| {
            let at = format!("{}:80", bare(address));
            ByteServer::at(&at, None, Script::saying(file("", b"User-agent: *\n")))
        });
        let _names = DnsServer::at(&["127.0.0.1:53"], |question| {
            let at: Option<usize> = question
                .name
                .strip_prefix('c')
                .and_then(|rest| rest.strip_suffix(".example")?.parse().ok());
            let to = at.map_or(PUBLIC, |at| CANARIES[at]);
            vec![Reply::addresses(question, &ips(&[to]))]
        });
        // The public server redirects to the target in its URL.
        let public = ByteServer::at(
            "93.184.216.34:80",
            None,
            Script::by(|hit| {
                let to = hit.path.trim_start_matches("/to?");
                vec![Step::Send(redirect(&format!("http://{to}/"))), Step::Fin]
            }),
        );
        let (mut cases, mut redirected) = (0, 0);
        for (at, address) in CANARIES.iter().enumerate() {
            let mut hosts = vec![bare(address), format!("c{at}.example")];
            if let Ok(v4) = address.parse::<Ipv4Addr>() {
                hosts.extend(spellings(v4.octets()));
            }
            for host in hosts {
                for url in [
                    format!("http://{host}/robots.txt"),
                    format!("http://{PUBLIC}/to?{host}"),
                    format!("http://public.example/to?{host}"),
                ] {
                    let retrieval = fetch_with(&url, Guard::new(), options());
                    fails(&retrieval, Cause::Refused, &url);
                    cases += 1;
                    redirected += usize::from(retrieval.hops.len() == 2);
                }
            }
        }
        let reached: usize = canaries.iter().map(ByteServer::connections).sum();
        told(&format!(
            "G-50: {cases} cases over sockets, {redirected} of them by redirect, {reached} connections to canaries"
        ));
        assert_eq!(reached, 0);
        assert_eq!(public.connections(), redirected);
        assert!(redirected * 3 == cases * 2 && cases > 150);
        // The listeners work: a client without a guard reaches each of them.
        for canary in &canaries {
            let retrieval = fetch_with(&canary.url("/robots.txt"), Guard::open(), options());
            succeeds(&retrieval, b"User-agent: *\n", "a canary");
            assert_eq!(canary.connections(), 1);
        }
    });
}

/// The ranges of 4.4, as written there.
const RANGES: [&str; 32] = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.31.196.0/24",
    "192.52.193.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "192.175.48.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
    "::/128",
    "::1/128",
    "100::/64",
    "100:0:0:1::/64",
    "64:ff9b:1::/48",
    "2001::/23",
    "2001:db8::/32",
    "2002::/16",
    "3fff::/20",
    "5f00::/16",
    "fc00::/7",
    "fe80::/10",
    "fec0::/10",
    "ff00::/8",
];

/// First and last address of a range, as numbers of 32 or 128 bits.
fn edges(range: &str) -> (u128, u128, bool) {
    let (address, bits) = range.split_once('/').unwrap();
    let (bits, width) = (
        bits.parse::<u32>().unwrap(),
        if address.contains(':') { 128 } else { 32 },
    );
    let first = number(address.parse().unwrap());
    let inside = (width - bits..=width - bits).map(|host| match host {
        0 => 0,
        128 => u128::MAX,
        host => (1_u128 << host) - 1,
    });
    (first, first + inside.sum::<u128>(), width == 32)
}

fn number(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(v4) => u128::from(v4.to_bits()),
        IpAddr::V6(v6) => v6.to_bits(),
    }
}

fn is_listed(address: IpAddr) -> bool {
    RANGES.iter().any(|range| {
        let (first, last, is_v4) = edges(range);
        is_v4 == address.is_ipv4() && (first..=last).contains(&number(address))
    })
}

/// At and beside the edges of each range, the guard agrees with the list, also for the IPv4
/// addresses that IPv6 addresses embed.
#[test]
fn g_51_one_to_either_side_of_every_edge() {
    let mut checked = 0;
    let mut check = |address: IpAddr, expected: bool| {
        let said = Guard::new().check(address, 443);
        assert_eq!(said.is_err(), expected, "{address}: {said:?}");
        checked += 1;
    };
    for range in RANGES {
        let (first, last, is_v4) = edges(range);
        let around = [
            first.checked_sub(1),
            Some(first),
            Some(last),
            last.checked_add(1),
        ];
        for number in around.into_iter().flatten() {
            if is_v4 {
                let Ok(bits) = u32::try_from(number) else {
                    continue;
                };
                let v4 = Ipv4Addr::from_bits(bits);
                let listed = is_listed(v4.into());
                check(v4.into(), listed);
                let [a, b, c, d] = v4.octets().map(u16::from);
                let (high, low) = (a << 8 | b, c << 8 | d);
                for within in [
                    Ipv6Addr::new(0, 0, 0, 0, 0, 0xFFFF, high, low),
                    Ipv6Addr::new(0x64, 0xFF9B, 0, 0, 0, 0, high, low),
                    Ipv6Addr::new(0x2606, 0x2800, 1, 1, 0, 0x5EFE, high, low),
                    Ipv6Addr::new(0x2606, 0x2800, 1, 1, 0x200, 0x5EFE, high, low),
                ] {
                    check(within.into(), listed);
                }
                // These addresses are refused by their own range already.
                check(Ipv6Addr::new(0x2002, high, low, 0, 0, 0, 0, 1).into(), true);
                check(Ipv6Addr::new(0x2001, 0, high, low, 0, 0, 0, 1).into(), true);
            } else {
                let v6 = Ipv6Addr::from_bits(number);
                // `::2` and similar addresses embed addresses of "this network".
                let embedded = v6.segments()[..6] == [0; 6];
                check(v6.into(), embedded || is_listed(v6.into()));
            }
        }
    }
    told(&format!(
        "G-51: {checked} addresses at the edges of {} ranges",
        RANGES.len()
    ));
    assert!(checked > 500);
}

/// Fetches a URL over a network in memory where every name is public.
fn simulated(url: &str) -> (Retrieval, Names, Servers) {
    let (names, servers) = (
        Names::all(&[PUBLIC]),
        Servers::saying(file("", FILE.as_bytes())),
    );
    let retrieval = paused(timely(&over(Guard::new(), &names, &servers), url, OVERRUN));
    (retrieval, names, servers)
}

fn refused(host: &str) {
    let (retrieval, names, servers) = simulated(&format!("http://{host}/robots.txt"));
    let cause = unreachable(&retrieval);
    // No request is made either for text that is not a URL.
    let expected = matches!(cause, Cause::Refused | Cause::BadRedirect);
    assert!(expected, "{host}: {cause:?}");
    assert!(
        names.asked().is_empty() && servers.connected().is_empty(),
        "{host}"
    );
}

#[test]
fn u01_spellings_of_ipv4() {
    for host in [
        "0x7f.1",
        "2130706433",
        "0177.0.0.1",
        "127.1",
        "0",
        "0.0.0.1",
        "①②⑦.⓪.⓪.①",
        "127.0.0.1.",
        "0300.0250.1",
        "192.168.257",
    ] {
        refused(host);
    }
}

#[test]
fn u02_spellings_of_ipv6() {
    for host in [
        "[::]",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:a9fe:a9fe]",
        "[::127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[64:ff9b:1::a00:1]",
        "[2002:7f00:1::]",
        "[2002:a9fe:a9fe::]",
        "[2001:0:4136:e378:8000:63bf:3fff:fdd2]",
        "[fe80::1%25lo]",
        "[fec0::1]",
        "[fd00:ec2::254]",
    ] {
        refused(host);
    }
}

#[test]
fn u03_metadata() {
    for host in [
        "169.254.169.254",
        "169.254.170.2",
        "100.100.100.200",
        "192.0.0.192",
        "metadata.google.internal",
        "instance-data",
    ] {
        refused(host);
    }
}

/// One parser determines the host: the lookup, the connection and the request all use the same one.
#[test]
fn u04_where_parsers_differ() {
    for (url, host) in [
        ("http://h.example\\@e.example/", Some("h.example")),
        ("http://h.example#@e.example/", Some("h.example")),
        ("http://h.example?@e.example/", Some("h.example")),
        ("http://h.example/@e.example/", Some("h.example")),
        ("http:///e.example", Some("e.example")),
        ("http:h.example", Some("h.example")),
        ("http:\\\\h.example", Some("h.example")),
        ("http://u:p@h.example", Some("h.example")),
        ("http://u@e.example@h.example", Some("h.example")),
        ("http://h%2eexample", Some("h.example")),
        ("http://h.example\t/", Some("h.example")),
        ("ht\ntp://h.example/", Some("h.example")),
        ("http://h.example:80:81/", None),
        ("http://h%00.example", None),
        ("http:// h.example/", None),
        ("http://h.example%23@e.example%2f/", None),
        ("http://h.ex|ample/", None),
        ("http://", None),
        ("//h.example/", None),
        ("h.example", None),
    ] {
        let (retrieval, names, servers) = simulated(url);
        let Some(host) = host else {
            fails(&retrieval, Cause::BadRedirect, url);
            assert!(
                names.asked().is_empty() && servers.connected().is_empty(),
                "{url}"
            );
            continue;
        };
        succeeds(&retrieval, FILE.as_bytes(), url);
        assert_eq!(names.asked(), [format!("{host}.")], "{url}");
        let request = servers.requests().remove(0).to_ascii_lowercase();
        assert!(
            request.contains(&format!("host: {host}\r\n")),
            "{url}: {request}"
        );
    }
}

#[test]
fn u05_ports() {
    for (port, connected) in [
        (":00080", Some(80)),
        (":", Some(80)),
        ("", Some(80)),
        (":8080", Some(8080)),
        (":0", None),
        (":65536", None),
        (":22", None),
    ] {
        let (retrieval, _, servers) = simulated(&format!("http://a.example{port}/robots.txt"));
        let ports: Vec<u16> = servers.connected().iter().map(SocketAddr::port).collect();
        assert_eq!(ports, connected.into_iter().collect::<Vec<_>>(), "{port}");
        if connected.is_none() {
            unreachable(&retrieval);
        }
    }
}

#[test]
fn u06_international_names() {
    for (host, name) in [
        ("faß.de", Some("xn--fa-hia.de.")),
        ("xn--n3h.net", Some("xn--n3h.net.")),
        ("☃.net", Some("xn--n3h.net.")),
        ("ｅｘａｍｐｌｅ。com", Some("example.com.")),
        ("xn--a", None),
        ("xn--a.example", None),
        ("ＬＯＣＡＬＨＯＳＴ", None),
        ("ｌocalhost.", None),
    ] {
        let Some(name) = name else {
            refused(host);
            continue;
        };
        let (retrieval, names, _) = simulated(&format!("http://{host}/robots.txt"));
        succeeds(&retrieval, FILE.as_bytes(), host);
        assert_eq!(names.asked(), [name]);
    }
    for host in [
        format!("{}.example", "a".repeat(64)),
        format!("{}.example", "a.".repeat(123)),
        "a\u{200d}b.example".to_owned(),
        "a\u{200c}.example".to_owned(),
    ] {
        let (retrieval, names, servers) = simulated(&format!("http://{host}/robots.txt"));
        assert!(names.asked().iter().all(|name| name.is_ascii()), "{host}");
        let asked = names.asked().len();
        assert_eq!(servers.connected().len(), asked, "{host}");
        if asked == 0 {
            unreachable(&retrieval);
        }
    }
}

/// Whatever page is asked about, the client fetches `/robots.txt`; while that fails, nothing else
/// is allowed, even if it looks similar.
#[test]
fn u07_and_u08_paths() {
    let names = Names::all(&[PUBLIC]);
    let servers = Servers::saying(file("", FILE.as_bytes()));
    let settings = RetrievalSettings::default();
    let fetcher = over(Guard::new(), &names, &servers);
    let robots = RobotsCache::with_retriever(crate::client(), fetcher)
        .settings(settings.clone())
        .memory(1 << 20)
        .build();
    let paths = [
        "/%72obots.txt".to_owned(),
        "/robots.txt?".to_owned(),
        "//robots.txt".to_owned(),
        "/./robots.txt".to_owned(),
        "/ROBOTS.TXT".to_owned(),
        format!("/{}", "a".repeat(64 << 10)),
        format!("/{}", "%".repeat(10_000)),
        "//".repeat(10_000),
        "/..".repeat(10_000),
        "/a;params;b=c".to_owned(),
        "/a#b?c".to_owned(),
        "/%ED%A0%80".to_owned(),
    ];
    paused(async {
        for (at, path) in paths.iter().enumerate() {
            let url = format!("http://h{at}.example{path}");
            let policy = robots.for_url(&url).await;
            assert!(policy.allows(&url), "{path:.20}");
            assert!(!policy.allows(&format!("http://h{at}.example/x")));
        }
    });
    for request in servers.requests() {
        assert!(
            request.starts_with("GET /robots.txt HTTP/1.1\r\n"),
            "{request:.80}"
        );
    }
    assert_eq!(servers.requests().len(), paths.len());
    let (retrieval, ..) = simulated("http://localhost/robots.txt");
    let known = state(&retrieval);
    let plan = known.plan(abide_fetch::http::now(), &settings);
    let policy = plan.current.policy(&crate::client());
    assert!(policy.allows("/robots.txt"));
    for path in [
        "//robots.txt",
        "/ROBOTS.TXT",
        "/robots.txt/",
        "/robots.txtx",
        "/a/robots.txt",
    ] {
        assert!(!policy.allows(path), "{path}");
    }
    for path in &paths[5..] {
        assert!(!policy.allows(path), "{path:.20}");
    }
}

/// Names that are public at one time and not at another, and five hundred addresses, the last of
/// which is private.
#[test]
fn u09_rebinding_names() {
    let names = Names::by(|name, nth| {
        Ok(match name {
            "rb-1.example." if nth % 2 == 0 => ips(&[PUBLIC]),
            "many.example." => [ips(&[PUBLIC]).repeat(499), ips(&["10.0.0.1"])].concat(),
            _ => ips(&["10.0.0.1"]),
        })
    });
    let servers = Servers::saying(file("", FILE.as_bytes()));
    let fetcher = over(Guard::new(), &names, &servers);
    let strict = over(Guard::new().strict(), &names, &servers);
    paused(async {
        for round in 0..10 {
            let retrieval = timely(&fetcher, "http://rb-1.example/robots.txt", OVERRUN).await;
            if round % 2 == 0 {
                succeeds(&retrieval, FILE.as_bytes(), "public");
            } else {
                fails(&retrieval, Cause::Refused, "private");
            }
        }
        let many = "http://many.example/robots.txt";
        succeeds(
            &timely(&fetcher, many, OVERRUN).await,
            FILE.as_bytes(),
            "500",
        );
        fails(&timely(&strict, many, OVERRUN).await, Cause::Refused, "500");
        let alias = "http://alias.example/robots.txt";
        fails(
            &timely(&fetcher, alias, OVERRUN).await,
            Cause::Refused,
            "alias",
        );
    });
    assert_eq!(servers.connected().len(), 6);
    assert!(
        servers
            .connected()
            .iter()
            .all(|to| to.ip().to_string() == PUBLIC)
    );
}
