//! A layer for services of `tower`.

use super::{AdapterError, BoxError, UrlChecker, describe, note};
use crate::RobotsCache;
use crate::http::BoxFuture;
use ::http::{Request, Response};
use std::mem;
use std::sync::Arc;
use std::task::{Context, Poll};
use tower_layer::Layer;
use tower_service::Service;

/// Puts a [`RobotsService`] in front of a client.
///
/// ```
/// use abide_fetch::{RobotsCache, adapters::RobotsLayer};
/// use http::{Request, Response};
/// use tower::{BoxError, Service, ServiceBuilder};
///
/// fn abiding<S>(
///     robots: RobotsCache,
///     client: S,
/// ) -> impl Service<Request<String>, Response = Response<String>>
/// where
///     S: Service<Request<String>, Response = Response<String>> + Clone + Send + 'static,
///     S::Error: Into<BoxError>,
///     S::Future: Send,
/// {
///     ServiceBuilder::new()
///         .layer(RobotsLayer::new(robots).with_read_tags(true))
///         .service(client)
/// }
/// ```
#[derive(Clone, Debug)]
pub struct RobotsLayer {
    checker: UrlChecker,
}

impl RobotsLayer {
    /// Lets a request through if the rules that `robots` finds allow it.
    #[must_use]
    pub fn new(robots: RobotsCache) -> Self {
        Self {
            checker: UrlChecker::new(robots),
        }
    }

    /// Whether to read the robots tags of responses, and to put [`Tags`](super::Tags) into their
    /// extensions, except for `/robots.txt` itself. [default: no]
    #[must_use]
    pub fn with_read_tags(mut self, reads: bool) -> Self {
        self.checker.reads_tags = reads;
        self
    }
}

impl<S> Layer<S> for RobotsLayer {
    type Service = RobotsService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        RobotsService {
            checker: self.checker.clone(),
            inner,
        }
    }
}

/// Checks each request, and passes it to the inner client or returns an [`AdapterError`]. It must
/// be called within a tokio runtime.
///
/// The URL is the one in the request line: scheme and authority of its [`Uri`](::http::Uri),
/// whatever a `Host` field says. If the inner client follows redirects, those requests are not
/// checked: put a redirect layer outside this one, so that every hop passes through here.
///
/// If the cache has a [`Pacer`](crate::pace::Pacer), the extensions of a response have its
/// `Arc<`[`Visit`](crate::pace::Visit)`>`. The visit ends when they are dropped. To count the delay
/// from the end of the body, take it out, and drop it when the body has been read.
#[derive(Clone, Debug)]
pub struct RobotsService<S> {
    checker: UrlChecker,
    inner: S,
}

impl<S> RobotsService<S> {
    /// The client beneath.
    #[must_use]
    pub fn get_ref(&self) -> &S {
        &self.inner
    }

    /// The client beneath.
    #[must_use]
    pub fn into_inner(self) -> S {
        self.inner
    }
}

impl<S, B, C> Service<Request<B>> for RobotsService<S>
where
    S: Service<Request<B>, Response = Response<C>> + Clone + Send + 'static,
    S::Error: Into<BoxError>,
    S::Future: Send,
    B: Send + 'static,
{
    type Response = Response<C>;
    type Error = AdapterError;
    type Future = BoxFuture<'static, Result<Self::Response, AdapterError>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), AdapterError>> {
        self.inner
            .poll_ready(context)
            .map_err(|error| AdapterError::Inner(error.into()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let checker = self.checker.clone();
        // The service that was polled is ready; a clone may not be.
        let clone = self.inner.clone();
        let mut ready = mem::replace(&mut self.inner, clone);
        Box::pin(async move {
            let url = request.uri().to_string();
            let (permitted, mut visit) = checker.turn(url, None, request.headers()).await?;
            let response = ready.call(request).await;
            let mut response = response.map_err(|error| {
                if let Some(visit) = &mut visit {
                    visit.failed();
                }
                AdapterError::Inner(error.into())
            })?;
            note(visit.as_mut(), response.status(), response.headers());
            if let Some(visit) = visit {
                response.extensions_mut().insert(Arc::new(visit));
            }
            let site_rules = permitted.as_ref().map(|rules| rules.site_rules.clone());
            let tags = checker.tags(permitted, response.headers());
            describe(response.extensions_mut(), site_rules, tags);
            Ok(response)
        })
    }
}
