/** What abide is asked and answers. Made from the schemas by `crates/abide-contract/tests/it/generated`; do not edit. */

/** The client in terms of ACAP. */
export interface Acap {
  /** Crawler names [default: the product tokens]. */
  names?: string[];
  /** Usage purposes. */
  purposes?: string[];
  /** Whether site and client have a prior arrangement, which "amber" features require. */
  prior_arrangement?: boolean;
  /** Qualifiers that the client cannot honour. */
  unsupported?: Qualifier[];
  /** Which ACAP records apply [default: full]. */
  mode?: AcapMode;
}

export type AcapMode =
  | 'full'
  | 'restrict'
  | 'off';

export type Access =
  | 'rules'
  | 'unknown'
  | 'unavailable'
  | 'unreachable';

export type Action =
  | 'take-down'
  | 're-crawl';

/** What the file asks the client to do. */
export interface ActionRequest {
  action: Action;
  path: string;
  /** Always true. */
  requires_confirmation: boolean;
}

/** A name, `*` for the robots that no group names, or names in order of preference. */
export type Agent = string | string[];

/** Robots: a string or a list of strings. Each is a name, `*`, names in order of preference such as `NewsBot>Bot`, a whole `User-Agent` line, a set such as `@search`, or several of these with commas. */
export type Agents = string | string[];

/** Whether groups for `*` apply to the robot. not-as-permission: they do not let it in; it comes only if another group allows it. */
export type AnyGroup = boolean | 'not-as-permission';

/** An application with its own product tokens. */
export interface Application {
  /** The identifier. */
  id: string;
  /** Its product tokens, in order of preference [default: those of the registry, or else the client's]. */
  product_tokens?: string[];
}

/** What a file asks an application to do. */
export interface ApplicationAnswer {
  /** The directives that apply, with their values. A Token, Date, Byte Sequence or Display String is an object that names its type. */
  directives: Record<string, DirectiveValue>;
  /** The lines that name the application: first those that apply. */
  evidence: DirectiveEvidence[];
  /** What the registry says about the directives, for people. */
  registered?: Record<string, DirectiveDescription>;
  /** Directives that the registry of the application does not know. */
  unregistered?: string[];
  /** Directives that the registry calls deprecated. */
  deprecated?: string[];
  /** Directives with a value of another type than the registry says. */
  type_mismatch?: string[];
  /** Words of AI preferences that a directive contradicts, and so overrides. */
  overrides?: Record<string, string[]>;
  /** Words of AI preferences that a directive covers with a value of unknown meaning. */
  may_override?: Record<string, string[]>;
  /** Whether the client may not fetch the resource. */
  crawl_disallowed: boolean;
  /** If AI preferences are asked for: the answer for the application, in which its directives override words of robots.txt. The evidence is what decides, and the directives with the words that they override or agree with. */
  preferences?: { 'ai-input'?: UsageDecision; crawl?: UsageDecision; follow?: UsageDecision; index?: UsageDecision; other?: UsageDecision; present?: UsageDecision; 'present-currentcopy'?: UsageDecision; 'present-link'?: UsageDecision; 'present-oldcopy'?: UsageDecision; 'present-oldsnippet'?: UsageDecision; 'present-oldthumbnail'?: UsageDecision; 'present-original'?: UsageDecision; 'present-snippet'?: UsageDecision; 'present-thumbnail'?: UsageDecision; preserve?: UsageDecision; search?: UsageDecision; train?: UsageDecision };
}

export type AskedPreferences = boolean | SitePreferences | null;

export type Basis =
  | 'operator'
  | 'secondary';

/** What a site says about a page, as a case expects it. */
export type CaseAnswer = Outcome | string;

/** The main purpose of robots that crawl by themselves, or another kind. every-other: robots that the file does not name. unknown: robots that the file names and the table of known robots does not have. */
export type Category =
  | 'every-other'
  | 'search'
  | 'ai-training'
  | 'ai-input'
  | 'control-token'
  | 'user-triggered'
  | 'archive'
  | 'seo'
  | 'preview'
  | 'monitoring'
  | 'ads'
  | 'feeds'
  | 'academic'
  | 'security'
  | 'shopping'
  | 'translation'
  | 'other'
  | 'unknown';

/** Why the answers of some regions change. Each region has one cause. */
export interface Cause {
  /** The kind of cause. */
  kind: CauseKind;
  /** The cause in words. */
  sentence: string;
  /** For whom. */
  whom: string;
  /** The number of a line: of the old file for `rule-removed`, `preference-removed` and `own-group`, else of the new one. */
  line: number | null;
  /** The regions, at least one. */
  regions: RegionPlace[];
}

export type CauseKind =
  | 'site-closed'
  | 'own-group'
  | 'group-lost'
  | 'other-group'
  | 'rule-added'
  | 'rule-removed'
  | 'preference-added'
  | 'preference-removed'
  | 'other';

/** An answer that cells have. */
export interface CellAnswer {
  /** The outcome. */
  outcome: Outcome;
  /** The conditions of a conditional outcome. */
  conditions: Condition[];
  /** What decided the outcome; null if no source says anything. */
  decided_by: DecidedBy | null;
  /** What it says in the second profile, if the outcome is another one. */
  differs?: ShortAnswer;
}

/** A URL with a change. */
export interface ChangedUrl {
  /** The URL. */
  url: string;
  /** For which clients, and what. */
  changes: UrlChange[];
}

/** What changes for URLs of a list. */
export interface ChangedUrls {
  /** How many URLs there were. */
  count: number;
  /** The URLs with a change, in the order of the list. */
  changed: ChangedUrl[];
}

/** The result of one case for one of its agents and one of its URLs. */
export interface Check {
  /** The line on which the case begins, starting from 1. */
  line: number;
  /** The name of the case; if it has none, a description. */
  name: string;
  /** The agent: a name, names in order of preference such as `NewsBot>Bot`, or `*`. */
  agent: string;
  /** The URL. */
  url: string;
  /** Whether all expectations hold. */
  passed: boolean;
  /** The expectations that failed; empty if the check passed. */
  failures?: Failure[];
  /** Which groups apply to the robot, and what is decided and why, in the words of `abide explain`; empty if the check passed. */
  explanation?: string[];
  /** Findings about the URL, such as that web clients send another one. */
  findings?: string[];
}

/** How a client finds its groups. */
export interface Chosen {
  /** The kind of name. */
  by: SelectionLevel;
  /** The token or purpose; `*` for any crawler. */
  token: string;
}

/** Robots that the same lines address in both files, and what changes for each of them. */
export interface ClientDifferences {
  /** The robots; with neither agent nor purpose, all that no line names. */
  names: NamedClient[];
  /** Whether it was shown that nothing changes for them. */
  equivalent: boolean;
  /** Whether all regions were found. If not, because the comparison reached its limit or the files were parsed with different profiles, the regions found are right, but there may be others. */
  complete: boolean;
  /** The regions in which the outcome or a condition changes: ordered by usage, and within a usage the shortest witness first. */
  regions: Region[];
  /** The regions in which the directives for an application change: one application after another, the shortest witness first. */
  directives: DirectiveRegion[];
  /** How the client finds its groups, if that changes; null where no group addresses it. By itself this changes no decision. */
  groups: { old: Chosen | null; new: Chosen | null } | null;
  /** The crawl delay in seconds, if it changes. */
  crawl_delay: { old: number | null; new: number | null } | null;
  /** What the file asks to be done with single resources (ACAP-117), if it changes: sorted. */
  action_requests: { old: RequestedAction[]; new: RequestedAction[] } | null;
  /** What single vocabularies of AI preferences say otherwise while the outcome stays, because another is stricter. */
  vocabularies?: VocabularyChange[];
  /** The URLs of the licence documents that bind the client, sorted, if they change. What they say is not known. */
  licences?: { old: string[]; new: string[] };
}

export type Code =
  | 'acap-allow-other'
  | 'acap-bad-name'
  | 'acap-bad-pattern'
  | 'acap-bad-qualifier'
  | 'acap-bad-reference'
  | 'acap-bad-request'
  | 'acap-before-conventional'
  | 'acap-crawler-wildcard'
  | 'acap-dollar-inside'
  | 'acap-dollar-scope'
  | 'acap-duplicate-name'
  | 'acap-duplicate-qualifier'
  | 'acap-empty-record'
  | 'acap-extra-token'
  | 'acap-fields-with-reference'
  | 'acap-ignore-not-honoured'
  | 'acap-interleaved'
  | 'acap-late-definition'
  | 'acap-local-in-prohibition'
  | 'acap-nested-composite'
  | 'acap-no-qualifier'
  | 'acap-no-records'
  | 'acap-no-version'
  | 'acap-not-ready'
  | 'acap-old-scheme'
  | 'acap-order'
  | 'acap-orphan-field'
  | 'acap-other-blocks-crawl'
  | 'acap-pattern-character'
  | 'acap-qualifier-on-local'
  | 'acap-qualifier-on-prohibition'
  | 'acap-query'
  | 'acap-reference-chain'
  | 'acap-request-in-sub-record'
  | 'acap-space'
  | 'acap-star-mixed'
  | 'acap-truncated'
  | 'acap-undefined-set'
  | 'acap-undefined-usage'
  | 'acap-unknown-field'
  | 'acap-unknown-usage'
  | 'acap-unqualified-preserve'
  | 'acap-until-recrawl'
  | 'acap-version-not-first'
  | 'acap-version-unknown'
  | 'app-directives-conflict'
  | 'app-directives-malformed'
  | 'app-directives-not-under-star'
  | 'app-directives-shadowed'
  | 'app-directives-unreachable'
  | 'bom'
  | 'compressed-body'
  | 'content-signal-case'
  | 'content-signal-foreign-word'
  | 'content-signal-misspelt'
  | 'content-signal-outside-group'
  | 'content-signal-separator'
  | 'content-signal-value'
  | 'content-usage-dropped-word'
  | 'content-usage-duplicate-word'
  | 'content-usage-foreign-word'
  | 'content-usage-group-level'
  | 'content-usage-newer-word'
  | 'content-usage-path'
  | 'content-usage-stale-word'
  | 'content-usage-too-long'
  | 'content-usage-unknown-word'
  | 'content-usage-unparsable'
  | 'content-usage-value'
  | 'content-usage-word-case'
  | 'control-char'
  | 'control-token-by-star'
  | 'control-token-fetcher-closed'
  | 'crawl-delay-value'
  | 'cut-line'
  | 'directive-deprecated'
  | 'directive-type'
  | 'html-page'
  | 'licence-link-type'
  | 'licence-not-absolute'
  | 'licence-not-rsl'
  | 'licence-replaces-global'
  | 'licence-scoped'
  | 'missing-colon'
  | 'noindex-behind-disallow'
  | 'not-utf8'
  | 'pattern-dot-segment'
  | 'pattern-no-slash'
  | 'pattern-space'
  | 'preference-in-meta'
  | 'preference-on-disallowed-path'
  | 'preference-only-group'
  | 'preferences-conflict'
  | 'purpose-not-claimed'
  | 'purpose-not-sent'
  | 'robots-meta-in-body'
  | 'robots-meta-misspelt'
  | 'robots-tag-bare-rule'
  | 'robots-tag-global'
  | 'robots-tag-key-case'
  | 'robots-tag-malformed'
  | 'robots-tag-member'
  | 'robots-tag-newer-type'
  | 'robots-tag-separator'
  | 'robots-tag-size-limit'
  | 'robots-tag-value'
  | 'rsl-comma-list'
  | 'rsl-empty-url'
  | 'rsl-foreign-host'
  | 'rsl-old-word'
  | 'rsl-permits-and-prohibits'
  | 'rsl-unknown-element'
  | 'rsl-unknown-word'
  | 'rule-outside-group'
  | 'signal-conflict'
  | 'signal-permits-closed'
  | 'sitemap-body'
  | 'size-limit'
  | 'stray-percent'
  | 'tdm-policy-with-zero'
  | 'tdmrep-disallowed'
  | 'tdmrep-location'
  | 'tdmrep-missing-member'
  | 'tdmrep-shadowed-rule'
  | 'tdmrep-superseded'
  | 'tdmrep-unreadable'
  | 'tdmrep-value'
  | 'token-never-fetches'
  | 'typo'
  | 'ua-invalid-token'
  | 'unknown-purpose'
  | 'unknown-tag-rule'
  | 'url-not-as-sent'
  | 'x-robots-tag-deprecated';

/** What a conditional outcome demands. */
export interface Condition {
  /** What it is about. */
  kind: ConditionKind;
  /** In the words of the source: `50-chars`, `standard`, an instant. */
  value: string;
}

export type ConditionKind =
  | 'excluded-geo'
  | 'excluded-user'
  | 'licence-server'
  | 'licensed-geo'
  | 'licensed-user'
  | 'max-image-preview'
  | 'max-length'
  | 'max-use'
  | 'max-video-preview'
  | 'must-include-resource'
  | 'must-use-resource'
  | 'payment'
  | 'prohibited-context'
  | 'prohibited-modification'
  | 'reporting'
  | 'required-context'
  | 'time-limit';

/** A control token with its usages. */
export interface ControlToken {
  token: string;
  usages: ('train' | 'ai-input' | 'search')[];
}

/** Something that a conversion changes or leaves out. */
export interface ConversionFinding {
  /** The kind of loss. */
  code: Loss;
  /** The line of the source, starting from 1, if the finding is about one. */
  line?: number;
  /** Whether the conversion is refused because of it. */
  refuses: boolean;
  /** One sentence, with foreign text as it is. */
  message: string;
}

/** The result of a conversion to another specification. */
export interface Convert {
  /** Version of this form. */
  schema: number;
  /** The converted text, with LF line ends; null if it would not mean what the source means. */
  converted: string | null;
  /** Everything that changes or is left out: first the reasons for a refusal, each in the order of lines. */
  findings: ConversionFinding[];
}

/** What to convert, and to what. */
export interface ConvertRequest {
  /** A robots.txt as text. */
  robots?: string;
  /** The file in base64, for any bytes. */
  robots_base64?: string;
  /** Header fields with robots tags, in place of a robots.txt. */
  headers?: string[][];
  /** A page with robots meta elements, in place of a robots.txt. */
  html?: string;
  /** Its final DOM, serialised. */
  rendered_html?: string;
  /** The target format. */
  to: To;
  /** Revision of `Content-Usage` whose words count, from or to it: 08 or 07 [default: 08] */
  revision?: string;
}

/** How many robots of a section get each answer. */
export interface Counts {
  /** All of the site. */
  allowed: number;
  /** Parts of it, or not proven. */
  partly: number;
  /** Nothing. */
  closed: number;
  /** Robots that do not follow robots.txt, whatever the file asks. The other members do not count them. */
  not_following: number;
}

/** What decided an outcome. */
export interface DecidedBy {
  /** The kind of source. */
  source: Source;
  /** Why it decided, as in a decision. */
  reason: Reason;
  /** Why the file is unavailable or unreachable, as in a decision. */
  cause?: string;
  /** The number of the line, in the robots.txt or a header field; null if the source has no lines. If no rule of a group matches, the group's first line. */
  line: number | null;
  /** The statement on it; null if there is none. */
  statement: string | null;
  /** The name through which its group applies; absent if no group does. */
  group?: string;
}

/** A line of the file. */
export interface DecidingLine {
  /** Its number. */
  line: number;
  /** Its text, without a comment: up to 256 bytes, and then `…`. */
  statement: string;
}

/** What may be done with a URL, and why. */
export interface Decision {
  /** Version of this contract. */
  schema: number;
  /** The `id` of the request, as written. */
  id: unknown;
  /** The URL as it was given. */
  url: string;
  /** The URL that is requested, about which abide decided, if it differs from `url`. */
  requested?: string;
  /** Where the robots.txt of the URL is; null for a path. */
  robots_url: string | null;
  /** How the robots.txt was fetched, if abide fetched it or took it from a cache. */
  retrieval?: Retrieval;
  /** The answer for each usage. `train`, `ai-input` and `search` come together with `preferences`. A slim answer leaves out the usages that no source mentions. */
  usages: { 'ai-input'?: UsageDecision; crawl: UsageDecision; follow?: UsageDecision; index?: UsageDecision; other?: UsageDecision; present?: UsageDecision; 'present-currentcopy'?: UsageDecision; 'present-link'?: UsageDecision; 'present-oldcopy'?: UsageDecision; 'present-oldsnippet'?: UsageDecision; 'present-oldthumbnail'?: UsageDecision; 'present-original'?: UsageDecision; 'present-snippet'?: UsageDecision; 'present-thumbnail'?: UsageDecision; preserve?: UsageDecision; search?: UsageDecision; train?: UsageDecision };
  /** What each vocabulary of AI preferences says, if the request asks for preferences. */
  preferences?: { 'content-signal'?: VocabularyAnswer; 'content-usage'?: VocabularyAnswer; 'control-token'?: VocabularyAnswer; 'robots-tag'?: VocabularyAnswer; rsl?: VocabularyAnswer; tdmrep?: VocabularyAnswer };
  /** The rules of robots tags that bind the client: `true`, or the value as text. */
  tags: Record<string, boolean | string>;
  /** Rules of robots tags that abide does not know. */
  unknown_tag_rules: string[];
  /** What the file asks each application to do. */
  applications: Record<string, ApplicationAnswer>;
  /** What the file asks the client to do with single resources. abide does not act on them. */
  action_requests: ActionRequest[];
  /** The values of the file's `Sitemap` lines. */
  sitemaps: string[];
  /** The delay in seconds, if the chosen group has one: the longest of several, and at most 86400. */
  crawl_delay?: number;
  /** The URLs to fetch for a complete answer: robots.txt, a permissions reference, a `tdmrep.json`, a licence document. */
  needs: string[];
  /** What is wrong or odd in the file. */
  diagnostics: Diagnostic[];
  /** The robot that was asked about. If a `User-Agent` line was, the name in it that counts. */
  agent: Agent;
  /** The `User-Agent` line that was asked about, and why its name was taken. */
  user_agent?: UserAgent;
  /** How open points of the specifications were read. */
  profile: Profile;
  /** What the operator documents about the robot, if that matters for the answer. */
  known_robot?: DocumentedRobot;
}

/** A reading that is not the letter of the text. */
export interface Deviation {
  /** ID of the resolution. */
  id: string;
  /** Section of the document. */
  section: string;
}

/** Something that is wrong or odd in a file. */
export interface Diagnostic {
  /** The kind of the finding. */
  code: Code;
  /** How much it matters. */
  severity: Severity;
  /** Number of the line, from 1; null for the whole file. */
  line: number | null;
  /** What was found, and what to write instead. */
  message: string;
}

/** What changes for whom from one robots.txt to another. */
export interface Diff {
  /** Version of this form. */
  schema: number;
  /** The old file, as it was named. */
  old: string;
  /** The new file, as it was named. */
  new: string;
  /** Whether it was shown that nothing changes, by RFC 9309 and for Google's parser. */
  equivalent: boolean;
  /** Whether everything could be compared. */
  complete: boolean;
  /** The worst effect, and whom it concerns, in words. */
  headline: string;
  /** The other effects, the worst first, in words. */
  also: string[];
  /** Who is affected at all, and by how many sets of URLs, in words; null if nobody is. */
  affected: string | null;
  /** Why answers change. */
  causes: Cause[];
  /** Whether Google's parser sees a change of what may be crawled that RFC 9309 does not. */
  google_sees_more: boolean;
  /** Whether Google's parser does not see a change of what may be crawled. */
  google_sees_less: boolean;
  /** What was not compared, or only in part, because the comparison reached its limit, in words. */
  not_compared: string[];
  /** The robots that were compared. Robots that the same lines address are together. */
  clients: ClientDifferences[];
  /** The values of all `Sitemap` records, sorted, if they change (REP-63). */
  sitemaps: { old: string[]; new: string[] } | null;
  /** How many robots were not compared at all, because the comparison reached its limit. */
  left_out: number;
  /** What became of the URLs of a list; null where there is none. */
  urls: ChangedUrls | null;
  omitted?: Omitted;
}

/** Two files, and the robots to compare for. */
export interface DiffRequest {
  /** The old file. */
  before: Side;
  /** The new file. */
  after: Side;
  /** Robots to compare for [default: every robot that either file names, one that neither names, and known robots that follow other groups] */
  agents?: Agents;
  /** Purposes that the robots claim, as `User-Agent-Purpose` lines name them. */
  purposes?: string[];
  /** Whether to leave out what operators document about their robots. */
  literal?: boolean;
  /** URLs, or paths, to look for changes. */
  urls?: string[];
  /** Whether the answer may be longer than 20 times the files. */
  all?: boolean;
}

/** What the registry says about a directive. */
export interface DirectiveDescription {
  /** What it means, in short. */
  description?: string;
  /** The address of its documentation. */
  documentation?: string;
}

/** A line that names the application. */
export interface DirectiveEvidence {
  /** Always `robots.txt`. */
  source: Source;
  line: number;
  /** First byte, and byte after the last, in the decoded file. */
  span: [number, number];
  /** The line, of which at most 256 bytes are quoted, and then `…`. */
  statement: string;
  /** Bytes of the path pattern; 0 without one. */
  bytes: number;
  role: Role;
  reason: DirectiveReason;
}

export type DirectiveReason =
  | 'longest-pattern'
  | 'shorter-pattern';

/** URLs for which the old file takes an application's directives from the same lines, the new file too, and the directives differ. */
export interface DirectiveRegion {
  /** The application's identifier. */
  application: string;
  /** A shortest path with query in the region, in form C1. */
  witness: string;
  /** What the old file asks. */
  old: Directives;
  /** What the new file asks. */
  new: Directives;
}

/** A directive's value: a JSON value of the same kind if there is one, otherwise an object that names the type. */
export type DirectiveValue = boolean | number | number | string | TypedValue;

/** What an application is asked to do. */
export interface Directives {
  /** The values of the directives that apply, by name, as structured fields write them. */
  directives: Record<string, string>;
  /** The numbers of their lines. */
  lines: number[];
}

export type DocumentState =
  | 'read'
  | 'unreadable'
  | 'not-known';

/** How far abide does what a document says (RFC 7942). */
export interface DocumentStatus {
  /** Version of this form. */
  schema: number;
  /** Name of the document, such as `repext-03`. */
  document: string;
  /** Its title and revision. */
  title: string;
  /** The implementation. */
  implementation: string;
  /** Version of the implementation. */
  version: string;
  /** Licence of the implementation, as an SPDX expression. */
  licence: string;
  /** How many vectors about the document ran. */
  vectors: number;
  /** How many of them got the expected answer. */
  passed: number;
  /** The requirements of the document, by the strength of its words. */
  levels: LevelStatus[];
  /** Readings that are not the letter of the text, on purpose. */
  deviations: Deviation[];
  /** Vectors that got another answer. */
  failures: FailedVector[];
}

/** What is documented about a known robot and matters for the answer. */
export interface DocumentedRobot {
  token: string;
  operator: string;
  /** What applies, in sentences. */
  applied: string[];
  /** The page that says so. */
  documentation: string | null;
  /** The day on which the page was read. */
  checked: string;
}

/** A replacement of bytes. */
export interface Edit {
  /** What is replaced: its first byte, and the byte after the last. Empty to insert. */
  span: [number, number];
  /** The new bytes. */
  replacement: string;
}

/** The answer to a request that cannot be read. */
export interface ErrorAnswer {
  /** The `id` of the request, as written. */
  id: unknown;
  /** For a bare URL: the text of the line. */
  url?: string;
  error: ReportedError;
  agent?: Agent;
  profile?: Profile;
}

/** Something that decided, agreed or was overridden. */
export interface Evidence {
  /** What kind of source it comes from. */
  source: Source;
  /** For an AI preference: its vocabulary. */
  vocabulary?: Vocabulary;
  /** For a line of a permissions reference: the reference, as robots.txt writes it; for a document: its URL. */
  locator?: string;
  /** Of the robots.txt that the line is in, if abide fetched it or took it from a cache. */
  sha256?: string;
  /** Number of the line of robots.txt, or of the field line, from 1. */
  line?: number;
  /** For a robots tag in a field: the field. */
  field?: TagField;
  /** Number of the field's member, or of the document's rule or `content`, from 1. */
  member?: number;
  /** For an element of a page: its first byte. */
  offset?: number;
  /** First byte, and byte after the last, in the decoded file. */
  span?: [number, number];
  /** The field as written, from key to value; of a tag at most 256 bytes, and then `…`. */
  statement?: string;
  /** How many bytes the rule's pattern has, normalised. */
  bytes?: number;
  /** The line through which the group or record applies. */
  selected_by?: Selection;
  /** The name of the robots tag rule; for an older word of `Content-Usage` that word with its value; in the preferences for an application the directive, or the word with its value. */
  rule?: string;
  /** The part that it played. */
  role: Role;
  /** Why it played that part. */
  reason: Reason;
  /** Why the file is unavailable or unreachable, in words. */
  cause?: string;
  /** What else is to be known. */
  notes?: Note[];
}

/** A file, the robots that read it, and pages. Members of a request of `/v1/decide` that hold for all of them may follow. */
export interface ExplainBody {
  /** The robots.txt as text. */
  robots?: string;
  /** The file in base64, for any bytes. */
  robots_base64?: string;
  /** The robots that read it. */
  agents: Agents;
  /** Absolute URLs, or paths. More than eight are counted. */
  urls?: string[];
  /** How to read what the specifications leave open [default: careful] */
  profile?: Profile;
  /** Whether to leave out what operators document about their robots. */
  literal?: boolean;
  /** `User-Agent-Purpose` tokens that the client claims. */
  purposes?: string[];
  /** Applications whose directives to return. A text is one with the product tokens of `agent`. */
  applications?: (string | Application)[];
  /** What is registered: applications with their directives, the purposes that exist, and the robots tag rules that count. An object, or the text of a TOML, JSON or CSV file. */
  registry?: string | Registry;
  /** The client in terms of ACAP. */
  acap?: Acap;
  /** Contents of ACAP permissions references, by locator as the file writes it: a body, or its `status` or `error`. */
  references?: Record<string, string | FailedFetch>;
  /** Field lines of the page's response, in order. */
  headers?: [string, string][];
  /** The page's source. */
  html?: string;
  /** The page's final DOM, serialised. */
  rendered_html?: string;
  /** The time of the decision, RFC 3339 [default: now]. */
  now?: string;
  /** When the page was first indexed, for limits in days, RFC 3339. */
  first_indexed?: string;
  /** When the page was first copied, for limits in days, RFC 3339. */
  first_copied?: string;
  /** The version of the page that the question is about. */
  version?: Version;
  /** Whether to accept product tokens outside of RFC 9309, such as `MJ12bot`. */
  nonstandard_token?: boolean;
  /** Readings of ambiguous points in place of abide's own, each as the ID of the point and the name of the reading. */
  readings?: Reading[];
  /** Asks for AI preferences: the usages `train`, `ai-input` and `search`. */
  preferences?: Preferences;
  /** Final HTTP status of the robots.txt fetch, 200 to 599 [default: 200]. One from 300 to 399 is a redirect that nobody followed, and says nothing about the site; 304 means that the stored copy has to be given instead. */
  robots_status?: number;
  /** Where a redirecting `robots_status` leads: the field `Location` of the answer. */
  robots_location?: string;
  /** Network failure instead of a status. */
  robots_error?: FailureName;
}

/** A line of the file, and what it is to the client. */
export interface ExplainedLine {
  /** Number of the line, from 1. */
  line: number;
  /** The line as written, without its end. */
  text: string;
  /** `head`: begins what applies to the client. `counts`: applies to it. `void`: would apply, but has no effect. `control-token`: in the group of a control token that is about what the client fetches. `others`: for other robots, or a comment or blank line. */
  state: LineStateName;
  /** Why the line has no effect. */
  why?: string;
  /** For a line of `Content-Usage`, `Content-Signal` or `License`: what it states, for whomever it is. */
  preference?: ExplainedPreference;
  /** For a `User-agent` line that names a control token. */
  control_token?: ExplainedToken;
}

/** What is decided about a page. */
export interface ExplainedPage {
  url: string;
  /** By usage; those about which anything is said. */
  outcomes: { 'ai-input'?: Outcome; crawl?: Outcome; follow?: Outcome; index?: Outcome; other?: Outcome; present?: Outcome; 'present-currentcopy'?: Outcome; 'present-link'?: Outcome; 'present-oldcopy'?: Outcome; 'present-oldsnippet'?: Outcome; 'present-oldthumbnail'?: Outcome; 'present-original'?: Outcome; 'present-snippet'?: Outcome; 'present-thumbnail'?: Outcome; preserve?: Outcome; search?: Outcome; train?: Outcome };
  /** What each statement did to it. */
  parts: Part[];
  /** Whether the client may crawl the page, in one sentence. */
  verdict: string;
  /** What is asked about training, AI input and search, if the file or the page states any preference. */
  preferences?: PreferenceAnswer[];
  /** What is decided and why, in plain English. */
  summary: string;
  /** Findings about the URL, in sentences. */
  findings?: string[];
}

/** What a preference line states. */
export interface ExplainedPreference {
  /** Its vocabulary. */
  vocabulary: Vocabulary;
  /** Its path, as written; absent for every path. */
  path?: string;
  /** By usage. */
  states: { 'ai-input'?: Outcome; crawl?: Outcome; follow?: Outcome; index?: Outcome; other?: Outcome; present?: Outcome; 'present-currentcopy'?: Outcome; 'present-link'?: Outcome; 'present-oldcopy'?: Outcome; 'present-oldsnippet'?: Outcome; 'present-oldthumbnail'?: Outcome; 'present-original'?: Outcome; 'present-snippet'?: Outcome; 'present-thumbnail'?: Outcome; preserve?: Outcome; search?: Outcome; train?: Outcome };
  /** The level that it limits every usage to. */
  max_use?: UseLevel;
  /** The URL of the licence document that it names. */
  licence?: string;
  /** By usage that it states and never settles: the line that overrides it. */
  overridden_by?: { 'ai-input'?: number; crawl?: number; follow?: number; index?: number; other?: number; present?: number; 'present-currentcopy'?: number; 'present-link'?: number; 'present-oldcopy'?: number; 'present-oldsnippet'?: number; 'present-oldthumbnail'?: number; 'present-original'?: number; 'present-snippet'?: number; 'present-thumbnail'?: number; preserve?: number; search?: number; train?: number };
  /** What it settles for the client, in words; absent where `why` says that it has no effect. */
  text?: string;
}

/** What the group of a control token settles. */
export interface ExplainedToken {
  /** The token. */
  token: string;
  /** The usages that its group is about. */
  usages: Usage[];
  /** The robots whose content it is about. */
  fetchers: string[];
  /** Whether it is about what the client fetches. */
  counts: boolean;
  /** What it settles, in words. */
  text: string;
}

/** A document that could not be fetched. */
export interface FailedFetch {
  /** Its HTTP status. */
  status?: number;
  /** The network failure. */
  error?: FailureName;
}

/** A vector that got another answer than expected. */
export interface FailedVector {
  /** The requirement that the vector is about. */
  id: string;
  /** Name of the vector. */
  name: string;
  /** What differs. */
  difference: string;
}

/** An expectation that failed. */
export interface Failure {
  /** The usage, or the application. */
  about: string;
  /** What was expected. */
  expected: CaseAnswer;
  /** What was found. */
  found: CaseAnswer;
  /** What decided: ``line 2: `Disallow: /` ``, or the reason if no line did. */
  cause: string;
  /** For training, AI input and search: the vocabulary of what decided. */
  vocabulary?: Vocabulary;
}

export type FailureName =
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'truncated'
  | 'redirect-limit'
  | 'bad-redirect'
  | 'refused'
  | 'network';

/** What was requested when a file was fetched, and what answered: kept with the file. */
export interface FetchTrail {
  /** The requests: the first one, and one for each redirect. */
  requests: SentRequest[];
  /** The field lines of the last response, in order, without `Set-Cookie`. */
  fields: SentField[];
  /** Whether a request or a field is missing because there was too much to keep. */
  cut?: boolean;
}

/** The robots.txt of a site, and how it was fetched. */
export interface FetchedSite {
  /** Version of this form. */
  schema: number;
  /** URL of the robots.txt. */
  url: string;
  /** Which rules apply now: those of a file; none, because the site has no file (`unavailable`, everything is allowed) or because it cannot be fetched (`unreachable`, only robots.txt itself is allowed); or `unknown`, because nothing is stored and nothing was requested. */
  rules: FetchedSiteRules;
  /** Why there is no file, in words: `HTTP status 404`. */
  cause?: string;
  /** The file, if one applies. The command leaves its text out. */
  file?: ServedFile;
  /** How the file was fetched, and how long it is valid. */
  retrieval: Retrieval;
  /** How many seconds ago it was last confirmed. */
  age?: number;
  /** For how many seconds the site says that it is fresh. */
  lifetime?: number;
  /** The earliest instant at which to ask again. Missing: now. */
  next_fetch?: string;
  /** Until when the site asked to be left alone (`Retry-After`), if it was not asked again for that reason. */
  asks_to_wait?: string;
  /** The `User-Agent` that was sent. Missing if nothing was requested. */
  user_agent?: string;
  /** The requests that this process sent or refused last: the first one, and one for each redirect. Empty if it had no need to. */
  requests: SentRequest[];
  /** How the file was fetched that applies, or the response that says that there is none, also if that was earlier. Missing if nothing is stored, or an older version stored it without this. */
  trail?: FetchTrail;
  /** Media type of the last response, as sent. */
  media_type?: string;
  /** Whether a redirect led from https to http. */
  downgraded?: boolean;
}

export type FetchedSiteRules =
  | 'file'
  | 'unavailable'
  | 'unreachable'
  | 'unknown';

/** A robots.txt as one client reads it, and what it does to pages. */
export interface FileExplanation {
  /** Version of this form. */
  schema: number;
  /** The robot as it was asked for: a name, names in order of preference such as `NewsBot>Bot`, or `*` for every robot that the file does not name. */
  robot: string;
  /** The client's product tokens, in order of preference; none for `*`. */
  agents: string[];
  /** What came of fetching the file. */
  access: Access;
  /** Whether the file goes on behind the limit up to which it is read. */
  truncated: boolean;
  /** The groups that apply to the client, by their starter lines. */
  groups: Selection[];
  /** Groups that address the client too, but that a better match overrides. */
  passed_over_groups: Selection[];
  /** Every line of the file, in order. */
  lines: ExplainedLine[];
  /** The robots tags that were given. */
  tags: ReadTag[];
  /** What the client may crawl, in one sentence. */
  verdict: string;
  /** What is documented about the robot and matters for this file, in sentences. */
  documented?: string[];
  /** What robots.txt alone asks about training, AI input and search, on most paths, if the file states any preference. */
  preferences?: PreferenceAnswer[];
  /** What the file asks of robots that claim a purpose, in sentences. */
  purposes?: string[];
  /** What the file is to the client, in plain English. */
  summary: string;
  /** What is decided about each page, if pages were named. */
  pages?: ExplainedPage[];
  /** What was counted, if many pages were named. */
  tally?: Tally;
}

/** A finding in a file. */
export interface FileFinding {
  /** Version of this form. */
  schema: number;
  /** The file or URL, as it was named; `stdin`; `the response`. */
  file: string;
  /** What the finding is about. */
  origin: Input;
  /** The rule that found it: `abide lint --explain CODE`. */
  code: string;
  /** How much the finding matters. */
  severity: Severity;
  /** One sentence. */
  message: string;
  /** From 1; absent if the finding is about the whole file. */
  line?: number;
  /** The first byte, and the byte after the last, in the text as it was read. */
  span?: [number, number];
  /** Where the span begins on its line, in characters from 1. */
  column?: number;
  /** Other places that belong to it. */
  related?: RelatedPlace[];
  /** What would fix it. */
  fix?: Fix;
}

/** What was found, and the fixed file. */
export interface Findings {
  /** Version of this form. */
  schema: number;
  /** First those in the file. */
  findings: FileFinding[];
  /** How many findings are left out because the answer would be longer than 20 times the file. */
  omitted?: number;
  /** With `fix`: how many findings were fixed. */
  fixed?: number;
  /** With `fix`: the new file, if it is UTF-8. */
  robots?: string;
  /** With `fix`: the new file otherwise. */
  robots_base64?: string;
}

/** A change that fixes a finding. */
export interface Fix {
  /** Whether it may be applied without asking: `safe` changes no answer. */
  safety: Safety;
  /** What it does, such as "remove the line". */
  title: string;
  /** Replacements of bytes of the decoded text. They do not overlap. None if the text only has to be written as it was read. */
  edits: Edit[];
}

/** A file to format. */
export interface FmtRequest {
  /** The robots.txt as text. */
  robots?: string;
  /** The file in base64, for any bytes. */
  robots_base64?: string;
}

/** The formatted file. */
export interface FormattedFile {
  /** Version of this form. */
  schema: number;
  /** Whether the formatted file differs from the file. */
  changed: boolean;
  /** Whether the file has any robots.txt field. If not, it stays as it is. */
  robots_txt: boolean;
  /** The formatted file, if it is UTF-8. */
  formatted?: string;
  /** The formatted file otherwise. */
  formatted_base64?: string;
}

/** What a site wishes of its robots.txt. */
export interface InitRequest {
  /** Closes the site to robots that fetch for the training of AI models. */
  no_training?: boolean;
  /** Closes the site to robots that fetch for AI answers. */
  no_ai_input?: boolean;
  /** Lets in every robot that mainly searches, and refuses wishes that close the site to one. */
  keep_search?: boolean;
  /** Closes the site to every robot. */
  staging?: boolean;
  /** Closes the site to these robots too. */
  block?: Agents;
  /** How many seconds robots wait between visits. */
  delay?: number;
  /** The absolute URLs of sitemaps. */
  sitemaps?: string[];
}

export type Input =
  | 'robots.txt'
  | 'response'
  | 'tdmrep.json'
  | 'rsl';

export type Kind =
  | 'robot'
  | 'user-triggered'
  | 'control-token';

/** A known robot: facts about it, with their source. Facts that nobody documents are left out. */
export interface KnownRobot {
  /** Version of this form. */
  schema: number;
  /** The token that robots.txt uses. */
  token: string;
  /** Who operates the robot. */
  operator: string;
  /** Whether it crawls, fetches for people, or only controls the use of content. */
  kind: Kind;
  /** What it is for; at least one, the main purpose first. */
  purposes: Purpose[];
  /** Tokens whose groups the robot follows, in this order, if no group has its own. */
  falls_back_to?: string[];
  /** How it reads groups for `*`, if that is documented. */
  follows_any_group?: AnyGroup;
  /** Whether it honours `Crawl-delay`, if that is documented. */
  honours_crawl_delay?: boolean;
  /** Whether it follows robots.txt at all, if that is documented. */
  follows_robots_txt?: boolean;
  /** Text in its `User-Agent` header, ignoring case, if it sends requests. */
  user_agent?: string;
  /** URL of its published address ranges. */
  ip_ranges?: string;
  /** Suffixes of its host names in reverse DNS. */
  reverse_dns?: string[];
  /** URL of the operator's documentation. */
  documentation?: string;
  /** For a legacy token: those that the operator has for the same today. */
  replaced_by?: string[];
  /** What people write in place of the token: products that are trained on what it lets through. */
  products?: string[];
  /** What the row rests on. */
  basis: Basis;
  /** Date on which the row was checked, as `2026-11-24`. */
  checked: string;
  /** What blocking it does and does not do; empty if there is nothing to add. */
  note: string;
}

/** Known robots. */
export interface KnownRobots {
  /** Version of this form. */
  schema: number;
  /** Those that were found. */
  robots: KnownRobot[];
}

/** The requirements of one level. */
export interface LevelStatus {
  /** `must`, `should`, `may`, `descriptive`, or `resolution`: what the document leaves open. */
  level: string;
  /** How many requirements there are. */
  requirements: number;
  /** For how many of them all vectors ran and passed. */
  passed: number;
  /** The requirements with a vector that failed. */
  failed: string[];
  /** The requirements that no vector shows, only tests of the source. They did not run. */
  by_tests: string[];
}

/** A licence document. */
export interface LicenceDocument {
  /** Its URL; null for a document in the page. */
  url: string | null;
  /** What names it. */
  from: LicenceSource;
  /** What is known of it. */
  state: DocumentState;
}

export type LicenceSource =
  | 'robots.txt'
  | 'link'
  | 'html'
  | 'inline';

/** What one line did. */
export interface LineCounts {
  /** The number of the line, from 1. */
  line: number;
  /** Pages about which it decided anything. */
  decided: number;
  /** Pages that it matched, and about which it decided nothing. */
  overridden: number;
  /** The first page about which it decided; where there is none, the first that it matched. */
  witness: string;
}

export type LineStateName =
  | 'head'
  | 'counts'
  | 'void'
  | 'control-token'
  | 'others';

/** What a code of findings means. */
export interface LintCode {
  /** Version of this form. */
  schema: number;
  /** The code, such as `pattern-no-slash`. */
  code: string;
  /** How much such findings matter: info, warning or error. */
  severity: string;
  /** What is found, why it matters, what is wrong and what is right, in Markdown. */
  markdown: string;
}

/** A file to check, or a response. */
export interface LintRequest {
  /** A robots.txt, a tdmrep.json or an RSL licence, as text. */
  robots?: string;
  /** The file in base64, for any bytes. */
  robots_base64?: string;
  /** The name of the file in findings; it also says what the file is [default: robots.txt] */
  file?: string;
  /** The field `Content-Type` that the file is served with. */
  media_type?: string;
  /** Codes to report, such as `bom` or `pattern-*`; also those that `config` ignores [default: all] */
  select?: string[];
  /** Codes not to report. */
  ignore?: string[];
  /** Whether a closed site is meant to be closed [default: what `config` says] */
  allow_closed?: boolean;
  /** Purposes that exist [default: every well-formed one] */
  purposes?: string[];
  /** The text of an `abide.toml`. */
  config?: string;
  /** The text of a TOML, JSON or CSV file with a registry of applications and their directives, or of purposes. */
  registry?: string;
  /** Header fields of a response of the site, which is checked too. */
  headers?: string[][];
  /** The page of that response. */
  html?: string;
  /** Its final DOM, serialised. */
  rendered_html?: string;
  /** The URL or path of that response [default: /] */
  url?: string;
  /** The instant of the check, RFC 3339; control-token-stale depends on it [default: now] */
  now?: string;
  /** Applies fixes. The answer has the new file, and the findings that are left. */
  fix?: Safety;
  /** Whether the answer may be longer than 20 times the file. */
  all?: boolean;
}

export type Loss =
  | 'convert-case'
  | 'convert-precedence'
  | 'convert-decision'
  | 'convert-unproved'
  | 'convert-name'
  | 'convert-purpose'
  | 'convert-query'
  | 'convert-dollar'
  | 'convert-record'
  | 'convert-usage'
  | 'convert-qualifier'
  | 'convert-local-name'
  | 'convert-reference'
  | 'convert-malformed'
  | 'convert-size-limit'
  | 'convert-unknown-rule'
  | 'convert-positive-rule'
  | 'convert-value'
  | 'convert-deprecated'
  | 'convert-word'
  | 'convert-use'
  | 'convert-width'
  | 'convert-path'
  | 'convert-robots'
  | 'convert-disallowed'
  | 'convert-present'
  | 'convert-nothing';

/** Which robots may crawl a site. */
export interface Matrix {
  /** Version of this form. */
  schema: number;
  /** The robots.txt, as it was named. */
  file: string;
  /** How the file is read. */
  profile: Profile;
  /** Whether documented behaviour of robots is left out. */
  literal: boolean;
  /** Whether every answer is proven for every path. */
  proven: boolean;
  /** What differs for robots that read the file in another way, in sentences. */
  notes?: string[];
  /** How many further robots the file names. Of those that the table of known robots does not have, as many are here as twenty times the bytes of the file have room for, and at most 2,000. */
  left_out?: number;
  /** Kinds of robots, each with at least one. */
  kinds: MatrixKind[];
}

/** Robots of one kind. */
export interface MatrixKind {
  kind: Category;
  /** One sentence about all robots of the kind. */
  summary: string;
  /** What people have to know about the kind. */
  note: string | null;
  /** How many robots get each answer. */
  counts: Counts;
  robots: MatrixRobot[];
}

/** A file, and the robots to answer for. */
export interface MatrixRequest {
  /** The robots.txt as text. */
  robots?: string;
  /** The file in base64, for any bytes. */
  robots_base64?: string;
  /** The name of the file in the answer [default: robots.txt] */
  file?: string;
  /** Robots [default: all known robots, those that the file names, and every other robot] */
  agents?: Agents;
  /** Purposes that the robots claim, as `User-Agent-Purpose` lines name them. */
  purposes?: string[];
  /** How to read what the specifications leave open [default: careful] */
  profile?: Profile;
  /** Whether to leave out what operators document about their robots. */
  literal?: boolean;
  /** Whether to answer for training, AI input and search too, or by which vocabularies and documents [default: if the file states a preference] */
  preferences?: AskedPreferences;
  /** A URL of the site that the file is from. Without it, licences for whole URLs do not count. */
  site?: string;
}

/** One robot. */
export interface MatrixRobot {
  /** Its name; `*` for every robot that the file does not name. */
  name: string;
  /** Whether the table of known robots has it. */
  known: boolean;
  /** Who operates it, if it is known. */
  operator: string | null;
  /** What it is for, the main purpose first; empty if it is not known. */
  purposes: Purpose[];
  /** How much of the site the file allows. */
  access: RobotAccess;
  /** Whether that is proven for every path. If not, the file was too complex to compare all paths, and the access is `partly`. */
  proven: boolean;
  /** Whether the robot follows robots.txt; null if that is not documented or does not count. Of a robot that does not, the access says only what the file asks. */
  follows_robots_txt: boolean | null;
  /** The line that decides about `/`, or else the first line of the robot's group. */
  decided_by: DecidingLine | null;
  /** A path that is decided otherwise than `/`, if the access is `partly`. If it is `closed`, a file that nobody visits and that the robot may fetch. */
  exception: PathException | null;
  /** The number of rules that decide otherwise than about `/`: at least so many. */
  exceptions: number;
  /** What operators document about the robot and matters here, in sentences. */
  documented: string[];
  /** What robots.txt, and the documents of --tdmrep and --rsl, ask about training, AI input and search on most paths. Absent unless the file states a preference or names a control token, or an option about AI preferences is given. */
  preferences?: PreferenceAnswer[];
}

/** A client that a file names, or the client for all robots that no file names. */
export interface NamedClient {
  /** The name as the file writes it; null for a client without one. */
  agent: string | null;
  /** The purpose that the client claims. */
  purpose: string | null;
}

export type Note =
  | 'search-governs'
  | 'by-star'
  | 'needs-fetch'
  | 'not-seen'
  | 'pending'
  | 'redirect-not-followed'
  | 'not-modified';

/** A file that a site served, and when. */
export interface Observation {
  /** SHA-256 of the bytes that were kept. */
  sha256: string;
  /** How many bytes were kept. */
  bytes: number;
  /** The first time that it was served. */
  first: string;
  /** The last time that it was served. */
  last: string;
  /** How it was fetched the first time. Missing if an older version stored it without this. */
  trail?: FetchTrail;
}

/** How much is left out, so that the answer is at most 20 times as long as the files; absent if nothing is, as with `--all`. */
export interface Omitted {
  causes: number;
  clients: number;
  /** Of the clients that are listed. */
  regions: number;
  urls: number;
}

export type Outcome =
  | 'unspecified'
  | 'permitted'
  | 'conditional'
  | 'unknown'
  | 'prohibited';

/** What one statement did to a page. */
export interface Part {
  /** The kind of source. */
  source: Source;
  /** The file that robots.txt refers to, if the statement is in it. */
  locator?: string;
  /** The line of the file, from 1. */
  line?: number;
  /** Which of the lines of its field, from 1. */
  field_line?: number;
  /** Which member or segment, from 1: of the whole list for `Robots-Tag`, of the line for `X-Robots-Tag`. */
  member?: number;
  /** At which byte of the page it begins. */
  offset?: number;
  /** The usages that it is about. */
  usages?: Usage[];
  /** What is decided about them. */
  outcome?: Outcome;
  /** The application whose directives it is about. */
  application?: string;
  /** Its role. */
  role: Role;
  /** For a preference: its vocabulary. */
  vocabulary?: Vocabulary;
  /** For a rule: bytes of its pattern (REP-42). */
  bytes?: number;
  /** For what is overridden: the line of the file that overrides it. */
  overridden_by?: number;
  /** The reason, as in a decision; `longest-pattern` and `shorter-pattern` for directives. */
  reason: string;
  /** The reason in words. */
  why: string;
}

/** Another answer for some paths. */
export interface PathAnswer {
  /** The pattern as the file has it. */
  pattern: string;
  /** The answer. */
  outcome: Outcome;
  /** The line that decides. */
  line?: number;
}

/** A path that is decided otherwise than `/`. */
export interface PathException {
  /** The path. */
  path: string;
  /** The line that decides about it. */
  decided_by: DecidingLine | null;
}

/** The answer for training, AI input or search. */
export interface PreferenceAnswer {
  /** The usage. */
  usage: Usage;
  /** The answer for most paths. */
  outcome: Outcome;
  /** The line that decides, from 1. */
  line?: number;
  /** The vocabulary of the deciding statement. */
  vocabulary?: Vocabulary;
  /** The control token whose group decides. */
  control_token?: string;
  /** Patterns of the file for which the answer is another one, each deciding line once. */
  exceptions?: PathAnswer[];
  /** How many exceptions are left out. */
  more_exceptions?: number;
  /** The answer in one sentence. */
  text: string;
}

/** The member `preferences` of a request. */
export interface Preferences {
  /** The vocabularies that count [default: all]. With `tdmrep` and without that file, `train` and `ai-input` are unknown. */
  vocabularies?: Vocabulary[];
  /** The revision of draft-ietf-aipref-vocab that has the words of `Content-Usage` [default: 08]. */
  revision?: '08' | '07';
  /** Whether `noai`, `noimageai` and `noml` count [default: true]. */
  vendor_tags?: boolean;
  /** Whether `Content-Signal` lines before the first group count as a group for `*` [default: false]. */
  signals_outside_groups?: boolean;
  /** For whom a `Content-Usage` or `Content-Signal` line counts: the robots of its group, or every robot whose own groups have no such line, also before the first group [default: group]. */
  signal_scope?: SignalScope;
  /** The level to which the client means to use content. */
  use?: UseLevel;
  /** Control tokens to ask about [default: those of the client's operator]. A text is one that abide knows, such as `Google-Extended`. */
  control_tokens?: (string | ControlToken)[];
  /** The site's `/.well-known/tdmrep.json`: a body, or its `status` or `error`. */
  tdmrep?: string | FailedFetch;
  /** RSL licence documents, by URL as the site writes it: a body, or its `status` or `error`. */
  rsl?: Record<string, string | FailedFetch>;
  /** When the page was fetched, RFC 3339. */
  fetched_at?: string;
}

export type Profile =
  | 'careful'
  | 'google';

export type Purpose =
  | 'search'
  | 'ai-training'
  | 'ai-input'
  | 'archive'
  | 'seo'
  | 'preview'
  | 'monitoring'
  | 'ads'
  | 'feeds'
  | 'academic'
  | 'security'
  | 'shopping'
  | 'translation'
  | 'other';

export type Qualifier =
  | 'time-limit'
  | 'max-length'
  | 'prohibited-modification'
  | 'prohibited-context'
  | 'required-context'
  | 'must-use-resource'
  | 'must-include-resource';

/** A robots tag of a response. */
export interface ReadTag {
  /** Where it comes from. */
  source: Source;
  /** Which of the lines of its field, from 1. */
  field_line?: number;
  /** Which member or segment, from 1: of the whole list for `Robots-Tag`, of the line for `X-Robots-Tag`. */
  member?: number;
  /** At which byte of the page it begins. */
  offset?: number;
  /** The tag as written. */
  text: string;
  /** Whether it applies to the client (TAG-10, TAG-11). */
  binds: boolean;
}

export type Reading =
  | 'AMB-PREF-1=ends-nothing'
  | 'AMB-PREF-1=attach'
  | 'AMB-APP-2=plan-b'
  | 'AMB-APP-2=ends-nothing'
  | 'AMB-PUR-1=product-token'
  | 'AMB-PUR-1=purpose'
  | 'AMB-PUR-3=purpose'
  | 'AMB-PUR-3=unknown'
  | 'AMB-PUR-3=user-agent'
  | 'AMB-PUR-4=token'
  | 'AMB-PUR-4=line'
  | 'AMB-TAG-6=until-mistake'
  | 'AMB-TAG-6=void'
  | 'AMB-TAG-7=robot'
  | 'AMB-TAG-7=rule'
  | 'AMB-REP-3=no-match'
  | 'AMB-REP-3=implied-slash'
  | 'AMB-REP-6=identifier'
  | 'AMB-REP-6=word'
  | 'AMB-REP-6=whole';

export type Reason =
  | 'only-match'
  | 'most-bytes'
  | 'equal-bytes'
  | 'equal-bytes-allow-wins'
  | 'equal-bytes-lost-to-allow'
  | 'fewer-bytes'
  | 'other-group'
  | 'no-rule-matches'
  | 'no-group'
  | 'tag-rule'
  | 'tag-expired'
  | 'tag-unreadable'
  | 'stricter-wins'
  | 'narrowest-scope'
  | 'wider-scope'
  | 'no-narrower-permission'
  | 'not-narrower'
  | 'says-the-same'
  | 'applies-too'
  | 'named-over-any'
  | 'by-other'
  | 'qualifier-invalid'
  | 'unsupported-qualifier'
  | 'no-prior-arrangement'
  | 'qualifier-not-ready'
  | 'expired'
  | 'nothing-left'
  | 'not-html'
  | 'substitute-not-crawlable'
  | 'acap-truncated'
  | 'reference-not-known'
  | 'reference-unreachable'
  | 'acap-overrides-conventional'
  | 'conventional-ignored'
  | 'preserve-prohibited'
  | 'preserve-until-recrawled'
  | 'older-version'
  | 'robots-txt-itself'
  | 'unavailable'
  | 'unreachable'
  | 'robots-txt-not-known'
  | 'says-so'
  | 'crawl-prohibited'
  | 'unparsable'
  | 'superseded'
  | 'not-listed'
  | 'licence-unreadable'
  | 'licence-not-known'
  | 'tdmrep-not-known'
  | 'tdmrep-too-large'
  | 'outside-group'
  | 'field-permits-nothing'
  | 'older-word'
  | 'use-exceeded'
  | 'directive-overrides'
  | 'meaning-unknown';

/** URLs for which the old file decides by the same lines, the new file too, and the answers differ. */
export interface Region {
  /** The usage that the answers are about. */
  usage: Usage;
  /** A shortest path with query in the region, in form C1 (AMB-REP-1). */
  witness: string;
  /** What the old file says. */
  old: ShortAnswer;
  /** What the new file says. */
  new: ShortAnswer;
}

/** The place of a region. */
export interface RegionPlace {
  /** The index in the member `clients`. */
  clients: number;
  /** The index in the regions of these clients. */
  region: number;
}

/** A registered application. */
export interface RegisteredApplication {
  /** The identifier, a Token. */
  id: string;
  /** Its product tokens, in order of preference [default: the client's]. */
  product_tokens?: string[];
  /** Who may register directives for it: a name and contact details. */
  change_controller?: string;
  /** Its directives, by name. */
  directive?: Record<string, RegisteredDirective>;
}

/** A registered directive. */
export interface RegisteredDirective {
  /** The type of its values: integer, decimal, string, token, byte-sequence, boolean, date or display-string. */
  type: string;
  /** `active` or `deprecated` [default: active]. */
  status?: string;
  /** The words of AI preferences that it overrides, such as `train-ai`. */
  overrides?: string[];
  /** What its values mean for these words: `y` or `n`, by value. */
  means?: Record<string, string>;
  /** What it means, in short. */
  description?: string;
  /** The address of its documentation. */
  documentation?: string;
}

/** A registered purpose. */
export interface RegisteredPurpose {
  /** The token, as `User-Agent-Purpose` lines have it. */
  token: string;
  /** What it means, in short. */
  description?: string;
  /** Where it is specified. */
  reference?: string;
}

/** A registered robots tag rule. */
export interface RegisteredRule {
  /** Its name, as robots tags have it. */
  name: string;
  /** What it means, in short. */
  description?: string;
  /** Where it is specified. */
  reference?: string;
}

/** A registry. The names of its members are those of the columns in the IANA sections. */
export interface Registry {
  /** The version of this form, which is 1 [default: 1]. */
  version?: number;
  /** Applications and their directives (draft-nottingham-plan-b, 3). */
  application?: RegisteredApplication[];
  /** The purposes that exist; a purpose that is not among them is an error [default: every purpose of letters, digits, `-` and `_`]. */
  purpose?: RegisteredPurpose[];
  /** The robots tag rules that count (draft-illyes-repext, 5.2) [default: those that abide knows]. */
  rule?: RegisteredRule[];
}

/** Another place that belongs to a finding. */
export interface RelatedPlace {
  /** Its line. */
  line: number;
  /** Its first byte, and the byte after the last. */
  span: [number, number];
  /** How it is related, in a few words. */
  message: string;
}

/** What is wrong. */
export interface ReportedError {
  code: 'invalid-json' | 'invalid-request' | 'invalid-agent' | 'invalid-application' | 'invalid-purpose' | 'invalid-url' | 'invalid-robots' | 'invalid-references' | 'invalid-acap' | 'invalid-preferences' | 'invalid-registry' | 'line-too-long';
  /** Number of the line of input, from 1. */
  input_line?: number;
  pointer?: string;
  message: string;
}

/** What abide is asked. One request a line in abide batch. */
export interface Request {
  /** Any JSON of at most 4,096 bytes, nested less than 128 deep; the answer repeats it. */
  id?: unknown;
  /** Absolute URL, as the client will send it. */
  url: string;
  /** Product tokens in order of preference: the first that has a group decides. `*` is every robot that the file does not name. A text with `/` or `(` is a whole `User-Agent` line, whose names are looked for in the file. A name has at most 256 bytes, a line 4,096. */
  agent: string | string[];
  /** Body of robots.txt. */
  robots?: string;
  /** Body of robots.txt, any bytes, in base64. */
  robots_base64?: string;
  /** How many bytes of the robots.txt are read; RFC 9309 (2.5) lets robots ignore the rest [default: 512000, which is the least; 16 MiB with the google profile]. */
  robots_limit?: number;
  /** How open points of the specifications are read. */
  profile?: Profile;
  /** Whether to apply what the operators of known robots document: other names whose groups they follow, and that they ignore groups for `*` [default: false]. */
  known_robots?: boolean;
  /** `User-Agent-Purpose` tokens that the client claims. */
  purposes?: string[];
  /** Applications whose directives to return. A text is one with the product tokens of `agent`. */
  applications?: (string | Application)[];
  /** What is registered: applications with their directives, the purposes that exist, and the robots tag rules that count. An object, or the text of a TOML, JSON or CSV file. */
  registry?: string | Registry;
  /** The client in terms of ACAP. */
  acap?: Acap;
  /** Contents of ACAP permissions references, by locator as the file writes it: a body, or its `status` or `error`. */
  references?: Record<string, string | FailedFetch>;
  /** Field lines of the page's response, in order. */
  headers?: [string, string][];
  /** The page's source. */
  html?: string;
  /** The page's final DOM, serialised. */
  rendered_html?: string;
  /** The time of the decision, RFC 3339 [default: now]. */
  now?: string;
  /** When the page was first indexed, for limits in days, RFC 3339. */
  first_indexed?: string;
  /** When the page was first copied, for limits in days, RFC 3339. */
  first_copied?: string;
  /** The version of the page that the question is about. */
  version?: Version;
  /** Whether to accept product tokens outside of RFC 9309, such as `MJ12bot`. */
  nonstandard_token?: boolean;
  /** Readings of ambiguous points in place of abide's own, each as the ID of the point and the name of the reading. */
  readings?: Reading[];
  /** Asks for AI preferences: the usages `train`, `ai-input` and `search`. */
  preferences?: Preferences;
  /** Final HTTP status of the robots.txt fetch, 200 to 599 [default: 200]. One from 300 to 399 is a redirect that nobody followed, and says nothing about the site; 304 means that the stored copy has to be given instead. */
  robots_status?: number;
  /** Where a redirecting `robots_status` leads: the field `Location` of the answer. */
  robots_location?: string;
  /** Network failure instead of a status. */
  robots_error?: FailureName;
}

/** What a file asks to be done with a single resource. */
export interface RequestedAction {
  /** What is asked. */
  action: Action;
  /** The path of the resource. */
  path: string;
}

/** How a robots.txt was fetched, and how long it is valid. */
export interface Retrieval {
  /** Why these rules apply. */
  state: RetrievalState;
  /** SHA-256 of the file's bytes as sent. Missing if no file applies. */
  sha256?: string;
  /** Whether the file continues after the bytes that were kept. Then `sha256` covers these only. */
  cut?: boolean;
  /** When the site's last response arrived. */
  fetched_at?: string;
  /** When it was last confirmed. */
  checked_at?: string;
  /** Until when it is fresh. */
  fresh_until?: string;
  /** Since when every attempt has failed. */
  unreachable_since?: string;
}

export type RetrievalState =
  | 'fresh'
  | 'refresh-failed'
  | 'unreachable'
  | 'grace-is-over'
  | 'due'
  | 'never-asked';

export type RobotAccess =
  | 'allowed'
  | 'partly'
  | 'closed';

export type Role =
  | 'decided'
  | 'agreed'
  | 'overridden'
  | 'void';

export type Safety =
  | 'safe'
  | 'unsafe';

/** The `User-agent`, `User-Agent-Purpose` or `ACAP-crawler` line through which a group or record applies. */
export interface Selection {
  by: SelectionLevel;
  /** The name in the line, of which at most 256 bytes are quoted. */
  token: string;
  line: number;
}

export type SelectionLevel =
  | 'product-token'
  | 'purpose'
  | 'crawler-name'
  | 'any-crawler';

/** A field line of a response. */
export interface SentField {
  /** Its name. */
  name: string;
  /** Its value. A byte that is not UTF-8 is U+FFFD. */
  value: string;
}

/** A request, and what came of it. */
export interface SentRequest {
  /** Its URL. */
  url: string;
  /** Address and port that responded: those of the proxy, if there is one. */
  address?: string;
  /** Status of the response. */
  status?: number;
  /** Why there is no response, or none that can be read, in words. */
  failure?: string;
  /** How long it took. */
  milliseconds: number;
}

/** A file as a site served it. */
export interface ServedFile {
  /** SHA-256 of the bytes that were kept. */
  sha256: string;
  /** How many bytes were kept. */
  bytes: number;
  /** Whether the file goes on behind them. */
  cut: boolean;
  /** Whether the bytes that were kept end within a line. That line does not count. */
  cut_line: boolean;
  /** The text, if it is UTF-8. */
  body?: string;
  /** The bytes otherwise. */
  body_base64?: string;
}

/** A setting as `abide config` lists it. */
export interface SettingEntry {
  /** The key in `abide.toml`, such as `ignore` or `severity.bom`. A list has one entry for each member. */
  key: string;
  /** What is set; null for a list without members, or a file that is not named. */
  value: SettingValue;
  /** Where it is set. */
  origin: SettingOrigin;
  /** The line of the `abide.toml`, starting from 1. */
  line?: number;
}

export type SettingOrigin =
  | 'default'
  | 'file'
  | 'flag';

/** What a setting is set to. */
export type SettingValue = string | boolean | null;

/** The settings for a robots.txt, and where each comes from. */
export interface Settings {
  /** Version of this form. */
  schema: number;
  /** The robots.txt, as it was named. */
  file: string;
  /** The `abide.toml` that applies; null if none does. */
  config: string | null;
  /** Every setting. */
  settings: SettingEntry[];
}

export type Severity =
  | 'info'
  | 'warning'
  | 'error';

/** What a file says about one usage of a page, in short. */
export interface ShortAnswer {
  /** The outcome. */
  outcome: Outcome;
  /** The conditions of a conditional outcome. */
  conditions: Condition[];
  /** What decided the outcome; null if no source says anything. */
  decided_by: DecidedBy | null;
}

/** A file: given, or that of a site. */
export interface Side {
  /** The robots.txt as text. */
  robots?: string;
  /** The file in base64, for any bytes. */
  robots_base64?: string;
  /** The name of the file in the answer [default: before, after] */
  file?: string;
  /** A URL of the site whose robots.txt is fetched. */
  url?: string;
}

export type SignalScope =
  | 'group'
  | 'file';

/** Every file that a site served. */
export interface SiteHistory {
  /** Version of this form. */
  schema: number;
  /** URL of the robots.txt. */
  url: string;
  /** The files, the first one first. */
  observations: Observation[];
  /** The file that was asked for. */
  file?: ServedFile;
}

/** Vocabularies that count, and documents beside robots.txt, with the meaning that they have in a request of `/v1/decide`. They are read as strictly as there. */
export interface SitePreferences {
  /** Vocabularies that count: content-usage, content-signal, tdmrep, rsl, robots-tag, control-token [default: all] */
  vocabularies?: string[];
  /** Revision of the words of `Content-Usage`: 08 or 07 [default: 08] */
  revision?: string;
  /** For whom a `Content-Usage` or `Content-Signal` line counts: `group`, the robots of its group, or `file`, every robot whose own groups have no such line [default: group] */
  signal_scope?: string;
  /** The site's tdmrep.json as text, or an object with `status` or `error` in its place. */
  tdmrep?: string | FailedFetch;
  /** Licence documents by URL as the site writes it: each as text, or an object with `status` or `error` in its place. */
  rsl?: Record<string, string | FailedFetch>;
}

/** A sitemap: given, or that at a URL. */
export interface SitemapRequest {
  /** The sitemap as text: XML, or one URL on each line. */
  sitemap?: string;
  /** The sitemap in base64, for any bytes; it may be compressed with gzip. */
  sitemap_base64?: string;
  /** The URL of a sitemap, which is fetched if the robots.txt of its site allows that. */
  url?: string;
}

/** What a sitemap lists. */
export interface SitemapUrls {
  /** Version of this form. */
  schema: number;
  /** Whether it is an index: its URLs are those of other sitemaps. */
  index: boolean;
  /** The URLs in their order, as they are written. */
  urls: string[];
}

export type Source =
  | 'robots.txt'
  | 'acap'
  | 'acap-reference'
  | 'robots-tag'
  | 'x-robots-tag'
  | 'meta'
  | 'rendered-meta'
  | 'fetch'
  | 'dependency'
  | 'default'
  | 'content-usage'
  | 'content-usage-field'
  | 'content-signal'
  | 'content-signal-field'
  | 'tdmrep'
  | 'tdm-field'
  | 'tdm-meta'
  | 'rsl'
  | 'control-token'
  | 'app-directives';

/** How often a code was found. */
export interface Statistic {
  /** Version of this form. */
  schema: number;
  /** The rule: `abide lint --explain CODE`. */
  code: string;
  /** The highest severity of its findings. */
  severity: Severity;
  /** The number of findings. */
  findings: number;
  /** The number of files with at least one. */
  files: number;
  /** Findings with a fix that changes no answer. */
  fixable: number;
  /** Findings with another fix. */
  unsafely_fixable: number;
}

/** Which robots may have which URLs. */
export interface Table {
  /** Version of this form. */
  schema: number;
  /** The profile of the answers; with two, the second is compared with it. */
  profiles: Profile[];
  /** The usage that is answered for. */
  usage: Usage;
  /** The columns. */
  robots: TableColumn[];
  /** The rows. */
  urls: TableUrl[];
  /** The different answers of all cells. */
  answers: CellAnswer[];
  /** For each URL, and in it for each robot, the place of the answer in `answers`, from 0. Null for a URL with an error. */
  cells: (number[] | null)[];
}

/** A file, robots and URLs. Members of a request of `/v1/decide` that hold for all of them may follow. */
export interface TableBody {
  /** The robots.txt as text. */
  robots?: string;
  /** The file in base64, for any bytes. */
  robots_base64?: string;
  /** The robots: one column each. */
  agents: Agents;
  /** Absolute URLs, or paths: one row each. */
  urls: string[];
  /** How to read what the specifications leave open: one profile, or two to see where they differ [default: careful] */
  profiles?: Profile[];
  /** The usage to answer for [default: crawl] */
  usage?: string;
  /** Whether to leave out what operators document about their robots. */
  literal?: boolean;
  /** `User-Agent-Purpose` tokens that the client claims. */
  purposes?: string[];
  /** Applications whose directives to return. A text is one with the product tokens of `agent`. */
  applications?: (string | Application)[];
  /** What is registered: applications with their directives, the purposes that exist, and the robots tag rules that count. An object, or the text of a TOML, JSON or CSV file. */
  registry?: string | Registry;
  /** The client in terms of ACAP. */
  acap?: Acap;
  /** Contents of ACAP permissions references, by locator as the file writes it: a body, or its `status` or `error`. */
  references?: Record<string, string | FailedFetch>;
  /** Field lines of the page's response, in order. */
  headers?: [string, string][];
  /** The page's source. */
  html?: string;
  /** The page's final DOM, serialised. */
  rendered_html?: string;
  /** The time of the decision, RFC 3339 [default: now]. */
  now?: string;
  /** When the page was first indexed, for limits in days, RFC 3339. */
  first_indexed?: string;
  /** When the page was first copied, for limits in days, RFC 3339. */
  first_copied?: string;
  /** The version of the page that the question is about. */
  version?: Version;
  /** Whether to accept product tokens outside of RFC 9309, such as `MJ12bot`. */
  nonstandard_token?: boolean;
  /** Readings of ambiguous points in place of abide's own, each as the ID of the point and the name of the reading. */
  readings?: Reading[];
  /** Asks for AI preferences: the usages `train`, `ai-input` and `search`. */
  preferences?: Preferences;
  /** Final HTTP status of the robots.txt fetch, 200 to 599 [default: 200]. One from 300 to 399 is a redirect that nobody followed, and says nothing about the site; 304 means that the stored copy has to be given instead. */
  robots_status?: number;
  /** Where a redirecting `robots_status` leads: the field `Location` of the answer. */
  robots_location?: string;
  /** Network failure instead of a status. */
  robots_error?: FailureName;
}

/** A robot of a table. */
export interface TableColumn {
  /** The name of the robot, or `*` for every robot that the file does not name. */
  name: string;
  /** Whether the table of known robots has it. */
  known: boolean;
  /** Who operates it, if it is known. */
  operator?: string;
  /** What operators document about the robot and matters here, in sentences. */
  documented?: string[];
}

/** A URL of a table. */
export interface TableUrl {
  /** The URL as it was asked about. */
  url: string;
  /** The URL or path that clients send and that was judged, if it is another one. */
  requested?: string;
  /** Why there is no answer about it. */
  error?: UrlError;
}

export type TagField =
  | 'Robots-Tag'
  | 'X-Robots-Tag';

export type TakenName =
  | 'in-file'
  | 'known'
  | 'product'
  | 'software'
  | 'nobody';

/** What the lines of a file did to many pages. Its size depends on the lines, not on the pages. */
export interface Tally {
  /** Pages that were counted. */
  pages: number;
  /** How many pages had each outcome of crawl. */
  crawl: { conditional?: number; permitted?: number; prohibited?: number; unknown?: number; unspecified?: number };
  /** The lines that matched any page, in file order. */
  lines: LineCounts[];
  /** The rules and fields that count for the client and matched no page, by their lines. */
  without_hits: number[];
  /** Pages that no rule of a group and no ACAP field is about, so that the default applies. */
  unmatched: number;
  /** The first of them. */
  unmatched_witness?: string;
}

/** What came of a site's expectations of its robots.txt. */
export interface Test {
  /** Version of this form. */
  schema: number;
  /** The number of checks that passed. */
  passed: number;
  /** The number of checks that failed. */
  failed: number;
  /** One for each agent and URL of each case, in the order of the file. */
  checks: Check[];
}

/** A file, and what its site expects of it. */
export interface TestRequest {
  /** The robots.txt as text. */
  robots?: string;
  /** The file in base64, for any bytes. */
  robots_base64?: string;
  /** The text of a TOML file of cases. */
  cases: string;
  /** Whether to leave out what operators document about their robots. */
  literal?: boolean;
  /** Vocabularies that count for every case, whatever it says, and documents beside robots.txt. */
  preferences?: SitePreferences;
}

/** A target format. */
export type To =
  | 'acap'
  | 'robots'
  | 'content-usage'
  | 'content-signal'
  | 'tdmrep'
  | 'robots-tag'
  | 'x-robots-tag'
  | 'meta';

/** A value that JSON has no kind for. */
export interface TypedValue {
  type: ValueType;
  value: number | string;
}

/** What changes for some clients. */
export interface UrlChange {
  /** The clients. */
  names: NamedClient[];
  /** What changes, in words. */
  what: string;
}

/** Why a URL cannot be read. */
export interface UrlError {
  /** A code of the contract, such as `invalid-url`. */
  code: string;
  /** What is wrong, and what to do. */
  message: string;
}

export type Usage =
  | 'crawl'
  | 'follow'
  | 'index'
  | 'preserve'
  | 'present'
  | 'present-original'
  | 'present-currentcopy'
  | 'present-oldcopy'
  | 'present-snippet'
  | 'present-thumbnail'
  | 'present-oldsnippet'
  | 'present-oldthumbnail'
  | 'present-link'
  | 'other'
  | 'train'
  | 'ai-input'
  | 'search';

/** The answer for one usage. */
export interface UsageDecision {
  /** The answer. */
  outcome: Outcome;
  /** What a conditional outcome demands. */
  conditions: Condition[];
  /** The deciding entry first, then everything else that matched, in file order. */
  evidence: Evidence[];
}

export type UseLevel =
  | 'immediate'
  | 'reference'
  | 'full';

/** The `User-Agent` line that the robot was named by. */
export interface UserAgent {
  /** The line as it was given. */
  line: string;
  /** `in-file`: the first name of the line that the file has a group for; `known`: a known robot by its mark; `product`: the first product that is no browser, library or crawling software; `software`: the line names no other product than software; `nobody`: it names no robot. */
  taken: TakenName;
  /** Why, in a sentence. */
  why: string;
}

export type ValueType =
  | 'token'
  | 'date'
  | 'byte-sequence'
  | 'display-string';

export type Version =
  | 'latest'
  | 'old';

export type Vocabulary =
  | 'content-usage'
  | 'content-signal'
  | 'tdmrep'
  | 'rsl'
  | 'robots-tag'
  | 'control-token';

/** What one vocabulary says. */
export interface VocabularyAnswer {
  /** The document that defines the words of `Content-Usage`. */
  revision?: string;
  /** The words that the vocabulary settles, with their values as written in lower case; for licences and control tokens an outcome, for a robots tag `true`. */
  words: Record<string, boolean | string>;
  /** Its own outcomes for the usages that are about AI. */
  usages: { 'ai-input': Outcome; crawl?: Outcome; follow?: Outcome; index?: Outcome; other?: Outcome; present?: Outcome; 'present-currentcopy'?: Outcome; 'present-link'?: Outcome; 'present-oldcopy'?: Outcome; 'present-oldsnippet'?: Outcome; 'present-oldthumbnail'?: Outcome; 'present-original'?: Outcome; 'present-snippet'?: Outcome; 'present-thumbnail'?: Outcome; preserve?: Outcome; search: Outcome; train: Outcome };
  /** For RSL: the licence documents that bind the client. */
  documents?: LicenceDocument[];
}

/** URLs for which one vocabulary says something else about a usage, while the outcome stays: another vocabulary is stricter. A robot that reads this vocabulary alone sees the change. */
export interface VocabularyChange {
  /** The vocabulary. */
  vocabulary: Vocabulary;
  /** The usage. */
  usage: Usage;
  /** A shortest path with query for which it does, in form C1. */
  witness: string;
  /** What it says in the old file. */
  old: Outcome;
  /** What it says in the new file. */
  new: Outcome;
}

/** A robots.txt that was proved to keep the wishes. */
export interface WrittenFile {
  /** Version of this form. */
  schema: number;
  /** The file. */
  robots: string;
  /** What was proved, in a sentence. */
  summary: string;
  /** What the file does besides, and what no robots.txt can do, in sentences. */
  notes: string[];
}
