//! The guard: its table compared with the registries, and every spelling of an address.

use abide_fetch::guard::{AddressError, Guard, Network};
use abide_fetch::machine::Chain;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use url::Host;

fn refuses(address: &str) -> bool {
    Guard::new().check(address.parse().unwrap(), 443).is_err()
}

/// First and last address of each refused range, and their neighbours. The ranges are those of
/// IANA's special-purpose registries, plus those deprecated since, listed here independently.
#[test]
fn g_51_the_edges_of_every_range() {
    for (first, last) in [
        ("0.0.0.0", "0.255.255.255"),
        ("10.0.0.0", "10.255.255.255"),
        ("100.64.0.0", "100.127.255.255"),
        ("127.0.0.0", "127.255.255.255"),
        ("169.254.0.0", "169.254.255.255"),
        ("172.16.0.0", "172.31.255.255"),
        ("192.0.0.0", "192.0.0.255"),
        ("192.0.2.0", "192.0.2.255"),
        ("192.31.196.0", "192.31.196.255"),
        ("192.52.193.0", "192.52.193.255"),
        ("192.88.99.0", "192.88.99.255"),
        ("192.168.0.0", "192.168.255.255"),
        ("192.175.48.0", "192.175.48.255"),
        ("198.18.0.0", "198.19.255.255"),
        ("198.51.100.0", "198.51.100.255"),
        ("203.0.113.0", "203.0.113.255"),
        ("224.0.0.0", "255.255.255.255"),
    ] {
        let bits = |text: &str| text.parse::<Ipv4Addr>().unwrap().to_bits();
        let (first_bits, last_bits) = (bits(first), bits(last));
        for inside in [first_bits, last_bits, first_bits / 2 + last_bits / 2] {
            assert!(refuses(&Ipv4Addr::from_bits(inside).to_string()), "{first}");
        }
        for outside in [first_bits.checked_sub(1), last_bits.checked_add(1)]
            .into_iter()
            .flatten()
        {
            let address = Ipv4Addr::from_bits(outside);
            assert!(!refuses(&address.to_string()), "{address}");
        }
    }
    for (first, last, alone) in [
        ("::", "::1", true),
        ("100::", "100::1:ffff:ffff:ffff:ffff", true),
        ("64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", true),
        ("2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", true),
        ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", true),
        ("2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", true),
        ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", true),
        ("5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff", true),
        ("fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", true),
        ("fe80::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false),
        ("ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false),
    ] {
        let bits = |text: &str| text.parse::<Ipv6Addr>().unwrap().to_bits();
        let (first_bits, last_bits) = (bits(first), bits(last));
        for inside in [first_bits, last_bits, first_bits / 2 + last_bits / 2] {
            assert!(refuses(&Ipv6Addr::from_bits(inside).to_string()), "{first}");
        }
        let outside = [first_bits.checked_sub(1), last_bits.checked_add(1)];
        for outside in outside.into_iter().flatten().filter(|_| alone) {
            let address = Ipv6Addr::from_bits(outside);
            // The neighbours of loopback are IPv4 addresses of "this network".
            let embedded = address.segments()[..6] == [0; 6];
            assert_eq!(refuses(&address.to_string()), embedded, "{address}");
        }
    }
}

/// R8: an IPv4 address is treated alike in every wrapping.
#[test]
fn r8_addresses_inside_of_addresses() {
    for (v4, refused) in [
        ("127.0.0.1", true),
        ("10.0.0.1", true),
        ("169.254.169.254", true),
        ("192.168.1.1", true),
        ("93.184.216.34", false),
        ("8.8.8.8", false),
    ] {
        let [a, b, c, d] = v4.parse::<Ipv4Addr>().unwrap().octets();
        let (high, low) = (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]));
        for (wrapped, always) in [
            (format!("::ffff:{v4}"), false),
            (format!("::{v4}"), false),
            (format!("64:ff9b::{v4}"), false),
            (format!("2a00:1450::5efe:{v4}"), false),
            (format!("2a00:1450::200:5efe:{v4}"), false),
            (format!("64:ff9b:1::{v4}"), true),
            (format!("2002:{high:x}:{low:x}::1"), true),
            (format!("2001:0:{high:x}:{low:x}::1"), true),
            (format!("2001::{:x}:{:x}", !high, !low), true),
            (format!("fe80::5efe:{v4}"), true),
        ] {
            assert_eq!(refuses(&wrapped), refused || always, "{wrapped} for {v4}");
        }
    }
}

/// G-50, the part without sockets: hosts in every spelling, as literals and after every number of
/// hops, at many ports.
#[test]
fn g_50_spellings() {
    let mut cases = 0;
    for (bytes, refused) in [
        ([127_u8, 0, 0, 1], true),
        ([10, 1, 2, 3], true),
        ([169, 254, 169, 254], true),
        ([192, 168, 0, 1], true),
        ([172, 16, 0, 1], true),
        ([100, 64, 0, 1], true),
        ([0, 0, 0, 0], true),
        ([224, 0, 0, 1], true),
        ([93, 184, 216, 34], false),
    ] {
        for host in spellings(bytes) {
            for port in [80_u16, 443, 8080, 22, 25, 6379, 65_535] {
                for hops in 0..4 {
                    let chain = walk(&host, port, hops);
                    let url = chain.urls().last().unwrap();
                    let url = url::Url::parse(url.as_str()).unwrap();
                    let address: IpAddr = match url.host().unwrap() {
                        Host::Ipv4(address) => address.into(),
                        Host::Ipv6(address) => address.into(),
                        Host::Domain(name) => panic!("{host} is read as the name {name}"),
                    };
                    let asked = url.port_or_known_default().unwrap();
                    let said = Guard::new().check(address, asked);
                    let other_service = matches!(port, 22 | 25 | 6379);
                    assert_eq!(
                        said.is_err(),
                        refused || other_service,
                        "{host}:{port}: {said:?}"
                    );
                    cases += 1;
                }
            }
        }
    }
    assert!(cases >= 2_000, "{cases} cases");
}

/// Every way to write an IPv4 address in a URL that a resolver or browser is known to accept.
pub(crate) fn spellings([a, b, c, d]: [u8; 4]) -> Vec<String> {
    let whole = u32::from_be_bytes([a, b, c, d]);
    let low16 = u16::from_be_bytes([c, d]);
    let low24 = u32::from_be_bytes([0, b, c, d]);
    vec![
        format!("{a}.{b}.{c}.{d}"),
        format!("{a}.{b}.{c}.{d}."),
        format!("{whole}"),
        format!("0x{whole:x}"),
        format!("0X{whole:X}"),
        format!("0{whole:o}"),
        format!("{a}.{low24}"),
        format!("{a}.{b}.{low16}"),
        format!("0x{a:x}.0x{b:x}.0x{c:x}.0x{d:x}"),
        format!("0{a:o}.0{b:o}.0{c:o}.0{d:o}"),
        format!("0x{a:x}.{low24}"),
        format!("%{:02x}.{b}.{c}.{d}", b'0' + a % 10)
            .replace(&format!("%{:02x}", b'0' + a % 10), &a.to_string()),
        format!("[::ffff:{a}.{b}.{c}.{d}]"),
        format!("[::ffff:{:x}:{:x}]", whole >> 16, whole & 0xFFFF),
        format!("[64:ff9b::{a}.{b}.{c}.{d}]"),
        fullwidth(&format!("{a}.{b}.{c}.{d}")),
        format!("user:password@{a}.{b}.{c}.{d}"),
    ]
}

fn fullwidth(text: &str) -> String {
    text.chars()
        .map(|c| match c.to_digit(10) {
            Some(digit) => char::from_u32('０' as u32 + digit).unwrap(),
            None => '。',
        })
        .collect()
}

/// A chain of this many redirects that ends at the host.
fn walk(host: &str, port: u16, hops: usize) -> Chain {
    let settings = abide_fetch::machine::RetrievalSettings::default();
    let last = format!("http://{host}:{port}/robots.txt");
    if hops == 0 {
        return Chain::new(&last).unwrap();
    }
    let mut chain = Chain::new("http://start.example/robots.txt").unwrap();
    for hop in 1..hops {
        chain.follow(&[format!("http://hop{hop}.example/").as_bytes()], &settings);
    }
    chain.follow(&[last.as_bytes()], &settings);
    chain
}

/// The operator's settings: more can be refused freely, less only with a port.
#[test]
fn an_operator_s_lists() {
    let network = |text: &str, bits| Network::new(text.parse().unwrap(), bits);
    let guard = Guard::new()
        .deny(network("8.8.8.0", 24))
        .allow(network("10.1.0.0", 16), 8080);
    let check = |address: &str, port| guard.check(address.parse().unwrap(), port);
    assert!(matches!(
        check("8.8.8.8", 443),
        Err(AddressError::Denied { .. })
    ));
    assert!(matches!(
        check("::ffff:8.8.8.8", 443),
        Err(AddressError::Denied { .. })
    ));
    assert_eq!(check("10.1.2.3", 8080), Ok(()));
    assert!(check("10.1.2.3", 80).is_err() && check("10.2.0.1", 8080).is_err());
    assert!(matches!(
        check("8.8.4.4", 0),
        Err(AddressError::Port { port: 0 })
    ));
    assert!(
        Guard::open()
            .check("127.0.0.1".parse().unwrap(), 22)
            .is_ok()
    );
}

/// R10: a fetcher for URLs from strangers connects only to the ports of the web.
#[test]
fn r10_ports_of_the_web_alone() {
    let public = "93.184.216.34".parse().unwrap();
    let guard = Guard::new().web_ports_only();
    for port in [80, 443] {
        assert!(guard.check(public, port).is_ok());
    }
    for port in [0, 22, 25, 81, 6379, 8080, 8443, 65_535] {
        assert!(guard.check(public, port).is_err(), "{port}");
    }
    let allowed = guard.allow(Network::new(public, 32), 8_080);
    assert!(allowed.check(public, 8_080).is_ok() && allowed.check(public, 8_081).is_err());
}
