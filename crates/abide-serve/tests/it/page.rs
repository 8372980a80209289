//! The web page: how its files are served, and what people can do with it in Chromium, with and
//! without a service.
//!
//! `.ci/run` installs what the browser needs below the target folder.

use crate::client::{Answered, ask, get, post};
use crate::{config, run, site};
use abide::Usage;
use abide_contract::csv::CsvRow;
use abide_serve::Config;
use abide_testkit::fault::{ByteServer, Script, Step};
use abide_testkit::needs::{self, Browser};
use std::io::Read as _;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// A field that the answer has to have.
fn field<'a>(answer: &'a Answered, name: &str) -> &'a str {
    let found = answer.field(name);
    found.unwrap_or_else(|| panic!("no {name} in {}", answer.head))
}

/// The page writes each cell of a table in CSV as the commands do.
#[test]
fn cells_of_csv_are_those_of_the_commands() {
    // Node does not know the types.
    let source = include_str!("../../../../page/src/csv.ts")
        .replace(": string | null", "")
        .replace(": string", "");
    let texts = [
        "", "a", "a b", "=1", "+1", "-1", "@a", "\ta", "\ra", "\na", "'=1", "'a", "a=", "a,b",
        "a\"b", "=\"a\"", "ä",
    ];
    let expected = texts.map(|text| {
        let mut out = Vec::new();
        CsvRow::new(&mut out).text(text).unwrap();
        String::from_utf8(out).unwrap()
    });
    let given = serde_json::to_string(&texts).unwrap();
    let script = format!("{source}console.log(JSON.stringify([...{given}, null].map(csvCell)));\n");
    let mut node = Command::new("node");
    node.args(["--input-type=module", "--eval", &script]);
    let Ok(output) = node.output() else {
        needs::missing("cells_of_csv_are_those_of_the_commands", "node");
        return;
    };
    let cells: Vec<String> = serde_json::from_slice(&output.stdout).expect(&script);
    let (missing, cells) = cells.split_last().unwrap();
    assert_eq!((missing.as_str(), cells), ("", &expected[..]));
}

/// The page calls usages as the commands do.
#[test]
fn usages_have_the_words_of_the_commands() {
    let source = include_str!("../../../../page/src/words.ts").replace('\'', "");
    for usage in Usage::PREFERENCES {
        let (first, rest) = abide_analysis::words::usage(*usage).split_at(1);
        let word = format!("\n  {}: {}{rest},\n", usage.name(), first.to_uppercase());
        assert!(source.contains(&word), "{word}");
    }
}

/// The path of the script that the page names.
fn script(page: &Answered) -> String {
    let html = page.text();
    let name = html.split("src=\"./").nth(1).unwrap();
    format!("/{}", name.split('"').next().unwrap())
}

#[test]
fn the_page_has_a_strict_policy_and_its_files_are_kept_for_ever() {
    let service = run(&config());
    let page = get(service.address, "/");
    assert_eq!(page.status, 200);
    assert_eq!(field(&page, "content-type"), "text/html; charset=utf-8");
    assert_eq!(field(&page, "cache-control"), "no-cache");
    assert_eq!(field(&page, "x-content-type-options"), "nosniff");
    let policy = field(&page, "content-security-policy");
    assert!(policy.starts_with("default-src 'none';"), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    let script = get(service.address, &script(&page));
    assert_eq!(script.status, 200);
    assert_eq!(
        field(&script, "content-type"),
        "text/javascript; charset=utf-8"
    );
    assert!(field(&script, "cache-control").contains("immutable"));
    assert_ne!(field(&page, "etag"), field(&script, "etag"));
    assert_eq!(get(service.address, "/assets/none.js").status, 404);
    assert_eq!(post(service.address, "/", "{}").status, 405);
}

#[test]
fn a_browser_that_has_the_page_gets_no_body() {
    let service = run(&config());
    let etag = field(&get(service.address, "/"), "etag").to_owned();
    for (given, status) in [
        (etag.as_str(), 304),
        (etag.trim_start_matches("W/"), 304),
        (&format!("\"other\", {etag}"), 304),
        ("*", 304),
        ("\"other\"", 200),
        ("", 200),
    ] {
        let fields = [("If-None-Match", given)];
        let page = ask(service.address, "GET", "/", &fields, b"");
        assert_eq!(page.status, status, "{given}");
        assert_eq!(page.body.is_empty(), status == 304, "{given}");
        assert_eq!(field(&page, "etag"), etag);
    }
}

#[test]
fn files_are_compressed_for_those_that_say_so() {
    let service = run(&config());
    let path = script(&get(service.address, "/"));
    let plain = get(service.address, &path);
    assert_eq!(plain.field("content-encoding"), None);
    for (given, coding) in [
        ("gzip", Some("gzip")),
        ("deflate, GZIP;q=0.5", Some("gzip")),
        ("br;q=0, gzip", Some("gzip")),
        ("gzip, deflate, br, zstd", Some("br")),
        ("gzip; q=0", None),
        ("gzip;q=x", None),
        ("identity", None),
        ("*", None),
    ] {
        let fields = [("Accept-Encoding", given)];
        let answer = ask(service.address, "GET", &path, &fields, b"");
        assert_eq!(field(&answer, "vary"), "accept-encoding");
        assert_eq!(answer.field("content-encoding"), coding, "{given}");
        match coding {
            Some("gzip") => {
                let mut read = Vec::new();
                let mut decoder = flate2::read::GzDecoder::new(answer.body.as_slice());
                decoder.read_to_end(&mut read).unwrap();
                assert_eq!(read, plain.body, "{given}");
            }
            // The test in Chromium reads it.
            Some(_) => assert!(answer.body.len() * 3 < plain.body.len(), "{given}"),
            None => assert_eq!(answer.body, plain.body, "{given}"),
        }
    }
}

#[test]
fn people_can_use_the_page() {
    use_the_page("people_can_use_the_page", &[], 1_000);
}

#[test]
fn people_can_use_the_page_without_a_service() {
    let test = "people_can_use_the_page_without_a_service";
    if let Some(page) = static_page(test) {
        use_the_page(test, &["--static", &page], 1_000);
    }
}

#[test]
fn people_can_use_the_page_as_files() {
    let test = "people_can_use_the_page_as_files";
    if let Some(page) = static_page(test) {
        let only = "alone,panels,exact,sitemaps,sharing";
        let form = ["--static", &page, "--file", "--only", only];
        use_the_page(test, &form, 100);
    }
}

/// The folder with the page that needs no service.
fn static_page(test: &str) -> Option<String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../static-page");
    if !folder.join("index.html").is_file() {
        needs::missing(test, "the page that .ci/javascript page builds");
        return None;
    }
    Some(folder.to_str()?.to_owned())
}

/// Runs the checks of `page/check.mjs` on one form of the page.
fn use_the_page(test: &str, form: &[&str], fewest: u32) {
    // One browser at a time, so that none waits for the processor until its patience ends.
    static ONE: Mutex<()> = Mutex::new(());
    let Some(browser) = Browser::find(test, env!("CARGO_TARGET_TMPDIR")) else {
        return;
    };
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    let service = run(&Config {
        cache: Some(folder.path().join("cache").to_str().unwrap().to_owned()),
        ..config()
    });
    let ordinary = site("User-agent: *\nDisallow: /closed/\n");
    let lines = (0..20_000).map(|line| format!("Disallow: /page/{line:06}/with-a-name\n"));
    // The parsing limit is within the path of a rule.
    let lines = lines.collect::<String>();
    let long = site(&format!("# a long robots.txt.\nUser-agent: *\n{lines}"));
    let empty = site("");
    let missing = ByteServer::new(Script::always([
        Step::send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"),
        Step::Fin,
    ]));
    let home = site("<!DOCTYPE html>\n<html><head><title>Home</title></head></html>\n");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/page/check.mjs");
    let sites = [&ordinary, &long, &empty, &missing, &home].map(|site| site.url("/"));
    let mut pages = vec![format!("http://{}/", service.address)];
    pages.extend(sites);
    pages.extend(form.iter().map(|word| (*word).to_owned()));
    let said = browser.run(&script, &pages);
    let last = said.trim().lines().last().unwrap();
    let checks = last.strip_suffix(" checks").unwrap();
    assert!(checks.parse::<u32>().unwrap() > fewest, "{said}");
}
