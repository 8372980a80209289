//! A robots.txt that is compiled once, and asked about many pages.

use crate::request::{Request, RequestError};
use crate::{DecisionJson, RetrievalJson};
use abide::preference::Documents;
use abide::verdict::Note;
use abide::{Decision, Policy};
use abide_known_robots::Robot;
use std::sync::Arc;

/// The robots.txt and the client of a request, ready for many pages.
///
/// ```
/// use abide_contract::{CompiledRobots, PageInput};
/// let robots_txt = b"User-agent: *\nDisallow: /x\n";
/// let asks = br#"{"url":"/","agent":"ExampleBot"}"#;
/// let compiled = CompiledRobots::new(asks, Some(&robots_txt[..].into()))?;
/// assert!(!compiled.policy().allows("https://e.example/x"));
///
/// let page = r#"{"url":"/x","agent":"*","headers":[["Robots-Tag","*;noindex"]]}"#;
/// let line = compiled.decide(page.as_bytes(), PageInput::default(), |_, json| json.to_line())?;
/// assert!(line.contains(r#""tags":{"noindex":true}"#));
/// # Ok::<(), abide_contract::RequestError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CompiledRobots {
    policy: Arc<Policy>,
    /// The names of the robot, as they were asked for.
    agent: Vec<String>,
    /// The robot, if the request asks for what is documented about it.
    robot: Option<Robot>,
    documents: Documents,
    unread: Option<UnreadRobots>,
}

/// A robots.txt whose status leaves it unknown.
#[derive(Clone, Debug)]
struct UnreadRobots {
    /// What the evidence notes about it.
    notes: &'static [Note],
    /// Where it redirects to, if that is known.
    location: Option<String>,
}

/// What is known about a page beside its request.
#[derive(Clone, Copy, Debug, Default)]
// Exhaustive: callers build it.
pub struct PageInput<'a> {
    /// The bytes of the page's source, in any encoding [default: `html` of the request].
    pub html: Option<&'a [u8]>,
    /// How the robots.txt was fetched.
    pub retrieval: Option<&'a RetrievalJson>,
}

impl CompiledRobots {
    /// Compiles `body`, or else the robots.txt of the request, for the client of the request. What
    /// the request says about a page is ignored.
    ///
    /// # Errors
    /// [`RequestError`] for an invalid request.
    pub fn new(request: &[u8], body: Option<&Arc<[u8]>>) -> Result<Self, RequestError> {
        let request = Request::read(request)?;
        let robot = request.robot()?;
        let policy = request.compiled(robot.as_ref(), body)?;
        let robot = robot.map(|robot| robot.in_file(&policy).into_owned());
        let unread = request.unread().map(|notes| UnreadRobots {
            notes,
            location: request.robots_location.as_deref().map(str::to_owned),
        });
        Ok(Self {
            policy: Arc::new(policy),
            agent: request.agent.to_vec(),
            robot,
            documents: request.documents()?.unwrap_or_default(),
            unread,
        })
    }

    /// Takes a policy that is compiled already, such as one from a cache.
    #[must_use]
    pub fn of(policy: Arc<Policy>) -> Self {
        let tokens = policy.client().product_tokens().iter();
        let mut agent: Vec<String> = tokens.map(|token| token.as_str().to_owned()).collect();
        if agent.is_empty() {
            agent.push("*".to_owned());
        }
        Self {
            policy,
            agent,
            robot: None,
            documents: Documents::default(),
            unread: None,
        }
    }

    /// Sets what is known of the documents beside robots.txt, for AI preferences.
    #[must_use]
    pub fn with_documents(self, documents: Documents) -> Self {
        Self { documents, ..self }
    }

    /// The policy.
    #[must_use]
    pub fn policy(&self) -> &Arc<Policy> {
        &self.policy
    }

    /// Decides about the page of a request: its URL, or a path, and what the request says about
    /// the response, the time and earlier visits. What it says about the client and robots.txt is
    /// ignored. `show` gets the decision in both forms.
    ///
    /// Reads the clock if the request has no `now`.
    ///
    /// # Errors
    /// [`RequestError`] for an invalid request.
    pub fn decide<T>(
        &self,
        request: &[u8],
        known: PageInput<'_>,
        show: impl FnOnce(&Decision<'_>, DecisionJson<'_>) -> T,
    ) -> Result<T, RequestError> {
        let request = Request::read(request)?;
        let response = request.response(known.html);
        let documents = request.documents()?;
        let target = request
            .path_or_url()?
            .with_response(&response)
            .with_documents(documents.as_ref().unwrap_or(&self.documents))
            .with_now(request.instant());
        let decision = self.policy.decide(&target);
        let json = DecisionJson::new(&request.url, &self.policy, &decision)
            .with_retrieval(known.retrieval);
        let json = match &self.robot {
            None => json.with_agent(&self.agent, &self.policy),
            Some(robot) => json.with_robot(robot, &self.policy),
        };
        let json = match &self.unread {
            None => json,
            Some(unread) => json.unread(unread.notes, unread.location.as_deref()),
        };
        Ok(show(&decision, json))
    }
}
