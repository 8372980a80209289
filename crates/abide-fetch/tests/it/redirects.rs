//! Redirects, hop by hop.

use abide::rep::Cause;
use abide_fetch::machine::{Chain, Hop, RetrievalSettings};

fn start() -> Chain {
    Chain::new("https://a.example/robots.txt").unwrap()
}

fn follow(chain: &mut Chain, location: &str) -> Result<String, Cause> {
    match chain.follow(&[location.as_bytes()], &RetrievalSettings::default()) {
        Hop::Follow(url) => Ok(url.to_string()),
        Hop::End(cause) => Err(cause),
    }
}

/// R1: five hops over schemes and authorities end at their target; the file still belongs to the
/// first authority.
#[test]
fn r1_five_hops() {
    let mut chain = start();
    for (location, expected) in [
        ("//b.example/r", "https://b.example/r"),
        ("/other", "https://b.example/other"),
        ("http://c.example:8080/x", "http://c.example:8080/x"),
        ("?q=1", "http://c.example:8080/x?q=1"),
        ("https://d.example", "https://d.example/"),
    ] {
        assert_eq!(follow(&mut chain, location).as_deref(), Ok(expected));
    }
    assert_eq!(chain.urls()[0].as_str(), "https://a.example/robots.txt");
    assert_eq!(chain.urls().len(), 6);
}

/// R2: a sixth hop, or a loop of any length, means a missing file.
#[test]
fn r2_too_many_and_loops() {
    let mut chain = start();
    for hop in 0..5 {
        assert!(follow(&mut chain, &format!("/{hop}")).is_ok());
    }
    assert_eq!(follow(&mut chain, "/6"), Err(Cause::RedirectLimit));
    assert_eq!(
        follow(&mut start(), "/robots.txt"),
        Err(Cause::RedirectLimit)
    );
    assert_eq!(follow(&mut start(), "#again"), Err(Cause::RedirectLimit));
    let mut chain = start();
    assert!(follow(&mut chain, "https://www.a.example/robots.txt").is_ok());
    assert_eq!(
        follow(&mut chain, "https://a.example/robots.txt"),
        Err(Cause::RedirectLimit)
    );
}

/// R5 and R6: a `Location` that is not a URL of the web makes the file unreachable.
#[test]
fn r5_and_r6_locations_that_lead_nowhere() {
    let long = format!("/{}", "a".repeat(9_000));
    for location in [
        "",
        " ",
        "/a\r\nX: y",
        "/a b",
        "/a\tb",
        "\u{85}/x",
        "http://",
        "https://",
        "http://[::1",
        "http://a.example:0/",
        "http://a.example:65536/",
        "file:///etc/passwd",
        "ftp://a.example/robots.txt",
        "gopher://a.example/",
        "data:text/plain,User-agent:%20*",
        "javascript:alert(1)",
        "http+unix://%2Ftmp%2Fs/",
        &long,
    ] {
        assert_eq!(
            follow(&mut start(), location),
            Err(Cause::BadRedirect),
            "{location:.40}"
        );
    }
    let settings = RetrievalSettings::default();
    assert_eq!(start().follow(&[], &settings), Hop::End(Cause::BadRedirect));
    assert_eq!(
        start().follow(&[b"/a", b"/b"], &settings),
        Hop::End(Cause::BadRedirect)
    );
    assert_eq!(
        start().follow(&[b"/\xFF"], &settings),
        Hop::End(Cause::BadRedirect)
    );
    assert_eq!(
        follow(&mut start(), "\\\\h.example/x").as_deref(),
        Ok("https://h.example/x")
    );
}

/// R7: user information is sent to no server.
#[test]
fn r7_user_information_is_dropped() {
    let mut chain = Chain::new("https://user:secret@a.example/robots.txt#top").unwrap();
    assert_eq!(chain.urls()[0].as_str(), "https://a.example/robots.txt");
    let next = follow(&mut chain, "https://other:secret@b.example/r");
    assert_eq!(next.as_deref(), Ok("https://b.example/r"));
}

/// R9: a redirect from https to http is followed and reported, or refused by choice.
#[test]
fn r9_downgrades() {
    let mut chain = start();
    assert!(follow(&mut chain, "http://a.example/robots.txt").is_ok());
    assert!(chain.is_downgraded());
    let strict = {
        let mut settings = RetrievalSettings::default();
        settings.follows_downgrade = false;
        settings
    };
    let hop = start().follow(&[b"http://a.example/robots.txt"], &strict);
    assert_eq!(hop, Hop::End(Cause::BadRedirect));
    let mut chain = Chain::new("http://a.example/robots.txt").unwrap();
    assert!(follow(&mut chain, "https://a.example/robots.txt").is_ok());
    assert!(!chain.is_downgraded());
}

/// R13: the statuses that redirect.
#[test]
fn r13_statuses_that_redirect() {
    let redirecting: Vec<u16> = (0..1_000)
        .filter(|status| Chain::redirects(*status))
        .collect();
    assert_eq!(redirecting, [301, 302, 303, 307, 308]);
}

/// R14: an authority has one spelling.
#[test]
fn r14_spellings_of_an_authority() {
    for url in [
        "HTTPS://A.Example/robots.txt",
        "https://a.example:443/robots.txt",
        "https://%61.example/robots.txt",
        "https://a.example/./robots.txt",
    ] {
        assert_eq!(
            Chain::new(url).unwrap().urls()[0].as_str(),
            "https://a.example/robots.txt",
            "{url}"
        );
    }
    assert!(Chain::new("ftp://a.example/robots.txt").is_err());
    assert!(Chain::new("/robots.txt").is_err());
}
