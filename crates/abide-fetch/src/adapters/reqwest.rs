//! A middleware for `reqwest`.

use super::{AdapterError, Asked, Asker};
use crate::RobotsCache;
use ::http::{Extensions, Method, StatusCode, header};
use async_trait::async_trait;
use reqwest::{Request, Response, Url};
use reqwest_middleware::{Middleware, Next};

/// Asks for each request whether it is permitted, and hands it on, or fails. It must be called
/// within a tokio runtime, and should be the last that a client is built `with`, so that what the
/// others make of a request is what is asked about.
///
/// What it fails with is an [`AdapterError`], inside of [`reqwest_middleware::Error::Middleware`]:
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
/// A client of `reqwest` follows redirects by itself, beneath every middleware, and asks nobody:
/// the response is then refused here where it came from a URL that is not permitted, but that URL
/// has been requested by then. A crawler builds its client with
/// [`reqwest::redirect::Policy::none`], and has redirects followed here, where every hop is asked
/// about before it is made ([`RobotsMiddleware::following`]).
#[derive(Clone, Debug)]
pub struct RobotsMiddleware {
    asker: Asker,
    redirects: usize,
}

impl RobotsMiddleware {
    /// Lets through what the rules permit that `robots` finds in force.
    #[must_use]
    pub fn new(robots: RobotsCache) -> Self {
        Self {
            asker: Asker::new(robots),
            redirects: 0,
        }
    }

    /// Reads the robots tags of responses too, and leaves a [`Tags`](super::Tags) in their
    /// extensions; in none for `/robots.txt` itself.
    #[must_use]
    pub fn reading_tags(mut self) -> Self {
        self.asker.reads_tags = true;
        self
    }

    /// Follows so many redirects of requests that only read (`GET` and `HEAD`), and asks about
    /// each. The next one, and one without a usable `Location`, is the response. Credentials go to
    /// their own authority only.
    #[must_use]
    pub fn following(mut self, most: usize) -> Self {
        self.redirects = most;
        self
    }

    /// What permits the response that came of a request for `url`, which `asked` permitted: the
    /// same, or what permits the URL that it was redirected to beneath.
    async fn arrived(
        &self,
        response: &Response,
        url: &Url,
        asked: Option<Asked>,
    ) -> Result<Option<Asked>, AdapterError> {
        if is_same(response.url(), url) {
            return Ok(asked);
        }
        let at = response.url().to_string();
        self.asker.ask(at, Some(url.as_str())).await
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
            let asked = self.asker.ask(url.to_string(), led_by).await;
            let asked = asked.map_err(reqwest_middleware::Error::middleware)?;
            // A body may be readable once only, and its request is not followed in any case.
            let again = if left > 0 { repeated(&request) } else { None };
            let mut response = next.clone().run(request, extensions).await?;
            let asked = self.arrived(&response, &url, asked).await;
            let asked = asked.map_err(reqwest_middleware::Error::middleware)?;
            if let Some(onward) = again.and_then(|again| redirected(again, &response)) {
                left = left.saturating_sub(1);
                from = Some(response.url().clone());
                request = onward;
                continue;
            }
            if let Some(tags) = self.asker.tags(asked, response.headers()) {
                response.extensions_mut().insert(tags);
            }
            return Ok(response);
        }
    }
}

/// The same request again, if it only reads.
fn repeated(request: &Request) -> Option<Request> {
    let reads = request.method() == Method::GET || request.method() == Method::HEAD;
    let is_bare = reads && request.body().is_none();
    is_bare.then(|| request.try_clone()).flatten()
}

/// Where `response` sends the request that brought it.
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
            // A name that somebody set is that of the first authority.
            header::HOST,
        ] {
            request.headers_mut().remove(secret);
        }
    }
    *request.url_mut() = to;
    Some(request)
}

/// Whether both are one request: a fragment is not sent.
fn is_same(one: &Url, other: &Url) -> bool {
    let sent = |url: &Url| {
        let mut url = url.clone();
        url.set_fragment(None);
        url
    };
    one == other || sent(one) == sent(other)
}
