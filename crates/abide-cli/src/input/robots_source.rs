//! Reads a robots.txt that is shown or compared as a whole: a file, stdin, or that of a site.

use crate::exit::{UnknownError, warn};
use crate::fetch::{FetchedFile, Network};
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
    let Source::Url(url) = &source else {
        let bytes = source.served(Limits::default().bytes(), network)?.bytes;
        return Ok(parsed(&source, &bytes, None, profile));
    };
    let fetched = network.site()?.fetch(url.as_str())?;
    let reason = fetched.reason();
    let why = match fetched.current() {
        CurrentRules::File(_) => return Ok(of_site(&source, &fetched, profile)),
        CurrentRules::AllowAll(_) => format!(
            "{url} does not exist{reason}; without a robots.txt everything is allowed (RFC 9309, 2.3.1.3)"
        ),
        CurrentRules::DisallowAll(_) => format!("cannot fetch {url}{reason}"),
        CurrentRules::Unknown => format!("{url} is not in the cache"),
    };
    Err(UnknownError(why).into())
}

/// The robots.txt that a site sent; empty if it has none.
pub(crate) fn of_site(source: &Source, fetched: &FetchedFile, profile: Profile) -> Robots {
    source.warn_below_root();
    let Some(body) = fetched.file() else {
        return Robots::parse_as(b"", profile, Limits::default());
    };
    let bytes = body.to_parse();
    parsed(source, &bytes, fetched.redirected_to().as_deref(), profile)
}

/// Parses a file, and warns of what is wrong with it as a whole. `redirected_to` is where it was
/// after redirects.
fn parsed(source: &Source, bytes: &[u8], redirected_to: Option<&str>, profile: Profile) -> Robots {
    let limits = Limits::default();
    if bytes.len() > limits.bytes() {
        warn(&format!(
            "{source} is longer than {} bytes; the rest is ignored (RFC 9309, 2.5)",
            limits.bytes()
        ));
    }
    let robots = Robots::parse_as(bytes, profile, limits);
    source.warn_without_fields(&robots, redirected_to);
    warn_of_encoding(source, &robots);
    robots
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
