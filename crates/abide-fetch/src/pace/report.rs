//! What an operator should know about the pace of a site.

use abide::{Policy, Robots};
use std::fmt;
use std::time::Duration;

/// Something about the pace of a site that an operator should know.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PaceReport {
    /// A site asks for a `Crawl-delay` above [`PaceSettings::max_delay`](super::PaceSettings).
    AboveMax {
        /// What has the pace, such as a host.
        site: String,
        /// The delay that it asks for.
        asked: Duration,
        /// The delay that applies; `None` if the site is not visited.
        applied: Option<Duration>,
    },
    /// A site asks not to come back for longer than a day, by `Retry-After`.
    LongWait {
        /// What has the pace, such as a host.
        site: String,
        /// What it asks for.
        asked: Duration,
        /// What applies: a day.
        applied: Duration,
    },
    /// A file has a `Request-rate` or `Visit-time` for the client. No delay follows from it.
    NotPaced {
        /// The authority whose file it is.
        site: String,
        /// Its line.
        line: u32,
        /// The field: `Request-rate` or `Visit-time`.
        field: &'static str,
    },
    /// The server that the fleet shares does not answer. The members go on without it, each in
    /// windows of its own.
    Alone {
        /// Its last failure.
        error: String,
        /// How many members the fleet has.
        members: u32,
    },
    /// The server that the fleet shares answers again.
    FleetIsBack,
}

impl fmt::Display for PaceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AboveMax {
                site,
                asked,
                applied: Some(applied),
            } => write!(
                f,
                "{site} asks for a Crawl-delay of {} s. It is visited every {} s",
                asked.as_secs_f64(),
                applied.as_secs_f64()
            ),
            Self::AboveMax { site, asked, .. } => write!(
                f,
                "{site} asks for a Crawl-delay of {} s. It is not visited",
                asked.as_secs_f64()
            ),
            Self::LongWait {
                site,
                asked,
                applied,
            } => write!(
                f,
                "{site} asks not to come back for {} s (Retry-After). It is visited again after {} s",
                asked.as_secs(),
                applied.as_secs()
            ),
            Self::NotPaced { site, line, field } => write!(
                f,
                "{site} has {field} in line {line} of its robots.txt. The pacer does not honour it"
            ),
            Self::Alone { error, members } => write!(
                f,
                "the pace of {members} members is no longer shared: {error}. This one visits sites \
                 at its own times, at most once in {} delays",
                u64::from(*members).saturating_mul(2)
            ),
            Self::FleetIsBack => f.write_str(
                "the server of the fleet answers again. The pace of a site is shared when it has \
                 answered for 45 s and two delays",
            ),
        }
    }
}

/// The `Request-rate` and `Visit-time` lines of the groups that count for the client of `policy`.
pub(crate) fn unpaced_fields(policy: &Policy) -> Vec<(u32, &'static str)> {
    let text = policy.text().as_bytes();
    let may_have = |name: &str| {
        let mut words = text.windows(name.len());
        words.any(|word| word.eq_ignore_ascii_case(name.as_bytes()))
    };
    let names = ["Request-rate", "Visit-time"];
    if !names.into_iter().any(may_have) {
        return Vec::new();
    }
    let robots = Robots::parse(text);
    let lines = robots.lines();
    let chosen: Vec<u32> = policy
        .chosen_groups()
        .iter()
        .map(|group| group.place.line)
        .collect();
    let number = |line: &usize| lines.get(*line).map(|line| line.number);
    let is_chosen = |starters: &[usize]| {
        starters
            .iter()
            .filter_map(number)
            .any(|line| chosen.contains(&line))
    };
    let groups = robots.groups().iter();
    let groups = groups.filter(|group| is_chosen(&group.starters));
    let fields = groups.flat_map(|group| &group.others).filter_map(|line| {
        let line = lines.get(*line)?;
        let key = line.field()?.key.of(text);
        let is_key = |name: &&str| key.eq_ignore_ascii_case(name.as_bytes());
        Some((line.number, names.into_iter().find(is_key)?))
    });
    fields.collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use abide::{Client, ProductToken};

    #[test]
    fn rep_63_fields_that_change_no_delay_are_found_in_the_group_that_counts() {
        let client = Client::new(ProductToken::new("f").unwrap());
        let file = b"User-agent: *\nDisallow:\nRequest-rate: 1/5\n\n\
            User-agent: f\nDisallow: /x\nVISIT-TIME: 0600-0845\nrequest-RATE: 1/10m\n";
        let found = unpaced_fields(&Policy::compile(file, &client));
        assert_eq!(found, [(7, "Visit-time"), (8, "Request-rate")]);
        let none = b"User-agent: *\nDisallow: /x # Request-rate\n";
        assert_eq!(unpaced_fields(&Policy::compile(none, &client)), []);
    }
}
