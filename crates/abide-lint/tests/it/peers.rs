//! What other tools say, beside the tools themselves.

use abide_lint::peers::Peer;
use abide_testkit::vectors::{self, ComposedVector, DecisionVector};
use abide_testkit::{corpus, needs};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use robotstxt::RobotsParseHandler;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Every mistake that Lighthouse finds, and what only looks like one.
const MISTAKES: &str = "\
\u{feff}Disallow: /before\r\
User-agent:\r\n\
User-agent : *\n\
Disallow: private # a comment\n\
Disallow: /*.php$ \n\
Allow: /$1/x\n\
Allow: *x\n\
Allow:\n\
\u{a0}\u{2028}\n\
\u{85}\n\
no colon\n\
Sitemap: /sitemap.xml\n\
Sitemap: mailto:x@example.com\n\
Sitemap: ftp://example.com/x\n\
Sitemap: https://exa mple.com/\n\
Sitemap: HTTPS:example.com\n\
Sitemap: https://b\u{fc}cher.example/ x\n\
Sitemap: https://example.com:99999/\n\
Sitemap: https://[::1/\n\
Content-Signal: search=yes\n\
Content-Usage: train-ai=n\n\
CRAWL-DELAY: soon\n\
\u{212a}ey: x\n\
Clean-param: a\nHost: x\nRequest-rate: 1/2\nVisit-time: 1\nNoindex: /x\n\
License: https://example.com/license.xml\n\
#: x\n\
: x\n";

#[test]
fn lighthouse_is_predicted_line_by_line() {
    let modules = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../lighthouse");
    if !modules.join("node_modules/lighthouse-13").is_dir() {
        let packages = "the packages of crates/abide-lint/tests/lighthouse in target/lighthouse";
        needs::missing("lighthouse_is_predicted_line_by_line", packages);
        return;
    }
    let mut files = corpus::files();
    for (name, file) in vectors::load() {
        let decided = file.decision.iter().filter_map(DecisionVector::bytes);
        let composed = file.composed.iter().filter_map(ComposedVector::bytes);
        files.extend(decided.chain(composed).map(|bytes| (name.clone(), bytes)));
    }
    files.push(("mistakes".into(), MISTAKES.into()));
    // Lighthouse has no verdict about an empty file.
    files.retain(|(_, bytes)| !bytes.is_empty());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lighthouse/audit.mjs");
    let copy = modules.join("audit.mjs");
    std::fs::copy(script, &copy).unwrap();
    let mut node = Command::new("node")
        .arg(copy)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = node.stdin.take().unwrap();
    let lines: String = files
        .iter()
        .map(|(_, bytes)| format!("{}\n", STANDARD.encode(bytes)))
        .collect();
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()).unwrap());
    let output = node.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    let output = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.lines().count(), files.len());
    let mut errors = 0;
    for ((name, bytes), said) in files.iter().zip(output.lines()) {
        let said: Vec<(String, u32, String)> = serde_json::from_str(said).unwrap();
        let peers = [Peer::Lighthouse12, Peer::Lighthouse13].into_iter();
        let predicted: Vec<_> = peers
            .flat_map(|peer| {
                let complaints = peer.complaints(bytes).into_iter();
                complaints
                    .map(move |one| (peer.name().to_owned(), one.line, one.message.to_owned()))
            })
            .collect();
        assert_eq!(predicted, said, "{name}");
        errors += said.len();
    }
    println!(
        "{} files, {errors} errors of both versions, all predicted",
        files.len()
    );
}

/// The lines with fields that a parser does not use.
#[derive(Default)]
struct Unknown(Vec<u32>);

impl RobotsParseHandler for Unknown {
    fn handle_robots_start(&mut self) {}
    fn handle_robots_end(&mut self) {}
    fn handle_user_agent(&mut self, _: u32, _: &str) {}
    fn handle_allow(&mut self, _: u32, _: &str) {}
    fn handle_disallow(&mut self, _: u32, _: &str) {}
    fn handle_sitemap(&mut self, _: u32, _: &str) {}
    fn handle_unknown_action(&mut self, line: u32, _: &str, _: &str) {
        self.0.push(line);
    }
}

/// The longest line that google/robotstxt reads whole: 8 × 2,083 bytes, with the end.
const MAX_LINE_BYTES: usize = 16_663;

/// A line without its comment and the blanks around it.
fn stripped(line: &str) -> &str {
    line.split('#').next().unwrap_or(line).trim_ascii()
}

#[test]
fn googles_parser_is_predicted_line_by_line() {
    let mut compared = 0;
    for (name, bytes) in corpus::files() {
        // The port takes text alone, and C strings end at NUL.
        let Ok(text) = std::str::from_utf8(&bytes) else {
            continue;
        };
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if text.contains('\0') {
            continue;
        }
        // It looks for a key in front of blanks that google/robotstxt has stripped by then.
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let lines: Vec<&str> = text.split('\n').map(stripped).collect();
        // It cuts long lines in the middle of a character.
        if lines.iter().any(|line| line.len() > MAX_LINE_BYTES) {
            continue;
        }
        let text = lines.join("\n");
        let mut unknown = Unknown::default();
        robotstxt::parse_robotstxt(&text, &mut unknown);
        let predicted = Peer::Google.complaints(text.as_bytes());
        let lines: Vec<u32> = predicted.iter().map(|one| one.line).collect();
        assert_eq!(lines, unknown.0, "{name}");
        compared += lines.len();
    }
    println!("{compared} fields that Google's parser does not use");
}

#[test]
fn a_tool_is_named_with_or_without_its_version() {
    for (name, peer) in [
        ("lighthouse", Some(Peer::Lighthouse13)),
        ("lighthouse@13.5.0", Some(Peer::Lighthouse13)),
        ("lighthouse@13.1", Some(Peer::Lighthouse13)),
        ("lighthouse@13.0.3", Some(Peer::Lighthouse12)),
        ("lighthouse@12", Some(Peer::Lighthouse12)),
        ("google", Some(Peer::Google)),
        ("lighthouse@14", None),
        ("lighthouse@12.99", None),
        ("lighthouse@13.1.zzz", None),
        ("lighthouse@11.7", None),
        ("lighthouse@", None),
        ("lighthose", None),
    ] {
        assert_eq!(name.parse::<Peer>().ok(), peer, "{name}");
    }
    assert_eq!(
        "lighthose".parse::<Peer>().unwrap_err().to_string(),
        "abide does not know the tool \"lighthose\"; expected lighthouse, lighthouse@12, \
         lighthouse@13, google"
    );
}
