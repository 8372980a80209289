//! The spellings of a host: letters outside ASCII, or the `xn--` form that clients send (RFC 5890).

use url::Url;

/// The whole URL `url` with its host in ASCII and in Unicode, as far as these differ from what is
/// written. The engine compares the spellings of ASCII by itself.
///
/// Only the host is changed: the URL Standard would also resolve dot segments and encode bytes of
/// the path.
pub(crate) fn other_spellings(url: &str) -> Vec<String> {
    let Some((scheme, rest)) = url.split_once("://") else {
        return Vec::new();
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let is_plain = authority.is_ascii() && !authority.to_ascii_lowercase().contains("xn--");
    if is_plain {
        return Vec::new();
    }
    let read = Url::parse(&format!("{scheme}://{authority}/")).ok();
    let spelled = read
        .iter()
        .filter_map(|url| Some((url.host_str()?, url.port())));
    let spelled = spelled.flat_map(|(ascii, port)| {
        let port = port.map_or_else(String::new, |port| format!(":{port}"));
        let hosts = [ascii.to_owned(), url::quirks::domain_to_unicode(ascii)];
        hosts.map(|host| format!("{scheme}://{host}{port}{path}"))
    });
    spelled.filter(|other| other != url).collect()
}
