//! Reads a robots.txt that is shown or compared as a whole: a file, stdin, or that of a site.

use crate::exit::{UnknownError, warn};
use crate::fetch::Network;
use crate::file_arg::FileArg;
use crate::source::Source;
use abide::syntax::Encoding;
use abide::{Client, Code, Limits, Profile, Robots};
use abide_fetch::machine::CurrentRules;

/// Reads the robots.txt that `name` names. A URL without a path means the robots.txt of the site. A
/// site that has no file, or does not answer, is not an empty file but an [`UnknownError`].
pub(crate) fn read(
    name: &FileArg,
    profile: Profile,
    network: &Network<'_>,
) -> anyhow::Result<Robots> {
    let source = Source::named(name);
    let limits = Limits::default();
    let mut redirected = None;
    let bytes = match &source {
        Source::Url(url) => {
            let fetched = network.site()?.fetch(url.as_str())?;
            redirected = fetched.redirected_to();
            let reason = fetched.reason();
            let read = match fetched.current() {
                CurrentRules::File(body) => Ok(body.to_parse().to_vec()),
                CurrentRules::AllowAll(_) => Err(format!(
                    "{url} does not exist{reason}; without a robots.txt everything is allowed (RFC 9309, 2.3.1.3)"
                )),
                CurrentRules::DisallowAll(_) => Err(format!("cannot fetch {url}{reason}")),
                CurrentRules::Unknown => Err(format!("{url} is not in the cache")),
            };
            read.map_err(UnknownError)?
        }
        _ => source.served(limits.bytes(), network)?.bytes,
    };
    if bytes.len() > limits.bytes() {
        warn(&format!(
            "{source} is longer than {} bytes; the rest is ignored (RFC 9309, 2.5)",
            limits.bytes()
        ));
    }
    let robots = Robots::parse_as(&bytes, profile, limits);
    source.warn_without_fields(&robots, redirected.as_deref());
    warn_of_encoding(&source, &robots);
    Ok(robots)
}

/// Reports that most robots read nothing in a UTF-16 file, whatever the answers say.
fn warn_of_encoding(source: &Source, robots: &Robots) {
    let encoding = robots.text().encoding();
    if matches!(encoding, Encoding::Utf16Le | Encoding::Utf16Be) {
        let found = robots.diagnostics(&Client::unnamed()).into_iter();
        for finding in found.filter(|finding| finding.code == Code::NotUtf8) {
            warn(&format!("{source}: {} [{}]", finding.message, finding.code));
        }
    }
}
