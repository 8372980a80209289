//! Mistakes of site owners, as public reports and real files show them: what the linter says, and
//! that it says nothing about what is right.

use abide_lint::{Context, Linter};

/// The findings in a file, as `severity[code] line: message`.
fn told(file: &str) -> Vec<String> {
    told_in(file, &Context::default())
}

fn told_in(file: &str, context: &Context) -> Vec<String> {
    let found = Linter::new().robots_txt(file.as_bytes(), context);
    let shown = found.iter().map(|finding| {
        let line = finding.line.unwrap_or_default();
        let (severity, code) = (finding.severity().name(), finding.rule.code());
        format!("{severity}[{code}] {line}: {}", finding.message)
    });
    shown.collect()
}

/// Whether the file has the finding: its beginning is `starts`.
#[track_caller]
fn finds(file: &str, starts: &str) {
    let told = told(file);
    let has = told.iter().any(|one| one.starts_with(starts));
    assert!(has, "{starts} in {file}: {told:#?}");
}

/// Whether no finding of the file has the code.
#[track_caller]
fn is_silent(file: &str, code: &str) {
    let told = told(file);
    let code = format!("[{code}]");
    let has = told.iter().any(|one| one.contains(&code));
    assert!(!has, "{code} in {file}: {told:#?}");
}

/// H1: closed sites with an `Allow` that lets nobody in.
#[test]
fn closed_means_closed() {
    for allowed in [
        "/robots.txt",
        "/robots.txt$",
        "/ads.txt",
        "/app-ads.txt\nAllow: /ads.txt",
        "/.well-known/",
        "/favicon.ico",
        "/apple-touch-icon.png",
        "/sitemap.xml",
        "/sitemap_index.xml",
    ] {
        let file = format!("User-agent: *\nDisallow: /\nAllow: {allowed}\n");
        finds(
            &file,
            "warning[site-closed] 2: the whole site is closed to every robot",
        );
        is_silent(&file, "home-page-closed");
    }
    // A robot that may read only such a file is not let in.
    let file =
        "User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nDisallow: /\nAllow: /ads.txt\n";
    finds(file, "warning[site-closed] 2: ");
    finds(
        file,
        "warning[site-closed] 5: the whole site is closed to Googlebot",
    );
    // Search robots that matter are outside, although another one is let in.
    let file = "User-agent: YandexBot\nAllow: /\n\nUser-agent: *\nDisallow: /\n";
    finds(file, "warning[site-closed] 5: ");
    let file =
        "User-agent: Googlebot\nUser-agent: bingbot\nAllow: /\n\nUser-agent: *\nDisallow: /\n";
    finds(file, "info[site-closed] 6: ");
}

#[test]
fn the_home_page_counts_whatever_else_is_allowed() {
    for (file, starts) in [
        (
            "User-agent: *\nDisallow: /$\n",
            "warning[home-page-closed] 2: the home page is closed to every robot without its own group",
        ),
        (
            "User-agent: *\nDisallow : /\nAllow: /a/\nAllow: /b/\n",
            "warning[home-page-closed] 2: ",
        ),
        (
            "User-agent: *\nDisallow: /a/\n\nUser-agent: bingbot\nDisallow: /\nAllow: /b/\n",
            "warning[home-page-closed] 5: the home page is closed to bingbot",
        ),
        (
            "User-agent: Googlebot\nUser-agent: bingbot\nDisallow:\n\nUser-agent: *\nDisallow: /\nAllow: /b/\n",
            "info[home-page-closed] 6: ",
        ),
    ] {
        finds(file, starts);
    }
    for file in [
        "User-agent: *\nDisallow: /a/\n",
        "User-agent: *\nDisallow: /\nAllow: /$\nAllow: /b/\n",
        "User-agent: GPTBot\nDisallow: /\nAllow: /b/\n",
    ] {
        is_silent(file, "home-page-closed");
    }
    let context = Context {
        robots: vec!["GPTBot".to_owned()],
        ..Context::default()
    };
    let told = told_in("User-agent: GPTBot\nDisallow: /\nAllow: /b/\n", &context);
    let is_it = |one: &String| one.starts_with("warning[home-page-closed] 2: ");
    assert!(told.iter().any(is_it), "{told:#?}");
}
