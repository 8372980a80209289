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

/// H6: groups that block no AI robot say who is not blocked, and what to write.
#[test]
fn groups_that_block_no_ai_robot() {
    for (names, starts) in [
        (
            "User-agent: anthropic-ai\nUser-agent: Claude-Web\nUser-agent: cohere-ai",
            "warning[closes-no-robot] 1: anthropic-ai blocks nobody, because Anthropic does not list it any more; of Anthropic, ClaudeBot, Claude-User and Claude-SearchBot are not blocked; against AI training, write \"User-agent: ClaudeBot\"",
        ),
        (
            "User-agent: ChatGPT-User",
            "warning[closes-no-robot] 1: ChatGPT-User does not follow robots.txt; of OpenAI, GPTBot and OAI-SearchBot are not blocked; against AI training, write \"User-agent: GPTBot\"",
        ),
        (
            "User-agent: Claude-User",
            "info[closes-no-robot] 1: Claude-User only fetches pages for people who ask for them; of Anthropic, ClaudeBot is not blocked; against",
        ),
        (
            "User-agent: Claude",
            "warning[crawler-misspelt] 1: no known robot is called Claude; ClaudeBot, Claude-User and Claude-SearchBot of Anthropic do not follow this group; against AI training, write \"User-agent: ClaudeBot\"",
        ),
        (
            "User-agent: Anthropic AI",
            "warning[crawler-misspelt] 1: no known robot is called Anthropic AI; ClaudeBot,",
        ),
        (
            "User-agent: Gemini",
            "warning[crawler-misspelt] 1: no known robot is called Gemini; ",
        ),
        (
            "User-agent: Bard",
            "warning[crawler-misspelt] 1: no known robot is called Bard; ",
        ),
        (
            "User-agent: ChatGPT",
            "warning[crawler-misspelt] 1: no known robot is called ChatGPT; ",
        ),
        (
            "User-agent: all",
            "warning[crawler-misspelt] 1: no robot is called all, so this group is for nobody; for all robots, write \"User-agent: *\"",
        ),
        (
            "User-agent: Any",
            "warning[crawler-misspelt] 1: no robot is called Any, ",
        ),
        (
            "User-agent: GPTBot, CCBot, ClaudeBot",
            "warning[user-agent-line] 1: robots read only the first name, GPTBot: CCBot and ClaudeBot are not blocked; write one User-agent line for each",
        ),
        (
            "User-agent: AhrefsBot,SlySearch",
            "warning[user-agent-line] 1: robots read only the first name, AhrefsBot: SlySearch is not blocked;",
        ),
        (
            "User-agent: GPTBot",
            "info[training-robots-only] 1: GPTBot may not crawl, but AI models may be trained on the site by way of Google-Extended, Applebot-Extended, ClaudeBot, ",
        ),
    ] {
        finds(&format!("{names}\nDisallow: /\n"), starts);
    }
    for name in ["Gemini", "Bard"] {
        finds(
            &format!("User-agent: {name}\nDisallow: /\n"),
            &format!(
                "warning[crawler-misspelt] 1: no known robot is called {name}; Google-Extended, "
            ),
        );
    }
    let file = "User-agent: Bard\nDisallow: /\n";
    let told = told(file).concat();
    let write = "against AI training, write \"User-agent: Google-Extended\"";
    assert!(told.contains(write), "{told}");
    // Whoever blocks the robot in a group of its own has not forgotten it.
    let file = "User-agent: GPTBot, CCBot\nDisallow: /\n\nUser-agent: CCBot\nDisallow: /\n";
    finds(
        file,
        "warning[user-agent-line] 1: robots read only the first name, GPTBot: CCBot does not follow this group;",
    );
    // Names that are right.
    let file = "User-agent: ClaudeBot\nUser-agent: Allegro\nUser-agent: Anybot\nDisallow: /\n";
    for code in ["crawler-misspelt", "closes-no-robot", "user-agent-line"] {
        is_silent(file, code);
    }
    // Nothing is left open.
    let names = abide_known_robots::all()
        .iter()
        .map(|robot| format!("User-agent: {}\n", robot.token));
    is_silent(
        &format!("{}Disallow: /\n", names.collect::<String>()),
        "training-robots-only",
    );
}

/// No advice names a token that is gone, or a preference that no robot is documented to read.
#[test]
fn advice_names_only_what_works() {
    let legacy: Vec<_> = abide_known_robots::all()
        .iter()
        .filter(|robot| robot.is_legacy())
        .map(|robot| format!("\"User-agent: {}\"", robot.token))
        .collect();
    let mut files: Vec<String> = abide_known_robots::all()
        .iter()
        .flat_map(|robot| {
            [robot.token, robot.operator]
                .into_iter()
                .chain(robot.products.iter().copied())
        })
        .map(|name| format!("User-agent: {name}\nDisallow: /\n"))
        .collect();
    for key in [
        "noai",
        "ai-policy",
        "DisallowAITraining",
        "AllowAITraining",
        "usage-preference",
    ] {
        files.push(format!("User-agent: *\n{key}: /\nDisallow: /x/\n"));
    }
    for file in files {
        for told in told(&file) {
            let names_legacy = legacy.iter().any(|name| told.contains(name));
            assert!(
                !names_legacy && !told.contains("Content-Usage"),
                "{file}: {told}"
            );
        }
    }
}
