//! Compares the engine with the model on real files, if there are any: `ABIDE_CORPUS` names a
//! folder of robots.txt files.

use abide::{Policy, Robots, Target, Usage};
use abide_testkit::corpus::files;
use abide_testkit::model;

/// Paths from the patterns of the file, with wildcards replaced and ends changed, and some that it
/// does not mention.
pub(crate) fn paths_of(bytes: &[u8], most: usize) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let values = text
        .lines()
        .filter_map(|line| line.split_once(':').map(|(_, value)| value));
    let patterns: Vec<&str> = values
        .map(|v| v.split('#').next().unwrap_or(v).trim())
        .filter(|v| v.starts_with(['/', '*']))
        .collect();
    let step = patterns.len().div_ceil(most.max(1)).max(1);
    let own = patterns.iter().step_by(step).flat_map(|pattern| {
        let path = pattern.replace('*', "q").replace('$', "");
        let path = if path.starts_with('/') {
            path
        } else {
            format!("/{path}")
        };
        let path: String = path.chars().take(300).collect();
        let shorter: String = path
            .chars()
            .take(path.chars().count().saturating_sub(1).max(1))
            .collect();
        [format!("{path}x?y=1"), path, shorter]
    });
    own.chain(["/", "/robots.txt", "/a/b.html?c=d", "/search?q=a:b"].map(String::from))
        .collect()
}

#[test]
fn every_real_file_is_answered_as_the_model_answers() {
    let (mut asked, files) = (0_u32, files());
    for (name, bytes) in &files {
        // The model is slow: only a handful of real files are this large.
        let most = if bytes.len() > 100_000 { 2 } else { 6 };
        for token in ["Googlebot", "GPTBot", "Unheard-Of"] {
            let policy = Policy::compile(bytes, &crate::client(token));
            for path in paths_of(bytes, most) {
                let answer = model::decide(&model::Question {
                    robots: bytes,
                    agents: &[token],
                    purposes: &[],
                    nonstandard_token: false,
                    path: path.as_bytes(),
                });
                let decision = policy.decide(&Target::new(&path).unwrap());
                let crawl = decision.usage(Usage::Crawl).unwrap();
                let line = crawl.evidence[0]
                    .bytes
                    .and(crawl.evidence[0].place)
                    .map(|place| place.line);
                assert_eq!(
                    policy.allows(&path),
                    answer.allowed,
                    "{name} {token} {path}"
                );
                assert_eq!(line, answer.line, "{name} {token} {path}");
                assert_eq!(
                    abide::allows(bytes, policy.client(), &path),
                    answer.allowed,
                    "{name} {token} {path}, with nothing kept"
                );
                asked += 1;
            }
        }
    }
    println!("{} real files, {asked} questions", files.len());
}

#[test]
fn every_real_file_is_rebuilt_from_its_lines() {
    for (name, bytes) in files() {
        let robots = Robots::parse(&bytes);
        assert_eq!(robots.to_bytes(), robots.text().as_bytes(), "{name}");
    }
}
