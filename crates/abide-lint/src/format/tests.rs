use super::{FormatError, format};
use abide::{Limits, Robots};

fn laid(text: &str) -> String {
    let formatted = format(text.as_bytes()).unwrap();
    let again = format(formatted.as_bytes()).unwrap();
    assert_eq!(again.as_bytes(), formatted.as_bytes(), "a second time");
    String::from_utf8(formatted.into_bytes()).unwrap()
}

/// What is laid out already.
fn stays(text: &str) {
    assert_eq!(laid(text), text);
}

#[test]
fn keys_are_written_as_the_specifications_write_them() {
    for (written, canonical) in [
        ("USER-AGENT:*", "User-agent: *"),
        ("user-agent-purpose : X", "User-Agent-Purpose: X"),
        ("ALLOW:\t/x", "Allow: /x"),
        ("  disallow:/", "Disallow: /"),
        ("app-DIRECTIVES:a;x=1", "App-Directives: a;x=1"),
        (
            "sitemap:https://e.example/s",
            "Sitemap: https://e.example/s",
        ),
        ("Crawl-Delay:1", "Crawl-delay: 1"),
        ("acap-CRAWLER:*", "ACAP-crawler: *"),
        ("acap-allow-CRAWL :/x", "ACAP-allow-crawl: /x"),
        (
            "ACAP-Disallow-Present-Snippet:/",
            "ACAP-disallow-present-snippet: /",
        ),
        ("acap-allow-(My-Cache):/", "ACAP-allow-(My-Cache): /"),
        (
            "Acap-ignore-conventional-Records",
            "ACAP-ignore-conventional-records",
        ),
        ("ACAP-Resource-Set:a /a", "ACAP-resource-set: a /a"),
        ("acap-request-TAKE-down:/a", "ACAP-request-take-down: /a"),
        ("ACAP-Unicorn:  x", "ACAP-Unicorn: x"),
    ] {
        assert_eq!(laid(written), format!("{canonical}\n"));
    }
}

/// Robots that keep to the letter read nothing in these lines, and would after a correction.
#[test]
fn spelling_is_not_corrected() {
    stays(
        "User-agent: *\nDisalow: /a\n\nuseragent: b\nuser agent: c\nApp-Directive: a;x=1\n\nSite-map: /x\n",
    );
    assert_eq!(
        laid("User-agent *\nDisallow\t /x"),
        "User-agent *\nDisallow /x\n"
    );
    stays("User-agent: *\nAllowed: /x\nDisallow-all: /\n");
}

#[test]
fn records_that_nobody_knows_keep_their_key() {
    assert_eq!(
        laid("HOST:e.example\nUser-agent: *\nclean-Param :a&b /c"),
        "HOST: e.example\n\nUser-agent: *\nclean-Param: a&b /c\n"
    );
}

#[test]
fn lines_that_are_no_fields_stay() {
    let text = "User-agent: *\nDisallow: /a\n  <a href=\"https://e.example/\">x</a>\nhttps://e.example/s.xml\n:\n: /x\nthree words here\nDisallow\n";
    stays(text);
}

#[test]
fn blanks() {
    assert_eq!(
        laid(
            " User-agent: *  \nDisallow:  /a b\t c # why  \nDisallow:#all\nAllow: /x#y\n   # own \n"
        ),
        "User-agent: *\nDisallow: /a b\t c # why\nDisallow: #all\nAllow: /x #y\n# own\n"
    );
}

#[test]
fn line_ends() {
    for text in [
        "User-agent: *\rDisallow: /\r",
        "User-agent: *\r\nDisallow: /",
        "User-agent: *\n\rDisallow: /",
    ] {
        assert_eq!(laid(text), "User-agent: *\nDisallow: /\n");
    }
}

#[test]
fn nothing_and_comments_alone() {
    assert_eq!(laid(""), "");
    assert_eq!(laid("\r\n \n\n"), "");
    assert_eq!(laid("\n#a  \n\n\n  # b\n#c\n\n"), "#a\n\n# b\n#c\n");
    assert_eq!(laid("\u{feff}"), "");
    assert_eq!(laid("\u{feff}\n"), "");
}

#[test]
fn one_empty_line_before_a_group_and_its_comments() {
    assert_eq!(
        laid(
            "# head\n# of file\n\n\n\n# for a\nUser-agent: a\nDisallow: /\n# for b\n# too\nUser-agent: b\nUser-agent: c\nAllow: /\nUser-agent: d\n"
        ),
        "# head\n# of file\n\n# for a\nUser-agent: a\nDisallow: /\n\n# for b\n# too\nUser-agent: b\nUser-agent: c\nAllow: /\n\nUser-agent: d\n"
    );
    // A comment that an empty line parts from the group belongs to what stands before it.
    stays("User-agent: a\nDisallow: /\n# end of a\n\nUser-agent: b\nDisallow: /\n");
}

#[test]
fn none_within_a_group_but_before_comments() {
    assert_eq!(
        laid(
            "User-agent: a\n\nUser-agent: b\n\n\nDisallow: /a\n\n\n# images\n\nDisallow: /i\n\nCrawl-delay: 3\n\n# abide: ignore empty-path\nDisallow:\n"
        ),
        "User-agent: a\nUser-agent: b\nDisallow: /a\n\n# images\nDisallow: /i\nCrawl-delay: 3\n\n# abide: ignore empty-path\nDisallow:\n"
    );
}

#[test]
fn sitemaps_stand_apart_from_the_group_before_them() {
    assert_eq!(
        laid(
            "User-agent: a\nDisallow: /\nSitemap: /1\nSitemap: /2\n\n\nSitemap: /3\nUser-agent: b\nSitemap: /4\nAllow: /\n# all\nSitemap: /5"
        ),
        "User-agent: a\nDisallow: /\n\nSitemap: /1\nSitemap: /2\n\nSitemap: /3\n\nUser-agent: b\nSitemap: /4\nAllow: /\n\n# all\nSitemap: /5\n"
    );
}

#[test]
fn acap_records_stand_apart() {
    assert_eq!(
        laid(
            "##ACAP version=1.0\nUser-agent: *\nDisallow: /\nACAP-resource-set: a /a\nacap-crawler: *\n\nACAP-crawler: b\n\nACAP-allow-crawl: /a\n\nACAP-usage-purpose: news\n\nACAP-allow-index: /b\nACAP-crawler: c\nACAP-disallow-crawl: /"
        ),
        "##ACAP version=1.0\nUser-agent: *\nDisallow: /\n\nACAP-resource-set: a /a\n\nACAP-crawler: *\nACAP-crawler: b\nACAP-allow-crawl: /a\n\nACAP-usage-purpose: news\nACAP-allow-index: /b\n\nACAP-crawler: c\nACAP-disallow-crawl: /\n"
    );
}

/// The rule behind the record belongs to the group before it: no empty line that would seem to end
/// this.
#[test]
fn conventional_lines_among_acap_lines_keep_their_place() {
    stays("User-agent: f\nDisallow: /a\nACAP-crawler: *\nACAP-disallow-crawl: /b\nDisallow: /c\n");
    stays(
        "User-agent: f\nDisallow: /a\n\nACAP-crawler: *\nACAP-disallow-crawl: /b\n\nDisallow: /c\n",
    );
}

#[test]
fn the_version_comment_stays_first() {
    assert_eq!(
        laid("\n\n##ACAP version=1.0\n\n# more\nACAP-crawler: *\nACAP-allow-crawl: /\n"),
        "##ACAP version=1.0\n\n# more\nACAP-crawler: *\nACAP-allow-crawl: /\n"
    );
}

#[test]
fn a_line_that_begins_like_a_byte_order_mark_is_not_made_one() {
    for text in [
        &b"\n\xEF\xBB\xBFUser-agent: *\nDisallow: /\nAllow: /x\n"[..],
        b"\xEF\xBB\xBF\xEF\xBB\xBFUser-agent: *\nDisallow: /\n",
        b"\n\xFF\xFE\nUser-agent: *\nDisallow: /\n",
        b"\xEF\xBB User-agent: *\nDisallow: /\nUser-agent: a\nDisallow: /b\n",
    ] {
        let formatted = format(text).unwrap();
        assert_eq!(format(formatted.as_bytes()).unwrap(), formatted);
    }
}

/// The readings part over these lines, so not a byte of them is touched.
#[test]
fn controls_and_very_long_lines_stay() {
    stays("User-agent: *\n disallow :/x\0y#z\nallow:\u{b} /y\n\u{c}disallow: /z\n");
    let long = format!("User-agent: *\n  allow:{}\n", "x".repeat(17_000));
    stays(&long);
    assert_eq!(
        laid("User-agent: *\nallow:/a\u{1}b"),
        "User-agent: *\nAllow: /a\u{1}b\n"
    );
}

/// Statements and the comments that explain them keep their words, their case and their places.
#[test]
fn pref_66_ai_preferences_stay() {
    stays("# (a)  If it says yes,   you may.\n#\n#  RESERVED, UNDER ARTICLE 4.\n\nUser-Agent: *\nContent-signal: Search=yes,AI-Train=no\nCONTENT-usage: /a train-ai=n,  search=y\nAllow: /\n\nlicense: https://l.example/A\n".replace("User-Agent", "User-agent").as_str());
    let parsed = |text: &str| Robots::parse(text.as_bytes());
    let file = "User-agent: a\nContent-Usage: train-ai=n\nAllow: /\nUser-agent: *\nAllow: /\n";
    let moved = "User-agent: a\nAllow: /\nUser-agent: *\nContent-Usage: train-ai=n\nAllow: /\n";
    for other in [
        moved.to_owned(),
        file.replace("Content-Usage: train-ai=n\n", ""),
        file.replace("=n", "=N"),
    ] {
        let proved = super::proof::same(&parsed(file), &parsed(&other));
        assert!(proved.is_err(), "{other}");
    }
}

/// The policy text of a managed file, as it is served: with blanks, CR LF and empty lines.
const POLICY: &str = "# As a condition of accessing this website, you agree to abide by  \r\n\
    # the following content signals:\t\r\n\r\n \r\n\
    \x20 # (a)  If a content-signal = yes, you may collect content for the use. \n\n\n\
    # ANY RESTRICTIONS EXPRESSED VIA CONTENT SIGNALS ARE EXPRESS RESERVATIONS OF\r\
    # RIGHTS UNDER ARTICLE 4 OF THE EUROPEAN UNION DIRECTIVE 2019/790  \r\n";

#[test]
fn pref_66_the_legal_comment_keeps_every_byte() {
    let rest = "user-agent:*\r\nContent-Signal:ai-train=no\r\nallow:/";
    let written = "User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n";
    for (before, between, kept) in [
        ("", "", ""),
        ("", "\r\n\r\n", "\n"),
        ("\u{feff}", "", ""),
        ("Sitemap:/s\r\n\r\n\r\n", "\n", "\n"),
        ("user-agent:a\r\nallow:/\r\n", "", ""),
    ] {
        let formatted = laid(&format!("{before}{POLICY}{between}{rest}"));
        let (start, end) = formatted.split_once(POLICY).expect("the comment stays");
        assert_eq!(end, format!("{kept}{written}"), "{before:?} {between:?}");
        assert!(!start.contains('\r'), "{start:?}");
    }
    // Inside a group, and at the end of a file.
    let group = laid(&format!("user-agent:*\r\n{POLICY}disallow:/a\r\n{POLICY}"));
    assert_eq!(
        group,
        format!("User-agent: *\n{POLICY}Disallow: /a\n{POLICY}")
    );
    // Other comments have no such right.
    assert_eq!(
        laid("# Content signals:  \r\nallow:/"),
        "# Content signals:\nAllow: /\n"
    );
}

#[test]
fn bytes_that_are_not_utf_8_are_kept() {
    let formatted = format(b"user-agent:*\ndisallow:/\xE4\xFF#\xE4").unwrap();
    assert_eq!(
        formatted.as_bytes(),
        b"User-agent: *\nDisallow: /\xE4\xFF #\xE4\n"
    );
}

#[test]
fn a_page_is_left_as_it_is() {
    let page = b"<!DOCTYPE html>\r\n<p style='color: red'>404\r\n\r\n\r\n</p>";
    let formatted = format(page).unwrap();
    assert!(!formatted.is_robots_txt());
    assert_eq!(formatted.as_bytes(), page);
}

#[test]
fn what_cannot_be_laid_out() {
    assert_eq!(format(b"\xFF\xFEU\0"), Err(FormatError::Utf16));
    assert_eq!(format(b"\xFE\xFF\0U"), Err(FormatError::Utf16));
    let limit = Limits::FLOOR;
    let file = |size: usize| {
        let mut file = b"User-agent:*\nDisallow:/\n".to_vec();
        file.resize(size, b'#');
        file
    };
    assert_eq!(
        format(&file(limit + 1)),
        Err(FormatError::TooLong { limit })
    );
    // Two blanks more than the limit has room for.
    assert_eq!(format(&file(limit)), Err(FormatError::TooLong { limit }));
    assert!(format(&file(limit - 3)).is_ok());
}
