//! Reads `robots.toml`, and finds rows that contradict themselves or others.

use serde::Deserialize;
use std::ops::Range;
use toml::Spanned;
use toml::value::Date;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    robot: Vec<Spanned<Row>>,
}

/// A robot. The head of `robots.toml` says what its keys mean.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    pub(crate) token: String,
    pub(crate) operator: String,
    #[serde(default)]
    pub(crate) kind: Kind,
    pub(crate) purposes: Vec<Purpose>,
    pub(crate) user_agent: Option<String>,
    pub(crate) follows_robots_txt: Option<bool>,
    pub(crate) follows_any_group: Option<AnyGroup>,
    pub(crate) honours_crawl_delay: Option<bool>,
    #[serde(default)]
    pub(crate) falls_back_to: Vec<String>,
    #[serde(default)]
    pub(crate) fetchers: Vec<String>,
    #[serde(default)]
    pub(crate) controls: Vec<Usage>,
    #[serde(default)]
    pub(crate) replaced_by: Vec<String>,
    #[serde(default)]
    pub(crate) products: Vec<String>,
    pub(crate) ip_ranges: Option<String>,
    #[serde(default)]
    pub(crate) reverse_dns: Vec<String>,
    pub(crate) documentation: Option<String>,
    basis: Option<Basis>,
    pub(crate) checked: Date,
    pub(crate) note: String,
}

// The variants are those of the crate, which this program cannot depend on.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    #[default]
    Robot,
    UserTriggered,
    ControlToken,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Purpose {
    Search,
    AiTraining,
    AiInput,
    Archive,
    Seo,
    Preview,
    Monitoring,
    Ads,
    Feeds,
    Academic,
    Security,
    Shopping,
    Translation,
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Basis {
    Operator,
    Secondary,
}

/// What control tokens are about: AI preferences.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Usage {
    Train,
    AiInput,
    Search,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged, expecting = "expected true, false or \"not-as-permission\"")]
pub(crate) enum AnyGroup {
    Applies(bool),
    Named(NamedAnyGroup),
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum NamedAnyGroup {
    NotAsPermission,
}

impl AnyGroup {
    /// The variant of the crate.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Applies(true) => "Followed",
            Self::Applies(false) => "Ignored",
            Self::Named(NamedAnyGroup::NotAsPermission) => "NotAsPermission",
        }
    }
}

impl Row {
    pub(crate) fn basis(&self) -> Basis {
        self.basis.unwrap_or(match self.documentation {
            Some(_) => Basis::Operator,
            None => Basis::Secondary,
        })
    }

    /// What is wrong with the row by itself, each with the key that is wrong.
    fn mistakes(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let is_control_token = self.kind == Kind::ControlToken;
        let is_of_operator = self.basis() == Basis::Operator;
        let is_documented = self.documentation.is_some();
        let controls = !self.controls.is_empty();
        let rules = [
            (
                is_token(&self.token),
                "token",
                "has letters, digits, '-', '_' and '.'",
            ),
            (!self.operator.is_empty(), "operator", "is empty"),
            (!self.purposes.is_empty(), "purposes", "is empty"),
            (!self.note.is_empty(), "note", "is empty"),
            (
                is_control_token != self.user_agent.is_some(),
                "user_agent",
                "is missing, or this is a control token, which sends no requests",
            ),
            (
                is_url(self.documentation.as_deref()),
                "documentation",
                NO_URL,
            ),
            (is_url(self.ip_ranges.as_deref()), "ip_ranges", NO_URL),
            (
                !is_of_operator || is_documented,
                "basis",
                "needs the operator's page as documentation",
            ),
            (
                controls != self.fetchers.is_empty(),
                "controls",
                "and fetchers need each other",
            ),
            // Only the operator can say what its control token controls (AMB-PREF-30).
            (
                !controls || is_control_token && is_of_operator && is_documented,
                "controls",
                "needs a control token that its operator documents",
            ),
        ];
        let broken = rules.into_iter().filter(|(holds, ..)| !holds);
        broken.map(|(_, key, what)| (key, what))
    }

    /// The tokens of other rows that the row names, each with its key.
    fn named(&self) -> impl Iterator<Item = (&'static str, &String)> {
        let named = [
            ("falls_back_to", &self.falls_back_to),
            ("replaced_by", &self.replaced_by),
            ("fetchers", &self.fetchers),
        ];
        let named = named.into_iter();
        named.flat_map(|(key, tokens)| tokens.iter().map(move |token| (key, token)))
    }
}

fn is_token(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    !text.is_empty() && text.bytes().all(is_part)
}

const NO_URL: &str = "begins with https:// or http://";

fn is_url(url: Option<&str>) -> bool {
    url.is_none_or(|url| url.starts_with("https://") || url.starts_with("http://"))
}

/// Reads the file. Mistakes begin with the number of the line and the token of the robot.
pub(crate) fn read(text: &str) -> Result<Vec<Row>, Vec<String>> {
    let table: Table = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        vec![mistake(text, at, error.message())]
    })?;
    let tokens = table
        .robot
        .iter()
        .map(|row| row.get_ref().token.to_ascii_lowercase());
    let tokens: Vec<String> = tokens.collect();
    let mut mistakes = Vec::new();
    for (at, row) in table.robot.iter().enumerate() {
        let (start, row) = (row.span().start, row.get_ref());
        let mut add = |key, what: &str| {
            let what = format!("{key} {what}");
            mistakes.push(mistake(text, place_of(text, start, key), &what));
        };
        row.mistakes().for_each(|(key, what)| add(key, what));
        for (key, token) in row.named() {
            if !tokens.contains(&token.to_ascii_lowercase()) {
                add(key, &format!("has {token}, which is the token of no robot"));
            }
        }
        if at > 0 && tokens[at - 1] >= tokens[at] {
            let before = &table.robot[at - 1].get_ref().token;
            add(
                "token",
                &format!("belongs before {before}: robots are sorted, and each has one row"),
            );
        }
    }
    if mistakes.is_empty() {
        Ok(table.robot.into_iter().map(Spanned::into_inner).collect())
    } else {
        Err(mistakes)
    }
}

/// A mistake at a byte of the text.
fn mistake(text: &str, at: usize, what: &str) -> String {
    let line = text[..at].matches('\n').count() + 1;
    let starts = text.match_indices(HEADER).map(|(start, _)| start);
    let block = starts.take_while(|start| *start <= at).last();
    let token = block.and_then(|start| {
        let mut lines = text[block_at(text, start)].lines();
        lines.find_map(|line| line.strip_prefix("token = \"")?.split('"').next())
    });
    match token {
        Some(token) => format!("{line}: {token}: {what}"),
        None => format!("{line}: {what}"),
    }
}

/// Where the row that begins at `start` has a key; its beginning if it has not.
fn place_of(text: &str, start: usize, key: &str) -> usize {
    let block = &text[block_at(text, start)];
    let line = block.find(&format!("\n{key} "));
    line.map_or(start, |line| start + line + 1)
}

const HEADER: &str = "[[robot]]";

/// The text of the row that begins at `start`.
fn block_at(text: &str, start: usize) -> Range<usize> {
    let next = text[start + HEADER.len()..].find(HEADER);
    start..next.map_or(text.len(), |next| start + HEADER.len() + next)
}
