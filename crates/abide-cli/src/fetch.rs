//! The plain fetch of a robots.txt: one request, at most five redirects, a status or a failure.
//! Nothing is kept: every call asks the site again.

use crate::source::read_up_to;
use abide::rep::Access;
use abide::rep::access::Cause;
use abide::{Client, ProductToken, Target};
use anyhow::{Context, ensure};
use std::io;
use std::time::Duration;

/// Redirects that are followed (REP-71).
const REDIRECTS: u32 = 5;
const CONNECT: Duration = Duration::from_secs(10);
const OVERALL: Duration = Duration::from_secs(30);

/// Fetches `url` for `client`, and at most `limit` octets of its body and one more. A failure of the
/// network is an answer (REP-75), no error.
pub(crate) fn robots_txt(
    url: &str,
    client: &Client,
    limit: usize,
) -> anyhow::Result<(Access, Vec<u8>)> {
    let target = Target::new(url).with_context(|| format!("cannot fetch {url}"))?;
    ensure!(
        target.is_web(),
        "cannot fetch {url}: expected http or https; read the file by other means, and use --robots"
    );
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(REDIRECTS)
        .max_redirects_will_error(true)
        .timeout_connect(Some(CONNECT))
        .timeout_global(Some(OVERALL))
        .proxy(None)
        .user_agent(identification(client))
        .build()
        .into();
    let mut response = match agent.get(url).call() {
        Ok(response) => response,
        Err(error) => return Ok((Access::from_failure(cause(&error)), Vec::new())),
    };
    let access = Access::from_status(response.status().as_u16());
    if access != Access::Rules || matches!(response.status().as_u16(), 204 | 205) {
        return Ok((access, Vec::new()));
    }
    let body = response.body_mut().with_config().limit(u64::MAX).reader();
    match read_up_to(body, limit) {
        Ok(octets) => Ok((access, octets)),
        Err(error) if error.kind() == io::ErrorKind::TimedOut => {
            Ok((Access::from_failure(Cause::Timeout), Vec::new()))
        }
        Err(_) => Ok((Access::from_failure(Cause::Truncated), Vec::new())),
    }
}

/// What is sent as `User-Agent`: who asks, and for whom (REP-25).
fn identification(client: &Client) -> String {
    let tokens: Vec<_> = client
        .product_tokens()
        .iter()
        .map(ProductToken::as_str)
        .collect();
    let mut tokens = tokens.join(", ");
    tokens.retain(|c| c.is_ascii_graphic() || c == ' ');
    format!(
        "abide/{} (checks robots.txt for {tokens})",
        env!("CARGO_PKG_VERSION")
    )
}

fn cause(error: &ureq::Error) -> Cause {
    match error {
        ureq::Error::HostNotFound => Cause::Dns,
        ureq::Error::ConnectionFailed => Cause::Connect,
        ureq::Error::Timeout(_) => Cause::Timeout,
        ureq::Error::TooManyRedirects => Cause::RedirectLimit,
        ureq::Error::RedirectFailed | ureq::Error::BadUri(_) => Cause::BadRedirect,
        ureq::Error::Tls(_) | ureq::Error::Rustls(_) => Cause::Tls,
        ureq::Error::Io(error) => match error.kind() {
            io::ErrorKind::ConnectionRefused
            | io::ErrorKind::HostUnreachable
            | io::ErrorKind::NetworkUnreachable => Cause::Connect,
            io::ErrorKind::TimedOut => Cause::Timeout,
            io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset => Cause::Truncated,
            _ => Cause::Network,
        },
        _ => Cause::Network,
    }
}
