//! All rules: one file and one page each, sorted by specification.
//!
//! To add one, write its file `CODE.rs` with a `RULE` and its page `CODE.md` beside it, and add its
//! name to the table below. A test runs the examples of the page: those it calls wrong must be
//! reported, those it calls right must not.

use crate::rule::{Rule, RuleCheck};
use abide::Code;
use thiserror::Error;

macro_rules! rules {
    ($($spec:ident { $($rule:ident,)* })*) => {
        $(pub(crate) mod $spec { $(pub(super) mod $rule;)* })*

        /// All rules, by specification, then by code.
        pub static ALL: &[&Rule] = &[$($(&$spec::$rule::RULE,)*)*];

        /// The files of the pages in the repository, in the order of [`ALL`].
        static PAGES: &[&str] = &[$($(concat!(
            "crates/abide-lint/src/rules/", stringify!($spec), "/", stringify!($rule), ".md"
        ),)*)*];
    };
}

rules! {
    rep {
        bom,
        cancelled_rule,
        closes_no_robot,
        compressed_body,
        control_char,
        crawl_delay_ignored,
        crawl_delay_long,
        crawl_delay_value,
        crawler_misspelt,
        cut_line,
        discloses_path,
        duplicate_rule,
        empty_rule,
        escaped_line_ends,
        google_prefix_key,
        groups_run_together,
        hash_in_pattern,
        html_page,
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
        site_closed,
        sitemap_not_absolute,
        sitemap_url_disallowed,
        size_limit,
        stray_percent,
        ua_invalid_token,
        unfilled_value,
        unknown_field,
        unreachable_group,
        unreadable_line,
        url_not_as_sent,
        user_agent_line,
    }
    purpose {
        purpose_legacy_leak,
        purpose_star,
        unknown_purpose,
    }
    app {
        app_directives_conflict,
        app_directives_malformed,
        app_directives_misspelt,
        app_directives_not_under_star,
        app_directives_shadowed,
        app_directives_unreachable,
        directive_deprecated,
        directive_type,
        group_boundary_divergence,
    }
    tag {
        noindex_behind_disallow,
        robots_meta_in_body,
        robots_meta_misspelt,
        robots_tag_bare_rule,
        robots_tag_global,
        robots_tag_key_case,
        robots_tag_malformed,
        robots_tag_member,
        robots_tag_newer_type,
        robots_tag_separator,
        robots_tag_size_limit,
        robots_tag_value,
        unknown_tag_rule,
        x_robots_tag_deprecated,
    }
    acap {
        acap_allow_other,
        acap_bad_name,
        acap_bad_pattern,
        acap_bad_qualifier,
        acap_bad_reference,
        acap_bad_request,
        acap_before_conventional,
        acap_crawler_wildcard,
        acap_dollar_inside,
        acap_dollar_scope,
        acap_duplicate_name,
        acap_duplicate_qualifier,
        acap_empty_record,
        acap_extra_token,
        acap_fields_with_reference,
        acap_ignore_not_honoured,
        acap_interleaved,
        acap_late_definition,
        acap_local_in_prohibition,
        acap_nested_composite,
        acap_no_qualifier,
        acap_no_records,
        acap_no_version,
        acap_not_ready,
        acap_old_scheme,
        acap_order,
        acap_orphan_field,
        acap_other_blocks_crawl,
        acap_pattern_character,
        acap_qualifier_on_local,
        acap_qualifier_on_prohibition,
        acap_query,
        acap_reference_chain,
        acap_request_in_sub_record,
        acap_space,
        acap_star_mixed,
        acap_truncated,
        acap_undefined_set,
        acap_undefined_usage,
        acap_unknown_field,
        acap_unknown_usage,
        acap_unqualified_preserve,
        acap_until_recrawl,
        acap_version_not_first,
        acap_version_unknown,
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
        content_usage_group_level,
        content_usage_newer_word,
        content_usage_path,
        content_usage_stale_word,
        content_usage_too_long,
        content_usage_unknown_word,
        content_usage_unparsable,
        content_usage_value,
        content_usage_word_case,
        control_token_by_star,
        control_token_covers_more,
        control_token_fetcher_closed,
        control_token_stale,
        dialects_differ_by_path,
        licence_in_last_group,
        licence_link_type,
        licence_not_absolute,
        licence_not_rsl,
        licence_replaces_global,
        licence_scoped,
        noai_unspecified,
        preference_in_meta,
        preference_on_disallowed_path,
        preference_only_group,
        preferences_conflict,
        rsl_comma_list,
        rsl_empty_url,
        rsl_foreign_host,
        rsl_old_word,
        rsl_permits_and_prohibits,
        rsl_unknown_element,
        rsl_unknown_word,
        signal_conflict,
        signal_detached,
        signal_hidden_by_group,
        signal_permits_closed,
        tdm_policy_with_zero,
        tdmrep_disallowed,
        tdmrep_location,
        tdmrep_missing_member,
        tdmrep_shadowed_rule,
        tdmrep_superseded,
        tdmrep_unreadable,
        tdmrep_value,
        token_never_fetches,
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

/// The file of a rule's page, from the root of the repository.
///
/// ```
/// let path = abide_lint::rules::page_path("bom");
/// assert_eq!(path, Some("crates/abide-lint/src/rules/rep/bom.md"));
/// ```
#[must_use]
pub fn page_path(code: &str) -> Option<&'static str> {
    let at = ALL.iter().position(|rule| rule.code() == code)?;
    PAGES.get(at).copied()
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
            nearest: crate::spelling::nearest(code, all),
        }
    }
}
