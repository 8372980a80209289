//! The request that a client sent to a proxy, as the proxy describes it.

use crate::problem::Problem;
use abide::explain::visible;
use abide_analysis::words::enumerated_all;
use http::{HeaderMap, HeaderName, Uri, header};
use url::{Host, Url};

/// A path behind which the original one follows.
const PREFIX: &str = "/authz/";

const X_ORIGINAL_URI: HeaderName = HeaderName::from_static("x-original-uri");
const X_ORIGINAL_URL: HeaderName = HeaderName::from_static("x-original-url");
const X_FORWARDED_URI: HeaderName = HeaderName::from_static("x-forwarded-uri");
const X_FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");

/// Where a proxy says what was requested.
const WAYS: [HeaderName; 3] = [X_ORIGINAL_URI, X_ORIGINAL_URL, X_FORWARDED_URI];

/// What a client requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Original {
    /// The host as the name of a folder: lower case, punycode, without port.
    host: String,
    /// Path and query, as they were sent.
    target: String,
}

/// The path behind `/authz`, if there is one.
pub(super) fn path_behind(uri: &Uri) -> Option<&str> {
    uri.path().strip_prefix(PREFIX).map(|_| {
        // The slash after the prefix begins the original path.
        &uri.path()[PREFIX.len() - 1..]
    })
}

impl Original {
    /// The host.
    pub(super) fn host(&self) -> &str {
        &self.host
    }

    /// Path and query, as they were sent.
    pub(super) fn target(&self) -> &str {
        &self.target
    }

    /// Why no server can be trusted to read the target as this one does, if so: RFC 9112 has no `#`
    /// and no control characters in it, and some end the path there.
    pub(super) fn flaw(&self) -> Option<&'static str> {
        if self.target.contains('#') {
            Some("the path of the request has a \"#\"")
        } else if self.target.bytes().any(|byte| byte.is_ascii_control()) {
            Some("the path of the request has a control character")
        } else {
            None
        }
    }

    /// The request whose path is behind `/authz`: its host is that of this request.
    pub(super) fn behind(
        path: &str,
        query: Option<&str>,
        headers: &HeaderMap,
    ) -> Result<Self, Problem> {
        let target = match query {
            Some(query) => format!("{path}?{query}"),
            None => path.to_owned(),
        };
        Ok(Self {
            host: host(headers, &header::HOST)?,
            target,
        })
    }

    /// The request that headers describe. A client may have sent the headers that the proxy does
    /// not set, so with several ways `from` has to say which one is the proxy's.
    pub(super) fn read(headers: &HeaderMap, from: Option<&str>) -> Result<Self, Problem> {
        let way = match from {
            Some(name) => WAYS
                .into_iter()
                .find(|way| way.as_str().eq_ignore_ascii_case(name))
                .ok_or_else(unknown_way)?,
            None => only_way(headers)?,
        };
        let value = one(headers, &way)?;
        if way == X_ORIGINAL_URL {
            return Self::of_url(&value, &way);
        }
        // Some clients send a whole URL in the first line of a request. nginx cuts it before the
        // path, which may be empty.
        let target = if value.starts_with('/') {
            value
        } else if value.starts_with('?') {
            format!("/{value}")
        } else {
            Self::of_url(&value, &way)?.target
        };
        let by = if way == X_FORWARDED_URI {
            X_FORWARDED_HOST
        } else {
            header::HOST
        };
        Ok(Self {
            host: host(headers, &by)?,
            target,
        })
    }

    fn of_url(text: &str, way: &HeaderName) -> Result<Self, Problem> {
        let wrong = || {
            invalid(
                way,
                format!("expected a path or an http URL, but found {}", shown(text)),
            )
        };
        let (scheme, after) = text.split_once("://").ok_or_else(wrong)?;
        if !["http", "https"].contains(&scheme.to_ascii_lowercase().as_str()) {
            return Err(wrong());
        }
        // A client chooses its host: one with a `?` must not become a part of the path.
        let (host, target) = after.split_at(after.find('/').unwrap_or(after.len()));
        Ok(Self {
            host: folder(host).ok_or_else(wrong)?,
            target: if target.is_empty() { "/" } else { target }.to_owned(),
        })
    }
}

/// The one way in which the request is described.
fn only_way(headers: &HeaderMap) -> Result<HeaderName, Problem> {
    let present: Vec<HeaderName> = WAYS
        .into_iter()
        .filter(|way| headers.contains_key(way))
        .collect();
    match present.as_slice() {
        [only] => Ok(only.clone()),
        [] => Err(Problem::bad_request(
            "no-original-request",
            "the proxy does not say what was requested",
            "set X-Original-URI, X-Original-URL or X-Forwarded-Uri, or add the path to /authz (docs/proxies.md)",
        )),
        several => {
            let names: Vec<_> = several.iter().map(HeaderName::as_str).collect();
            Err(Problem::bad_request(
                "ambiguous-request",
                format!(
                    "{} say what was requested, and clients can send them too",
                    enumerated_all(&names)
                ),
                "name the one that the proxy sets: /authz?from=x-original-uri",
            ))
        }
    }
}

fn unknown_way() -> Problem {
    let names = WAYS.map(|way| way.to_string()).join(", ");
    Problem::bad_request(
        "invalid-query",
        "the parameter \"from\" names no header that describes a request",
        format!("write one of {names}"),
    )
    .at("from")
}

/// The value of a header that has to be there once.
fn one(headers: &HeaderMap, name: &HeaderName) -> Result<String, Problem> {
    let mut values = headers.get_all(name).iter();
    let value = match (values.next(), values.next()) {
        (Some(value), None) => value,
        (None, _) => {
            return Err(invalid(name, "the header is missing".to_owned()));
        }
        (Some(_), Some(_)) => {
            return Err(invalid(name, "the header is there twice".to_owned()));
        }
    };
    // Bytes outside of ASCII are escaped, as clients do.
    let bytes = value.as_bytes();
    let escaped = |byte: &u8| match byte {
        b'!'..=b'~' | b' ' | b'\t' => char::from(*byte).to_string(),
        other => percent_encoding::percent_encode_byte(*other).to_owned(),
    };
    Ok(bytes.iter().map(escaped).collect())
}

/// The host that a header names.
fn host(headers: &HeaderMap, name: &HeaderName) -> Result<String, Problem> {
    let text = one(headers, name)?;
    let wrong = || {
        let detail = format!("expected the host of a site, but found {}", shown(&text));
        invalid(name, detail)
    };
    folder(&text).ok_or_else(wrong)
}

/// The name of the folder of a host, which may have a port. `None` for text that is no host, and
/// for a host that could lead to another folder.
fn folder(text: &str) -> Option<String> {
    if text.contains(['/', '?', '#', '\\', '@', ',', ' ', '\t']) {
        return None;
    }
    let url = Url::parse(&format!("http://{text}/")).ok()?;
    let name = match url.host()? {
        Host::Domain(name) => name.trim_end_matches('.').to_owned(),
        Host::Ipv4(address) => address.to_string(),
        Host::Ipv6(address) => address.to_string(),
    };
    let is_label = |label: &str| !label.is_empty();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:".contains(&byte);
    let is_safe = name.len() <= 253 && name.bytes().all(is_plain);
    (is_safe && name.split('.').all(is_label)).then_some(name)
}

fn invalid(name: &HeaderName, detail: String) -> Problem {
    Problem::bad_request(
        "invalid-original-request",
        detail,
        "let the proxy set this header once (docs/proxies.md)",
    )
    .at(name.as_str().to_owned())
}

fn shown(text: &str) -> String {
    let shown: String = visible(text.as_bytes()).chars().take(100).collect();
    format!("{shown:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, value.parse().unwrap());
        }
        headers
    }

    fn read(pairs: &[(&'static str, &str)], from: Option<&str>) -> Result<Original, Problem> {
        Original::read(&headers(pairs), from)
    }

    #[test]
    fn each_way_gives_host_and_target() {
        let ways: [&[(&'static str, &str)]; 4] = [
            &[("x-original-uri", "/a?b"), ("host", "E.example:8443")],
            &[("x-original-url", "https://e.example:8443/a?b")],
            &[
                ("x-forwarded-uri", "/a?b"),
                ("x-forwarded-host", "e.example."),
                ("host", "other"),
            ],
            &[
                ("x-original-uri", "http://e.example/a?b"),
                ("host", "e.example"),
            ],
        ];
        for way in ways {
            let original = read(way, None).unwrap();
            assert_eq!((original.host(), original.target()), ("e.example", "/a?b"));
        }
    }

    #[test]
    fn what_a_client_adds_does_not_count() {
        let both = [
            ("x-original-uri", "/private/x"),
            ("host", "e.example"),
            ("x-forwarded-uri", "/"),
            ("x-forwarded-host", "e.example"),
        ];
        assert_eq!(read(&both, None).unwrap_err().code(), "ambiguous-request");
        let original = read(&both, Some("x-original-uri")).unwrap();
        assert_eq!(original.target(), "/private/x");
        let twice = [
            ("x-original-uri", "/a"),
            ("x-original-uri", "/b"),
            ("host", "e.example"),
        ];
        assert_eq!(
            read(&twice, None).unwrap_err().code(),
            "invalid-original-request"
        );
    }

    #[test]
    fn a_host_is_no_part_of_the_path() {
        for url in [
            "http://e.example?/private/x",
            "http://e.example#/private/x",
            "http://e.example\\private/x",
            "http://me@e.example/private/x",
            "ftp://e.example/private/x",
            "e.example/private/x",
        ] {
            assert!(Original::of_url(url, &X_ORIGINAL_URL).is_err(), "{url}");
        }
        let query = [("x-original-uri", "?/../a"), ("host", "e.example")];
        assert_eq!(read(&query, None).unwrap().target(), "/?/../a");
        for (target, is_flawed) in [("/a#/../b", true), ("/a\tb", true), ("/a%23%09", false)] {
            let way = [("x-original-uri", target), ("host", "e.example")];
            assert_eq!(read(&way, None).unwrap().flaw().is_some(), is_flawed);
        }
    }

    #[test]
    fn hosts_lead_to_no_other_folder() {
        for host in [
            "..",
            "../x",
            "a/../b",
            "a..b",
            "",
            ".",
            "a b",
            "a,b",
            "me@e.example",
            "%2e%2e",
        ] {
            let way = [("x-original-uri", "/a"), ("host", host)];
            assert!(read(&way, None).is_err(), "{host}");
        }
        for (host, name) in [
            ("[::1]:80", "::1"),
            ("127.0.0.1", "127.0.0.1"),
            ("BÜCHER.example", "xn--bcher-kva.example"),
        ] {
            let url = format!("http://{host}/");
            let original = Original::of_url(&url, &X_ORIGINAL_URL).unwrap();
            assert_eq!(original.host(), name);
        }
    }
}
