//! The web page: files that the sources in `page/` are built into, as part of the program.
//!
//! The page only asks the routes of this service. Its policy admits no script and no style of
//! another origin or within HTML, and no HTML made from strings.

use crate::coding::{gzip, takes};
use axum::Router;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use ring::digest::{SHA256, digest};
use std::sync::OnceLock;

const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
     require-trusted-types-for 'script'; trusted-types 'none'",
);

/// For the page itself: ask each time, because it names the others.
const ASK: HeaderValue = HeaderValue::from_static("no-cache");

/// For the others: their names have a hash of what is in them.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// One file of the page.
struct File {
    path: &'static str,
    media_type: &'static str,
    bytes: &'static [u8],
    brotli: &'static [u8],
}

/// What is computed of a file when it is first asked for.
struct Prepared {
    gzip: Vec<u8>,
    etag: HeaderValue,
}

static FILES: &[File] = &include!("../page/files.rs");

/// The routes of the page.
pub(crate) fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    FILES.iter().fold(Router::new(), |router, file| {
        let prepared = OnceLock::new();
        let prepared: &'static OnceLock<Prepared> = Box::leak(Box::new(prepared));
        router.route(
            file.path,
            get(move |headers: HeaderMap| async move {
                file.answer(prepared.get_or_init(|| file.prepare()), &headers)
            }),
        )
    })
}

impl File {
    fn prepare(&self) -> Prepared {
        let gzip = gzip(self.bytes, Compression::best());
        let hash = STANDARD.encode(&digest(&SHA256, self.bytes).as_ref()[..16]);
        let etag = HeaderValue::try_from(format!("W/\"{hash}\"")).expect("base64 is ASCII");
        Prepared { gzip, etag }
    }

    fn answer(&self, prepared: &'static Prepared, headers: &HeaderMap) -> Response {
        let cache = if self.path == "/" { ASK } else { FOR_EVER };
        let common = [
            (header::ETAG, prepared.etag.clone()),
            (header::CACHE_CONTROL, cache),
            (header::VARY, HeaderValue::from_static("accept-encoding")),
            (header::CONTENT_SECURITY_POLICY, POLICY),
            (
                header::REFERRER_POLICY,
                HeaderValue::from_static("no-referrer"),
            ),
        ];
        if is_current(headers, &prepared.etag) {
            return (StatusCode::NOT_MODIFIED, common).into_response();
        }
        let media_type = [(header::CONTENT_TYPE, self.media_type)];
        let codings = [("br", self.brotli), ("gzip", prepared.gzip.as_slice())];
        match codings
            .into_iter()
            .find(|(coding, _)| takes(headers, coding))
        {
            Some((coding, bytes)) => {
                let encoding = [(header::CONTENT_ENCODING, coding)];
                (common, media_type, encoding, bytes).into_response()
            }
            None => (common, media_type, self.bytes).into_response(),
        }
    }
}

/// Whether the client has this version (RFC 9110, section 13.1.2).
fn is_current(headers: &HeaderMap, etag: &HeaderValue) -> bool {
    let tag = etag.to_str().expect("made of ASCII");
    let strong = tag.trim_start_matches("W/");
    headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|one| one.trim().trim_start_matches("W/"))
        .any(|one| one == strong || one == "*")
}
