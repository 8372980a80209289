//! Cells of tables, as they are written and read.

use super::Kind;
use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float64Type, Int64Type, TimestampMillisecondType};
use arrow_array::{Array as _, ArrayRef};
use arrow_schema::{DataType, TimeUnit};
use std::fmt;

/// A cell.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CellValue<'a> {
    Empty,
    Text(&'a str),
    Number(i64),
    Real(f64),
    Flag(bool),
    /// Milliseconds since 1970, UTC.
    Instant(i64),
}

impl<'a> CellValue<'a> {
    /// A cell of a column that has a kind.
    pub(crate) fn of(column: &'a ArrayRef, row: usize) -> Self {
        let kind = Kind::of(column.data_type()).filter(|_| column.is_valid(row));
        match kind {
            None => Self::Empty,
            Some(Kind::Text) => Self::Text(column.as_string::<i32>().value(row)),
            Some(Kind::Number) => Self::Number(column.as_primitive::<Int64Type>().value(row)),
            Some(Kind::Real) => Self::Real(column.as_primitive::<Float64Type>().value(row)),
            Some(Kind::Flag) => Self::Flag(column.as_boolean().value(row)),
            Some(Kind::Instant) => {
                Self::Instant(column.as_primitive::<TimestampMillisecondType>().value(row))
            }
        }
    }
}

impl Kind {
    /// What the cells of a column hold; `None` if no table has such a column.
    pub(crate) const fn of(column: &DataType) -> Option<Self> {
        match column {
            DataType::Utf8 => Some(Self::Text),
            DataType::Int64 => Some(Self::Number),
            DataType::Float64 => Some(Self::Real),
            DataType::Boolean => Some(Self::Flag),
            DataType::Timestamp(TimeUnit::Millisecond, _) => Some(Self::Instant),
            _ => None,
        }
    }
}

impl fmt::Display for CellValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => Ok(()),
            Self::Text(text) => f.write_str(text),
            Self::Number(number) => write!(f, "{number}"),
            Self::Real(number) => write!(f, "{number}"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Instant(thousandths) => {
                let seconds = thousandths.div_euclid(1_000);
                let moment = abide::Moment::from_unix_seconds(seconds).to_string();
                match thousandths.rem_euclid(1_000) {
                    0 => f.write_str(&moment),
                    rest => write!(f, "{}.{rest:03}Z", moment.trim_end_matches('Z')),
                }
            }
        }
    }
}
