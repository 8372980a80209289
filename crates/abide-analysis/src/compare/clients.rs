//! The robots that two files can treat differently.

use super::addressed::{AddressedLines, crawler_names};
use super::names::{acap_crawlers, product_tokens, values};
use super::stated::PreferenceStatements;
use abide::app::Application;
use abide::app::field::Directives;
use abide::syntax::FieldKind;
use abide::{Client, ProductToken, Profile, PurposeToken, Robots};
use abide_known_robots::{AnyGroup, KnownRobot, Robot, RobotError, TakenName};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A client that a file names, or the client for all robots that no file names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct NamedClient {
    /// The name as the file writes it; null for a client without one.
    pub agent: Option<String>,
    /// The purpose that the client claims.
    pub purpose: Option<String>,
    /// The client.
    #[serde(skip)]
    pub client: Client,
    /// Whether no line has this name, although lines address the client: a known robot that
    /// follows the group of another, or that ignores groups for `*`, and a product token that is
    /// only the beginning of a longer name. A robot with a control token is not implied.
    #[serde(skip)]
    pub is_implied: bool,
    /// How many of the applications that the files name the client does not have, because it would
    /// take too much memory to give all of them to all clients.
    #[serde(skip)]
    pub left_out_applications: usize,
}

impl NamedClient {
    /// The client with this name, with all applications that the files name, up to 200,000.
    #[must_use]
    pub fn named(token: &ProductToken, old: &Robots, new: &Robots) -> Self {
        ClientNames::new(old, new, 1).named(token)
    }

    /// The client that a robot is when it reads these files, with what is documented about it and
    /// all applications that the files name. It asks for preferences if the files state any for it.
    ///
    /// ```
    /// use abide::Robots;
    /// use abide_known_robots::Robot;
    /// use abide_analysis::compare::NamedClient;
    /// let file = Robots::parse(b"User-agent: *\nDisallow: /\n");
    /// let robot = Robot::named("AdsBot-Google")?;
    /// assert!(!NamedClient::of(&robot, &file, &file)?.client.any_group());
    /// assert!(NamedClient::of(&robot.without_known_facts(), &file, &file)?.client.any_group());
    /// # Ok::<(), abide_known_robots::RobotError>(())
    /// ```
    ///
    /// # Errors
    /// [`RobotError`] for a name that neither the table nor a file has and that RFC 9309 does not
    /// allow.
    pub fn of(robot: &Robot, old: &Robots, new: &Robots) -> Result<Self, RobotError> {
        ClientNames::new(old, new, 1).of(robot)
    }
}

/// Finds clients of two files by their names. Reads once what the clients of these files share.
struct ClientNames<'r> {
    files: [&'r Robots; 2],
    applications: Applications,
    stated: PreferenceStatements,
}

impl<'r> ClientNames<'r> {
    /// For so many clients.
    fn new(old: &'r Robots, new: &'r Robots, clients: usize) -> Self {
        let files = [old, new];
        Self {
            files,
            applications: Applications::of(&files, clients),
            stated: PreferenceStatements::of(&files),
        }
    }

    /// Like [`NamedClient::named`].
    fn named(&self, token: &ProductToken) -> NamedClient {
        NamedClient {
            agent: Some(token.as_str().to_owned()),
            purpose: None,
            client: self.applications.added_to(Client::new(token.clone())),
            is_implied: false,
            left_out_applications: self.applications.left_out,
        }
    }

    /// Like [`NamedClient::of`].
    fn of(&self, robot: &Robot) -> Result<NamedClient, RobotError> {
        let [old, new] = self.files;
        if robot.name() == "*" {
            let all = clients(old, new).into_iter();
            let mut unnamed = all.filter(|one| one.agent.is_none() && one.purpose.is_none());
            return unnamed.next().ok_or(RobotError::Empty);
        }
        // A name outside RFC 9309, or one of a User-Agent line, may be in one file only.
        let read = |robots: &Robots| {
            let client = robot.client(Profile::Careful, |client| robots.chosen_groups(client))?;
            let robot = robot.in_groups(&robots.chosen_groups(&client)).into_owned();
            Ok::<_, RobotError>((robot, client))
        };
        let in_new = read(new);
        let is_named = |robot: &Robot| robot.taken() == Some(TakenName::InFile);
        let is_named = in_new.as_ref().is_ok_and(|(robot, _)| is_named(robot));
        let (robot, client) = match read(old) {
            Ok(found) if !is_named => found,
            _ => in_new?,
        };
        let client = self.applications.added_to(client);
        Ok(NamedClient {
            agent: Some(robot.name()),
            purpose: None,
            client: self.stated.asking(client),
            is_implied: false,
            left_out_applications: self.applications.left_out,
        })
    }
}

/// The clients that two files may treat differently: one for each product token in a user-agent
/// line or an `ACAP-crawler` field of either file, one that no line names, and one for each
/// purpose, without a name. Each has the applications that App-Directives lines name, at most
/// 200,000 for all clients together, and asks for preferences if the files state any for it. The
/// unnamed client comes first, the others are sorted by name.
///
/// A user-agent value that is not a product token of RFC 9309, such as `MJ12bot`, gives two
/// clients: one for the token at its beginning, which it also names, and one for a crawler that
/// uses the whole value as its token (AMB-REP-6, AMB-REP-7).
#[must_use]
pub fn clients(old: &Robots, new: &Robots) -> Vec<NamedClient> {
    let files = [old, new];
    let mut tokens: BTreeMap<String, (ProductToken, bool)> = BTreeMap::new();
    for value in files.iter().flat_map(|robots| crawlers(robots)) {
        let found: Vec<ProductToken> = product_tokens(value).collect();
        let count = found.len();
        for (at, token) in found.into_iter().enumerate() {
            // The whole value comes last. A token before it is only its beginning.
            let is_whole = at + 1 == count;
            let key = token.as_str().to_ascii_lowercase();
            tokens.entry(key).or_insert((token, false)).1 |= is_whole;
        }
    }
    // A client that no line names has to have some name. It must be one that neither file has.
    let unnamed = unnamed(|name| tokens.contains_key(&name.to_ascii_lowercase()));
    let purposes = purposes(&files);
    let count = 1 + tokens.len() + purposes.len();
    let applications = Applications::of(&files, count);
    let left_out_applications = applications.left_out;
    let mut clients = Vec::new();
    if let Some(unnamed) = unnamed {
        let client = applications.added_to(Client::new(unnamed));
        clients.push(NamedClient {
            agent: None,
            purpose: None,
            client: client.clone(),
            is_implied: false,
            left_out_applications,
        });
        clients.extend(purposes.into_values().map(|purpose| NamedClient {
            agent: None,
            purpose: Some(purpose.as_str().to_owned()),
            client: client.clone().with_purpose(purpose),
            is_implied: false,
            left_out_applications,
        }));
    }
    clients.extend(tokens.into_values().map(|(token, is_whole)| NamedClient {
        agent: Some(token.as_str().to_owned()),
        purpose: None,
        client: applications.added_to(Client::new(token)),
        is_implied: !is_whole,
        left_out_applications,
    }));
    let stated = PreferenceStatements::of(&files);
    for one in &mut clients {
        one.client = stated.asking(one.client.clone());
    }
    clients
}

/// Like [`clients`], with what is documented about known robots. Known robots that neither file
/// names are added if their operators document that other groups address them than every other
/// robot: because they follow the group of another robot, or because they ignore groups for `*`.
/// Robots with control tokens are added too if the files state preferences for them.
///
/// ```
/// use abide::Robots;
/// use abide_analysis::compare;
/// let file = Robots::parse(b"User-agent: Googlebot\nDisallow: /drafts/\n");
/// let clients = compare::known_clients(&file, &file);
/// assert!(clients.iter().any(|one| one.agent.as_deref() == Some("Googlebot-News")));
/// ```
#[must_use]
pub fn known_clients(old: &Robots, new: &Robots) -> Vec<NamedClient> {
    let files = [old, new];
    let crawlers = crawler_names(&files);
    let addressed = |client: &Client| AddressedLines::of(client, &files, &crawlers);
    let known_robots = abide_known_robots::all();
    let names_of = ClientNames::new(old, new, known_robots.len());
    let mut all = clients(old, new);
    let mut named = BTreeSet::new();
    for one in &mut all {
        let Some(agent) = &one.agent else { continue };
        named.insert(agent.to_ascii_lowercase());
        // Another group than that of its name may address it.
        let known = abide_known_robots::named(agent).filter(|known| is_special(known));
        let documented = known.map(|known| names_of.of(&Robot::known(known)));
        if let Some(Ok(documented)) = documented {
            one.client = documented.client;
        }
    }
    let unnamed = all
        .iter()
        .find(|one| one.agent.is_none() && one.purpose.is_none())
        .map(|one| addressed(&one.client));
    let stated = &names_of.stated;
    for known in known_robots {
        if !is_special(known) && !stated.concern(known)
            || named.contains(&known.token.to_ascii_lowercase())
        {
            continue;
        }
        let Ok(one) = names_of.of(&Robot::known(known)) else {
            continue;
        };
        // A robot that the same lines address as everybody gets the same answers.
        if unnamed.as_ref() != Some(&addressed(&one.client)) {
            all.push(NamedClient {
                // People look for a robot with its own control token as for one that is named.
                is_implied: !stated.concern(known),
                ..one
            });
        }
    }
    all
}

/// The clients to compare for: those of `robots`, or if that is empty those of [`known_clients`].
/// If the comparison `is_literal`, what is documented about known robots does not count: then those
/// of [`clients`], and the caller names robots that are [literal](Robot::without_known_facts).
///
/// # Errors
/// [`RobotError`] as for [`NamedClient::of`].
pub fn clients_named(
    robots: &[Robot],
    is_literal: bool,
    old: &Robots,
    new: &Robots,
) -> Result<Vec<NamedClient>, RobotError> {
    match robots {
        [] if is_literal => Ok(clients(old, new)),
        [] => Ok(known_clients(old, new)),
        robots => {
            let names = ClientNames::new(old, new, robots.len());
            robots.iter().map(|robot| names.of(robot)).collect()
        }
    }
}

/// These clients, all of which also claim `purposes`. Clients that are there only for robots with a
/// purpose of their own are left out.
///
/// ```
/// use abide::{PurposeToken, Robots};
/// use abide_analysis::compare;
/// let file = Robots::parse(b"User-Agent-Purpose: search\nDisallow: /\n");
/// let search = [PurposeToken::new("search")?];
/// let clients = compare::claiming(compare::clients(&file, &file), &search);
/// assert_eq!(clients.len(), 1);
/// assert!(!file.policy(&clients[0].client).allows("/x"));
/// # Ok::<(), abide::PurposeTokenError>(())
/// ```
#[must_use]
pub fn claiming(clients: Vec<NamedClient>, purposes: &[PurposeToken]) -> Vec<NamedClient> {
    if purposes.is_empty() {
        return clients;
    }
    let own = clients.into_iter().filter(|one| one.purpose.is_none());
    let claiming = own.map(|one| {
        let purposes = purposes.iter().cloned();
        NamedClient {
            client: purposes.fold(one.client, Client::with_purpose),
            ..one
        }
    });
    claiming.collect()
}

/// Whether other groups may address a robot than its name says.
fn is_special(known: &KnownRobot) -> bool {
    !known.falls_back_to.is_empty() || known.follows_any_group == Some(AnyGroup::Ignored)
}

/// The values of user-agent lines and of `ACAP-crawler` fields.
fn crawlers(robots: &Robots) -> impl Iterator<Item = &[u8]> {
    values(robots, FieldKind::UserAgent).chain(acap_crawlers(robots))
}

fn purposes(files: &[&Robots]) -> BTreeMap<String, PurposeToken> {
    let values = files
        .iter()
        .flat_map(|robots| values(robots, FieldKind::UserAgentPurpose));
    let texts = values.filter_map(|value| std::str::from_utf8(value).ok());
    texts
        .filter_map(|text| Some((text.to_ascii_lowercase(), PurposeToken::new(text).ok()?)))
        .collect()
}

/// How many applications all clients have together.
const MAX_APPLICATIONS: usize = 200_000;

/// The applications that every client has.
struct Applications {
    /// The identifiers that App-Directives lines name, sorted; only the first ones for many
    /// clients.
    ids: Vec<String>,
    left_out: usize,
}

impl Applications {
    fn of(files: &[&Robots], clients: usize) -> Self {
        let values = files
            .iter()
            .flat_map(|robots| values(robots, FieldKind::AppDirectives));
        let lines = values.filter_map(Directives::read);
        let ids = lines.flat_map(|line| line.applications.into_iter().map(|(id, _)| id));
        let mut ids: Vec<String> = ids.collect();
        ids.sort();
        ids.dedup();
        // Every client has every application, so the product is what takes memory.
        let left_out = ids.len().saturating_sub(MAX_APPLICATIONS / clients.max(1));
        ids.truncate(ids.len() - left_out);
        Self { ids, left_out }
    }

    fn added_to(&self, client: Client) -> Client {
        // An application is looked for in the groups of its tokens, which are those of its robot
        // here.
        let tokens = client.product_tokens().to_vec();
        let ids = self.ids.iter();
        let applications = ids.filter_map(|id| Application::new(id, tokens.clone()).ok());
        applications.fold(client, Client::with_application)
    }
}

/// A token that neither file names.
fn unnamed(is_taken: impl Fn(&str) -> bool) -> Option<ProductToken> {
    let mut name = "unnamed".to_owned();
    while is_taken(&name) {
        name.push_str("-x");
    }
    ProductToken::new(&name).ok()
}
