//! Bare URLs, all about one robots.txt.

use super::{exit, layout};
use crate::args::BatchArgs;
use crate::bulk::Bulk;
use crate::exit::Exit;
use crate::file_arg::FileArg;
use crate::page_args::{PageContext, documents};
use crate::robot_args::{RobotOptions, robots};
use crate::source::{Content, Findings, Source};
use crate::table::{Layout, RowFormat};
use crate::url_answers::{
    Answer, Asking, CRAWL, MAX_URL_BYTES, Requested, Rules, answerer, write_objects,
};
use crate::url_list;
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
    let robots = robots(&client.agents, client.literal, client.nonstandard_token)?;
    let widths = robots.iter().map(|robot| robot.name().chars().count());
    let layout = layout(args, false, widths.max().unwrap_or_default())?;
    let mut options = RobotOptions::new(client, None)?;
    if layout.as_ref().is_some_and(Layout::asks_preferences) || args.preference.are_asked(&[]) {
        options = options.asking(&args.preference, &[]);
    }
    let hint = "--robots takes a file, or \"-\" for stdin";
    let content = Content::Bytes(source.read_local(options.limit(), hint)?);
    let which = if args.quiet {
        Findings::None
    } else {
        Findings::OfRobots
    };
    let policy = |robot: &Robot| options.policy(robot, |client| Ok(content.policy(client)));
    let rules = Rules::new(&source, &content, &robots, which, policy)?;
    let page = PageContext {
        response: Response::default(),
        documents: documents(&args.preference.vocabulary)?,
        now: now(),
        acap: None,
    };
    let asking = Asking {
        robots: &robots,
        profile: client.profile,
        usages: CRAWL,
        shows_mentioned: false,
        exit_usages: CRAWL,
        page: &page,
        requested: Requested::Nothing,
        ends_on_a_problem: false,
        layout: layout.as_ref(),
        only_disallowed: false,
        write: &|text: &mut Vec<u8>, _: u64, each: &[Answer<'_>]| {
            write_objects(text, each, args.slim);
        },
    };
    let hint = "batch takes a file of URLs, a sitemap, or \"-\" for stdin";
    let urls = url_list::open(&args.file, hint, MAX_URL_BYTES)?;
    let mut bulk = Bulk::new(
        &urls,
        layout.as_ref(),
        args.format() == RowFormat::Human,
        &args.table,
        &[&args.file, name],
        Some(asking.profile.name()),
        args.quiet,
    )?;
    let urls = asking.in_portions(urls);
    bulk.run(urls, args.table.jobs, || answerer(&asking, &rules))?;
    Ok(exit(&bulk))
}
