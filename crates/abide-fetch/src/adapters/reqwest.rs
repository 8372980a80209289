//! A middleware for `reqwest`.

use super::{AdapterError, UrlChecker, UrlRules, describe, note};
use crate::RobotsCache;
use crate::pace::Visit;
use ::http::{Extensions, Method, StatusCode, header};
use async_trait::async_trait;
use hyper::body::{Frame, SizeHint};
use reqwest::{Body, Request, Response, ResponseBuilderExt, Url};
use reqwest_middleware::{Middleware, Next};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// Checks each request, and sends it or returns an error. It must be called within a tokio runtime,
/// and should be the last middleware that is added to a client (`with`), so that it sees the
/// request as the others leave it.
///
/// The error is an [`AdapterError`] inside [`reqwest_middleware::Error::Middleware`]:
///
/// ```
/// use abide_fetch::adapters::{AdapterError, DisallowedError};
///
/// fn refused(error: &reqwest_middleware::Error) -> Option<&DisallowedError> {
///     match error {
///         reqwest_middleware::Error::Middleware(error) => match error.downcast_ref() {
///             Some(AdapterError::Disallowed(refused)) => Some(refused),
///             _ => None,
///         },
///         _ => None,
///     }
/// }
/// ```
///
/// # Redirects
///
/// A `reqwest` client follows redirects below every middleware, without a check: a response from a
/// disallowed URL is refused here, but that URL has then been requested already. Build the client
/// with [`reqwest::redirect::Policy::none`], and let this middleware follow redirects: it checks
/// every hop first ([`RobotsMiddleware::with_max_redirects`]).
///
/// # Pace
///
/// If the cache has a [`Pacer`](crate::pace::Pacer), every hop waits for its turn. A visit lasts
/// until the body of the response has been read, or is dropped: until then, no other request to the
/// site is sent.
#[derive(Clone, Debug)]
pub struct RobotsMiddleware {
    checker: UrlChecker,
    redirects: usize,
}

impl RobotsMiddleware {
    /// Lets a request through if the rules that `robots` finds allow it.
    #[must_use]
    pub fn new(robots: RobotsCache) -> Self {
        Self {
            checker: UrlChecker::new(robots),
            redirects: 0,
        }
    }

    /// Whether to read the robots tags of responses, and to put [`Tags`](super::Tags) into their
    /// extensions, except for `/robots.txt` itself. [default: no]
    #[must_use]
    pub fn with_read_tags(mut self, reads: bool) -> Self {
        self.checker.reads_tags = reads;
        self
    }

    /// Follows up to `most` redirects of `GET` and `HEAD` requests, and checks each. A further
    /// redirect, or one without a usable `Location`, is returned as the response. Credentials are
    /// sent to their own origin only.
    #[must_use]
    pub fn with_max_redirects(mut self, most: usize) -> Self {
        self.redirects = most;
        self
    }

    /// The rules that allow the response to a request for `url`, which `url_rules` allowed: the
    /// same rules, or those for the URL to which the inner client was redirected.
    async fn arrived(
        &self,
        response: &Response,
        url: &Url,
        url_rules: Option<UrlRules>,
    ) -> Result<Option<UrlRules>, AdapterError> {
        if is_same(response.url(), url) {
            return Ok(url_rules);
        }
        let at = response.url().to_string();
        self.checker.ask(at, Some(url.as_str())).await
    }
}

#[async_trait]
impl Middleware for RobotsMiddleware {
    async fn handle(
        &self,
        mut request: Request,
        extensions: &mut Extensions,
        next: Next<'_>,
    ) -> reqwest_middleware::Result<Response> {
        let mut from: Option<Url> = None;
        let mut left = self.redirects;
        loop {
            let url = request.url().clone();
            let led_by = from.as_ref().map(Url::as_str);
            let turn = self
                .checker
                .turn(url.to_string(), led_by, request.headers());
            let turn = turn.await;
            let (url_rules, mut visit) = turn.map_err(reqwest_middleware::Error::middleware)?;
            // Some bodies can be read only once, and requests with a body are not followed anyway.
            let again = if left > 0 { repeated(&request) } else { None };
            let mut response = next
                .clone()
                .run(request, extensions)
                .await
                .inspect_err(|_| {
                    if let Some(visit) = &mut visit {
                        visit.failed();
                    }
                })?;
            note(visit.as_mut(), response.status(), response.headers());
            if !is_same(response.url(), &url) {
                // The robots.txt of the site that was led to may need a turn at the same site.
                visit = None;
            }
            let url_rules = self.arrived(&response, &url, url_rules).await;
            let url_rules = url_rules.map_err(reqwest_middleware::Error::middleware)?;
            if let Some(onward) = again.and_then(|again| redirected(again, &response)) {
                left = left.saturating_sub(1);
                from = Some(response.url().clone());
                request = onward;
                continue;
            }
            let site_rules = url_rules.as_ref().map(|rules| rules.site_rules.clone());
            let tags = self.checker.tags(url_rules, response.headers());
            describe(response.extensions_mut(), site_rules, tags);
            return match visit {
                Some(visit) => until_read(response, visit),
                None => Ok(response),
            };
        }
    }
}

/// The response, whose body keeps `visit` until it has been read or is dropped.
fn until_read(response: Response, visit: Visit) -> reqwest_middleware::Result<Response> {
    let url = response.url().clone();
    let (mut parts, body) = ::http::Response::from(response).into_parts();
    let body = VisitBody {
        body,
        visit: Some(visit),
    };
    // The URL of a response is in an extension that only its builder can make.
    let built = ::http::Response::builder().url(url).body(Body::wrap(body));
    let (built, body) = built
        .map_err(reqwest_middleware::Error::middleware)?
        .into_parts();
    parts.extensions.extend(built.extensions);
    Ok(::http::Response::from_parts(parts, body).into())
}

/// A body with the visit that it is part of.
struct VisitBody {
    body: Body,
    visit: Option<Visit>,
}

impl hyper::body::Body for VisitBody {
    type Data = <Body as hyper::body::Body>::Data;
    type Error = reqwest::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, reqwest::Error>>> {
        let this = self.get_mut();
        let frame = ready!(Pin::new(&mut this.body).poll_frame(context));
        match &frame {
            Some(Ok(_)) => {}
            Some(Err(_)) => {
                if let Some(mut visit) = this.visit.take() {
                    visit.failed();
                }
            }
            None => drop(this.visit.take()),
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A copy of the request, if its method only reads.
fn repeated(request: &Request) -> Option<Request> {
    let reads = request.method() == Method::GET || request.method() == Method::HEAD;
    let is_bare = reads && request.body().is_none();
    is_bare.then(|| request.try_clone()).flatten()
}

/// The request that `response` redirects to.
fn redirected(mut request: Request, response: &Response) -> Option<Request> {
    let is_redirect = matches!(
        response.status(),
        StatusCode::MOVED_PERMANENTLY
            | StatusCode::FOUND
            | StatusCode::SEE_OTHER
            | StatusCode::TEMPORARY_REDIRECT
            | StatusCode::PERMANENT_REDIRECT
    );
    let location = response.headers().get(header::LOCATION)?.to_str().ok()?;
    let to = response.url().join(location).ok().filter(|_| is_redirect)?;
    if request.url().origin() != to.origin() {
        for secret in [
            header::AUTHORIZATION,
            header::COOKIE,
            header::PROXY_AUTHORIZATION,
            // A `Host` that the caller set is that of the first authority.
            header::HOST,
        ] {
            request.headers_mut().remove(secret);
        }
    }
    *request.url_mut() = to;
    Some(request)
}

/// Whether both URLs are the same request: a fragment is not sent.
fn is_same(one: &Url, other: &Url) -> bool {
    let sent = |url: &Url| {
        let mut url = url.clone();
        url.set_fragment(None);
        url
    };
    one == other || sent(one) == sent(other)
}
