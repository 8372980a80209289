//! What HTTP/1.1 demands of the head of a request, and the parser lets pass (RFC 9112, 3.2, 6.1,
//! 6.3). Two programs that read such a head differently could be made to disagree about what is
//! asked.

use crate::problem::Problem;
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::header::{self, HeaderName, HeaderValue};
use http::uri::Authority;
use http::{Request, Version};

/// Checks that the request names one host, and says once how long its body is.
pub(crate) fn check(request: &Request<Body>) -> Result<(), Problem> {
    let headers = request.headers();
    let number = |name: &HeaderName| headers.get_all(name).iter().count();
    let hosts = number(&header::HOST);
    if hosts > 1 || (hosts == 0 && request.version() == Version::HTTP_11) {
        return Err(invalid(
            "Host",
            format!("expected one field Host, but found {hosts}"),
            "send the field Host once",
        ));
    }
    // Behind a proxy it is that of a site, and its problem says so.
    let is_own = !request.uri().path().starts_with("/authz");
    if headers
        .get(header::HOST)
        .is_some_and(|host| is_own && !is_host(host))
    {
        return Err(invalid(
            "Host",
            "the field Host has no host",
            "send the name or address of the service, and its port",
        ));
    }
    let Some(coding) = headers.get(header::TRANSFER_ENCODING) else {
        return Ok(());
    };
    if number(&header::TRANSFER_ENCODING) > 1
        || !coding.as_bytes().eq_ignore_ascii_case(b"chunked")
        || number(&header::CONTENT_LENGTH) > 0
    {
        return Err(invalid(
            "Transfer-Encoding",
            "the length of the body is ambiguous",
            "send either Transfer-Encoding: chunked or Content-Length, and once",
        ));
    }
    Ok(())
}

/// The problem as the last answer on its connection: where the next request begins is not certain.
pub(crate) fn last_answer(problem: Problem) -> Response {
    let mut response = problem.into_response();
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(header::CONNECTION, close);
    response
}

/// Whether this is `host[:port]`, or nothing.
fn is_host(host: &HeaderValue) -> bool {
    let host = host.as_bytes();
    host.is_empty() || (!host.contains(&b'@') && Authority::try_from(host).is_ok())
}

fn invalid(field: &'static str, detail: impl Into<String>, remedy: &'static str) -> Problem {
    Problem::bad_request("invalid-http", detail, remedy).at(field)
}
