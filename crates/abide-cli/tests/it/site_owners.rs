//! Questions of those who run a site: a sitemap beside its rules, a robots.txt that nobody asks
//! for, and a site that answers tools otherwise than robots.

use crate::fetch::{Server, response};
use crate::many::without_rate;
use crate::{Ran, abide, abide_in};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write;
use std::path::Path;

const ROBOTS: &str =
    "User-agent: *\nDisallow: /api/\nSitemap: https://www.example.com/sitemap.xml\n";

const SITEMAP: &str = "<?xml version=\"1.0\"?>
<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">
<url><loc>https://www.example.com/</loc></url>
<url><loc>https://www.example.com/api/x?a=1&amp;b=2</loc></url>
</urlset>
";

/// A folder with these files.
pub(crate) fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

pub(crate) fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn output_of(ran: &Ran) -> String {
    let (stdout, stderr, status) = (&ran.stdout, without_rate(&ran.stderr), ran.status);
    format!("{stdout}--- stderr\n{stderr}--- status {status}")
}

/// Case 88: one row for each page of a sitemap, whatever its name and its compression.
#[test]
fn a_sitemap_beside_its_rules() {
    let many: String = (0..9)
        .map(|at| format!("<url><loc>https://www.example.com/api/{at}</loc></url>\n"))
        .collect();
    let many = SITEMAP.replace("</urlset>", &format!("{many}</urlset>"));
    let folder = folder(&[
        ("robots.txt", ROBOTS.as_bytes()),
        ("sitemap.xml", SITEMAP.as_bytes()),
        ("sitemap.xml.gz", &gzip(SITEMAP)),
        ("pages", &gzip(&format!("\u{feff}\n{SITEMAP}"))),
        (
            "urls.txt",
            b"https://www.example.com/\nhttps://www.example.com/api/x?a=1&b=2\n",
        ),
        ("urls.txt.gz", &gzip("/\n/api/x?a=1&b=2\n")),
        ("many.xml", many.as_bytes()),
    ]);
    let check = |list: &str, more: &[&str], stdin: &[u8]| {
        let args = [
            &["check", "--robots", "robots.txt", "--urls", list, "-a"],
            more,
        ]
        .concat();
        abide_in(folder.path(), &args, stdin)
    };
    let human = check("sitemap.xml", &["Googlebot"], b"");
    insta::assert_snapshot!("sitemap_human", output_of(&human));
    let jsonl = ["GPTBot,Googlebot", "--format", "jsonl"];
    insta::assert_snapshot!(
        "sitemap_jsonl",
        output_of(&check("sitemap.xml", &jsonl, b""))
    );
    insta::assert_snapshot!("sitemap_many", {
        let ran = check("many.xml", &["GPTBot,Googlebot", "--format", "csv"], b"");
        without_rate(&ran.stderr)
    });
    let csv = ["Googlebot", "--format", "csv"];
    let rows = |ran: Ran| (ran.stdout, ran.status);
    let expected = rows(check("urls.txt", &csv, b""));
    assert_eq!(expected.1, 1);
    assert_eq!(expected.0.lines().count(), 3, "{}", expected.0);
    for list in ["sitemap.xml", "sitemap.xml.gz", "pages"] {
        assert_eq!(rows(check(list, &csv, b"")), expected, "{list}");
        let bytes = fs::read(folder.path().join(list)).unwrap();
        assert_eq!(rows(check("-", &csv, &bytes)), expected, "{list} on stdin");
    }
    assert_eq!(check("urls.txt.gz", &csv, b"").stdout.lines().count(), 3);
    let quiet = check("sitemap.xml", &["Googlebot", "-q"], b"");
    assert_eq!(quiet.stderr, "");
    // Other lists of URLs can be sitemaps, too.
    let explained = ["explain", "robots.txt", "--urls", "sitemap.xml", "-a", "f"];
    let explained = abide_in(folder.path(), &explained, b"");
    assert!(
        explained.stdout.contains("f may crawl 1 of 2 URLs."),
        "{}",
        explained.told()
    );
    fs::write(folder.path().join("new.txt"), "User-agent: *\nDisallow:\n").unwrap();
    let compared = ["diff", "robots.txt", "new.txt", "--urls", "sitemap.xml"];
    let compared = abide_in(folder.path(), &compared, b"");
    assert!(
        compared.stdout.contains("/api/x?a=1&b=2"),
        "{}",
        compared.told()
    );
    let batch = [
        "batch",
        "-r",
        "robots.txt",
        "-a",
        "f",
        "sitemap.xml",
        "--format",
        "csv",
    ];
    assert_eq!(
        abide_in(folder.path(), &batch, b"").stdout.lines().count(),
        3
    );
}

/// Nothing of a sitemap is lost in silence: what cannot be read is an error with its line.
#[test]
fn sitemaps_that_cannot_be_read() {
    let folder = folder(&[("robots.txt", ROBOTS.as_bytes())]);
    let index = "<sitemapindex>\n<sitemap><loc>https://e.example/1.xml</loc></sitemap>\n\
        <sitemap><loc>https://e.example/2.xml.gz</loc></sitemap></sitemapindex>";
    let mut cut = gzip(SITEMAP);
    cut.truncate(cut.len() - 12);
    let broken = SITEMAP.replace("</loc></url>\n</urlset>", "</url>\n</urlset>");
    let too_many = "<url><loc>/</loc></url>".repeat(50_001);
    let too_many = format!("<urlset>{too_many}</urlset>");
    for (name, bytes, says) in [
        (
            "index.xml",
            index.as_bytes(),
            "error: index.xml is a sitemap index, which lists no pages; name it by its URL after --sitemap, \
             or save the 2 sitemaps that it lists and name each: https://e.example/1.xml, https://e.example/2.xml.gz\n",
        ),
        (
            "broken.xml",
            broken.as_bytes(),
            "error: broken.xml, line 4: it is not well-formed XML from here on, or it is too large\n",
        ),
        ("cut.xml.gz", &cut, "error: cannot read cut.xml.gz: "),
        (
            "many.xml",
            too_many.as_bytes(),
            "error: many.xml, line 1: it has more than 50000 URLs",
        ),
        (
            "feed.xml",
            b"<rss/>",
            "error: feed.xml, line 1: expected a sitemap, whose root element is urlset or sitemapindex, not rss\n",
        ),
    ] {
        fs::write(folder.path().join(name), bytes).unwrap();
        for args in [
            &["check", "-r", "robots.txt", "-a", "f", "--urls"][..],
            &["explain", "robots.txt", "-a", "f", "--urls"],
            &["lint", "robots.txt", "--sitemap"],
        ] {
            let ran = abide_in(folder.path(), &[args, &[name]].concat(), b"");
            assert_eq!(ran.status, 2, "{args:?} {}", ran.told());
            assert!(ran.stderr.starts_with(says), "{args:?} {}", ran.told());
            assert_eq!(ran.stdout, "", "{args:?} {name}");
        }
    }
    // A page without a URL, or with a text that is none, has a row.
    let odd = "<urlset>\n<url></url>\n<url><loc>www.example.com</loc></url>\n\
        <url><loc>/a\nb,\"c\u{85}</loc></url></urlset>";
    for format in ["human", "csv", "jsonl"] {
        let args = [
            "check",
            "-r",
            "robots.txt",
            "-a",
            "f",
            "--urls",
            "-",
            "--format",
            format,
        ];
        let ran = abide_in(folder.path(), &args, odd.as_bytes());
        assert_eq!(ran.status, 2);
        insta::assert_snapshot!(format!("sitemap_odd_{format}"), output_of(&ran));
    }
}

/// Case 88: the linter names the rules that disallow pages of a sitemap.
#[test]
fn rules_that_disallow_pages_of_a_sitemap() {
    let robots = "User-agent: *\nDisallow: /api/\n\nUser-agent: Googlebot\nUser-agent: Bingbot\nDisallow: /p/\n\
        Allow: /p/ok\n\nUser-agent: GPTBot\nDisallow: /\n";
    let pages: String = [
        "/api/1",
        "/p/1",
        "/p/2",
        "/p/3",
        "/p/x/../4",
        "/p/5",
        "/p/ok",
        "/",
    ]
    .iter()
    .map(|path| format!("<url><loc>https://e.example{path}</loc></url>"))
    .collect();
    let pages = format!("<urlset>{pages}</urlset>");
    let folder = folder(&[
        ("robots.txt", robots.as_bytes()),
        ("sitemap.xml.gz", &gzip(&pages)),
        ("more.txt", b"/api/2\nwww.e.example\n\n/api/1\n"),
        ("robots-abide.toml", b"robots = [\"GPTBot\"]\n"),
        ("closed.toml", b"allow-closed = true\n"),
    ]);
    let lint = |args: &[&str]| {
        let args = [
            &["lint", "robots.txt", "--select", "sitemap-url-disallowed"],
            args,
        ]
        .concat();
        abide_in(folder.path(), &args, b"")
    };
    let both = ["--sitemap", "sitemap.xml.gz", "--sitemap", "more.txt"];
    insta::assert_snapshot!("lint_sitemap", output_of(&lint(&both)));
    let one = lint(&["--sitemap", "more.txt", "--format", "jsonl"]);
    assert_eq!(one.stdout.lines().count(), 1, "{}", one.told());
    let own = lint(&["--sitemap", "more.txt", "--config", "robots-abide.toml"]);
    assert!(own.stdout.contains("for GPTBot: /api/2"), "{}", own.told());
    let closed = ["--sitemap", "more.txt", "--config", "closed.toml"];
    assert_eq!(lint(&closed).status, 0);
    assert_eq!(lint(&[]).status, 0);
    let none = abide_in(
        folder.path(),
        &["lint", "-H", "X-Robots-Tag: none", "--sitemap", "more.txt"],
        b"",
    );
    assert!(
        none.stderr.contains("--sitemap has no effect"),
        "{}",
        none.told()
    );
}

/// Case 89: robots ask for `/robots.txt`, so a file at another URL applies to nobody.
#[test]
fn a_robots_txt_below_the_root() {
    let closed = "User-agent: *\nDisallow: /\n";
    let server = Server::start(move |_| response("200 OK", "Content-Type: text/plain\r\n", closed));
    let below = server.url("/docs/robots.txt");
    let asked = server.url("/robots.txt");
    let says = format!("robots never ask for this file; they ask for {asked}");
    let lint =
        |url: &str, more: &[&str]| abide(&[&["lint", "--allow-private", url], more].concat(), b"");
    let ran = lint(&below, &[]);
    assert_eq!(ran.status, 1);
    assert!(
        ran.stdout
            .starts_with(&format!("warning[not-at-root]: {says}\n--> {below}\n")),
        "{}",
        ran.told()
    );
    for at_root in [
        server.url(""),
        server.url("/"),
        server.url("/robots.txt"),
        server.url("/x/../robots.txt"),
    ] {
        let ran = lint(&at_root, &["--select", "not-at-root"]);
        assert_eq!(ran.status, 0, "{}", ran.told());
    }
    for other in ["/robots.txt?x=1", "/robots.txt/", "/Robots.txt", "/robots"] {
        let ran = lint(&server.url(other), &["--select", "not-at-root"]);
        assert_eq!(ran.status, 1, "{}", ran.told());
    }
    // Whoever asks about such a file hears it, too.
    let warning = format!("warning: robots never ask for {below}; they ask for {asked}\n");
    for args in [
        &["explain", &below, "-a", "f"][..],
        &["check", "/x", "-a", "f", "-r", &below],
        &["matrix", &below],
        &["diff", &below, &asked],
    ] {
        let ran = abide(&[args, &["--allow-private"]].concat(), b"");
        assert!(ran.stderr.contains(&warning), "{args:?} {}", ran.told());
        let at_root: Vec<_> = args.iter().map(|arg| arg.replace(&below, &asked)).collect();
        let at_root: Vec<_> = at_root.iter().map(String::as_str).collect();
        let ran = abide(&[&at_root, &["--allow-private"][..]].concat(), b"");
        assert!(!ran.stderr.contains("never ask"), "{args:?} {}", ran.told());
    }
}

/// Case 89, for files: a note, and only where a folder above is the root of a site.
#[test]
fn files_below_the_root_of_a_site() {
    let open = &b"User-agent: *\nDisallow: /a/\n"[..];
    let noted = |files: &[&str], args: &[&str]| -> Vec<String> {
        let files: Vec<_> = files.iter().map(|name| (*name, open)).collect();
        let folder = folder(&files);
        let args = [
            &["lint", "--select", "not-at-root", "--format", "jsonl"],
            args,
        ]
        .concat();
        let ran = abide_in(folder.path(), &args, b"");
        assert_eq!(ran.status, 0, "a note fails nothing: {}", ran.told());
        let lines = ran.stdout.lines().map(|line| {
            let found: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(found["severity"], "info");
            found["file"].as_str().unwrap().to_owned()
        });
        lines.collect()
    };
    let site = [
        "site/robots.txt",
        "site/docs/robots.txt",
        "site/blog/de/robots.txt",
    ];
    let below = ["site/blog/de/robots.txt", "site/docs/robots.txt"];
    assert_eq!(noted(&site, &["site/"]), below);
    assert_eq!(
        noted(&site, &["site/docs/robots.txt"]),
        ["site/docs/robots.txt"]
    );
    for (files, args) in [
        // Folders of other names can be those of other sites.
        (
            &["robots.txt", "staging/robots.txt", "staging/a/robots.txt"][..],
            &["."][..],
        ),
        // No file is known above.
        (&["site/docs/robots.txt"], &["site/docs/robots.txt"]),
        // The usual places are roots.
        (&["robots.txt", "docs/robots.txt", "public/robots.txt"], &[]),
        (&["robots.txt", "apps/web/public/robots.txt"], &["."]),
        // Many files of many sites.
        (
            &["robots/robots.txt", "robots/e.example/robots.txt"],
            &["robots"],
        ),
        (
            &["robots/robots.txt", "robots/a/e.example.robots.txt"],
            &["robots"],
        ),
        (
            &["site/robots.txt", "site/docs/robots-staging.txt"],
            &["site"],
        ),
        (&["a/robots.txt", "b/robots.txt"], &["a", "b"]),
    ] {
        assert_eq!(noted(files, args), Vec::<String>::new(), "{files:?}");
    }
}

/// A site that answers by the `User-Agent` line.
fn picky(to_others: &'static str) -> Server {
    Server::start_by_head(move |head| {
        if head.contains("Mozilla") {
            response("200 OK", "", "User-agent: *\nDisallow: /private/\n")
        } else {
            response(to_others, "", "")
        }
    })
}

/// Case 74: one command fetches with two lines, shows both answers, and compares them.
#[test]
fn a_site_that_answers_by_user_agent() {
    let lines = [
        "--old-user-agent",
        "Mozilla/5.0 (X11)",
        "--new-user-agent",
        "OwnBot/2.1",
    ];
    let diff = |server: &Server, more: &[&str]| {
        let url = server.url("/");
        let args = [&["diff", &url, "--allow-private"], &lines[..], more].concat();
        let ran = abide(&args, b"");
        output_of(&ran).replace(&server.url(""), "http://SITE")
    };
    for (status, name) in [
        ("404 Not Found", "404"),
        ("403 Forbidden", "403"),
        ("503 Service Unavailable", "503"),
    ] {
        let server = picky(status);
        insta::assert_snapshot!(format!("user_agent_{name}"), diff(&server, &[]));
    }
    let server = picky("403 Forbidden");
    let json = diff(&server, &["--format", "json"]);
    assert!(
        json.starts_with("{\n") && json.contains("--- stderr\nold  200: "),
        "{json}"
    );
    // One line, and a file or abide's own line on the other side.
    let url = server.url("/");
    let folder = folder(&[("robots.txt", b"User-agent: *\nDisallow: /private/\n")]);
    let file = folder.path().join("robots.txt");
    let own = ["--allow-private", "--new-user-agent", "Mozilla/5.0"];
    let ask = |names: &[&str], more: &[&str]| abide(&[&["diff"], names, more].concat(), b"");
    assert_eq!(ask(&[file.to_str().unwrap(), &url], &own).status, 0);
    let ran = ask(&[&url], &own);
    assert!(
        ran.stdout.starts_with("old  403: ") && ran.status == 1,
        "{}",
        ran.told()
    );
    let ran = ask(&[&url, file.to_str().unwrap()], &own);
    assert!(
        ran.status == 2 && ran.stderr.contains("has no effect"),
        "{}",
        ran.told()
    );
    let closed = Server::start(|_| response("503 Service Unavailable", "", ""));
    let ran = ask(
        &[&closed.url("/")],
        &[&own[..], &["--old-user-agent", "a"]].concat(),
    );
    assert!(
        ran.status == 3 && ran.stderr.contains("both User-Agent lines"),
        "{}",
        ran.told()
    );
    let same = [
        "--allow-private",
        "--old-user-agent",
        "Mozilla/4",
        "--new-user-agent",
        "Mozilla/5",
    ];
    assert_eq!(ask(&[&url], &same).status, 0);
    let ran = ask(&[&url], &[&own[..], &["--cache", "c"]].concat());
    assert!(
        ran.status == 2 && !Path::new("c").exists(),
        "{}",
        ran.told()
    );
}
