//! Records as bytes: any change to a written record is detected.

use super::record;
use abide::rep::Cause;
use abide_fetch::machine::{
    Event, Field, HopReport, ResponseTimes, RetrievalSettings, State, Trail,
};
use abide_fetch::{Body, Record, RecordError, RequestUrl, Resource, Seal};
use std::sync::Arc;
use std::time::Duration;

fn origin(host: &str) -> Resource {
    Resource::robots_txt(&format!("https://{host}/")).unwrap()
}

fn seals() -> [Seal; 2] {
    [Seal::checksum(), Seal::keyed(3, b"a secret of the fleet")]
}

fn sample() -> Record {
    record(&origin("a.example"), &"Disallow: /x\n".repeat(9), 1_000)
}

/// G-41 and s01: every flip of one bit, every prefix and every extra byte, with checksum and
/// signature.
#[test]
fn g_41_every_flip_and_every_prefix() {
    for seal in seals() {
        let record = sample();
        let bytes = record.to_bytes(&seal);
        let read = |bytes: &[u8]| Record::from_bytes(bytes, &record.resource, &seal);
        assert_eq!(read(&bytes), Ok(record.clone()));
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(read(&flipped).is_err(), "bit {bit}");
        }
        for length in 0..bytes.len() {
            assert!(read(&bytes[..length]).is_err(), "{length} bytes");
        }
        for more in 0..=255 {
            assert!(read(&[bytes.as_slice(), &[more]].concat()).is_err());
        }
    }
}

/// G-41, V12 and s01: the record of another key is rejected.
#[test]
fn g_41_swapped_keys() {
    for seal in seals() {
        let bytes = sample().to_bytes(&seal);
        for other in ["b.example", "a.example:8443", "xa.example", "a.exampl"] {
            let found = Record::from_bytes(&bytes, &origin(other), &seal);
            assert_eq!(found, Err(RecordError::Resource), "{other}");
        }
    }
}

/// V14 and s01: known versions are read, and later ones are recognised, whatever follows.
#[test]
fn v14_versions() {
    let seal = Seal::checksum();
    let bytes = sample().to_bytes(&seal);
    let version = |version: u8| {
        let mut other = bytes.clone();
        other[5] = version;
        Record::from_bytes(&other, &origin("a.example"), &seal)
    };
    assert_eq!(version(0), Err(RecordError::Shape));
    assert_eq!(version(2), Err(RecordError::Seal));
    assert_eq!(version(3), Err(RecordError::Seal));
    for later in 4..=255 {
        assert_eq!(version(later), Err(RecordError::Version(later)));
    }
}

/// V14: records that earlier versions of abide wrote are read, and this version writes the same
/// bytes. `stored.txt` has them with the version of their format; records are added, never changed.
#[test]
fn v14_records_of_every_version() {
    let origin = origin("a.example");
    let at = abide::Moment::from_unix_seconds;
    let settings = RetrievalSettings::default();
    let file = |body: fn(Vec<u8>) -> Body, bytes: &str| {
        let event = Event::file(bytes.as_bytes().to_vec(), &[], at(1_000)).with_body(body);
        State::default().after(event, &settings)
    };
    let failed = Event::failure(Cause::Status(503), at(2_000)).with_body(Body::new);
    let mut hop = HopReport::new(RequestUrl::new("https://a.example/robots.txt").unwrap());
    hop.address = Some("192.0.2.1:443".parse().unwrap());
    hop.status = Some(200);
    hop.took = Duration::from_millis(7);
    let mut before = HopReport::new(RequestUrl::new("http://a.example/robots.txt").unwrap());
    before.cause = Some(Cause::Network);
    before.failure = Some("no connection".to_owned());
    let fields = vec![("etag".to_owned(), b"\"a\xff\"".to_vec())];
    let trail = Trail::new(vec![before, hop], fields).map(Arc::new);
    let exact = Event::file(
        b"Disallow: /\n".to_vec(),
        &[],
        at(1_000).with_milliseconds(42),
    );
    let begs = Event::response(
        503,
        &[Field::new("Retry-After", b"600")],
        Vec::new(),
        ResponseTimes::at(at(2_000)),
        &settings,
    );
    let states = [
        (
            "trail and milliseconds",
            State::default().after(exact.with_body(Body::new).with_trail(trail), &settings),
        ),
        (
            "asks to wait",
            State::default().after(begs.with_body(Body::new), &settings),
        ),
        ("whole", file(Body::new, "User-agent: *\nDisallow: /x\n")),
        (
            "cut in a line",
            file(Body::cut, "User-agent: *\nDisallow: /xy"),
        ),
        (
            "cut between lines",
            file(Body::cut, "User-agent: *\nDisallow: /x\n"),
        ),
        (
            "outage",
            file(Body::new, "Disallow: /\n").after(failed, &settings),
        ),
    ];
    let stored = include_str!("stored.txt").lines();
    let mut read = Vec::new();
    for line in stored.filter(|line| !line.starts_with('#')) {
        let mut fields = line.split('\t');
        let (name, format, hex) = (
            fields.next().unwrap(),
            fields.next().unwrap(),
            fields.next().unwrap(),
        );
        let bytes: Vec<u8> = (0..hex.len())
            .step_by(2)
            .map(|place| u8::from_str_radix(&hex[place..place + 2], 16).unwrap())
            .collect();
        assert_eq!(bytes[5].to_string(), format, "{name}");
        let found = Record::from_bytes(&bytes, &origin, &Seal::checksum());
        let found = found.unwrap_or_else(|error| panic!("{name}: {error}"));
        let (_, state) = states.iter().find(|(known, _)| *known == name).unwrap();
        assert_eq!(found.state, *state, "{name}");
        read.push((name, bytes));
    }
    for (name, state) in states {
        let resource = origin.clone();
        let bytes = Record { resource, state }.to_bytes(&Seal::checksum());
        assert!(
            read.contains(&(name, bytes.clone())),
            "{name}\t{}\t{bytes:02x?}",
            bytes[5]
        );
    }
}

/// V13 and s01: a record that is unsigned, signed by others, under another name, or has a zero
/// checksum is rejected. A record with a key that is being replaced is accepted for as long as that
/// key is listed.
#[test]
fn v13_signatures() {
    let (record, fleet) = (sample(), Seal::keyed(2, b"new").with_older_key(1, b"old"));
    let read = |bytes: &[u8]| Record::from_bytes(bytes, &record.resource, &fleet);
    for forged in [
        Seal::checksum(),
        Seal::keyed(2, b"guess"),
        Seal::keyed(1, b"new"),
    ] {
        assert_eq!(read(&record.to_bytes(&forged)), Err(RecordError::Seal));
    }
    let foreign = record.to_bytes(&Seal::keyed(3, b"new"));
    assert_eq!(read(&foreign), Err(RecordError::Key(3)));
    let unkeyed = Record::from_bytes(&foreign, &record.resource, &Seal::checksum());
    assert_eq!(unkeyed, Err(RecordError::Key(3)));
    let mut blank = record.to_bytes(&Seal::checksum());
    let length = blank.len();
    blank[length - 32..].fill(0);
    assert_eq!(read(&blank), Err(RecordError::Seal));
    assert!(read(&record.to_bytes(&Seal::keyed(1, b"old"))).is_ok());
    assert!(read(&record.to_bytes(&Seal::keyed(2, b"new"))).is_ok());
}

/// s01: a length of 2³²−1 allocates nothing and is not a record, even if the seal is valid.
#[test]
fn s01_lengths_that_lie() {
    let record = sample();
    let bytes = record.to_bytes(&Seal::checksum());
    let unsealed = &bytes[..bytes.len() - 32];
    for at in 6..unsealed.len() - 4 {
        let mut lying = unsealed.to_vec();
        lying[at..at + 4].fill(0xFF);
        let seal = abide_fetch::BodyHash::of(&lying);
        lying.extend_from_slice(seal.as_bytes());
        // Some of these bytes are not a length: the result is never this record.
        let found = Record::from_bytes(&lying, &record.resource, &Seal::checksum());
        assert_ne!(found, Ok(record.clone()), "at {at}");
    }
}
