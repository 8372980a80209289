//! The files to compare, and what a site answers to a `User-Agent` line.

use crate::commands::fetch::{answer_in_words, rules_in_words};
use crate::exit::Exit;
use crate::fetch::Network;
use crate::file_arg::FileArg;
use crate::robots_source;
use crate::source::Source;
use abide::{Profile, Robots};
use abide_fetch::machine::CurrentRules;
use anyhow::ensure;

/// A file to compare.
pub(super) struct ComparedFile {
    /// Its rules. `None` if the site is unreachable.
    pub(super) robots: Option<Robots>,
    /// What the site answered to which line, if lines are compared.
    pub(super) words: Option<String>,
}

impl ComparedFile {
    /// Reads a file whose site is known to have one.
    pub(super) fn read(name: &FileArg, network: &Network<'_>) -> anyhow::Result<Self> {
        let robots = robots_source::read(name, Profile::Careful, network);
        let robots = robots.map_err(|error| match Exit::of(&error) {
            Exit::Unknown => error.context("nothing was compared"),
            _ => error,
        })?;
        Ok(Self {
            robots: Some(robots),
            words: None,
        })
    }

    /// Reads what a site sends to the line of `network`. A site without a file is an answer here:
    /// everything is allowed (RFC 9309, 2.3.1.3). `has_own_line`: the arguments have a line for
    /// this file.
    pub(super) fn to_line(
        name: &FileArg,
        has_own_line: bool,
        network: &Network<'_>,
    ) -> anyhow::Result<Self> {
        let source = Source::named(name);
        let Source::Url(url) = &source else {
            ensure!(
                !has_own_line,
                "{name} is not fetched, so its User-Agent line has no effect; name a URL"
            );
            return Self::read(name, network);
        };
        let site = network.site()?;
        let fetched = site.fetch(url.as_str())?;
        let answer = fetched.last_hop();
        let answer = answer.map_or_else(|| "no answer".to_owned(), answer_in_words);
        let (rules, sent) = (rules_in_words(&fetched), &site.user_agent);
        let robots = match fetched.current() {
            CurrentRules::File(_) | CurrentRules::AllowAll(_) => {
                Some(robots_source::of_site(&source, &fetched, Profile::Careful))
            }
            CurrentRules::DisallowAll(_) | CurrentRules::Unknown => None,
        };
        Ok(Self {
            robots,
            words: Some(format!("{answer}: {rules}; sent as {sent}")),
        })
    }
}
