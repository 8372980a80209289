//! Bare URLs, all about one robots.txt.

use super::{exit, layout};
use crate::args::BatchArgs;
use crate::bulk::Bulk;
use crate::documents;
use crate::exit::Exit;
use crate::file_arg::FileArg;
use crate::robot_args::{RobotOptions, robots};
use crate::source::{Content, Findings, Source};
use crate::url_answers::{
    Answer, AnswerKind, Asking, CRAWL, Requested, Rules, answer, write_objects,
};
use crate::url_list::UrlList;
use abide::Policy;
use abide::tag::Response;
use abide_fetch::http::now;
use abide_known_robots::Robot;
use anyhow::ensure;

pub(super) fn run(args: &BatchArgs, name: &FileArg) -> anyhow::Result<Exit> {
    let client = &args.client;
    let source = Source::named(name);
    ensure!(
        !matches!(source, Source::Url(_)),
        "batch fetches nothing; save {name} to a file, or use check --robots {name} --urls"
    );
    ensure!(
        !(name.is_stdin() && args.file.is_stdin()),
        "robots.txt and URLs cannot both come from stdin; name a file for one of them"
    );
    let robots = robots(client)?;
    let widths = robots.iter().map(|robot| robot.name().chars().count());
    let layout = layout(args, false, widths.max().unwrap_or_default())?;
    let mut options = RobotOptions::of_client(client)?;
    let asks = layout
        .as_ref()
        .is_some_and(crate::table::Layout::asks_preferences);
    if asks || args.preference.are_asked(&[]) {
        options = options.asking(&args.preference, &[]);
    }
    let rules = rules(args, &source, &robots, &options)?;
    let documents = documents::given(&args.preference.vocabulary)?;
    let objects =
        |text: &mut Vec<u8>, _: u64, each: &[Answer<'_>]| write_objects(text, each, args.slim);
    let asking = Asking {
        shows_mentioned: false,
        robots: &robots,
        profile: client.profile,
        usages: CRAWL,
        exit_usages: CRAWL,
        response: &Response::default(),
        acap: None,
        documents: &documents,
        now: now(),
        requested: Requested::Nothing,
        ends_on_a_problem: false,
        answer: match &layout {
            Some(layout) => AnswerKind::Rows(layout),
            None => AnswerKind::Whole(&objects),
        },
    };
    let hint = "batch takes a file of URLs, a sitemap, or \"-\" for stdin";
    let urls = UrlList::open(&args.file, hint)?;
    let mut bulk = Bulk::new(
        &args.file,
        urls.size(),
        layout.as_ref(),
        &args.table,
        &[&args.file, name],
        Some(asking.profile.name()),
        args.quiet,
    )?;
    let worker = || answer(&asking, &rules);
    bulk.run(asking.input(urls), args.table.jobs, worker)?;
    Ok(exit(&bulk))
}

/// The rules of the file for each robot. Warns of what is wrong with them.
fn rules(
    args: &BatchArgs,
    source: &Source,
    robots: &[Robot],
    options: &RobotOptions,
) -> anyhow::Result<Rules> {
    let bytes = source.read_local(options.limit(), "--robots takes a file, or \"-\" for stdin")?;
    source.refuse_empty_stdin(bytes.is_empty())?;
    let policy = |robot| options.policy(robot, |client| Ok(Policy::compile_shared(&bytes, client)));
    let policies = robots.iter().map(policy).collect::<anyhow::Result<_>>()?;
    let rules = Rules::new(robots, policies, None);
    let which = if args.quiet {
        Findings::None
    } else {
        Findings::OfRobots
    };
    let content = Content::Bytes(bytes);
    source.warn_of(&content, &rules.policies.iter().collect::<Vec<_>>(), which);
    Ok(rules)
}
