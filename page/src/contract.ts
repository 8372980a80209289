/** What the service is asked and answers. Made from the schemas by `crates/abide-contract/tests/generated`; do not edit. */

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

/** How a robot reads groups for `*`: a boolean if they apply or do not apply to it. */
export type AnyGroupJson = boolean | string;

/** What a file asks an application to do. */
export interface ApplicationAnswer {
  /** The directives that apply, with their values. A Token, Date, Byte Sequence or Display String is an object that names its type. */
  directives: Record<string, DirectiveValue>;
  /** The lines that name the application: first those that apply. */
  evidence: DirectiveEvidence[];
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
}

export type Basis =
  | 'operator'
  | 'secondary';

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
  kind: ConditionKind;
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

/** A directive's value: a JSON value of the same kind if there is one, otherwise an object that names the type. */
export type DirectiveValue = boolean | number | number | string | TypedValue;

export type DocumentState =
  | 'read'
  | 'unreadable'
  | 'not-known';

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
  /** The name of the robots tag rule; for an older word of `Content-Usage` that word with its value. */
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

export type Kind =
  | 'robot'
  | 'user-triggered'
  | 'control-token';

/** A known robot. Facts that nobody documents are left out. */
export interface KnownRobot {
  schema: number;
  token: string;
  operator: string;
  kind: Kind;
  purposes: Purpose[];
  falls_back_to?: string[];
  follows_any_group?: AnyGroupJson;
  honours_crawl_delay?: boolean;
  follows_robots_txt?: boolean;
  user_agent?: string;
  ip_ranges?: string;
  reverse_dns?: string[];
  documentation?: string;
  replaced_by?: string[];
  basis: Basis;
  checked: string;
  note: string;
}

/** A licence document. */
export interface LicenceDocument {
  /** Null for a document in the page. */
  url: string | null;
  from: LicenceSource;
  state: DocumentState;
}

export type LicenceSource =
  | 'robots.txt'
  | 'link'
  | 'html'
  | 'inline';

export type Note =
  | 'search-governs'
  | 'by-star'
  | 'needs-fetch'
  | 'not-seen'
  | 'pending'
  | 'redirect-not-followed'
  | 'not-modified';

export type Outcome =
  | 'unspecified'
  | 'permitted'
  | 'conditional'
  | 'unknown'
  | 'prohibited';

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
  | 'use-exceeded';

/** What is wrong. */
export interface ReportedError {
  code: 'invalid-json' | 'invalid-request' | 'invalid-agent' | 'invalid-application' | 'invalid-purpose' | 'invalid-url' | 'invalid-robots' | 'invalid-references' | 'invalid-acap' | 'invalid-preferences' | 'line-too-long';
  /** Number of the line of input, from 1. */
  input_line?: number;
  message: string;
}

/** How a robots.txt was fetched, and how long it is valid. */
export interface Retrieval {
  /** Why these rules apply. */
  state: 'fresh' | 'refresh-failed' | 'unreachable' | 'grace-is-over' | 'due' | 'never-asked';
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

export type Role =
  | 'decided'
  | 'agreed'
  | 'overridden'
  | 'void';

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

export type Severity =
  | 'info'
  | 'warning'
  | 'error';

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
  | 'control-token';

export type TagField =
  | 'Robots-Tag'
  | 'X-Robots-Tag';

export type TakenName =
  | 'in-file'
  | 'known'
  | 'product'
  | 'software'
  | 'nobody';

/** A value that JSON has no kind for. */
export interface TypedValue {
  type: ValueType;
  value: number | string;
}

/** The answer for one usage. */
export interface UsageDecision {
  /** The answer. */
  outcome: Outcome;
  /** What a conditional outcome demands. */
  conditions: Condition[];
  /** The deciding entry first, then everything else that matched, in file order. */
  evidence: Evidence[];
}

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
