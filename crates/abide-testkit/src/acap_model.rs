//! A slow, direct model of the ACAP part of robots.txt, which the engine is compared with. It
//! implements what the requirements say about definitions, records, permissions, prohibitions and
//! their conflicts as literally as possible. It shares no code with the engine and ignores speed:
//! it expands every field for the crawler and the path, then compares all of them in pairs.
//!
//! The model does not cover time (it only reports a `time-limit`, except `0-days`), permissions
//! references, tags, conventional records, or what one usage implies for another (`preserve` for
//! the copies, `crawl` of a substitute). Of the two canonical forms of a path it knows only C1.
//!
//! Where the requirements are silent, the model chooses the interpretation that restricts the
//! crawler more.

/// What the ACAP part of a robots.txt, on its own, says about one usage of one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AcapSaid {
    /// The fields do not mention the usage.
    Unspecified,
    /// The usage is prohibited.
    Prohibited,
    /// The usage is permitted under these conditions (`time-limit=until-recrawled`), sorted, and
    /// merged according to CLA-4.
    Permitted(Vec<String>),
}

/// The crawler that the question is about.
#[derive(Clone, Copy, Debug)]
pub struct AcapCrawler<'a> {
    /// Names that the crawler answers to.
    pub names: &'a [&'a str],
    /// Usage purposes that the crawler recognises as its own.
    pub purposes: &'a [&'a str],
    /// Whether the crawler and the site have an arrangement about amber features (ACAP-141).
    pub prior_arrangement: bool,
    /// Qualifier types that the crawler cannot honour (ACAP-107).
    pub unsupported: &'a [&'a str],
}

/// Decides one usage of one path, following the requirements step by step (3.4 step 4 as amended by
/// CLA-1).
#[must_use]
pub fn acap(robots: &str, crawler: &AcapCrawler<'_>, usage: &str, path: &str) -> AcapSaid {
    let usage = usage.to_ascii_lowercase();
    let all = statements(&AcapFile::read(robots), crawler, path);
    let direct: Vec<&Statement> = all
        .iter()
        .filter(|one| covers(&one.usage, &usage))
        .collect();
    let other: Vec<&Statement> = all.iter().filter(|one| one.usage == "other").collect();
    let named_speaks = direct.iter().any(|one| one.named);
    // CLA-1, second paragraph: if no named field mentions the usage, and the named fields about
    // `other` prohibit anything, they prohibit the usage. Among these fields the narrower one
    // decides (ACAP-67), and a permission with a void qualifier is a prohibition (AMB-ACAP-8).
    let named_other: Vec<&Statement> = other.iter().copied().filter(|one| one.named).collect();
    if !named_speaks && contest(&named_other, crawler) == AcapSaid::Prohibited {
        return AcapSaid::Prohibited;
    }
    if direct.is_empty() {
        // Neither level mentions the usage. From here on, `other` is a usage type like any other.
        return contest(&left_after_override(&other), crawler);
    }
    contest(&left_after_override(&direct), crawler)
}

/// Compares two patterns and returns the narrower one: `A`, `B`, `=` (identical) or `?`
/// (undecidable).
#[must_use]
pub fn narrower(a: &str, b: &str) -> char {
    match compare_patterns(&pattern(a), &pattern(b)) {
        Axis::Narrower => 'A',
        Axis::Wider => 'B',
        Axis::Equal => '=',
        Axis::Unknown => '?',
    }
}

// ---------------------------------------------------------------------------------------------
// Conflict resolution
// ---------------------------------------------------------------------------------------------

/// One field for one standard usage; it matches the crawler and the path.
#[derive(Debug)]
struct Statement {
    /// Whether the record names the crawler; if not, the record is for any crawler.
    named: bool,
    allow: bool,
    usage: String,
    /// Whether the field is in a sub-record; if not, it is general.
    in_sub_record: bool,
    scope: Scope,
    /// `None` for a void permission (AMB-ACAP-8). Always empty for a prohibition (AMB-ACAP-9).
    terms: Option<Vec<Condition>>,
}

/// The part of the path space that represents a field in a comparison.
#[derive(Debug)]
enum Scope {
    /// The field matches, but its patterns are unknown: a prohibition on an undefined set
    /// (AMB-ACAP-5).
    Unknown,
    /// The narrowest of the matching patterns (AMB-ACAP-27): several if none of them is narrowest.
    Known(Vec<Vec<Token>>),
}

/// How one field compares with another on one of the three axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    Narrower,
    Equal,
    Wider,
    Unknown,
}

/// Whether a field about `stated` applies to `usage`. `present` covers the usages derived from it
/// (ACAP-94); nobody asks for `other` directly.
fn covers(stated: &str, usage: &str) -> bool {
    let derived = STANDARD.contains(&usage) && usage.starts_with("present-");
    (stated == usage && usage != "other") || (stated == "present" && derived)
}

/// Removes the any-crawler fields that a named field overrides. CLA-1: that requires the same usage
/// type and the same purposes. All fields here already match the resource.
fn left_after_override<'a>(all: &[&'a Statement]) -> Vec<&'a Statement> {
    let set_aside = |any: &Statement| {
        all.iter().any(|one| {
            one.named && one.usage == any.usage && one.in_sub_record == any.in_sub_record
        })
    };
    all.iter()
        .copied()
        .filter(|one| one.named || !set_aside(one))
        .collect()
}

/// Resolves conflicts. AMB-ACAP-22: unless one permission beats every prohibition, the usage is
/// prohibited.
fn contest(all: &[&Statement], crawler: &AcapCrawler<'_>) -> AcapSaid {
    if all.is_empty() {
        return AcapSaid::Unspecified;
    }
    let permissions: Vec<&Statement> = all.iter().copied().filter(|one| one.allow).collect();
    let prohibitions: Vec<&Statement> = all.iter().copied().filter(|one| !one.allow).collect();
    let prevails = |one: &&Statement| {
        prohibitions
            .iter()
            .all(|prohibition| beats(one, prohibition))
    };
    if !permissions.iter().any(prevails) {
        return AcapSaid::Prohibited;
    }
    // CLA-3. If neither of two permissions is narrower, both apply: conditions only restrict.
    let mut winners = permissions.clone();
    winners.retain(|one| !permissions.iter().any(|another| beats(another, one)));
    grant(&winners, crawler)
}

/// Whether `a` is narrower or equal on all axes, and narrower on at least one.
fn beats(a: &Statement, b: &Statement) -> bool {
    let axes = [
        compare_scopes(&a.scope, &b.scope),
        compare_flags(a.usage != "present", b.usage != "present"),
        compare_flags(a.in_sub_record, b.in_sub_record),
    ];
    axes.iter()
        .all(|axis| matches!(axis, Axis::Narrower | Axis::Equal))
        && axes.contains(&Axis::Narrower)
}

/// Compares two fields by a property that makes a field narrower: its usage is derived, or it is in
/// a sub-record.
fn compare_flags(a: bool, b: bool) -> Axis {
    match (a, b) {
        (true, false) => Axis::Narrower,
        (false, true) => Axis::Wider,
        _ => Axis::Equal,
    }
}

/// Compares two scopes. If a side has several narrowest patterns, all pairs must agree.
fn compare_scopes(a: &Scope, b: &Scope) -> Axis {
    let (Scope::Known(a), Scope::Known(b)) = (a, b) else {
        return Axis::Unknown;
    };
    if a.iter().all(|one| b.contains(one)) && b.iter().all(|one| a.contains(one)) {
        return Axis::Equal;
    }
    for wanted in [Axis::Narrower, Axis::Wider] {
        if a.iter()
            .all(|one| b.iter().all(|two| compare_patterns(one, two) == wanted))
        {
            return wanted;
        }
    }
    Axis::Unknown
}

/// Compares two patterns by the steps of ACAP-69 to 74: the first difference decides.
fn compare_patterns(a: &[Token], b: &[Token]) -> Axis {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    match (rank(a.get(at)), rank(b.get(at))) {
        (3, 3) => Axis::Unknown,
        (a, b) if a > b => Axis::Narrower,
        (a, b) if a < b => Axis::Wider,
        _ => Axis::Equal,
    }
}

/// Ranks a token at the first difference: the higher rank is narrower. The end of the pattern loses
/// against everything, `$` against any other character, `*` against any other character except `$`.
fn rank(token: Option<&Token>) -> u8 {
    match token {
        None => 0,
        Some(Token::End) => 1,
        Some(Token::Any) => 2,
        Some(Token::Byte(_)) => 3,
    }
}

/// Combines the terms of the winners; a term that the crawler cannot honour prohibits the usage.
fn grant(winners: &[&Statement], crawler: &AcapCrawler<'_>) -> AcapSaid {
    let mut all = Vec::new();
    for winner in winners {
        let Some(terms) = &winner.terms else {
            return AcapSaid::Prohibited; // AMB-ACAP-8
        };
        all.extend(terms.iter().cloned());
    }
    let unsupported = |one: &Condition| {
        crawler
            .unsupported
            .iter()
            .any(|kind| kind.eq_ignore_ascii_case(one.kind()))
    };
    if all.iter().any(unsupported) || all.iter().any(Condition::is_nothing) {
        return AcapSaid::Prohibited; // ACAP-107, AMB-ACAP-32
    }
    let absorbed = |one: &Condition| all.iter().any(|another| another.absorbs(one));
    let mut reported: Vec<String> = all
        .iter()
        .filter(|one| !absorbed(one))
        .map(Condition::text)
        .collect();
    reported.sort();
    reported.dedup();
    AcapSaid::Permitted(reported)
}

// ---------------------------------------------------------------------------------------------
// Fields to statements
// ---------------------------------------------------------------------------------------------

/// All fields that match crawler and path, each once for every standard usage that it means.
fn statements(file: &AcapFile, crawler: &AcapCrawler<'_>, path: &str) -> Vec<Statement> {
    let path = read_bytes(if path.is_empty() { "/" } else { path }, false);
    let mut all = Vec::new();
    for record in &file.records {
        let Some(named) = addressed(record, crawler) else {
            continue;
        };
        for field in &record.fields {
            if let Some(purposes) = &field.purposes
                && !purposes
                    .iter()
                    .any(|purpose| is_purpose_of(purpose, crawler))
            {
                continue;
            }
            all.extend(expand(file, field, named, crawler, &path));
        }
    }
    all
}

/// Returns `true` if the record names the crawler, `false` if it is for any crawler, `None` if
/// neither. A record that does both counts as named (AMB-ACAP-20).
fn addressed(record: &AcapRecord, crawler: &AcapCrawler<'_>) -> Option<bool> {
    // A name with a wildcard matches no crawler (AMB-ACAP-35).
    let names_crawler = record.crawlers.iter().any(|name| {
        !name.is_empty() && !name.contains('*') && crawler.names.iter().any(|own| same(name, own))
    });
    let names_any = record.crawlers.iter().any(|name| name == "*");
    (names_crawler || names_any).then_some(names_crawler)
}

/// Whether a purpose pattern matches a purpose of the crawler. Purpose patterns match the whole
/// string, so a final `$` adds nothing (AMB-ACAP-11).
fn is_purpose_of(purpose: &str, crawler: &AcapCrawler<'_>) -> bool {
    let purpose = purpose
        .strip_suffix('$')
        .unwrap_or(purpose)
        .to_ascii_lowercase();
    let token = |byte: u8| {
        if byte == b'*' {
            Token::Any
        } else {
            Token::Byte(byte)
        }
    };
    let mut wanted: Vec<Token> = purpose.bytes().map(token).collect();
    wanted.push(Token::End);
    crawler.purposes.iter().any(|own| {
        let own: Vec<Token> = own.to_ascii_lowercase().bytes().map(Token::Byte).collect();
        matches(&wanted, &own)
    })
}

/// Expands one field into statements; none if the field does not match or has no effect.
fn expand(
    file: &AcapFile,
    field: &Field,
    named: bool,
    crawler: &AcapCrawler<'_>,
    path: &[Token],
) -> Vec<Statement> {
    let (resource, rest) = split_word(&field.value);
    let mut all = Vec::new();
    for (usage, own_terms) in meanings(file, &field.usage, rest, crawler) {
        let Some(scope) = matching_scope(file, resource, field.allow, path) else {
            continue;
        };
        all.push(Statement {
            named,
            allow: field.allow,
            usage,
            in_sub_record: field.purposes.is_some(),
            scope,
            terms: if field.allow {
                own_terms
            } else {
                Some(Vec::new())
            },
        });
    }
    all
}

/// A standard usage with the terms of its permission; `None` if the permission is void.
type Meaning = (String, Option<Vec<Condition>>);

/// The standard usages that the usage of a field stands for, where `qualifiers` is the text after
/// the resource. Empty for an unknown usage (AMB-ACAP-8).
fn meanings(
    file: &AcapFile,
    usage: &str,
    qualifiers: &str,
    crawler: &AcapCrawler<'_>,
) -> Vec<Meaning> {
    if STANDARD.contains(&usage) {
        return vec![(usage.to_owned(), conditions(usage, qualifiers, crawler))];
    }
    let mut all = local_meanings(file, usage, crawler);
    if !qualifiers.is_empty() {
        void(&mut all); // ACAP-56
    }
    all
}

fn void(all: &mut [Meaning]) {
    for (_, terms) in all {
        *terms = None;
    }
}

/// The meaning of `(name)`, whether qualified or composite: both kinds share one namespace.
fn local_meanings(file: &AcapFile, usage: &str, crawler: &AcapCrawler<'_>) -> Vec<Meaning> {
    let Some(name) = local_name(usage) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for (index, definition) in file.definitions.iter().enumerate() {
        if !same(&definition.name, name) {
            continue;
        }
        match definition.kind {
            Kind::Qualified => all.extend(qualified_meaning(definition, crawler)),
            Kind::Composite => all.extend(composite_meanings(file, index, definition, crawler)),
            Kind::Set => {}
        }
    }
    if is_void_name(file, name) {
        void(&mut all);
    }
    all
}

/// Whether a name grants nothing, because it is defined twice (AMB-ACAP-18, CLA-7) or is not a
/// valid name (ACAP-12).
fn is_void_name(file: &AcapFile, name: &str) -> bool {
    let of_name = |one: &&Definition| !matches!(one.kind, Kind::Set) && same(&one.name, name);
    file.definitions.iter().filter(of_name).count() > 1 || !is_name(name)
}

/// The meaning of a qualified usage: one standard usage and at least one qualifier (ACAP-126).
fn qualified_meaning(definition: &Definition, crawler: &AcapCrawler<'_>) -> Option<Meaning> {
    let (usage, qualifiers) = split_word(&definition.body);
    let usage = usage.to_ascii_lowercase();
    if !STANDARD.contains(&usage.as_str()) {
        return None;
    }
    let terms = conditions(&usage, qualifiers, crawler).filter(|terms| !terms.is_empty());
    Some((usage, terms))
}

/// The meanings of a composite usage: standard usages, and qualified usages defined earlier
/// (ACAP-128 to 130). A part that does not resolve contributes nothing.
fn composite_meanings(
    file: &AcapFile,
    index: usize,
    composite: &Definition,
    crawler: &AcapCrawler<'_>,
) -> Vec<Meaning> {
    let mut all = Vec::new();
    for part in words(&composite.body) {
        let part = part.to_ascii_lowercase();
        if STANDARD.contains(&part.as_str()) {
            all.push((part, Some(Vec::new())));
        } else if let Some(name) = local_name(&part) {
            all.extend(part_meanings(file, index, name, crawler));
        }
    }
    // Qualifiers are not allowed here; dropping one would grant more than the site wrote.
    if composite.body.contains('=') {
        void(&mut all);
    }
    all
}

/// The meanings of a `(name)` inside the composite usage at `index`: qualified usages only
/// (AMB-ACAP-3).
fn part_meanings(
    file: &AcapFile,
    index: usize,
    name: &str,
    crawler: &AcapCrawler<'_>,
) -> Vec<Meaning> {
    let of_name = |one: &&Definition| matches!(one.kind, Kind::Qualified) && same(&one.name, name);
    if !file.definitions.iter().take(index).any(|one| of_name(&one)) {
        return Vec::new(); // ACAP-124
    }
    let mut all: Vec<Meaning> = file
        .definitions
        .iter()
        .filter(of_name)
        .filter_map(|one| qualified_meaning(one, crawler))
        .collect();
    if is_void_name(file, name) {
        void(&mut all);
    }
    all
}

fn local_name(usage: &str) -> Option<&str> {
    usage.strip_prefix('(')?.strip_suffix(')')
}

/// The scope in which a field with this resource matches the path; `None` if it does not match.
fn matching_scope(file: &AcapFile, resource: &str, allow: bool, path: &[Token]) -> Option<Scope> {
    let patterns = match set_name(resource) {
        Some(name) => set_patterns(file, name, allow),
        None if resource.is_empty() => None,
        None => Some(vec![pattern(resource)]),
    };
    let Some(patterns) = patterns else {
        // AMB-ACAP-5: the resource is unknown. A permission matches nothing, a prohibition
        // everything.
        return (!allow).then_some(Scope::Unknown);
    };
    let matching: Vec<Vec<Token>> = patterns
        .into_iter()
        .filter(|one| matches(one, path))
        .collect();
    let mut narrowest = matching.clone();
    narrowest.retain(|one| {
        !matching
            .iter()
            .any(|another| compare_patterns(another, one) == Axis::Narrower)
    });
    (!narrowest.is_empty()).then_some(Scope::Known(narrowest))
}

/// The name in a reference to a resource set. The old scheme refers to an undefined set (CLA-8):
/// the empty name, which no definition has.
fn set_name(resource: &str) -> Option<&str> {
    let first = resource.split(['/', '?', '#']).next().unwrap_or_default();
    let is_path = first.starts_with('*') || !first.contains(':');
    after(resource, "the-acap:resource-set:").or_else(|| {
        // AMB-ACAP-5: so does every other scheme.
        let names_set = resource.to_ascii_lowercase().contains("resource-set:");
        (!is_path && names_set).then_some("")
    })
}

/// The patterns of a set, as used by a permission or a prohibition; `None` if it is undefined.
fn set_patterns(file: &AcapFile, name: &str, allow: bool) -> Option<Vec<Vec<Token>>> {
    let of_name = |one: &&Definition| matches!(one.kind, Kind::Set) && same(&one.name, name);
    let found: Vec<&Definition> = file.definitions.iter().filter(of_name).collect();
    if !is_name(name) || (allow && found.len() > 1) {
        return None; // AMB-ACAP-18: of several, prohibitions use the union, permissions none
    }
    let patterns: Vec<Vec<Token>> = found
        .iter()
        .flat_map(|one| words(&one.body))
        .map(pattern)
        .collect();
    (!patterns.is_empty()).then_some(patterns)
}

// ---------------------------------------------------------------------------------------------
// Usages and qualifiers
// ---------------------------------------------------------------------------------------------

/// The standard usages (ACAP-76, 77).
const STANDARD: [&str; 14] = [
    "crawl",
    "follow",
    "index",
    "preserve",
    "present",
    "present-original",
    "present-currentcopy",
    "present-oldcopy",
    "present-snippet",
    "present-thumbnail",
    "present-oldsnippet",
    "present-oldthumbnail",
    "present-link",
    "other",
];

/// One condition of a permission.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Condition {
    UntilRecrawled,
    /// Formatted as `yyyy-mm-dd`, so that the strings sort like the dates.
    UntilDate(String),
    Days(u64),
    Chars(u64),
    Words(u64),
    ProhibitedModification(String),
    ProhibitedContext,
    RequiredContext,
    MustUse(String),
}

impl Condition {
    fn kind(&self) -> &'static str {
        match self {
            Self::UntilRecrawled | Self::UntilDate(_) | Self::Days(_) => "time-limit",
            Self::Chars(_) | Self::Words(_) => "max-length",
            Self::ProhibitedModification(_) => "prohibited-modification",
            Self::ProhibitedContext => "prohibited-context",
            Self::RequiredContext => "required-context",
            Self::MustUse(_) => "must-use-resource",
        }
    }

    fn text(&self) -> String {
        let value = match self {
            Self::UntilRecrawled => "until-recrawled".to_owned(), // CLA-6
            Self::UntilDate(date) => format!("until-{date}"),
            Self::Days(days) => format!("{days}-days"),
            Self::Chars(chars) => format!("{chars}-chars"),
            Self::Words(words) => format!("{words}-words"),
            Self::ProhibitedContext => "within-user-frame".to_owned(),
            Self::RequiredContext => "within-original-frame".to_owned(),
            Self::ProhibitedModification(value) | Self::MustUse(value) => value.clone(),
        };
        format!("{}={value}", self.kind())
    }

    /// Whether the condition leaves nothing of the permission (AMB-ACAP-32).
    fn is_nothing(&self) -> bool {
        matches!(self, Self::Days(0) | Self::Chars(0) | Self::Words(0))
    }

    /// CLA-4: of two conditions of one form, the smaller or earlier remains; `any` absorbs other
    /// modifications.
    fn absorbs(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::UntilDate(a), Self::UntilDate(b)) => a < b,
            (Self::Days(a), Self::Days(b))
            | (Self::Chars(a), Self::Chars(b))
            | (Self::Words(a), Self::Words(b)) => a < b,
            (Self::ProhibitedModification(a), Self::ProhibitedModification(b)) => {
                a == "any" && b != "any"
            }
            _ => false,
        }
    }
}

/// The qualifiers of a permission for a standard usage. `None` if the permission is void: a
/// qualifier is unknown, misplaced, malformed, or cannot be honoured (AMB-ACAP-7, 8).
fn conditions(usage: &str, mut text: &str, crawler: &AcapCrawler<'_>) -> Option<Vec<Condition>> {
    let mut all = Vec::new();
    while !text.is_empty() {
        let (kind, value, rest) = split_qualifier(text)?;
        let kind = kind.to_ascii_lowercase();
        if !is_valid_for(usage, &kind) || !is_value(value) {
            return None;
        }
        all.push(condition(usage, &kind, value, crawler)?);
        text = rest;
    }
    Some(all)
}

/// Splits `kind *WSP "=" *WSP value` (ACAP-134) from the rest; `None` without `=` or value.
fn split_qualifier(text: &str) -> Option<(&str, &str, &str)> {
    let (kind, rest) = text.split_once('=')?;
    let kind = kind.trim_matches(BLANK);
    let (value, rest) = split_word(rest);
    let well_formed = !kind.is_empty() && !kind.contains(BLANK) && !value.is_empty();
    well_formed.then_some((kind, value, rest))
}

/// Whether a usage may have a qualifier, by the matrix of ACAP-78.
fn is_valid_for(usage: &str, kind: &str) -> bool {
    let presents = usage == "present" || usage.starts_with("present-");
    let shows_page = ["present-original", "present-currentcopy", "present-oldcopy"];
    match kind {
        "time-limit" => usage == "index" || usage == "preserve" || presents,
        "must-use-resource" => usage == "index" || presents,
        "must-include-resource" => presents,
        "max-length" => usage == "present-snippet" || usage == "present-oldsnippet",
        "prohibited-modification" => usage == "present" || shows_page.contains(&usage),
        "prohibited-context" | "required-context" => shows_page.contains(&usage),
        _ => false,
    }
}

/// Whether a value is well formed (ACAP-135): printable ASCII without quotes or `#`, where every
/// `%` begins an escape.
fn is_value(value: &str) -> bool {
    let bytes = value.as_bytes();
    let permitted = |byte: u8| byte.is_ascii_graphic() && !b"#\"'".contains(&byte);
    let escapes = |at: usize| bytes[at] != b'%' || escaped(bytes, at).is_some();
    bytes.iter().all(|byte| permitted(*byte)) && (0..bytes.len()).all(escapes)
}

fn condition(usage: &str, kind: &str, value: &str, crawler: &AcapCrawler<'_>) -> Option<Condition> {
    let lower = value.to_ascii_lowercase();
    match kind {
        "time-limit" => time_limit(&lower),
        "max-length" => {
            let chars = lower
                .strip_suffix("-chars")
                .and_then(integer)
                .map(Condition::Chars);
            let words = lower
                .strip_suffix("-words")
                .and_then(integer)
                .map(Condition::Words);
            chars.or(words)
        }
        "prohibited-modification" => {
            let known = ["any", "format", "style", "translation", "annotation"];
            known
                .contains(&lower.as_str())
                .then_some(Condition::ProhibitedModification(lower))
        }
        "prohibited-context" => {
            (lower == "within-user-frame").then_some(Condition::ProhibitedContext)
        }
        "required-context" => {
            (lower == "within-original-frame").then_some(Condition::RequiredContext)
        }
        // Amber on index; red on present usages, so never honoured there.
        "must-use-resource" if usage == "index" && crawler.prior_arrangement => must_use(value),
        _ => None,
    }
}

/// Reads a time limit (ACAP-84, 85, AMB-ACAP-6).
fn time_limit(value: &str) -> Option<Condition> {
    if value == "until-recrawled" || value == "until-recrawl" {
        return Some(Condition::UntilRecrawled);
    }
    if let Some(days) = value.strip_suffix("-days") {
        return integer(days).map(Condition::Days);
    }
    let date = value.strip_prefix("until-")?;
    is_date(date).then(|| Condition::UntilDate(date.to_owned()))
}

/// Reads digits only: `parse` alone would accept a sign.
fn integer(text: &str) -> Option<u64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        text.parse().ok()
    } else {
        None
    }
}

/// Whether the text is `yyyy-mm-dd` and a day that exists in the calendar.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else {
        return false;
    };
    let lengths_fit = year.len() == 4 && month.len() == 2 && day.len() == 2;
    let (Some(year), Some(month), Some(day)) = (integer(year), integer(month), integer(day)) else {
        return false;
    };
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return false,
    };
    lengths_fit && (1..=days).contains(&day)
}

/// Reads a resource, or `the-acap:extract:` with a known form and a target (ACAP-86, 87).
fn must_use(value: &str) -> Option<Condition> {
    if let Some(what) = after(value, "the-acap:") {
        let forms = ["extract:id:", "extract:class:", "extract:meta:"];
        let found = forms
            .iter()
            .any(|form| after(what, form).is_some_and(|it| !it.is_empty()));
        return found.then(|| Condition::MustUse(value.to_owned()));
    }
    // Only path patterns may contain wildcards (section 3, note on resource-path-pattern).
    (!value.contains(['*', '$'])).then(|| Condition::MustUse(value.to_owned()))
}

// ---------------------------------------------------------------------------------------------
// The file
// ---------------------------------------------------------------------------------------------

/// The ACAP lines of a robots.txt.
#[derive(Debug, Default)]
struct AcapFile {
    /// The definitions before the first record; later ones are not used (ACAP-123).
    definitions: Vec<Definition>,
    records: Vec<AcapRecord>,
}

#[derive(Debug)]
struct Definition {
    kind: Kind,
    name: String,
    /// The text after the name.
    body: String,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Qualified,
    Composite,
    Set,
}

#[derive(Debug, Default)]
struct AcapRecord {
    crawlers: Vec<String>,
    fields: Vec<Field>,
}

/// A permission or prohibition as written.
#[derive(Debug)]
struct Field {
    /// The purposes of its sub-record; `None` if the field is general.
    purposes: Option<Vec<String>>,
    allow: bool,
    /// The text after `ACAP-allow-` or `ACAP-disallow-`, in lower case.
    usage: String,
    value: String,
}

/// The position of the reader within a record.
#[derive(Debug, Default)]
struct Place {
    /// The record has a field other than a crawler field, so the next crawler field opens a new
    /// record.
    in_body: bool,
    /// The purposes of the open sub-record.
    purposes: Option<Vec<String>>,
    /// The sub-record has a permission or prohibition, so the next purpose opens a new sub-record.
    in_sub_record_body: bool,
}

impl AcapFile {
    fn read(robots: &str) -> Self {
        let robots = robots.strip_prefix('\u{feff}').unwrap_or(robots);
        let mut file = Self::default();
        let mut place = Place::default();
        // CRLF yields an extra empty line, which has no effect.
        for line in robots.split(['\r', '\n']) {
            let line = line.split('#').next().unwrap_or_default();
            let Some((key, value)) = line.split_once(':') else {
                continue;
            };
            let key = key.trim_matches(BLANK).to_ascii_lowercase();
            file.take(&key, value.trim_matches(BLANK), &mut place);
        }
        file
    }

    /// Reads one line. Fields that do not belong to records leave records untouched.
    fn take(&mut self, key: &str, value: &str, place: &mut Place) {
        match key {
            "acap-qualified-usage" => self.define(Kind::Qualified, value),
            "acap-composite-usage" => self.define(Kind::Composite, value),
            "acap-resource-set" => self.define(Kind::Set, value),
            "acap-crawler" => self.take_crawler(value, place),
            "acap-usage-purpose" => {
                if place.in_sub_record_body {
                    place.purposes = None;
                }
                place
                    .purposes
                    .get_or_insert_default()
                    .push(value.to_owned());
                place.in_sub_record_body = false;
                place.in_body = true;
            }
            "acap-permissions-reference" => place.in_body = true,
            _ if key.starts_with("acap-request-") => place.in_body = true,
            _ => {
                if let Some(usage) = key.strip_prefix("acap-allow-") {
                    self.take_field(true, usage, value, place);
                } else if let Some(usage) = key.strip_prefix("acap-disallow-") {
                    self.take_field(false, usage, value, place);
                }
            }
        }
    }

    fn define(&mut self, kind: Kind, value: &str) {
        if self.records.is_empty() {
            let (name, body) = split_word(value);
            self.definitions.push(Definition {
                kind,
                name: name.to_owned(),
                body: body.to_owned(),
            });
        }
    }

    fn take_crawler(&mut self, name: &str, place: &mut Place) {
        if place.in_body || self.records.is_empty() {
            self.records.push(AcapRecord::default());
            *place = Place::default();
        }
        if let Some(record) = self.records.last_mut() {
            record.crawlers.push(name.to_owned());
        }
    }

    /// Adds a permission or prohibition. A field of an unknown usage counts too: it ends the same
    /// parts of a record as a known one.
    fn take_field(&mut self, allow: bool, usage: &str, value: &str, place: &mut Place) {
        place.in_body = true;
        place.in_sub_record_body = place.purposes.is_some();
        // Without a record the field is an orphan (AMB-ACAP-36).
        if let Some(record) = self.records.last_mut() {
            record.fields.push(Field {
                purposes: place.purposes.clone(),
                allow,
                usage: usage.to_owned(),
                value: value.to_owned(),
            });
        }
    }
}

const BLANK: [char; 2] = [' ', '\t'];

/// The first word and the text after it, without surrounding spaces and tabs.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_matches(BLANK);
    let (word, rest) = text.split_once(BLANK).unwrap_or((text, ""));
    (word, rest.trim_matches(BLANK))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(BLANK).filter(|word| !word.is_empty())
}

/// Compares names without regard to case (ACAP-11).
fn same(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

/// Whether the text has the form of a name (ACAP-12).
fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text
            .chars()
            .all(|one| one.is_ascii_alphanumeric() || "-_.".contains(one))
}

/// The text after a prefix, which may be written in any case.
fn after<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (head, tail) = text.split_at_checked(prefix.len())?;
    same(head, prefix).then_some(tail)
}

// ---------------------------------------------------------------------------------------------
// Patterns
// ---------------------------------------------------------------------------------------------

/// One element of a pattern; a path consists of bytes only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    Byte(u8),
    /// `*`
    Any,
    /// A final `$`
    End,
}

/// Reads a pattern, which is relative to the root (ACAP-65).
fn pattern(text: &str) -> Vec<Token> {
    if text.starts_with(['/', '*']) {
        read_bytes(text, true)
    } else {
        read_bytes(&format!("/{text}"), true)
    }
}

/// Converts to canonical form C1 (AMB-REP-1) in lower case: decodes escapes of unreserved bytes,
/// and encodes bytes that a URI may not contain and literal `*` and `$`.
fn read_bytes(text: &str, wildcards: bool) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        if let Some(meant) = escaped(bytes, at) {
            push(&mut out, meant, is_unreserved(meant));
            at += 3;
            continue;
        }
        if wildcards && byte == b'*' {
            out.push(Token::Any);
        } else if wildcards && byte == b'$' && at + 1 == bytes.len() {
            out.push(Token::End);
        } else {
            push(
                &mut out,
                byte,
                is_unreserved(byte) || b"%:/?[]@!&'()+,;=".contains(&byte),
            );
        }
        at += 1;
    }
    out
}

fn push(out: &mut Vec<Token>, byte: u8, plain: bool) {
    if plain {
        out.push(Token::Byte(byte.to_ascii_lowercase()));
    } else {
        out.extend(format!("%{byte:02x}").bytes().map(Token::Byte));
    }
}

/// The byte that an escape at this offset encodes; `None` if there is no escape.
fn escaped(bytes: &[u8], at: usize) -> Option<u8> {
    let [b'%', high, low] = bytes.get(at..at + 3)? else {
        return None;
    };
    let (high, low) = (
        char::from(*high).to_digit(16)?,
        char::from(*low).to_digit(16)?,
    );
    u8::try_from(high * 16 + low).ok()
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

/// Whether the pattern matches a prefix of the path, or the whole path if it ends in `$`. Walks
/// along the pattern with the set of all offsets in the path that it can have reached.
fn matches(pattern: &[Token], path: &[Token]) -> bool {
    let mut places = vec![0];
    for token in pattern {
        places = match token {
            Token::Any => {
                let first = places.into_iter().min().unwrap_or(path.len() + 1);
                (first..=path.len()).collect()
            }
            Token::End => places.into_iter().filter(|at| *at == path.len()).collect(),
            Token::Byte(_) => {
                let fits = |at: &usize| path.get(*at) == Some(token);
                places.into_iter().filter(fits).map(|at| at + 1).collect()
            }
        };
    }
    !places.is_empty()
}
