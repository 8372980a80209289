//! Reads a robots.txt that is shown or compared as a whole: a file, stdin, or that of a site.

use crate::exit::warn;
use crate::fetch::Network;
use crate::file_arg::FileArg;
use crate::source::Source;
use abide::{Limits, Profile, Robots};
use abide_fetch::machine::InForce;

/// The robots.txt that an argument names.
pub(crate) enum Named {
    /// It was read.
    File(Robots),
    /// A site gave none; the sentence says why.
    Missing(String),
}

/// Reads the robots.txt that `name` names. A URL without a path means the robots.txt of the site. A
/// site that has no file, or does not answer, is not an empty file.
pub(crate) fn read(
    name: &FileArg,
    profile: Profile,
    network: &Network<'_>,
) -> anyhow::Result<Named> {
    let source = Source::named(name);
    let limits = Limits::default();
    let bytes = match &source {
        Source::Url(url) => {
            let fetched = network.site()?.fetch(url.as_str())?;
            let reason = fetched.reason();
            match fetched.in_force() {
                InForce::File(body) => body.to_parse().to_vec(),
                InForce::AllowAll(_) => {
                    return Ok(Named::Missing(format!(
                        "{url} does not exist{reason}; without a robots.txt everything is allowed (RFC 9309, 2.3.1.3)"
                    )));
                }
                InForce::DisallowAll(_) => {
                    return Ok(Named::Missing(format!("cannot fetch {url}{reason}")));
                }
                InForce::Unknown => {
                    return Ok(Named::Missing(format!("{url} is not in the cache")));
                }
            }
        }
        _ => source.served(limits.bytes(), network)?.bytes,
    };
    if bytes.len() > limits.bytes() {
        warn(&format!(
            "{source} is longer than {} bytes; the rest is ignored (RFC 9309, 2.5)",
            limits.bytes()
        ));
    }
    Ok(Named::File(Robots::parse_as(&bytes, profile, limits)))
}
