//! A layer for servers, which says what robots may do with responses.

use crate::http::BoxFuture;
use ::http::{HeaderName, HeaderValue, Request, Response};
use abide::write::FieldRules;
use std::sync::Arc;
use std::task::{Context, Poll};
use tower_layer::Layer;
use tower_service::Service;

/// Adds `Robots-Tag`, `X-Robots-Tag` and `Content-Usage` fields to the responses of a server, by
/// the path of the request. A field that the server has set itself stays as it is.
///
/// The path is the one that the layer sees. Routers may take a prefix from it: put the layer around
/// the outermost one.
///
/// ```
/// use abide::write::{FieldRules, ResponseField};
/// use abide_fetch::adapters::FieldsLayer;
/// use http::{Request, Response};
/// use tower::{Service, ServiceBuilder};
///
/// fn tagged<S>(server: S) -> Result<impl Service<Request<String>>, abide::write::WriteError>
/// where
///     S: Service<Request<String>, Response = Response<String>>,
///     S::Future: Send + 'static,
/// {
///     let rules = FieldRules::new().with("/drafts/", ResponseField::RobotsTag, &["*;noindex"])?;
///     Ok(ServiceBuilder::new().layer(FieldsLayer::new(rules)).service(server))
/// }
/// ```
#[derive(Clone, Debug)]
pub struct FieldsLayer {
    rules: Arc<FieldRules>,
}

impl FieldsLayer {
    /// Adds what `rules` say.
    #[must_use]
    pub fn new(rules: FieldRules) -> Self {
        Self {
            rules: Arc::new(rules),
        }
    }
}

impl<S> Layer<S> for FieldsLayer {
    type Service = FieldsService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        FieldsService {
            rules: Arc::clone(&self.rules),
            inner,
        }
    }
}

/// A server with the fields of a [`FieldsLayer`].
#[derive(Clone, Debug)]
pub struct FieldsService<S> {
    rules: Arc<FieldRules>,
    inner: S,
}

impl<S, B, C> Service<Request<B>> for FieldsService<S>
where
    S: Service<Request<B>, Response = Response<C>>,
    S::Future: Send + 'static,
{
    type Response = Response<C>;
    type Error = S::Error;
    type Future = BoxFuture<'static, Result<Self::Response, S::Error>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let path = request.uri().path_and_query();
        let path = path.map_or("/", |path| path.as_str());
        // The values are printable ASCII, so all of them are values of HTTP.
        let fields = self.rules.fields(path).filter_map(|(field, value)| {
            let name = HeaderName::from_bytes(field.name().as_bytes()).ok()?;
            Some((name, HeaderValue::from_str(value).ok()?))
        });
        let fields: Vec<_> = fields.collect();
        let response = self.inner.call(request);
        Box::pin(async move {
            let mut response = response.await?;
            let headers = response.headers_mut();
            let is_new = |(name, _): &(HeaderName, _)| !headers.contains_key(name);
            let fields: Vec<_> = fields.into_iter().filter(is_new).collect();
            for (name, value) in fields {
                headers.append(name, value);
            }
            Ok(response)
        })
    }
}
