//! `--sitemap` of check, explain and lint: sitemaps of files, of URLs, and those that a robots.txt
//! names. Every server is on loopback; another port is another host.

use crate::fetch::{Server, response};
use crate::site_owners::{folder, gzip, output_of};
use crate::{Ran, abide, abide_in};

/// A `urlset` of these URLs, in which `HOST` is the server that is asked.
fn urlset(urls: &[&str]) -> String {
    let urls = urls
        .iter()
        .map(|url| format!("<url><loc>{url}</loc></url>\n"));
    format!("<urlset>\n{}</urlset>\n", urls.collect::<String>())
}

fn index(urls: &[&str]) -> String {
    let urls = urls.iter();
    let urls = urls.map(|url| format!("<sitemap><loc>{url}</loc></sitemap>\n"));
    format!(
        "<sitemapindex>\n{}</sitemapindex>\n",
        urls.collect::<String>()
    )
}

/// A site with these files, in which `HOST` is the site and `OTHER` is `other`, and `QUERY` the
/// query of the request. A file whose name ends in `.gz` is compressed.
fn site(files: &[(&str, String)], other: Option<&Server>) -> Server {
    let other = other.map_or_else(String::new, host);
    let files: Vec<(String, String)> = files
        .iter()
        .map(|(path, text)| ((*path).to_owned(), text.replace("OTHER", &other)))
        .collect();
    Server::start_by_head(move |head| {
        let path = head.split(' ').nth(1).unwrap_or_default();
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let host = head.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("host").then_some(value)
        });
        let Some((_, text)) = files.iter().find(|(known, _)| known == path) else {
            return response("404 Not Found", "", "<html>not here");
        };
        let text = text.replace("HOST", host.unwrap()).replace("QUERY", query);
        if let Some(to) = text.strip_prefix("redirect ") {
            return response("301 Moved", &format!("Location: {to}\r\n"), "");
        }
        let body = if path.rsplit('.').next() == Some("gz") {
            gzip(&text)
        } else {
            text.into_bytes()
        };
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        [head.as_bytes(), &body].concat()
    })
}

fn host(server: &Server) -> String {
    server.url("").replace("http://", "")
}

/// What was printed, with names for the servers.
fn shown(ran: &Ran, servers: &[(&Server, &str)]) -> String {
    let mut text = output_of(ran);
    for (server, name) in servers {
        text = text.replace(&host(server), name);
    }
    text
}

fn shop() -> (Server, Server) {
    let other = site(
        &[("/robots.txt", "User-agent: *\nDisallow:\n".to_owned())],
        None,
    );
    let files = [
        (
            "/robots.txt",
            "User-agent: *\nDisallow: /cart/\n\nUser-agent: GPTBot\nDisallow: /\n\
             Allow: /sitemap\nAllow: /p.xml\n\
             Sitemap: http://HOST/sitemap.xml\n"
                .to_owned(),
        ),
        (
            "/sitemap.xml",
            index(&[
                "http://HOST/p.xml",
                "http://HOST/sitemap-2.xml.gz",
                // A loop, a sitemap that is listed twice, and one on another host.
                "http://HOST/sitemap.xml",
                "http://HOST/p.xml",
                "http://OTHER/theirs.xml",
            ]),
        ),
        (
            "/p.xml",
            urlset(&[
                "http://HOST/",
                "http://HOST/cart/1?a=1&amp;b=2",
                "http://OTHER/x",
            ]),
        ),
        (
            "/sitemap-2.xml.gz",
            "http://HOST/shoes\n\nhttp://HOST/cart/2\n".to_owned(),
        ),
    ];
    (site(&files, Some(&other)), other)
}

/// Which URLs are closed to which robot, by which rule, after the totals.
#[test]
fn the_sitemaps_that_a_robots_txt_names() {
    let (shop, other) = shop();
    let check = |more: &[&str]| {
        let robots = shop.url("");
        let args = [
            "check",
            "--allow-private",
            "-r",
            &robots,
            "--sitemap",
            "robots",
            "-a",
        ];
        abide(&[&args, more].concat(), b"")
    };
    let servers = [(&shop, "SHOP"), (&other, "OTHER")];
    let human = check(&["Googlebot,GPTBot"]);
    insta::assert_snapshot!("sitemaps_human", shown(&human, &servers));
    insta::assert_snapshot!(
        "sitemaps_csv",
        shown(&check(&["Googlebot,GPTBot", "--format", "csv"]), &servers)
    );
    let jsonl = ["Googlebot", "--format", "jsonl", "--only", "all", "-q"];
    insta::assert_snapshot!("sitemaps_jsonl", shown(&check(&jsonl), &servers));
    // Nothing is asked of a host that the robots.txt does not name.
    assert_eq!(other.paths(), Vec::<String>::new());
    let asked = shop.paths();
    let times = asked.iter().filter(|path| *path == "/p.xml").count();
    assert_eq!(times, 3, "once in each run: {asked:?}");
}

#[test]
fn explain_counts_and_lint_finds() {
    let (shop, other) = shop();
    let servers = [(&shop, "SHOP"), (&other, "OTHER")];
    let url = shop.url("");
    let explain = [
        "explain",
        "--allow-private",
        &url,
        "--sitemap",
        "robots",
        "-a",
        "Googlebot",
    ];
    insta::assert_snapshot!("sitemaps_explain", shown(&abide(&explain, b""), &servers));
    let lint = [
        "lint",
        "--allow-private",
        &url,
        "--sitemap",
        "robots",
        "--select",
        "sitemap-url-disallowed",
    ];
    insta::assert_snapshot!("sitemaps_lint", shown(&abide(&lint, b""), &servers));
    let one = shop.url("/sitemap-2.xml.gz");
    let folder = folder(&[("robots.txt", b"User-agent: *\nDisallow: /shoes\n")]);
    let lint = ["lint", "robots.txt", "--allow-private", "--sitemap", &one];
    let ran = abide_in(folder.path(), &lint, b"");
    assert!(
        ran.stdout.contains("disallows 1 of 2 URLs"),
        "{}",
        ran.told()
    );
}

/// The protocol lets the robots.txt of a site name a sitemap on another host ("cross submits"),
/// which then lists pages of the site.
#[test]
fn a_robots_txt_may_name_a_sitemap_on_another_host() {
    let files = site(
        &[
            ("/robots.txt", "User-agent: *\nDisallow:\n".to_owned()),
            (
                "/shop.xml",
                urlset(&[
                    "http://QUERY/cart/1",
                    "http://HOST/own",
                    "http://third.invalid/x",
                ]),
            ),
        ],
        None,
    );
    let shop = site(
        &[(
            "/robots.txt",
            "User-agent: *\nDisallow: /cart/\nSitemap: http://OTHER/shop.xml?HOST\n\
             Sitemap: /relative.xml\nSitemap: http://HOST/none.xml\n"
                .to_owned(),
        )],
        Some(&files),
    );
    let url = shop.url("");
    let args = [
        "check",
        "--allow-private",
        "-r",
        &url,
        "--sitemap",
        "robots",
        "-a",
        "f",
        "--only",
        "all",
    ];
    let ran = abide(&args, b"");
    insta::assert_snapshot!(
        "sitemaps_cross",
        shown(&ran, &[(&shop, "SHOP.example"), (&files, "FILES.example")])
    );
}

/// What cannot be read is said, and is never an answer.
#[test]
fn sitemaps_that_cannot_be_fetched() {
    let other = site(&[], None);
    let huge = " ".repeat((50 << 20) + 1);
    let deep: Vec<(String, String)> = (0..6)
        .map(|at| {
            (
                format!("/deep{at}.xml"),
                index(&[&format!("http://HOST/deep{}.xml", at + 1)]),
            )
        })
        .collect();
    let mut files = vec![
        (
            "/robots.txt",
            "User-agent: f\nDisallow: /secret.xml\n".to_owned(),
        ),
        ("/secret.xml", urlset(&[])),
        ("/away.xml", "redirect http://OTHER/s.xml".to_owned()),
        ("/moved.xml", "redirect http://HOST/ok.xml".to_owned()),
        ("/ok.xml", urlset(&["http://HOST/"])),
        ("/huge.xml.gz", huge),
        (
            "/bomb.xml",
            "<!DOCTYPE urlset [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><urlset/>".to_owned(),
        ),
        ("/page.xml", "<html>no sitemap".to_owned()),
        (
            "/latin.xml",
            "<urlset><url><loc>/\u{1b}[2J</loc></url></urlset>".to_owned(),
        ),
    ];
    files.extend(
        deep.iter()
            .map(|(path, text)| (path.as_str(), text.clone())),
    );
    let site = site(&files, Some(&other));
    let servers = [(&site, "SITE"), (&other, "OTHER")];
    let mut all = String::new();
    for name in [
        "none.xml",
        "secret.xml",
        "away.xml",
        "moved.xml",
        "huge.xml.gz",
        "bomb.xml",
        "page.xml",
        "latin.xml",
        "deep0.xml",
    ] {
        let url = site.url(&format!("/{name}"));
        let args = ["check", "--allow-private", "--sitemap", &url, "-a", "f"];
        let ran = abide(&args, b"");
        all.extend([format!("## {name}\n{}\n", shown(&ran, &servers))]);
    }
    insta::assert_snapshot!("sitemaps_unread", all);
    let url = site.url("/ok.xml");
    let refused = abide(&["check", "--sitemap", &url, "-a", "f"], b"");
    assert_eq!(refused.status, 3, "{}", refused.told());
    assert!(
        refused.stderr.contains("--allow-private"),
        "{}",
        refused.told()
    );
}

#[test]
fn flags_that_would_have_no_effect() {
    let folder = folder(&[
        ("robots.txt", b"User-agent: *\nDisallow: /x\n"),
        ("sitemap.xml", urlset(&["/x", "/y"]).as_bytes()),
        ("index.xml", index(&["https://e.example/1.xml"]).as_bytes()),
    ]);
    let mut all = String::new();
    for args in [
        &["check", "/x", "-r", "robots.txt", "--only", "all"][..],
        &["check", "--sitemap", "robots"],
        &["check", "--sitemap", "robots", "-r", "robots.txt"],
        &["check", "--sitemap", "index.xml", "-r", "robots.txt"],
        &["check", "--sitemap", "-", "-r", "-"],
        &["check", "--sitemap", "sitemap.xml", "-r", "robots.txt"],
        &[
            "check",
            "--urls",
            "sitemap.xml",
            "-r",
            "robots.txt",
            "--only",
            "disallowed",
        ],
        &["explain", "robots.txt", "--sitemap", "sitemap.xml"],
    ] {
        let ran = abide_in(folder.path(), &[args, &["-a", "f"]].concat(), b"");
        all.extend([format!("$ {}\n{}\n", args.join(" "), output_of(&ran))]);
    }
    insta::assert_snapshot!("sitemaps_flags", all);
}

/// A sitemap that robots.txt names twice is one sitemap, and entries that are no URLs leave the
/// others to be read.
#[test]
fn each_sitemap_is_read_once() {
    let twice = "User-agent: *\nDisallow: /x\nSitemap: http://HOST/s.xml\nSitemap: http://HOST/s.xml\n\
                 Sitemap: http://HOST/index.xml\n";
    let mut entries = vec!["relative.xml"; 1_500];
    entries.push("http://HOST/t.xml");
    let files = [
        ("/robots.txt", twice.to_owned()),
        ("/s.xml", urlset(&["http://HOST/x"])),
        ("/index.xml", index(&entries)),
        ("/t.xml", urlset(&["http://HOST/y"])),
    ];
    let server = site(&files, None);
    let url = server.url("/robots.txt");
    let args = [
        "check",
        "-r",
        &url,
        "--sitemap",
        "robots",
        "-a",
        "f",
        "--allow-private",
    ];
    let ran = abide(&args, b"");
    assert!(
        ran.stdout.contains("2 URLs in 2 sitemaps"),
        "{}",
        ran.told()
    );
    assert_eq!(
        ran.stderr.matches("relative.xml").count(),
        20,
        "{}",
        ran.told()
    );
    assert!(
        ran.stderr.contains("and 1,480 entries more"),
        "{}",
        ran.told()
    );
    let fetched = server.paths();
    let count = |path: &str| fetched.iter().filter(|one| *one == path).count();
    assert_eq!(["/s.xml", "/index.xml", "/t.xml"].map(count), [1, 1, 1]);
}

/// Cases may be about all pages of a sitemap.
#[test]
fn expectations_about_sitemaps() {
    let cases = |sitemap: &str| {
        format!(
            "[[case]]\nname = \"all pages\"\nagents = [\"Googlebot\", \"f\"]\nsitemap = \"{sitemap}\"\ncrawl = \"allowed\"\n"
        )
    };
    let folder = folder(&[
        ("site/robots.txt", b"User-agent: *\nDisallow: /x\n"),
        (
            "site/sitemap.xml",
            urlset(&["/x/1", "/y", "/x/2"]).as_bytes(),
        ),
        ("site/empty.xml", urlset(&[]).as_bytes()),
        ("site/odd.xml", urlset(&["www.e.example"]).as_bytes()),
    ]);
    let mut all = String::new();
    for sitemap in ["sitemap.xml", "empty.xml", "odd.xml", "none.xml", "robots"] {
        std::fs::write(folder.path().join("site/cases.toml"), cases(sitemap)).unwrap();
        let ran = abide_in(
            folder.path(),
            &["test", "site/cases.toml", "site/robots.txt"],
            b"",
        );
        all.extend(["## ", sitemap, "\n", &output_of(&ran), "\n"]);
    }
    insta::assert_snapshot!("sitemaps_test", all);
    let (shop, _other) = shop();
    std::fs::write(folder.path().join("cases.toml"), cases("robots")).unwrap();
    let url = shop.url("");
    let ran = abide_in(
        folder.path(),
        &["test", "cases.toml", &url, "--allow-private"],
        b"",
    );
    assert_eq!(ran.status, 1, "{}", ran.told());
    assert!(ran.stdout.contains("4 passed, 4 failed"), "{}", ran.told());
}
