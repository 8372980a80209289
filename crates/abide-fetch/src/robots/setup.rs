//! The front door: builds a cache for a robot from its `User-Agent`.

use super::{Builder, Observer, RobotsCache};
use crate::guard::Guard;
use crate::http::{Courtesy, Fetcher, Options, OptionsError};
use crate::machine::Settings;
use crate::store::Store;
use abide::explain::visible;
use abide::{Client, IdentificationError, ProductToken};
use std::time::Duration;
use thiserror::Error;

impl RobotsCache {
    /// Builds a cache for the robot that sends `user_agent`. By default it connects to public
    /// addresses only, keeps up to 256 MiB in memory, and handles expiry and failures as RFC 9309
    /// says.
    ///
    /// The product token is the first word of `user_agent`, or the word after `compatible;`.
    ///
    /// # Errors
    /// [`SetupError`] for a user agent without a product token, and for one that no field can
    /// carry.
    pub fn for_robot(user_agent: &str) -> Result<Self, SetupError> {
        Self::setup(user_agent)?.build()
    }

    /// Starts a cache like [`RobotsCache::for_robot`], with your own settings. Each setting exists
    /// once.
    ///
    /// ```
    /// use abide_fetch::RobotsCache;
    /// use std::time::Duration;
    ///
    /// let cache = RobotsCache::setup("ExampleBot/1.0 (+https://bot.example/)")?
    ///     .memory(64 << 20)
    ///     .deadline(Duration::from_secs(10))
    ///     .build()?;
    /// assert_eq!(cache.client().product_tokens()[0].as_str(), "ExampleBot");
    /// # Ok::<(), abide_fetch::SetupError>(())
    /// ```
    ///
    /// # Errors
    /// [`SetupError::NoProductToken`] for a user agent without a product token.
    pub fn setup(user_agent: &str) -> Result<Setup, SetupError> {
        let token = ProductToken::of_user_agent(user_agent).or_else(|| {
            // A crawler that sends only what browsers send still has to be answered.
            let first = user_agent.split(['/', ' ', ';', '(', ')']).next()?;
            ProductToken::nonstandard(first).ok()
        });
        let token = token.ok_or_else(|| SetupError::NoProductToken {
            user_agent: visible(user_agent.as_bytes()),
        })?;
        Ok(Setup {
            client: Client::new(token),
            guard: Guard::new(),
            options: Options::new(user_agent),
            settings: Settings::default(),
            memory: super::DEFAULT_MEMORY,
            cache: Vec::new(),
        })
    }
}

/// Settings of a [`RobotsCache`]. Created by [`RobotsCache::setup`].
#[must_use = "call `build`"]
pub struct Setup {
    client: Client,
    guard: Guard,
    options: Options,
    settings: Settings,
    memory: u64,
    /// Settings of the cache itself, in order.
    cache: Vec<Box<dyn FnOnce(Builder) -> Builder + Send>>,
}

impl Setup {
    /// Answers for `client`, for purposes, ACAP names or further product tokens. Its parsing limit
    /// also limits the download. [default: the product token of the user agent]
    pub fn client(mut self, client: Client) -> Self {
        self.client = client;
        self
    }

    /// Connects only to addresses that `guard` allows. [default: public addresses]
    pub fn guard(mut self, guard: Guard) -> Self {
        self.guard = guard;
        self
    }

    /// Sets how responses and failures are handled. [default: RFC 9309, carefully]
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Sets how long one retrieval may take, redirects and body included. [default: 30 s]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.options.deadline = deadline;
        self
    }

    /// Sets the limits of concurrency. [default: 512 connections, 2 per host]
    pub fn courtesy(mut self, courtesy: Courtesy) -> Self {
        self.options.courtesy = courtesy;
        self
    }

    /// Sets how many bytes of files and compiled rules are kept in memory. The least recently used
    /// files are evicted first. [default: 256 MiB]
    pub fn memory(mut self, bytes: u64) -> Self {
        self.memory = bytes;
        self
    }

    /// Keeps files in `store`, beyond the process or shared. [default: none]
    pub fn store(mut self, store: impl Store + 'static) -> Self {
        self.cache.push(Box::new(|builder| builder.store(store)));
        self
    }

    /// Reports retrievals and failures of the store to `observer`. [default: none]
    pub fn observer(mut self, observer: impl Observer + 'static) -> Self {
        self.cache
            .push(Box::new(|builder| builder.observer(observer)));
        self
    }

    /// Builds the cache.
    ///
    /// # Errors
    /// [`SetupError`] if the user agent does not name a product token of the client (REP-25), or
    /// cannot be sent.
    pub fn build(self) -> Result<RobotsCache, SetupError> {
        let findings = self.client.check_identification(&self.options.user_agent);
        let is_fatal =
            |error: &IdentificationError| !matches!(error, IdentificationError::NoContact);
        if let Some(finding) = findings.into_iter().find(is_fatal) {
            return Err(SetupError::Identification(finding));
        }
        let mut options = self.options;
        options.body_limit = self.client.limits().bytes();
        let fetcher = Fetcher::new(self.guard, options, self.settings.clone())?;
        let builder = RobotsCache::builder(self.client, fetcher)
            .settings(self.settings)
            .bytes(self.memory);
        let builder = self
            .cache
            .into_iter()
            .fold(builder, |builder, set| set(builder));
        Ok(builder.build())
    }
}

impl std::fmt::Debug for Setup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Setup")
            .field("client", &self.client)
            .field("guard", &self.guard)
            .field("options", &self.options)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

/// Why a cache cannot be set up.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The user agent has no product token.
    #[error(
        "expected a user agent such as \"ExampleBot/1.0 (+https://bot.example/)\", but found {user_agent:?}, which names no robot"
    )]
    NoProductToken {
        /// The user agent, safe to show.
        user_agent: String,
    },
    /// The user agent does not name a product token or purpose of the client.
    #[error("the user agent does not identify the client: {0}")]
    Identification(IdentificationError),
    /// The user agent cannot be sent, or TLS cannot be set up.
    #[error(transparent)]
    Options(#[from] OptionsError),
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn rep_25_the_product_token_of_a_user_agent() {
        for (user_agent, token) in [
            ("ExampleBot/1.0 (+https://bot.example/)", "ExampleBot"),
            ("ExampleBot", "ExampleBot"),
            (
                "Mozilla/5.0 (compatible; ExampleBot/0.1; https://e.example/)",
                "ExampleBot",
            ),
            ("MJ12bot/v1.4", "MJ12bot"),
            ("Mozilla/5.0 (X11; Linux) ExampleBot/1.0", "ExampleBot"),
            (
                "Mozilla/5.0 (compatible; ExampleBot; +https://e.example/)",
                "ExampleBot",
            ),
        ] {
            let setup = RobotsCache::setup(user_agent).unwrap();
            let tokens: Vec<_> = setup
                .client
                .product_tokens()
                .iter()
                .map(ProductToken::as_str)
                .collect();
            assert_eq!(tokens, [token], "{user_agent}");
        }
        for wrong in ["", "/1.0", "(x)", "*"] {
            assert!(RobotsCache::for_robot(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn rep_25_the_user_agent_names_the_client() {
        let other = Client::new(ProductToken::new("OtherBot").unwrap());
        let setup = RobotsCache::setup("ExampleBot/1.0").unwrap().client(other);
        assert!(matches!(setup.build(), Err(SetupError::Identification(_))));
    }
}
