//! The members of a request that hold for every robot and URL, for the `OpenAPI` document.
//! [`PageOptions`](abide_contract::PageOptions) reads them.

use serde_json::{Map, Value};
use std::borrow::Cow;
use std::marker::PhantomData;
use utoipa::openapi::schema::{AdditionalProperties, Schema};
use utoipa::openapi::{Object, RefOr};
use utoipa::{PartialSchema, ToSchema};

/// Members with the meaning that they have in a request of `/v1/decide`.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes members, and is never built")]
pub(super) struct PageMembers {
    /// `User-Agent-Purpose` tokens that the robots claim.
    purposes: Option<Vec<String>>,
    /// Applications: identifiers, or objects with `id` and `product_tokens`.
    #[schema(value_type = Option<Vec<Value>>)]
    applications: Option<Vec<Value>>,
    /// The ACAP settings of the robots.
    acap: Option<Map<String, Value>>,
    /// Contents of ACAP permissions references, by locator.
    references: Option<Map<String, Value>>,
    /// Header fields of the page, as pairs of name and value.
    headers: Option<Vec<Vec<String>>>,
    /// The page's source.
    html: Option<String>,
    /// The page's final DOM, serialised.
    rendered_html: Option<String>,
    /// The instant of the decision, RFC 3339 [default: now]
    now: Option<String>,
    /// When the page was first indexed, RFC 3339.
    first_indexed: Option<String>,
    /// When the page was first copied, RFC 3339.
    first_copied: Option<String>,
    /// `latest` or `old` [default: latest]
    version: Option<String>,
    /// Whether product tokens outside RFC 9309 are accepted.
    nonstandard_token: Option<bool>,
    /// Asks for AI preferences.
    preferences: Option<Map<String, Value>>,
    /// Final HTTP status of the robots.txt, in place of a file.
    robots_status: Option<u16>,
    /// Target of a redirecting `robots_status`.
    robots_location: Option<String>,
    /// Network failure, in place of a file.
    robots_error: Option<String>,
}

/// The body of a request: the members of `T`, and those of a page.
pub(super) struct WithPage<T>(PhantomData<T>);

impl<T: PartialSchema> PartialSchema for WithPage<T> {
    fn schema() -> RefOr<Schema> {
        beside(T::schema())
    }
}

impl<T: ToSchema> ToSchema for WithPage<T> {
    fn name() -> Cow<'static, str> {
        T::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        T::schemas(schemas);
    }
}

/// The schema of an object with these members beside its own.
fn beside(own: RefOr<Schema>) -> RefOr<Schema> {
    let (RefOr::T(Schema::Object(mut own)), Some(page)) = (own, members()) else {
        unreachable!("structs are objects");
    };
    own.properties.extend(page.properties);
    own.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
    RefOr::T(Schema::Object(own))
}

/// The members alone.
fn members() -> Option<Object> {
    match PageMembers::schema() {
        RefOr::T(Schema::Object(object)) => Some(object),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use abide_contract::PageOptions;
    use std::collections::BTreeSet;

    #[test]
    fn they_are_those_that_are_read() {
        let described: BTreeSet<String> = members().unwrap().properties.into_keys().collect();
        let read = PageOptions::MEMBERS.map(str::to_owned);
        assert_eq!(described, read.into_iter().collect());
    }
}
