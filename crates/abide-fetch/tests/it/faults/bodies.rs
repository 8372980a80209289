//! Faults in bodies (B): length, encoding, framing and type.

use super::network::{Names, Servers};
use super::{
    FILE, answer, counted, fails, fetch, file, from, paused, redirect, saying, strikes, succeeds,
    timely, unavailable,
};
use crate::http::{body, options, state, unreachable};
use abide::Policy;
use abide::rep::Cause;
use abide_fetch::guard::Guard;
use abide_fetch::http::{Fetcher, Retrieval};
use abide_fetch::machine::RetrievalSettings;
use abide_testkit::fault::{ByteServer, Script, Step, Toxic, Toxin};
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use proptest::prelude::*;
use std::io::Write;
use std::time::Duration;

const MAX_BYTES: usize = 512_000;
/// How much is read of a body without encoding (B1).
const WIRE: usize = 600 << 10;
/// A response head in these tests, and the part of a body that may arrive with it (B6).
const WITH_HEAD: usize = 4_096 + 512;

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(content).unwrap();
    packer.finish().unwrap()
}

/// Gzip of this many megabytes of zeros, generated without holding them in memory.
fn bomb(megabytes: usize) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    let zeros = vec![0; 1 << 20];
    for _ in 0..megabytes {
        packer.write_all(&zeros).unwrap();
    }
    packer.finish().unwrap()
}

fn packed(coding: &str, body: &[u8]) -> Retrieval {
    saying(file(&format!("Content-Encoding: {coding}\r\n"), body))
}

fn policy(retrieval: &Retrieval) -> Policy {
    let known = state(retrieval);
    let plan = known.plan(abide_fetch::http::now(), &RetrievalSettings::default());
    plan.current.policy(&crate::client())
}

#[test]
fn b1_without_end() {
    let line = "User-agent: *\nDisallow: /private\n".repeat(100);
    for fields in ["", "Content-Length: 99999999999\r\n"] {
        let head = format!("HTTP/1.1 200 OK\r\n{fields}\r\n");
        let (retrieval, read) = counted([Step::send(head), Step::endless(line.as_str())]);
        assert!(retrieval.is_cut, "{fields}");
        assert_eq!(body(&retrieval).len(), MAX_BYTES);
        assert!(!policy(&retrieval).allows("/private/x"));
        assert!(policy(&retrieval).allows("/p"), "the line that is cut");
        assert!((MAX_BYTES..=WIRE).contains(&read), "{fields}: {read} bytes");
    }
    let chunk = format!("{:x}\r\n{line}\r\n", line.len());
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    let (retrieval, read) = counted([Step::send(head), Step::endless(chunk)]);
    assert!(retrieval.is_cut && read <= WIRE, "{read} bytes");
    // A megabyte of one-byte chunks contains less than the limit and continues: its content is not
    // known.
    let (retrieval, read) = counted([Step::send(head), Step::endless("1\r\nx\r\n".repeat(500))]);
    fails(&retrieval, Cause::Truncated, "small chunks without end");
    assert!(read <= (1 << 20) + (96 << 10), "{read} bytes");
}

/// Files of about the limit: the last rule ends at it, one byte before it, and one byte after it.
#[test]
fn b2_at_the_limit() {
    let rule = "Disallow: /private/x\n";
    for (length, is_cut, is_whole) in [
        (MAX_BYTES - 1, false, true),
        (MAX_BYTES, false, true),
        // The byte after the limit is the line ending: the line is complete, and the client can see
        // that.
        (MAX_BYTES + 1, true, true),
        (MAX_BYTES + 2, true, false),
        (MAX_BYTES + rule.len(), true, false),
    ] {
        let start = "User-agent: *\n#";
        let filling = "x".repeat(length - start.len() - 1 - rule.len());
        let content = format!("{start}{filling}\n{rule}");
        assert_eq!(content.len(), length);
        let retrieval = saying(file("", content.as_bytes()));
        assert_eq!(retrieval.is_cut, is_cut, "{length}");
        let policy = policy(&retrieval);
        assert_eq!(policy.allows("/private/x"), !is_whole, "{length}");
        assert!(
            policy.allows("/p") && policy.allows("/private/"),
            "{length}"
        );
    }
}

/// H23: the limit applies to the unpacked content, not to the packed body.
#[test]
fn b3_and_h23_bombs() {
    let huge = bomb(200);
    assert!(huge.len() < 210_000, "{}", huge.len());
    let (retrieval, read) = counted([
        Step::Send(file("Content-Encoding: gzip\r\n", &huge)),
        Step::Fin,
    ]);
    assert!(retrieval.is_cut && read <= 256 << 10, "{read} bytes");
    assert_eq!(body(&retrieval).len(), MAX_BYTES);
    // Packed twice, and declared as such or not.
    let twice = gzip(&huge);
    for coding in ["gzip, gzip", "gzip,gzip,gzip", &["gzip"; 200].join(", ")] {
        fails(&packed(coding, &twice), Cause::Network, coding);
    }
    succeeds(&packed("gzip", &twice), &huge, "unpacked once");
    for coding in ["deflate", "br", "zstd", "compress"] {
        fails(&packed(coding, &huge), Cause::Network, coding);
    }
    // A file name of 64 KiB, and ten thousand empty members, before the file.
    let mut named = flate2::GzBuilder::new()
        .filename(vec![b'a'; 64 << 10])
        .write(Vec::new(), Compression::fast());
    named.write_all(FILE.as_bytes()).unwrap();
    let retrieval = packed("gzip", &named.finish().unwrap());
    if state(&retrieval).copy().is_some() {
        succeeds(&retrieval, FILE.as_bytes(), "a long name");
    } else {
        fails(&retrieval, Cause::Truncated, "a long name");
    }
    let members = [gzip(b"").repeat(10_000), gzip(FILE.as_bytes())].concat();
    succeeds(&packed("gzip", &members), FILE.as_bytes(), "empty members");
    let (retrieval, read) = counted([
        Step::send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"),
        Step::endless(gzip(b"").repeat(100)),
    ]);
    fails(&retrieval, Cause::Truncated, "empty members without end");
    assert!(read <= (1 << 20) + (64 << 10), "{read} bytes");
}

#[test]
fn b4_codings() {
    let good = gzip(FILE.as_bytes());
    for coding in ["gzip", "x-gzip", "GZIP", "gzip,", " , gzip"] {
        succeeds(&packed(coding, &good), FILE.as_bytes(), coding);
    }
    for coding in ["identity", "IDENTITY", ""] {
        succeeds(&packed(coding, FILE.as_bytes()), FILE.as_bytes(), coding);
    }
    for coding in [
        "gzip, gzip",
        "gzip, identity",
        "identity, gzip",
        "identity, identity",
        "gzip;q=1",
        "gzip gzip",
        "\"gzip\"",
        "aws-chunked",
        "chunked",
        "utf-8",
        "none",
        "gzip\r\nContent-Encoding: gzip",
        "identity\r\nContent-Encoding: gzip",
    ] {
        fails(&packed(coding, &good), Cause::Network, coding);
        fails(&packed(coding, FILE.as_bytes()), Cause::Network, coding);
    }
    // Packed but not declared: a file without a rule, like any other bytes.
    succeeds(&saying(file("", &good)), &good, "not said");
}

#[test]
fn b5_packed_and_broken() {
    let good = gzip(FILE.as_bytes());
    for at in 1..good.len() {
        fails(
            &packed("gzip", &good[..at]),
            Cause::Truncated,
            &format!("{at} bytes"),
        );
    }
    fails(&packed("gzip", b""), Cause::Truncated, "no byte at all");
    for at in [0, 1, 2, good.len() - 1, good.len() - 5, good.len() - 8] {
        let mut broken = good.clone();
        broken[at] ^= 0x55;
        fails(
            &packed("gzip", &broken),
            Cause::Truncated,
            &format!("byte {at}"),
        );
    }
    for behind in [&b"garbage"[..], &[0; 10], &good[..5]] {
        let behind = [&good, behind].concat();
        fails(
            &packed("gzip", &behind),
            Cause::Truncated,
            "something behind",
        );
    }
    let two = [good.clone(), gzip(b"Disallow: /y\n")].concat();
    let both = format!("{FILE}Disallow: /y\n");
    succeeds(&packed("gzip", &two), both.as_bytes(), "two members");
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
    zlib.write_all(FILE.as_bytes()).unwrap();
    let mut raw = DeflateEncoder::new(Vec::new(), Compression::fast());
    raw.write_all(FILE.as_bytes()).unwrap();
    for deflated in [zlib.finish().unwrap(), raw.finish().unwrap()] {
        fails(&packed("deflate", &deflated), Cause::Network, "deflate");
        fails(
            &packed("gzip", &deflated),
            Cause::Truncated,
            "deflate as gzip",
        );
    }
}

/// H24: of a redirect or an error, no more of the body is read than arrives with its head.
#[test]
fn b6_and_h24_bodies_of_redirects_and_errors() {
    let end = ByteServer::new(Script::saying(file("", FILE.as_bytes())));
    let filling = bomb(1).repeat(100);
    for (status, fields) in [
        ("301 Moved", format!("Location: {}\r\n", end.url("/a"))),
        ("404 Not Found", String::new()),
        ("503 Unavailable", String::new()),
        ("304 Not Modified", String::new()),
    ] {
        for framing in [
            "",
            "Content-Encoding: gzip\r\n",
            "Content-Length: 999999999\r\n",
        ] {
            let head = format!("HTTP/1.1 {status}\r\n{fields}{framing}\r\n");
            let steps = [Step::send(head), Step::endless(filling.clone())];
            let (retrieval, read) = counted(steps);
            match &status[..3] {
                "301" => succeeds(&retrieval, FILE.as_bytes(), status),
                "404" => assert_eq!(unavailable(&retrieval), Cause::Status(404)),
                _ => drop(unreachable(&retrieval)),
            }
            // The answer at the end of the redirect has some bytes, too.
            assert!(read <= WITH_HEAD + 200, "{status} {framing}: {read} bytes");
        }
    }
}

/// Whatever type the response declares, the file is read line by line, and the type is reported.
#[test]
fn b7_wrong_types() {
    let rules = "User-agent: *\nDisallow: /x\n";
    let captcha = format!("<html><form action=/captcha>\n{rules}</form></html>");
    let cases: [(&str, &[u8], bool); 5] = [
        ("text/html", captcha.as_bytes(), false),
        (
            "text/html; charset=utf-8",
            b"<!DOCTYPE html><p>Are you human?",
            true,
        ),
        (
            "application/pdf",
            b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\nstream\n",
            true,
        ),
        ("image/png", b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR", true),
        ("application/json", b"{\"robots\": null}", true),
    ];
    for (media_type, content, is_allowed) in cases {
        let retrieval = saying(file(&format!("Content-Type: {media_type}\r\n"), content));
        succeeds(&retrieval, content, media_type);
        assert_eq!(retrieval.media_type.as_deref(), Some(media_type));
        assert_eq!(policy(&retrieval).allows("/x"), is_allowed, "{media_type}");
    }
    assert_eq!(saying(file("", b"")).media_type, None);
    let odd = saying(file(
        "Content-Type: \u{e9}\u{202e};;\"\r\n",
        FILE.as_bytes(),
    ));
    succeeds(&odd, FILE.as_bytes(), "a type that is none");
}

/// The client passes bytes through unchanged: the engine interprets them (AMB-REP-11 to
/// AMB-REP-13).
#[test]
fn b8_encodings() {
    let wide = |little: bool| -> Vec<u8> {
        let bytes = |unit: u16| {
            if little {
                unit.to_le_bytes()
            } else {
                unit.to_be_bytes()
            }
        };
        FILE.encode_utf16().flat_map(bytes).collect()
    };
    for (what, content) in [
        ("UTF-16LE", wide(true)),
        ("UTF-16BE", wide(false)),
        (
            "UTF-16LE with BOM",
            [&[0xFF, 0xFE][..], &wide(true)].concat(),
        ),
        (
            "UTF-16BE with BOM",
            [&[0xFE, 0xFF][..], &wide(false)].concat(),
        ),
        (
            "UTF-8 with BOM",
            [b"\xEF\xBB\xBF", FILE.as_bytes()].concat(),
        ),
        ("UTF-7", b"+AFU-ser-agent: *\nDisallow: +AC8-x\n".to_vec()),
        (
            "EBCDIC",
            vec![
                0xE4, 0xA2, 0x85, 0x99, 0x60, 0x81, 0x87, 0x85, 0x95, 0xA3, 0x7A,
            ],
        ),
        ("NULs", b"User-agent: *\0\nDisallow: /x\0y\n\0\0\0".to_vec()),
        ("overlong", b"User-agent: *\nDisallow: \xC0\xAF\n".to_vec()),
        (
            "surrogates",
            b"User-agent: *\nDisallow: /\xED\xA0\x80\n".to_vec(),
        ),
        ("every byte", (0..=255).collect()),
    ] {
        let retrieval = saying(file("", &content));
        succeeds(&retrieval, &content, what);
        let policy = policy(&retrieval);
        assert!(policy.allows("/robots.txt"), "{what}");
        if what.contains("8 with BOM") {
            assert!(!policy.allows("/x"));
        }
    }
}

#[test]
fn b9_parts() {
    let range = "Content-Range: bytes 0-26/1000\r\n";
    let part = answer("HTTP/1.1 206 Partial Content", range, FILE.as_bytes());
    fails(&saying(part), Cause::Status(206), "206");
    let part = answer("HTTP/1.1 206 Partial Content", "", FILE.as_bytes());
    fails(&saying(part), Cause::Status(206), "206 without a range");
    fails(
        &saying(file(range, FILE.as_bytes())),
        Cause::Network,
        "200 with a range",
    );
    let server = ByteServer::new(Script::saying(file("", FILE.as_bytes())));
    fetch(&server.url("/robots.txt"));
    assert!(!server.requests()[0].to_ascii_lowercase().contains("range"));
}

/// The meaning of a file does not depend on the pieces in which it arrives.
#[test]
fn b10_pieces() {
    let content = "\u{feff}User-agent: *\r\nDisallow: /x\r\nAllow: /x/\u{e4}$\r\n";
    let single = content.as_bytes().chunks(1);
    let chunks: Vec<u8> = single
        .flat_map(|byte| [b"1\r\n", byte, b"\r\n"].concat())
        .collect();
    let head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    let whole = [&head[..], &chunks, b"0\r\n\r\n"].concat();
    succeeds(&saying(whole.clone()), content.as_bytes(), "byte by byte");
    let drip = Step::Drip(whole, 13, Duration::from_millis(1));
    let retrieval = from(Script::always([drip, Step::Fin]));
    succeeds(&retrieval, content.as_bytes(), "in drops");
    let server = ByteServer::new(Script::saying(file("", content.as_bytes())));
    let sliced = Toxic::before(server.address(), Toxin::Slicer(1, Duration::ZERO));
    succeeds(
        &fetch(&sliced.url("/robots.txt")),
        content.as_bytes(),
        "sliced",
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any pieces of any bytes, packed or not, give the same file.
    #[test]
    fn b10_any_pieces(
        content in prop::collection::vec(any::<u8>(), 0..2_000),
        cuts in prop::collection::vec(1_usize..300, 1..40),
        is_packed: bool,
    ) {
        let sent = if is_packed { gzip(&content) } else { content.clone() };
        let mut left = &sent[..];
        let fields = if is_packed { "Content-Encoding: gzip\r\n" } else { "" };
        let head = format!("HTTP/1.1 200 OK\r\n{fields}Transfer-Encoding: chunked\r\n\r\n");
        let mut message = head.into_bytes();
        for cut in cuts.iter().cycle() {
            let (chunk, rest) = left.split_at((*cut).min(left.len()));
            if chunk.is_empty() {
                break;
            }
            message.extend(format!("{:x}\r\n", chunk.len()).into_bytes());
            message.extend_from_slice(chunk);
            message.extend_from_slice(b"\r\n");
            left = rest;
        }
        message.extend_from_slice(b"0\r\n\r\n");
        let names = Names::all(&["93.184.216.34"]);
        let servers = Servers::saying(message);
        let settings = RetrievalSettings::default();
        let fetcher =
            Fetcher::with_network(Guard::new(), options(), settings, names, servers).unwrap();
        let url = "http://a.example/robots.txt";
        let retrieval = paused(timely(&fetcher, url, options().deadline));
        prop_assert_eq!(body(&retrieval), content);
    }
}

/// A body that is still arriving when the deadline expires is not a file.
#[test]
fn b11_a_slow_body() {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 8192\r\n\r\n";
    let drip = Step::Drip(
        FILE.repeat(400).into_bytes(),
        100,
        Duration::from_millis(100),
    );
    let slow = ByteServer::new(Script::always([Step::send(head), drip]));
    strikes(
        |options| &mut options.deadline,
        &slow.url("/robots.txt"),
        "1 KiB a second",
    );
    // After a redirect: one deadline covers both requests.
    let head = "HTTP/1.1 200 OK\r\n\r\n";
    let drip = Step::Drip(
        FILE.repeat(400).into_bytes(),
        100,
        Duration::from_millis(100),
    );
    let slow = ByteServer::new(Script::always([Step::send(head), drip]));
    let first = ByteServer::new(Script::saying(redirect(&slow.url("/a"))));
    strikes(
        |options| &mut options.deadline,
        &first.url("/robots.txt"),
        "the same, unframed",
    );
}
