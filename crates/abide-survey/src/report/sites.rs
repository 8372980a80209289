//! Counts of sites, and the weights that sites can have.

use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};
use std::iter::Sum;
use std::ops::{AddAssign, Sub};

/// Sites: how many, and the sum of their weights if sites have weights.
///
/// In JSON, it is the number; with weights an object with the members `sites` and `weight`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sites {
    number: u64,
    weight: Option<Weight>,
}

/// A weight, or a sum of weights, in units of 10⁻¹². Sums of whole numbers do not depend on their
/// order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Weight(u128);

/// How many units a weight of 1 has.
const UNIT: f64 = 1e12;
/// The largest weight of one site. The sum of as many as there can be sites fits.
pub(super) const MAX_WEIGHT: f64 = 1e12;

impl Weight {
    /// A weight from 0 to [`MAX_WEIGHT`], of which 12 decimals count; `None` of other numbers, and
    /// of those that 12 decimals would round to nothing.
    pub(super) fn new(weight: f64) -> Option<Self> {
        if !(0.0..=MAX_WEIGHT).contains(&weight) {
            return None;
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "from 0 to 1e24"
        )]
        let units = (weight * UNIT).round() as u128;
        (units > 0 || weight == 0.0).then_some(Self(units))
    }

    #[expect(clippy::cast_precision_loss, reason = "53 bits are enough to show")]
    fn number(self) -> f64 {
        self.0 as f64 / UNIT
    }
}

impl Sites {
    /// No site; `has_weights`: of sites that have weights.
    pub(super) fn none(has_weights: bool) -> Self {
        Self {
            number: 0,
            weight: has_weights.then(Weight::default),
        }
    }

    /// One site, with its weight if sites have weights.
    pub(super) const fn one(weight: Option<Weight>) -> Self {
        Self { number: 1, weight }
    }

    /// How many sites.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.number
    }

    /// The sum of their weights; `None` if sites have none.
    #[must_use]
    pub fn weight(self) -> Option<f64> {
        self.weight.map(Weight::number)
    }

    /// What shares are of: the sum of the weights, or else the number.
    pub(super) fn size(self) -> u128 {
        self.weight.map_or(self.number.into(), |weight| weight.0)
    }

    /// Whether there is no site.
    pub(super) const fn is_none(self) -> bool {
        self.number == 0
    }

    /// The share of `whole`, from 0 to 1; `None` of nothing.
    #[expect(clippy::cast_precision_loss, reason = "53 bits are enough to show")]
    pub(super) fn share_of(self, whole: Self) -> Option<f64> {
        (whole.size() > 0).then(|| self.size() as f64 / whole.size() as f64)
    }
}

impl AddAssign for Sites {
    fn add_assign(&mut self, more: Self) {
        self.number = self.number.saturating_add(more.number);
        if let (Some(Weight(sum)), Some(Weight(more))) = (&mut self.weight, more.weight) {
            *sum = sum.saturating_add(more);
        }
    }
}

impl Sub for Sites {
    type Output = Self;

    fn sub(mut self, less: Self) -> Self {
        self.number = self.number.saturating_sub(less.number);
        if let (Some(Weight(sum)), Some(Weight(less))) = (&mut self.weight, less.weight) {
            *sum = sum.saturating_sub(less);
        }
        self
    }
}

/// The sum of some counts; there has to be one that says whether sites have weights.
impl Sum for Sites {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        let sum = counts.reduce(|mut sum, more| {
            sum += more;
            sum
        });
        sum.unwrap_or(Self::none(false))
    }
}

impl Serialize for Sites {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(weight) = self.weight else {
            return serializer.serialize_u64(self.number);
        };
        let mut sites = serializer.serialize_struct("Sites", 2)?;
        sites.serialize_field("sites", &self.number)?;
        sites.serialize_field("weight", &weight.number())?;
        sites.end()
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Sites {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Sites".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A number of sites. With weights, an object with their number and the sum of their weights.",
            "anyOf": [
                {"type": "integer", "minimum": 0},
                {
                    "type": "object",
                    "properties": {
                        "sites": {"description": "How many sites.", "type": "integer", "minimum": 0},
                        "weight": {"description": "The sum of their weights.", "type": "number", "minimum": 0}
                    },
                    "required": ["sites", "weight"],
                    "additionalProperties": false
                }
            ]
        })
    }
}
