//! `abide explain`

mod counted;
mod view;

pub(crate) use view::folded;

use crate::args::{ExplainArgs, ViewFormat};
use crate::client::{client, remembered};
use crate::exit::{Exit, written};
use crate::fetch::Network;
use crate::file_arg::FileArg;
use crate::head;
use crate::source::{self, Source};
use abide::explain::visible_url;
use abide::tag::Response;
use abide::{Moment, Target};
use abide_fetch::http::now;
use abide_json::explain::FileViewJson;
use abide_json::text;
use abide_lint::view::{FileView, Tally};
use anyhow::{Context, ensure};
use std::io::{self, Write};

/// The largest number of pages shown one by one; more are counted.
const SHOWN: usize = 8;

/// Explains the file, and its effect on the given pages.
pub(crate) fn run(args: &ExplainArgs) -> anyhow::Result<Exit> {
    ensure!(
        !(args.robots.is_stdin() && args.list.as_ref().is_some_and(FileArg::is_stdin)),
        "robots.txt and --urls cannot both come from stdin; name a file for one of them"
    );
    let client = client(&args.client, &args.acap)?;
    let asking = Asking {
        response: head::response(&args.tags)?,
        now: args.now.unwrap_or_else(now),
        args,
    };
    let network = Network::new(&client, &args.network, None);
    let source = Source::named(&args.robots);
    let references = source::references(&args.acap, client.limits().bytes())?;
    let read = source.policy(&client, &references, &network)?;
    let reading = FileView::of(&read.policy);
    if args.list.is_some() || args.urls.len() > SHOWN {
        return asking.counted(&reading, &source);
    }
    asking.shown(&reading, &source)
}

/// What the arguments say about all pages.
struct Asking<'a> {
    response: Response,
    now: Moment,
    args: &'a ExplainArgs,
}

impl Asking<'_> {
    fn target<'t>(&'t self, url: &'t str) -> anyhow::Result<Target<'t>> {
        let target = Target::new(url)
            .with_context(|| format!("cannot read the URL {}", visible_url(url)))?;
        let target = target.with_response(&self.response).with_now(self.now);
        Ok(remembered(&self.args.acap, target))
    }

    /// Shows the file and its effect on each page.
    fn shown(&self, reading: &FileView<'_>, source: &Source) -> anyhow::Result<Exit> {
        let urls = self.args.urls.iter();
        let pages = urls.map(|url| Ok(reading.page(&self.target(url)?)));
        let pages: Vec<_> = pages.collect::<anyhow::Result<_>>()?;
        let result = match self.args.format {
            ViewFormat::Human => view::View {
                reading,
                response: &self.response,
                pages: &pages,
                whole: self.args.all || pages.is_empty(),
            }
            .write(&source.to_string()),
            ViewFormat::Json => json(&FileViewJson::new(reading, &self.response).pages(&pages)),
        };
        written(result)?;
        Ok(Exit::Done)
    }

    /// Counts the effect of each rule on many pages.
    fn counted(&self, reading: &FileView<'_>, source: &Source) -> anyhow::Result<Exit> {
        let mut tally = Tally::default();
        let mut unread = 0;
        let mut add = |url: &str| {
            tally.add(&reading.page(&self.target(url)?));
            anyhow::Ok(())
        };
        if let Some(list) = &self.args.list {
            unread = counted::stream(list, add)?;
        } else {
            self.args.urls.iter().try_for_each(|url| add(url))?;
        }
        written(match self.args.format {
            ViewFormat::Human => counted::write(reading, &tally, source, self.args.all),
            ViewFormat::Json => {
                json(&FileViewJson::new(reading, &self.response).tally(reading, &tally))
            }
        })?;
        Ok(if unread == 0 {
            Exit::Done
        } else {
            Exit::Failed
        })
    }
}

fn json(view: &FileViewJson<'_>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", text::pretty(view))?;
    out.flush()
}
