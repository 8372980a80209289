//! The JSON Schemas of requests: what is read by hand is described here.

use super::{
    Agents, ConvertRequest, DiffRequest, ExplainRequest, FmtRequest, FormattedFile, InitRequest,
    KnownRobots, LintCode, LintRequest, Linted, MatrixRequest, PreferenceChoice, SitemapRequest,
    SitemapUrls, TableRequest, TestRequest, WrittenFile,
};
use crate::Versioned;
use crate::fetch::SiteHistory;
use crate::request_schema::with_circumstances;
use crate::site_preferences::SitePreferences;
use abide_analysis::convert::Form;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
use std::marker::PhantomData;

/// What a tool is asked.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "only described")]
pub(crate) enum ToolRequest {
    Lint(LintRequest),
    Fmt(FmtRequest),
    Explain(Within<ExplainRequest>),
    Matrix(MatrixRequest),
    Diff(DiffRequest),
    Test(TestRequest),
    Convert(ConvertRequest),
    Table(Within<TableRequest>),
    Sitemap(SitemapRequest),
    Init(InitRequest),
}

/// What only the service answers.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "only described")]
pub(crate) enum ToolAnswer {
    Lint(Linted<'static>),
    LintCode(LintCode),
    Fmt(FormattedFile<'static>),
    Sitemap(SitemapUrls),
    Init(WrittenFile),
    KnownRobots(KnownRobots),
    SiteHistory(Versioned<SiteHistory>),
}

/// A request with circumstances beside its members.
pub(crate) struct Within<T>(PhantomData<T>);

impl<T: JsonSchema> JsonSchema for Within<T> {
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        format!("Within<{}>", T::schema_id()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        with_circumstances::<T>(generator)
    }
}

/// A target format.
pub(super) struct To;

impl JsonSchema for To {
    fn schema_name() -> Cow<'static, str> {
        "To".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<_> = Form::names().collect();
        json_schema!({"type": "string", "enum": names, "description": "A target format."})
    }
}

impl JsonSchema for Agents {
    fn schema_name() -> Cow<'static, str> {
        "Agents".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}],
            "description": "Robots: a string or a list of strings. Each is a name, `*`, names in \
                order of preference such as `NewsBot>Bot`, a whole `User-Agent` line, a set such \
                as `@search`, or several of these with commas.",
            "examples": [["Googlebot", "@ai-training", "*"]],
        })
    }
}

impl JsonSchema for PreferenceChoice {
    fn schema_name() -> Cow<'static, str> {
        "AskedPreferences".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"oneOf": [
            {"type": "boolean"},
            generator.subschema_for::<SitePreferences>(),
            {"type": "null"},
        ]})
    }
}
