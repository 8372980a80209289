//! Mistakes of site owners, as public reports and real files show them: what the linter says, and
//! that it says nothing about what is right.

use abide_lint::finding::Safety;
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
    assert!(abide_lint::rules::of(code).is_some(), "no rule {code}");
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
            "warning[closes-no-robot] 1: anthropic-ai blocks nobody, because Anthropic does not list it any more; this does not block ClaudeBot, Claude-User and Claude-SearchBot of Anthropic; against AI training, write \"User-agent: ClaudeBot\"",
        ),
        (
            "User-agent: ChatGPT-User",
            "warning[closes-no-robot] 1: ChatGPT-User does not follow robots.txt; this does not block GPTBot and OAI-SearchBot of OpenAI; against AI training, write \"User-agent: GPTBot\"",
        ),
        (
            "User-agent: Claude-User",
            "info[closes-no-robot] 1: Claude-User only fetches pages for people who ask for them; this does not block ClaudeBot of Anthropic; against",
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

/// What was written for people, or by a program for people.
#[test]
fn lists_remarks_and_invisible_characters() {
    for (file, starts) in [
        (
            "User-agent: *\nDisallow: /cart /checkout /account\n",
            "warning[several-paths] 2: 3 paths on one line",
        ),
        (
            "User-agent: *\nDisallow: /a|/b\n",
            "warning[several-paths] 2: two paths",
        ),
        (
            "User-agent: *\nDisallow: /c;\n",
            "info[several-paths] 2: robots read the ; at the end as part of the path; delete it",
        ),
        (
            "User-agent: *\nDisallow: /account // private\n",
            "warning[slash-comment] 2: // begins no comment",
        ),
        (
            "User-agent: * // everybody\nDisallow: /x\n",
            "warning[slash-comment] 1: ",
        ),
        (
            "User-agent:\u{a0}*\nDisallow: /cart\n",
            "error[invisible-character] 1: there is a no-break space at the edge of this value",
        ),
        (
            "User-agent: *\nDisallow:\u{a0}/cart\n",
            "error[invisible-character] 2: there is a no-break space",
        ),
        (
            "User-agent: *\nDisallow\u{a0}: /cart\n",
            "error[invisible-character] 2: there is a no-break space at the edge of this key",
        ),
        (
            "User-agent: *\nDisallow: /x/ \u{200e}\n",
            "error[invisible-character] 2: there is a left-to-right mark",
        ),
        (
            "User-agent: \u{201c}*\u{201d}\nDisallow: /cart\n",
            "error[invisible-character] 1: there is a curly quote",
        ),
        (
            "User-agent: *\\\nDisallow: /cart\\\n",
            "error[invisible-character] 1: there is a backslash",
        ),
        (
            "User-agent: *\nDisallow: /x\nNoindex: /x\n",
            "info[unknown-field] 3: robots ignore Noindex in robots.txt, and because of line 2 they never see tags of these pages; remove that Disallow and send <meta name=\"robots\" content=\"noindex\">",
        ),
        (
            "User-agent: *\nDisallow: /y\nNoindex: /x\n",
            "info[unknown-field] 3: robots ignore Noindex in robots.txt; send <meta",
        ),
        (
            "Crawl-delay: 10\nUser-agent: *\nDisallow: /p/\n",
            "error[rule-outside-group] 1: ",
        ),
    ] {
        finds(file, starts);
    }
    // One finding, and not what follows from it.
    for file in [
        "User-agent:\u{a0}*\nDisallow:\u{a0}/cart\n",
        "User-agent: *\nDisallow: /account // private\n",
    ] {
        for code in ["unreachable-group", "pattern-no-slash", "pattern-space"] {
            is_silent(file, code);
        }
    }
    // Latin-1.
    let found = Linter::new().robots_txt(b"User-agent: *\xa0\nDisallow: /x\n", &Context::default());
    let codes: Vec<_> = found.iter().map(|finding| finding.rule.code()).collect();
    assert_eq!(codes, ["invisible-character"]);
    // What is meant.
    for file in [
        "User-agent: *\nDisallow: /a,b\nDisallow: /*;\nDisallow: /a//b\nDisallow: /?x=1,\n",
        "User-agent: *\nDisallow: /caf\u{e9}/\nDisallow: /\u{65e5}\u{672c}\nDisallow: /\u{7ae0}\nDisallow: */\\\n",
    ] {
        for code in ["several-paths", "slash-comment", "invisible-character"] {
            is_silent(file, code);
        }
    }
    // The path is closed by its twin.
    let file = "User-agent: *\nDisallow: /a b/\nDisallow: /a%20b/\n";
    finds(file, "info[pattern-space] 2: ");
    finds(
        "User-agent: *\nDisallow: /a b/\n",
        "warning[pattern-space] 2: ",
    );
}

/// Rules that cost money.
#[test]
fn rules_that_close_more_or_less_than_was_meant() {
    for (file, starts) in [
        (
            "User-agent: *\nDisallow: /sitemap.xml\nSitemap: https://e.example/sitemap.xml\n",
            "warning[sitemap-disallowed] 3: line 2 disallows this sitemap for every robot without its own group",
        ),
        (
            "User-agent: Googlebot\nDisallow: /*.xml$\nSitemap: /sitemap.xml\n",
            "warning[sitemap-disallowed] 3: line 2 disallows this sitemap for Googlebot",
        ),
        (
            "User-agent: *\nDisallow: /a/\nSitemap: https://staging.e.example/sitemap.xml\n",
            "warning[sitemap-other-host] 3: the sitemap is on \"staging.e.example\"",
        ),
        (
            "User-agent: *\nDisallow: /?sid=\n",
            "info[matches-only-root] 2: this matches the home page with this query alone; for every page, write \"/*?sid=\"",
        ),
        (
            "User-agent: *\nDisallow: /?sort=\n",
            "info[matches-only-root] 2: ",
        ),
        (
            "User-agent: *\nDisallow: /&filter=\n",
            "info[matches-only-root] 2: this matches only addresses that begin with \"/&filter=\"; for every page, write \"/*&filter=\"",
        ),
        (
            "User-agent: *\nDisallow: /p\n",
            "info[short-prefix] 2: \"/p\" also disallows paths such as /pages and /products; if you mean the folder, write \"/p/\"",
        ),
        (
            "User-agent: *\nDisallow: /de\nDisallow: /delivery/*?x\n",
            "info[short-prefix] 2: \"/de\" also disallows ",
        ),
        (
            "User-agent: AdsBot-Google\nDisallow: /\n",
            "info[ads-robot-closed] 2: AdsBot-Google may not crawl the site. Blocking it stops Google Ads from checking the quality of the site's landing pages",
        ),
    ] {
        finds(file, starts);
    }
    finds(
        "User-agent: *\nDisallow: /checkout/\n\nUser-agent: Googlebot\nDisallow: /x/\n",
        "warning[own-group-drops-rules] 4: Googlebot follows only its own group",
    );
    finds(
        "User-agent: *\nDisallow: /print/\n\nUser-agent: Googlebot\nDisallow: /x/\n",
        "info[own-group-drops-rules] 4: ",
    );
    for (file, code) in [
        (
            "User-agent: *\nDisallow: /sitemap.xml\n",
            "sitemap-disallowed",
        ),
        (
            "User-agent: *\nDisallow: /\nSitemap: https://e.example/sitemap.xml\n",
            "sitemap-disallowed",
        ),
        (
            "User-agent: *\nDisallow: /a/\nSitemap: https://test.example/sitemap.xml\n",
            "sitemap-other-host",
        ),
        (
            "User-agent: *\nDisallow: /?s=\nDisallow: /?\nDisallow: /?sid=\nDisallow: /*?sid=\nAllow: /?x=\n",
            "matches-only-root",
        ),
        (
            "User-agent: *\nDisallow: /p/\nDisallow: /de$\nDisallow: /q\nAllow: /questions\n",
            "short-prefix",
        ),
        (
            "User-agent: Mediapartners-Google\nDisallow:\n\nUser-agent: *\nDisallow: /cart\n",
            "own-group-drops-rules",
        ),
        (
            "User-agent: AdsBot-Google\nDisallow: /internal/\n",
            "ads-robot-closed",
        ),
        ("User-agent: *\nDisallow: /\n", "ads-robot-closed"),
    ] {
        is_silent(file, code);
    }
    let of_site = |site: &str| {
        let context = Context {
            url: Some(site.to_owned()),
            ..Context::default()
        };
        told_in(
            "User-agent: *\nDisallow: /s/\nSitemap: https://staging.e.example/s/sitemap.xml\n",
            &context,
        )
        .concat()
    };
    let (own, other) = (
        of_site("https://staging.e.example/"),
        of_site("https://e.example/"),
    );
    assert!(
        !own.contains("other-host") && own.contains("sitemap-disallowed"),
        "{own}"
    );
    assert!(
        other.contains("other-host") && !other.contains("sitemap-disallowed"),
        "{other}"
    );
    // Most sites redirect from one of the two to the other.
    let with_www = of_site("https://www.staging.e.example/");
    assert_eq!(with_www, own);
}

/// H5: folders from which pages load what they need.
#[test]
fn folders_of_resources_are_known_by_name() {
    for (folder, starts) in [
        (
            "/wp-content/",
            "search robots cannot load style sheets, scripts and images, and may see a broken page: WordPress",
        ),
        (
            "/wp-includes/",
            "search robots cannot load style sheets and scripts, and may see a broken page: WordPress",
        ),
        (
            "/_next/",
            "search robots cannot load style sheets, scripts and images, and may see a broken page: Next.js",
        ),
        (
            "/_nuxt/",
            "search robots cannot load style sheets and scripts, and may see a broken page: Nuxt",
        ),
        (
            "/modules/",
            "if this site is made with Drupal, it keeps its style sheets and scripts here: search robots cannot load them, and may see a broken page",
        ),
        (
            "/cdn/",
            "if this site is made with Shopify, it keeps its style sheets, scripts and images here: search robots cannot load them, and may see a broken page",
        ),
        (
            "/skin/",
            "if this site is made with Magento, it keeps its style sheets, scripts and images here: search robots cannot load them, and may see a broken page",
        ),
        (
            "/etc/",
            "if this site is made with Adobe Experience Manager, it keeps its style sheets and scripts here: search robots cannot load them, and may see a broken page",
        ),
        (
            "/libs",
            "if this site is made with Adobe Experience Manager, it keeps its style sheets and scripts here: search robots cannot load them, and may see a broken page",
        ),
        (
            "/fileadmin/",
            "if this site is made with TYPO3, it keeps its images here: search robots cannot load them, and may see a broken page",
        ),
        (
            "/typo3temp/",
            "if this site is made with TYPO3, it keeps its style sheets, scripts and images here: search robots cannot load them, and may see a broken page",
        ),
        (
            "/static/",
            "search robots cannot load style sheets and scripts",
        ),
        (
            "/assets/",
            "search robots cannot load style sheets and scripts",
        ),
        (
            "/themes/",
            "search robots cannot load style sheets and scripts",
        ),
        (
            "/templates",
            "search robots cannot load style sheets and scripts",
        ),
        (
            "/app_themes/",
            "search robots cannot load style sheets and scripts",
        ),
        (
            "/dist/",
            "search robots cannot load style sheets and scripts",
        ),
        ("/style", "search robots cannot load style sheets"),
    ] {
        let file = format!("User-agent: *\nDisallow: {folder}\n");
        finds(&file, &format!("info[resources-blocked] 2: {starts}"));
    }
    for file in [
        "User-agent: *\nDisallow: /core/\nAllow: /core/*.css\nAllow: /core/*.js\n",
        "User-agent: *\nDisallow: /docs/core/\nDisallow: /scripts/\n",
        "User-agent: GPTBot\nDisallow: /wp-content/\n",
    ] {
        is_silent(file, "resources-blocked");
    }
    finds(
        "User-agent: *\nDisallow: /*.js$\n",
        "warning[resources-blocked] 2: ",
    );
}

/// M9: notes that help nobody.
#[test]
fn notes_are_left_out_where_they_help_nobody() {
    for (file, code) in [
        ("User-agent: *\nAllow: /\n", "redundant-rule"),
        ("User-agent: *\nAllow: /\nDisallow: /x\n", "redundant-rule"),
        (
            "User-agent: *\nDisallow: /user/password/\nDisallow: /password/reset\n",
            "discloses-path",
        ),
    ] {
        is_silent(file, code);
    }
    finds("User-agent: *\nAllow: /x\n", "info[redundant-rule] 2: ");
    // A short prefix doubts only rules about the same letters.
    finds(
        "User-agent: *\nDisallow: /s\nAllow: /x\n",
        "info[redundant-rule] 3: ",
    );
    finds(
        "User-agent: *\nDisallow: /passwords.txt\n",
        "info[discloses-path] 2: ",
    );
    let file = "User-agent: Google-Extended\nDisallow: /\n\nUser-agent: *\nDisallow: /x/\n";
    let told = told(file);
    let by_star = told
        .iter()
        .filter(|one| one.contains("[control-token-by-star]"));
    assert_eq!(by_star.count(), 1, "{told:#?}");
}

/// What an unsafe fix of the file writes.
fn fixed(file: &str) -> String {
    let linter = Linter::new().select(["invisible-character"]).unwrap();
    let fixed = linter.fixed(file.as_bytes(), &Context::default(), Safety::Unsafe);
    String::from_utf8(fixed.bytes).unwrap()
}

/// A character behind `/` or `*` may be meant: without it, the rule would close the whole site.
#[test]
fn no_cure_closes_the_site() {
    for path in ["/*\u{201d}", "/*\\", "/\u{201d}", "/\u{200b}", "/a*\u{a0}"] {
        for key in ["Disallow", "Allow"] {
            let file = format!("User-agent: *\n{key}: {path}\n");
            is_silent(&file, "invisible-character");
            assert_eq!(fixed(&file), file);
        }
    }
    is_silent("User-agent: *\nWibble\u{a0}: x\n", "invisible-character");
    for (file, right) in [
        (
            "User-agent: *\nDisallow:\u{a0}/\n",
            "User-agent: *\nDisallow:/\n",
        ),
        (
            "User-agent: *\\\nDisallow: /a\\\n",
            "User-agent: *\nDisallow: /a\n",
        ),
        (
            "\u{201c}User-agent: *\u{201d}\n\u{201c}Disallow: /*\u{201d}\n",
            "User-agent: *\nDisallow: /*\n",
        ),
        (
            "User-agent: *\nHost\u{a0}: e.example\n",
            "User-agent: *\nHost: e.example\n",
        ),
    ] {
        assert_eq!(fixed(file), right, "{file}");
    }
}

/// No finding advises what the file has, or what does not help.
#[test]
fn advice_is_not_followed_yet() {
    let mariner = "User-agent: GoogleAgent-Mariner\n";
    for names in [
        "User-agent: GoogleAgent-Mariner\nUser-agent: Google-Agent\nUser-agent: Google-Extended\n",
        "User-agent: Google-Agent\nUser-agent: Google-Extended\n",
    ] {
        is_silent(&format!("{names}Disallow: /\n"), "closes-no-robot");
    }
    finds(
        &format!("{mariner}Disallow: /\n"),
        "warning[closes-no-robot] 1: GoogleAgent-Mariner blocks nobody, because Google does not list it any more; Google-Agent, which Google has instead, does not follow robots.txt",
    );
    // The whole site is opened only if that is what the file says.
    finds(
        "User-agent: *\nDisallow: /\nNoindex: /old/\n",
        "info[unknown-field] 3: robots ignore Noindex in robots.txt, and because of line 2 they never see tags of these pages; add \"Allow: /old/\" and send <meta",
    );
}

/// Each robot with the line that keeps it from the sitemap.
#[test]
fn the_line_that_closes_a_sitemap() {
    let file = "User-agent: Googlebot\nDisallow: /*.xml$\n\nUser-agent: *\nDisallow: /sitemap\nSitemap: /sitemap.xml\n";
    for starts in [
        "warning[sitemap-disallowed] 6: line 2 disallows this sitemap for Googlebot",
        "warning[sitemap-disallowed] 6: line 5 disallows this sitemap for every robot without its own group",
    ] {
        finds(file, starts);
    }
    let told = told(file).concat();
    assert!(!told.contains("bingbot"), "{told}");
}

/// Folders whose resources other rules allow, and hosts that only look like those of tests.
#[test]
fn folders_and_hosts_that_are_fine() {
    for rules in [
        "Disallow: /wp-content/\nAllow: /wp-content/uploads/\nAllow: /wp-content/themes/\nAllow: /wp-content/plugins/",
        "Disallow: /wp-content\nAllow: /wp-content/*.css\nAllow: /wp-content/*.js\nAllow: /wp-content/*.jpg",
    ] {
        is_silent(&format!("User-agent: *\n{rules}\n"), "resources-blocked");
    }
    finds(
        "User-agent: *\nDisallow: /wp-content/\nAllow: /wp-content/uploads/\n",
        "info[resources-blocked] 2: search robots cannot load style sheets and scripts, and may",
    );
    for url in [
        "https://on-stage.com.au/sitemap.xml",
        "https://stage.co.uk/sitemap.xml",
        "https://test.com.au/sitemap.xml",
        "/sm.xml?u=https://test.a.example/x",
    ] {
        let file = format!("User-agent: *\nDisallow: /a/\nSitemap: {url}\n");
        is_silent(&file, "sitemap-other-host");
    }
    finds(
        "User-agent: *\nDisallow: /a/\nSitemap: https://staging.shop.co.uk/sitemap.xml\n",
        "warning[sitemap-other-host] 3: ",
    );
}

/// Two findings of a file do not advise the opposite.
#[test]
fn notes_agree() {
    let file = "User-agent: *\nDisallow: /c\nDisallow: /cart\n";
    finds(
        file,
        "info[short-prefix] 2: \"/c\" also disallows \"/cart\";",
    );
    is_silent(file, "redundant-rule");
    let file = "User-agent: *\nDisallow: /*?\nDisallow: /?sid=\n";
    finds(file, "info[redundant-rule] 3: ");
    is_silent(file, "matches-only-root");
    let file = "User-agent: *\nDisallow: /&nbsp;\n";
    finds(file, "info[several-paths] 2: ");
    is_silent(file, "matches-only-root");
    // Exact paths, and two paths.
    let file = "User-agent: *\nDisallow: /c\nDisallow: /cart$\n";
    finds(
        file,
        "info[short-prefix] 2: \"/c\" also disallows paths such as ",
    );
    is_silent("User-agent: *\nDisallow: /a //b\n", "slash-comment");
    finds(
        "User-agent: * //all\nDisallow: /a\n",
        "warning[slash-comment] 1: ",
    );
}

#[test]
fn search_engines_are_named_for_search_robots_alone() {
    let context = Context {
        robots: vec!["GPTBot".to_owned()],
        ..Context::default()
    };
    let told = told_in("User-agent: GPTBot\nDisallow: /\nAllow: /b/\n", &context);
    let whole = "warning[home-page-closed] 2: the home page is closed to GPTBot";
    assert!(told.iter().any(|one| one == whole), "{told:#?}");
    // A page whose name begins as that of an icon is a page.
    let file = "User-agent: *\nDisallow: /\nAllow: /favicons-shop/\n";
    is_silent(file, "site-closed");
    finds(file, "warning[home-page-closed] 2: ");
}

#[test]
fn lists_of_names_are_read_once() {
    for (names, starts) in [
        (
            "GPTBot, CCBot, GPTBot, ccbot",
            "warning[user-agent-line] 1: robots read only the first name, GPTBot: CCBot is not blocked;",
        ),
        (
            "GPTBot, *",
            "warning[user-agent-line] 1: robots read only the first name, GPTBot: * is not blocked;",
        ),
    ] {
        finds(&format!("User-agent: {names}\nDisallow: /\n"), starts);
    }
    is_silent(
        "User-agent: GPTBot, GPTBot\nDisallow: /\n",
        "user-agent-line",
    );
}

/// The finding with the code in a file, as `severity line: message`, with its fix.
fn one(file: &str, code: &str) -> (String, Option<(Safety, String)>) {
    let found = Linter::new().robots_txt(file.as_bytes(), &Context::default());
    let mut found = found.iter().filter(|one| one.rule.code() == code);
    let finding = found
        .next()
        .unwrap_or_else(|| panic!("no {code} in {file}"));
    assert!(found.next().is_none(), "more {code} in {file}");
    let line = finding.line.unwrap_or_default();
    let told = format!("{} {line}: {}", finding.severity().name(), finding.message);
    let fixed = finding.fix.as_ref().map(|fix| {
        let mut fixed = file.as_bytes().to_vec();
        for edit in fix.edits.iter().rev() {
            let range = edit.span.start as usize..edit.span.end as usize;
            fixed.splice(range, edit.replacement.iter().copied());
        }
        (fix.safety, String::from_utf8(fixed).unwrap())
    });
    (told, fixed)
}

#[track_caller]
fn says(file: &str, code: &str, starts: &str) {
    let (told, _) = one(file, code);
    assert!(told.starts_with(starts), "{starts} in {file}: {told}");
}

/// Files of rit.edu, wral.com, talkbass.com, vwvortex.com and 24hourfitness.com.
#[test]
fn a_group_that_names_the_right_robots_misses_none() {
    for names in [
        "google\nUser-agent: Googlebot",
        "bingbot\nUser-agent: bing",
        "Linkdex\nUser-agent: linkdexbot",
        "coccoc\nUser-agent: coccocbot",
        "Baidu\nUser-agent: Baiduspider",
        "deepcrawl\nUser-agent: DeepTrawl",
        "*trendictionbot*",
    ] {
        let file = format!("User-agent: {names}\nDisallow: /\n");
        is_silent(&file, "crawler-misspelt");
    }
    let code = "crawler-misspelt";
    says(
        "User-agent: coccoc\nDisallow: /\n",
        code,
        "warning 1: no known robot is called coccoc; coccocbot, coccocbot-image and coccocbot-web of Coc Coc do not follow this group; write \"User-agent: coccocbot\"",
    );
    // A robot of the operator that is not in the group is still named.
    says(
        "User-agent: google\nUser-agent: Google-Extended\nDisallow: /\n",
        code,
        "warning 1: no known robot is called google; Googlebot, Google-CloudVertexBot",
    );
    // The right name has the same rule elsewhere, or the group has none.
    says(
        "User-agent: Semrush\nDisallow: /\n\nUser-agent: SemrushBot\nDisallow: /\n",
        code,
        "info 1: ",
    );
    says(
        "User-agent: Semrush\nDisallow: /\n\nUser-agent: SemrushBot\nDisallow:\n",
        code,
        "warning 1: ",
    );
    says(
        "User-agent: *\nDisallow: /a\n\nUser-agent: Semrush\n",
        code,
        "info 4: ",
    );
    // What is open to a name that nobody has is closed to all.
    says(
        "User-agent: Google\nAllow: /\n\nUser-agent: *\nDisallow: /\n",
        code,
        "warning 1: no known robot is called Google; Googlebot, Google-Extended, Google-CloudVertexBot, Google-InspectionTool and 13 more of Google do not follow this group, and the group for * closes the site to them; write ",
    );
}

/// aetna.com, prudential.com, jtb.co.jp, siriusxm.com, bhphotovideo.com.
#[test]
fn a_rule_about_another_host_belongs_to_that_host() {
    let code = "pattern-full-url";
    let site = "Sitemap: https://www.example.com/sitemap.xml\nUser-agent: *\nDisallow: ";
    for value in [
        "http://x.example.com",
        "http://x.example.com/",
        "https://x.example.com/*",
    ] {
        for before in [site, "#\nUser-agent: *\nDisallow: "] {
            let (told, fix) = one(&format!("{before}{value}\n"), code);
            let expected = "error 3: a pattern with a host never matches; this file cannot tell robots about another host: delete the line, and put \"Disallow: /\" into https://x.example.com/robots.txt";
            assert_eq!(told, expected);
            assert_eq!(fix, None, "{value}");
        }
    }
    for value in [
        "https://x.example.com/a",
        "x.example.com/a",
        "10.1.2.3/a",
        "other.com/a",
    ] {
        let file = format!("{site}{value}\n");
        let (told, fix) = one(&file, code);
        assert!(
            told.contains("another host: put the path into https://"),
            "{told}"
        );
        assert_eq!(fix, None, "{value}");
    }
    for value in ["secure.*", "static.example"] {
        let (told, fix) = one(&format!("User-agent: *\nDisallow: {value}\n"), code);
        assert!(told.contains("about another host"), "{told}");
        assert_eq!(fix, None, "{value}");
    }
    for value in [
        "https://example.com/a/b",
        "www.example.com/a/b",
        "example.com/a/b",
    ] {
        let (told, fix) = one(&format!("{site}{value}\n"), code);
        assert_eq!(
            told,
            "error 3: a pattern with a host never matches; write the path only"
        );
        let fixed = fix.map(|(safety, fixed)| (safety, fixed.ends_with("Disallow: /a/b\n")));
        assert_eq!(fixed, Some((Safety::Unsafe, true)), "{value}");
    }
    // The host of the site alone.
    let (told, fix) = one(&format!("{site}https://www.example.com/\n"), code);
    assert!(
        told.ends_with("delete the line, or write \"/\" to close the whole site"),
        "{told}"
    );
    assert_eq!(fix, None);
    // Nothing says whose the host is.
    let (told, fix) = one("User-agent: *\nDisallow: https://help.example.jp/a\n", code);
    assert!(
        told.contains("write the path only, or, if the host is not that of this file"),
        "{told}"
    );
    assert_eq!(fix, None);
    // Most hosts of the file are that of the site.
    let file = "User-agent: *\nDisallow: https://www.example.com/a\n";
    assert!(one(file, code).1.is_some());
    // Files, and not hosts.
    for value in [
        "jquery.min.js",
        "index.php/a",
        "firehose.pl",
        "1.0/a",
        "a.b",
        "page.html",
    ] {
        is_silent(&format!("User-agent: *\nDisallow: {value}\n"), code);
    }
}

/// foreverliving.com, comsol.com: `*` and a space.
#[test]
fn a_space_beside_a_star_is_deleted() {
    for (value, right) in [
        ("/* id=$", "/*id=$"),
        ("/ *&o= *", "/*&o=*"),
        ("/a *", "/a*"),
    ] {
        let (told, fix) = one(
            &format!("User-agent: *\nDisallow: {value}\n"),
            "pattern-space",
        );
        assert!(
            told.starts_with("warning 2: space beside \"*\": "),
            "{told}"
        );
        let fixed = format!("User-agent: *\nDisallow: {right}\n");
        assert_eq!(fix, Some((Safety::Unsafe, fixed)));
    }
    let (told, fix) = one("User-agent: *\nDisallow: /a b*c\n", "pattern-space");
    assert!(told.ends_with("write %20"), "{told}");
    assert!(fix.is_some_and(|(_, fixed)| fixed.ends_with("/a%20b*c\n")));
}

/// adorama.com, autoblog.com, gottabemobile.com.
#[test]
fn a_percent_sign_may_mean_any_escape() {
    for value in ["/g/*/%*", "/*URL%*"] {
        let (told, fix) = one(
            &format!("User-agent: *\nDisallow: {value}\n"),
            "stray-percent",
        );
        assert!(
            told.starts_with("info 2: \"%\" before \"*\" matches any escape"),
            "{told}"
        );
        assert_eq!(fix, None);
    }
    let (told, fix) = one("User-agent: *\nDisallow: /*.aspx$%\n", "stray-percent");
    assert!(told.ends_with("delete the \"%\""), "{told}");
    let fixed = "User-agent: *\nDisallow: /*.aspx$\n".to_owned();
    assert_eq!(fix, Some((Safety::Unsafe, fixed)));
    says(
        "User-agent: *\nDisallow: /50%/*%*\n",
        "stray-percent",
        "warning 2: ",
    );
}

/// symantec.com, dillards.com, khaleejtimes.com, wsbtv.com.
#[test]
fn groups_that_share_what_is_meant_for_all() {
    let code = "groups-run-together";
    let (told, fix) = one(
        "User-agent: IQ-WWW\nRequest-rate: 5/1\n\nUser-agent: R6_FeedFetcher\nDisallow: /\nAllow: /connect/\n",
        code,
    );
    assert_eq!(
        told,
        "error 4: IQ-WWW (line 1) has no rules, so it shares the rules of R6_FeedFetcher: \"/\" also applies to IQ-WWW"
    );
    assert!(fix.is_some());
    for file in [
        "User-agent: *\nDisallow: /webapp/\n\nUser-agent: ly.st\nCrawl-delay: 1\n\nUser-agent: bingbot\nDisallow: /webapp/\n",
        "User-agent: *\nCrawl-delay: 600\n\nUser-agent: Bingbot\nDisallow: /*nocache=1\nDisallow: /a\n",
        "User-agent: *\nSitemap: https://e.example/s.xml\nUser-agent: Googlebot\nDisallow: /feeds/\n",
    ] {
        let (told, fix) = one(file, code);
        assert!(told.starts_with("info "), "{told}");
        assert_eq!(fix, None);
    }
    let file = "User-agent: ly.st\nCrawl-delay: 1\nUser-agent: MJ12bot\nDisallow: /a\n";
    says(
        file,
        code,
        "error 3: ly.st (line 1) has no rules, so it shares the rules of MJ12bot: ",
    );
}

/// au.dk, symantec.com, time.com, and 24 files with relative sitemaps.
#[test]
fn sitemap_lines_that_search_engines_miss() {
    let file = "User-agent: *\nDisallow: /a\nsitemap https://e.example/s.xml\n";
    let (told, fix) = one(file, "missing-colon");
    assert!(told.starts_with("warning 3: "), "{told}");
    assert!(fix.is_some_and(|(_, fixed)| fixed.ends_with("\nsitemap: https://e.example/s.xml\n")));
    is_silent(file, "google-prefix-key");
    let file = "User-agent: *\nDisallow: /a\nhttps://e.example/sitemap.xml\n";
    let (told, fix) = one(file, "misspelt-field");
    assert!(told.ends_with("write \"Sitemap: \" before it"), "{told}");
    assert!(
        fix.is_some_and(|(_, fixed)| fixed.ends_with("\nSitemap: https://e.example/sitemap.xml\n"))
    );
    let file = "Video Sitemap: https://e.example/v.xml\nUser-agent: *\nDisallow: /a\n";
    says(
        file,
        "misspelt-field",
        "error 1: robots ignore this line; did you mean Sitemap?",
    );
    says(
        "Sitemap: /s.xml\nUser-agent: *\nDisallow: /a\n",
        "sitemap-not-absolute",
        "warning 1: ",
    );
    is_silent(
        "https://e.example/about\nUser-agent: *\nDisallow: /a\n",
        "misspelt-field",
    );
}

/// wsop.com: the byte A0 of Latin-1 in front of a path.
#[test]
fn a_no_break_space_is_never_written_as_an_escape() {
    let bytes = b"User-agent: *\n# \xe9\nDisallow:\xa0/_Incapsula*\n";
    let linter = Linter::new();
    for safety in [Safety::Safe, Safety::Unsafe] {
        let fixed = linter.fixed(bytes, &Context::default(), safety).bytes;
        let text = String::from_utf8_lossy(&fixed);
        assert!(!text.contains("%A0"), "{text}");
        assert_eq!(
            text.contains("Disallow:/_Incapsula*"),
            safety == Safety::Unsafe,
            "{text}"
        );
    }
    let found = linter.robots_txt(b"User-agent: *\nDisallow:\xa0/a*\n", &Context::default());
    let codes: Vec<_> = found.iter().map(|one| one.rule.code()).collect();
    assert_eq!(codes, ["invisible-character"]);
}

/// chainreactioncycles.com, metmuseum.org, mondaq.com.
#[test]
fn user_agent_lines_of_robots_that_are_named_well() {
    let code = "user-agent-line";
    says(
        "User-agent: Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)\nDisallow: /\n",
        code,
        "info 1: this is a whole User-Agent line; robots read only Pingdom, so write that alone",
    );
    let line = "User-agent: Mozilla/5.0 (compatible; BecomeBot/2.3; +http://www.become.com)\nDisallow: /\n";
    says(
        line,
        code,
        "warning 1: this is a whole User-Agent line; robots read only Mozilla, and",
    );
    let file = format!("{line}\nUser-agent: BecomeBot\nDisallow: /\n");
    says(&file, code, "info 1: ");
}

/// slashdot.org, smugmug.com, lululemon.com.
#[test]
fn what_another_rule_does_already_is_a_note() {
    let group = "User-agent: *\nDisallow: /browse\nDisallow: /x.pl\n";
    for (value, code) in [
        ("/browse/Arts and Crafts", "pattern-space"),
        ("x.pl", "pattern-no-slash"),
        ("browse/a", "pattern-no-slash"),
        ("/browse/a#b", "hash-in-pattern"),
    ] {
        let (told, _) = one(&format!("{group}Disallow: {value}\n"), code);
        assert!(told.starts_with("info 4: "), "{told}");
        if code != "hash-in-pattern" {
            assert!(
                told.ends_with(" already does this; delete this line"),
                "{told}"
            );
        }
        // An exception between the two makes the rule needed.
        let file = format!(
            "{group}Allow: /browse/a\nAllow: /x.pl\nAllow: /browse/Arts\nDisallow: {value}\n"
        );
        let (told, _) = one(&file, code);
        assert!(!told.starts_with("info"), "{told}");
    }
    let file =
        format!("Sitemap: https://e.example/s.xml\n{group}Disallow: https://e.example/x.pl\n");
    says(
        &file,
        "pattern-full-url",
        "info 5: a pattern with a host never matches; line 4 already",
    );
    says(
        &format!("{group}Allow: .js\n"),
        "pattern-no-slash",
        "info 4: ",
    );
    says(
        "User-agent: *\nDisallow: /\nAllow: .js\n",
        "pattern-no-slash",
        "error 3: ",
    );
    let (_, fix) = one("User-agent: *\nDisallow: ne\n", "pattern-no-slash");
    assert_eq!(fix, None);
}

#[test]
fn what_harms_nobody_is_a_note() {
    for name in [
        "LWP::Simple",
        "Yahoo! Slurp",
        "Check&Get",
        "omgili/0.5 +https://omgili.com",
        "Cutbot;+1.5",
    ] {
        says(
            &format!("User-agent: {name}\nDisallow: /\n"),
            "ua-invalid-token",
            "info 1: ",
        );
    }
    says(
        "User-agent: BadBot|Googlebot\nDisallow: /\n",
        "ua-invalid-token",
        "warning 1: ",
    );
    for (name, severity) in [
        ("IRLbot", "info"),
        ("Googlebot", "warning"),
        ("*", "warning"),
    ] {
        let file = format!("User-agent: {name}\nCrawl-delay: 3600\nDisallow: /a\n");
        says(&file, "crawl-delay-long", &format!("{severity} 2: "));
    }
    let rules = "User-agent: *\nDisallow: /a\n";
    says(
        &format!("Please be kind\n{rules}"),
        "unreadable-line",
        "info 1: ",
    );
    says(
        &format!("Disallow the rest\n{rules}"),
        "unreadable-line",
        "warning 1: ",
    );
    // Groups that have only delays are one; each delay is for the names above it.
    let file = "User-agent: Googlebot\nCrawl-delay: 1\n\nUser-agent: spbot\nCrawl-delay: 2000\n";
    says(file, "crawl-delay-long", "info 5: ");
    let file = "All spiders are allowed here\nUser-agent: *\nDisallow: /a\n";
    says(file, "unreadable-line", "info 1: ");
    // uk.ask.com names Googlebot, and lets robots for advertising in.
    let file = "User-agent: Googlebot\nDisallow: /\n\nUser-agent: Mediapartners-Google\nDisallow:\n\nUser-agent: *\nDisallow: /\n";
    finds(file, "info[site-closed] 2: ");
    finds(file, "info[site-closed] 8: ");
    finds(
        "User-agent: Googlebot\nDisallow: /\n\nUser-agent: Mediapartners-Google\nDisallow:\n",
        "warning[site-closed] 2: ",
    );
    says(
        "User-agent: * DotBot\nDisallow: /\n",
        "ua-invalid-token",
        "warning 1: ",
    );
    says(
        "User-agent: *\nDisallow: /a\nDisallow: /a#b\n",
        "hash-in-pattern",
        "info 3: ",
    );
    says(
        "User-agent: *DotBot*\nDisallow: /\n",
        "unreachable-group",
        "warning 1: no robot reads a name with \"*\" before it, so its rule has no effect; write DotBot",
    );
}

/// 24hourfitness.com: 1,100 names, and nobody is blocked.
#[test]
fn a_last_group_without_rules_blocks_nobody() {
    let code = "group-without-rules";
    let names = "User-agent: *\nDisallow: /a\n\nUser-agent: BadBot\nUser-agent: ly.st\n";
    says(
        names,
        code,
        "warning 4: BadBot and ly.st have no rule, and nothing follows, so they may crawl the whole site",
    );
    for file in [
        format!("{names}Disallow: /\n"),
        format!("{names}Disallow:\n"),
        format!("{names}Crawl-delay: 5\n"),
        format!("{names}User-agent: *\n"),
        "User-agent: *\n".to_owned(),
    ] {
        is_silent(&file, code);
    }
    says(
        &format!("{names}Sitemap: https://e.example/s.xml\n"),
        code,
        "warning 4: ",
    );
}

#[test]
fn a_regular_expression_ends_a_folder() {
    says(
        "User-agent: *\nDisallow: /a/.*\n",
        "regular-expression",
        "warning 2: .* has",
    );
    // All files of a name, and all that begin with a dot.
    for value in ["/general.*", "/list.*.html", "/.*"] {
        is_silent(
            &format!("User-agent: *\nDisallow: {value}\n"),
            "regular-expression",
        );
    }
}
