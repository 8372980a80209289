//! Fields as the chosen readings of a client take them.

use super::scan::claimed;
use crate::client::Client;
use crate::preference::line::PreferenceLine;
use crate::reading::{Reading, Readings};
use crate::rep::field::{Field, FieldKind};

/// A field as `client` reads it: a purpose line can be one of another kind (AMB-PUR-3, AMB-PUR-4).
pub(crate) fn field_for(client: &Client, field: Field, text: &[u8]) -> Field {
    let readings = client.chosen_readings();
    if field.kind != FieldKind::UserAgentPurpose || readings.is_empty() {
        return field;
    }
    let is_dropped = readings.has(Reading::PurposeUnknown)
        || (readings.has(Reading::PurposeLineDropped)
            && claimed(client, field.value.of(text)).is_none());
    let kind = if readings.has(Reading::PurposeIsAgent) {
        FieldKind::UserAgent
    } else if is_dropped {
        FieldKind::Other
    } else {
        field.kind
    };
    Field { kind, ..field }
}

/// Whether a field ends a run of user-agent lines, so that the next one starts a new group
/// (AMB-PREF-1, AMB-APP-2).
pub(crate) fn ends_head(readings: Readings, field: &Field, text: &[u8]) -> bool {
    match field.kind {
        FieldKind::AppDirectives => !readings.has(Reading::DirectivesEndNothing),
        FieldKind::Other if readings.has(Reading::UsageIsRule) => {
            PreferenceLine::of(field.key.of(text)) == Some(PreferenceLine::ContentUsage)
        }
        kind => kind.is_rule(),
    }
}
