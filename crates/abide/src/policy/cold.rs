//! One decision from octets, with nothing kept: for clients that see a file once.

use super::compiled::Policy;
use crate::client::Client;

/// Whether `client` may fetch `url` by the robots.txt `octets`: the same answer as
/// [`Policy::compile`] and [`Policy::allows`] give, for one URL, without a compiled form.
///
/// ```
/// use abide::{Client, ProductToken};
/// let client = Client::new(ProductToken::new("ExampleBot")?);
/// let robots_txt = b"User-agent: *\nDisallow: /private/\n";
/// assert!(abide::allows(robots_txt, &client, "https://example.com/public"));
/// assert!(!abide::allows(robots_txt, &client, "https://example.com/private/x"));
/// # Ok::<(), abide::InvalidProductToken>(())
/// ```
#[must_use]
pub fn allows(octets: &[u8], client: &Client, url: &str) -> bool {
    Policy::compile(octets, client).allows(url)
}
