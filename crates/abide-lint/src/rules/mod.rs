//! All rules: one line in the table below and one page each, sorted by specification.
//!
//! To add one, write its page `CODE.md`, and add its name to the table. A rule of the linter has a
//! file `CODE.rs` with its check and a `RULE`. A rule that only reports a finding of the engine
//! needs no file: the table names the finding's [`Code`]. A test runs the examples of the page:
//! those it calls wrong must be reported, those it calls right must not.

use crate::rule::{OF_LINES, Rule, RuleCheck};
use abide::{Code, Severity};
use thiserror::Error;

/// Declares the files of rules, and lists all rules.
macro_rules! rules {
    ($($spec:ident { $($rule:ident $(= $code:ident $(. $changed:ident ($value:expr))?)?,)* })*) => {
        $(pub(crate) mod $spec { $(module!($rule $($code)?);)* })*

        /// All rules, by specification, then by code.
        pub static ALL: &[&Rule] =
            &[$($(rule!($spec, $rule $(, $code $(. $changed($value))?)?),)*)*];
    };
}

/// The module of a rule that has a file.
macro_rules! module {
    ($rule:ident $code:ident) => {};
    ($rule:ident) => {
        pub(super) mod $rule;
    };
}

/// A rule: the `RULE` of its file, or the report of a finding of the engine.
macro_rules! rule {
    ($spec:ident, $rule:ident) => {
        &$spec::$rule::RULE
    };
    ($spec:ident, $rule:ident, $code:ident $(. $changed:ident ($value:expr))?) => {
        &Rule::engine(
            Code::$code,
            include_str!(concat!(stringify!($spec), "/", stringify!($rule), ".md")),
        )$(.$changed($value))?
    };
}

rules! {
    rep {
        ads_robot_closed,
        bom,
        cancelled_rule,
        closes_no_robot,
        compressed_body = CompressedBody.instead_of(OF_LINES),
        control_char,
        crawl_delay_ignored,
        crawl_delay_long,
        crawl_delay_value = CrawlDelayValue,
        crawler_misspelt,
        cut_line = CutLine,
        discloses_path,
        duplicate_rule,
        empty_rule,
        escaped_line_ends,
        google_prefix_key,
        group_without_rules,
        groups_run_together,
        hash_in_pattern,
        home_page_closed,
        html_page = HtmlPage.instead_of(OF_LINES),
        invisible_character,
        lighthouse_unknown_field,
        matches_only_root,
        media_type,
        missing_colon,
        misspelt_field,
        mixed_line_ends,
        mixed_protocols,
        no_fields,
        not_at_root,
        not_utf8,
        own_group_drops_rules,
        pattern_case,
        pattern_dollar_inside,
        pattern_dot_segment,
        pattern_full_url,
        pattern_no_slash,
        pattern_space,
        peer_complaint,
        readings_differ,
        redundant_rule,
        regular_expression,
        repeated_group,
        resources_blocked,
        rule_outside_group,
        rules_behind_limit,
        several_fields,
        several_paths,
        shadowed_rule,
        short_prefix,
        site_closed,
        sitemap_body = SitemapBody.instead_of(OF_LINES),
        sitemap_disallowed,
        sitemap_not_absolute,
        sitemap_other_host,
        sitemap_url_disallowed,
        size_limit = SizeLimit,
        slash_comment,
        stray_percent,
        ua_invalid_token,
        unfilled_value,
        unknown_field,
        unreachable_group,
        unreadable_line,
        url_not_as_sent = UrlNotAsSent,
        user_agent_line,
    }
    purpose {
        purpose_legacy_leak,
        purpose_star,
        unknown_purpose = UnknownPurpose.or(Severity::Warning),
    }
    app {
        app_directives_conflict = AppDirectivesConflict,
        app_directives_malformed,
        app_directives_misspelt,
        app_directives_not_under_star = AppDirectivesNotUnderStar,
        app_directives_shadowed = AppDirectivesShadowed,
        app_directives_unreachable = AppDirectivesUnreachable,
        directive_deprecated = DirectiveDeprecated,
        directive_type = DirectiveType,
        group_boundary_divergence,
    }
    tag {
        noindex_behind_disallow = NoindexBehindDisallow,
        robots_meta_in_body = RobotsMetaInBody,
        robots_meta_misspelt = RobotsMetaMisspelt,
        robots_tag_bare_rule = RobotsTagBareRule,
        robots_tag_global = RobotsTagGlobal,
        robots_tag_key_case = RobotsTagKeyCase,
        robots_tag_malformed = RobotsTagMalformed,
        robots_tag_member = RobotsTagMember,
        robots_tag_newer_type = RobotsTagNewerType,
        robots_tag_separator = RobotsTagSeparator,
        robots_tag_size_limit = RobotsTagSizeLimit,
        robots_tag_value = RobotsTagValue,
        unknown_tag_rule = UnknownTagRule.or(Severity::Warning),
        x_robots_tag_deprecated = XRobotsTagDeprecated,
    }
    acap {
        acap_allow_other = AcapAllowOther,
        acap_bad_name = AcapBadName,
        acap_bad_pattern = AcapBadPattern,
        acap_bad_qualifier,
        acap_bad_reference = AcapBadReference,
        acap_bad_request = AcapBadRequest,
        acap_before_conventional,
        acap_crawler_wildcard = AcapCrawlerWildcard,
        acap_dollar_inside = AcapDollarInside,
        acap_dollar_scope = AcapDollarScope,
        acap_duplicate_name = AcapDuplicateName,
        acap_duplicate_qualifier,
        acap_empty_record = AcapEmptyRecord,
        acap_extra_token,
        acap_fields_with_reference,
        acap_ignore_not_honoured = AcapIgnoreNotHonoured,
        acap_interleaved = AcapInterleaved,
        acap_late_definition,
        acap_local_in_prohibition,
        acap_nested_composite,
        acap_no_qualifier = AcapNoQualifier,
        acap_no_records = AcapNoRecords,
        acap_no_version,
        acap_not_ready = AcapNotReady,
        acap_old_scheme,
        acap_order,
        acap_orphan_field = AcapOrphanField,
        acap_other_blocks_crawl = AcapOtherBlocksCrawl,
        acap_pattern_character = AcapPatternCharacter,
        acap_qualifier_on_local = AcapQualifierOnLocal,
        acap_qualifier_on_prohibition = AcapQualifierOnProhibition,
        acap_query = AcapQuery,
        acap_reference_chain = AcapReferenceChain,
        acap_request_in_sub_record,
        acap_space,
        acap_star_mixed = AcapStarMixed,
        acap_truncated = AcapTruncated,
        acap_undefined_set,
        acap_undefined_usage,
        acap_unknown_field,
        acap_unknown_usage,
        acap_unqualified_preserve = AcapUnqualifiedPreserve,
        acap_until_recrawl,
        acap_version_not_first,
        acap_version_unknown = AcapVersionUnknown,
    }
    preference {
        content_signal_case,
        content_signal_foreign_word,
        content_signal_misspelt,
        content_signal_outside_group,
        content_signal_separator,
        content_signal_value,
        content_usage_dropped_word,
        content_usage_duplicate_word,
        content_usage_foreign_word,
        content_usage_group_level = ContentUsageGroupLevel,
        content_usage_newer_word = ContentUsageNewerWord,
        content_usage_path,
        content_usage_stale_word,
        content_usage_too_long = ContentUsageTooLong,
        content_usage_unknown_word = ContentUsageUnknownWord,
        content_usage_unparsable,
        content_usage_value,
        content_usage_word_case,
        control_token_by_star,
        control_token_covers_more,
        control_token_fetcher_closed,
        control_token_stale,
        dialects_differ_by_path,
        licence_in_last_group,
        licence_link_type = LicenceLinkType,
        licence_not_absolute,
        licence_not_rsl = LicenceNotRsl,
        licence_replaces_global = LicenceReplacesGlobal,
        licence_scoped = LicenceScoped,
        noai_unspecified,
        preference_in_meta = PreferenceInMeta,
        preference_on_disallowed_path,
        preference_only_group,
        preferences_conflict,
        rsl_comma_list = RslCommaList,
        rsl_empty_url = RslEmptyUrl,
        rsl_foreign_host = RslForeignHost,
        rsl_old_word = RslOldWord,
        rsl_permits_and_prohibits = RslPermitsAndProhibits,
        rsl_unknown_element = RslUnknownElement,
        rsl_unknown_word = RslUnknownWord,
        signal_conflict = SignalConflict,
        signal_detached,
        signal_hidden_by_group,
        signal_permits_closed = SignalPermitsClosed,
        tdm_policy_with_zero = TdmPolicyWithZero,
        tdmrep_disallowed,
        tdmrep_location = TdmrepLocation,
        tdmrep_missing_member = TdmrepMissingMember,
        tdmrep_shadowed_rule = TdmrepShadowedRule,
        tdmrep_superseded = TdmrepSuperseded,
        tdmrep_unreadable = TdmrepUnreadable,
        tdmrep_value = TdmrepValue.or(Severity::Warning),
        token_never_fetches = TokenNeverFetches,
        training_robots_only,
    }
    linter {
        unused_ignore,
    }
}

/// The rule with this code.
#[must_use]
pub fn of(code: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.code() == code)
}

/// The rule that reports a diagnostic of the engine, which has the same code with one exception:
/// decisions call a misspelt field `typo`.
#[must_use]
pub fn of_diagnostic(code: Code) -> Option<&'static Rule> {
    let reports =
        |rule: &&&Rule| matches!(rule.check, RuleCheck::Engine(found, _) if found == code);
    ALL.iter().find(reports).copied()
}

/// A code that no rule has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown code {code:?}{}", .nearest.map_or_else(String::new, |code| format!("; did you mean {code}?")))]
#[non_exhaustive]
pub struct UnknownCodeError {
    /// The unknown code.
    pub code: String,
    /// The most similar code, if one is similar.
    pub nearest: Option<&'static str>,
}

impl UnknownCodeError {
    /// The error for `code`, with the code that may have been meant.
    #[must_use]
    pub fn of(code: &str) -> Self {
        let all = ALL.iter().map(|rule| rule.code());
        Self {
            code: code.to_owned(),
            nearest: abide_analysis::spelling::nearest(code, all),
        }
    }
}
