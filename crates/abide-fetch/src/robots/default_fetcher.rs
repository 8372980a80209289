//! A cache that fetches with abide's own client.

use super::{Builder, RobotsCache};
use crate::guard::Guard;
use crate::http::{
    ConcurrencyLimits, Fetcher, Options, OptionsError, Resolver, SystemConnector, SystemResolver,
};
use abide::explain::visible;
use abide::rep::{NameKind, UserAgentLine};
use abide::{Client, IdentificationError, ProductToken};
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

impl RobotsCache {
    /// Builds a cache for the robot that sends `user_agent`. By default it connects to public
    /// addresses only, keeps up to 256 MiB in memory, and handles expiry and failures as RFC 9309
    /// says.
    ///
    /// # Errors
    /// [`SetupError`] for a user agent without the name of one robot, such as that of a browser,
    /// and for one that no field can carry.
    pub fn for_robot(user_agent: &str) -> Result<Self, SetupError> {
        Self::builder(user_agent)?.build()
    }

    /// Starts a cache like [`RobotsCache::for_robot`], with your own settings.
    ///
    /// The product token is the first product in `user_agent` that is no browser, library or
    /// crawling software, such as the word after `compatible;` ([`ProductToken::of_user_agent`]).
    /// Groups for other names in it count where a file has none for the token
    /// ([`Client::with_identification`]).
    ///
    /// ```
    /// use abide_fetch::RobotsCache;
    /// use std::time::Duration;
    ///
    /// let cache = RobotsCache::builder("ExampleBot/1.0 (+https://bot.example/)")?
    ///     .memory(64 << 20)
    ///     .deadline(Duration::from_secs(10))
    ///     .build()?;
    /// assert_eq!(cache.client().product_tokens()[0].as_str(), "ExampleBot");
    /// # Ok::<(), abide_fetch::SetupError>(())
    /// ```
    ///
    /// # Errors
    /// [`SetupError::NoProductToken`] for a user agent without the name of a robot, such as that of
    /// a browser, and [`SetupError::UnclearProductToken`] for several words without a version.
    pub fn builder(user_agent: &str) -> Result<Builder<DefaultFetcher>, SetupError> {
        let token = own_name(user_agent)?;
        Ok(Self::builder_for(Client::new(token), user_agent))
    }

    /// Starts a cache like [`RobotsCache::builder`] that answers for `client`, with purposes, ACAP
    /// names or further product tokens. `user_agent` is what it sends, and may be any line if
    /// `client` has no product token. Its parsing limit also limits the download.
    pub fn builder_for(client: Client, user_agent: &str) -> Builder<DefaultFetcher> {
        let http = DefaultFetcher {
            guard: Guard::new(),
            options: Options::new(user_agent),
            resolver: Arc::new(SystemResolver),
        };
        Builder::new(client, http)
    }
}

/// The product token of the robot that sends `user_agent`, if the line leaves no doubt about it.
fn own_name(user_agent: &str) -> Result<ProductToken, SetupError> {
    let line = UserAgentLine::new(user_agent);
    let Some(token) = ProductToken::of_user_agent(user_agent) else {
        return Err(SetupError::NoProductToken {
            user_agent: visible(user_agent.as_bytes()),
        });
    };
    let products = line.names().filter(|(_, kind)| *kind == NameKind::Product);
    let names: Vec<&str> = products.map(|(name, _)| name).collect();
    if names.len() > 1 && !has_version(user_agent, token.as_str()) {
        return Err(SetupError::UnclearProductToken {
            user_agent: visible(user_agent.as_bytes()),
            joined: visible(names.join("-").as_bytes()),
        });
    }
    Ok(token)
}

/// Whether `line` has `token` with a version, and not as the end of another name.
fn has_version(line: &str, token: &str) -> bool {
    let is_of_name = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    line.match_indices(&format!("{token}/")).any(|(at, _)| {
        line.get(..at)
            .is_some_and(|before| !before.ends_with(is_of_name))
    })
}

/// The retriever of a [`RobotsCache::builder`]: a [`Fetcher`] that is set up when the cache is
/// built.
#[derive(Clone, Debug)]
pub struct DefaultFetcher {
    guard: Guard,
    options: Options,
    resolver: Arc<dyn Resolver>,
}

impl Builder<DefaultFetcher> {
    /// Answers for `client`, for purposes, ACAP names or further product tokens. Its parsing limit
    /// also limits the download. [default: the product token of the user agent]
    pub fn client(mut self, client: Client) -> Self {
        self.client = client;
        self
    }

    /// Connects only to addresses that `guard` allows. [default: public addresses]
    pub fn guard(mut self, guard: Guard) -> Self {
        self.retriever.guard = guard;
        self
    }

    /// Sets how long one retrieval may take, redirects and body included. [default: 30 s]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.retriever.options.deadline = deadline;
        self
    }

    /// Sets what looks up the addresses of names. [default: [`SystemResolver`]]
    pub fn resolver(mut self, resolver: impl Resolver + 'static) -> Self {
        self.retriever.resolver = Arc::new(resolver);
        self
    }

    /// Sets the limits of concurrency. [default: 512 connections, 2 per host]
    pub fn concurrency(mut self, limits: ConcurrencyLimits) -> Self {
        self.retriever.options.concurrency = limits;
        self
    }

    /// Builds the cache.
    ///
    /// # Errors
    /// [`SetupError`] if the user agent does not name a product token of the client (REP-25), or
    /// cannot be sent.
    pub fn build(self) -> Result<RobotsCache, SetupError> {
        let DefaultFetcher {
            guard,
            mut options,
            resolver,
        } = self.retriever.clone();
        let findings = self.client.check_identification(&options.user_agent);
        let is_fatal =
            |error: &IdentificationError| !matches!(error, IdentificationError::NoContact);
        if let Some(finding) = findings.into_iter().find(is_fatal) {
            return Err(SetupError::Identification(finding));
        }
        options.body_limit = self.client.limits().bytes();
        let client = self.client.clone().with_identification(&options.user_agent);
        let settings = self.settings.clone();
        let fetcher = Fetcher::with_network(guard, options, settings, resolver, SystemConnector)?;
        Ok(self.client(client).through(fetcher).build())
    }
}

/// Why a cache cannot be set up.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The user agent has no product token: it names nobody, or only what browsers send.
    #[error(
        "expected a user agent with the name of your robot, such as \"ExampleBot/1.0 (+https://bot.example/)\", but found {user_agent:?}, which names no robot that a robots.txt could address"
    )]
    NoProductToken {
        /// The user agent, safe to show.
        user_agent: String,
    },
    /// The user agent has several words, and none of them has the form of a name.
    #[error(
        "expected a user agent with one name and its version, such as \"{joined}/1.0 (+https://bot.example/)\", but found {user_agent:?}: which of its words do sites write in robots.txt?"
    )]
    UnclearProductToken {
        /// The user agent, safe to show.
        user_agent: String,
        /// Its words as one name, safe to show.
        joined: String,
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
            let builder = RobotsCache::builder(user_agent).unwrap();
            let tokens: Vec<_> = builder
                .client
                .product_tokens()
                .iter()
                .map(ProductToken::as_str)
                .collect();
            assert_eq!(tokens, [token], "{user_agent}");
        }
    }

    /// A line of which no robots.txt can name the sender says what to write instead.
    #[test]
    fn rep_25_a_user_agent_that_names_no_robot() {
        let wrong = |user_agent| RobotsCache::for_robot(user_agent).unwrap_err();
        for user_agent in [
            "",
            "/1.0",
            "(x)",
            "*",
            "Mozilla/5.0",
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64)",
            "Chrome/120.0 Safari/537",
        ] {
            let error = wrong(user_agent);
            let is_nameless = matches!(error, SetupError::NoProductToken { .. });
            assert!(is_nameless, "{user_agent}: {error}");
            assert!(
                error.to_string().contains("ExampleBot/1.0 (+https"),
                "{error}"
            );
        }
        for (user_agent, written) in [
            ("my crawler 1.0", "my-crawler/1.0 (+https"),
            ("Example News (+https://e.example/)", "Example-News/1.0"),
            // The version is that of another name.
            ("Bot MyBot/1.0", "Bot-MyBot/1.0"),
        ] {
            let error = wrong(user_agent).to_string();
            assert!(error.contains(written), "{error}");
        }
        // A name with a version leaves no doubt, and neither does one word.
        for clear in [
            "ExampleBot/1.0 of Example",
            "ExampleBot 1.0 (+https://e.example/)",
            "curl/8.5",
        ] {
            assert!(RobotsCache::for_robot(clear).is_ok(), "{clear}");
        }
    }

    /// A client without a name may send anything: the rules for `*` apply.
    #[test]
    fn any_line_for_a_client_without_a_name() {
        let builder = RobotsCache::builder_for(Client::unnamed(), "Mozilla/5.0 (X11)");
        assert!(builder.build().is_ok());
    }

    #[test]
    fn rep_25_the_user_agent_names_the_client() {
        let other = Client::new(ProductToken::new("OtherBot").unwrap());
        let builder = RobotsCache::builder("ExampleBot/1.0").unwrap();
        let built = builder.client(other).build();
        assert!(matches!(built, Err(SetupError::Identification(_))));
    }
}
