//! One list of a table's columns makes its schema, the type of its rows and their builders, so that
//! no two columns can be swapped.

use super::Kind;
use arrow_array::ArrayRef;
use arrow_array::builder::{
    ArrayBuilder, BooleanBuilder, Float64Builder, Int64Builder, StringBuilder,
    TimestampMillisecondBuilder,
};
use std::borrow::Cow;
use std::fmt::Debug;
use std::sync::Arc;

/// Text that the row has, or somebody else.
pub(crate) type Text<'a> = Cow<'a, str>;

/// Milliseconds since 1970, UTC.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instant(pub(crate) i64);

/// The type of a cell; an `Option` may be empty.
pub(crate) trait Cell {
    const KIND: Kind;
    const IS_NULLABLE: bool = false;
    type Builder: ArrayBuilder + Debug + Default;

    fn append(cell: Option<&Self>, to: &mut Self::Builder);

    fn finish(mut cells: Self::Builder) -> ArrayRef {
        ArrayBuilder::finish(&mut cells)
    }
}

impl Cell for Text<'_> {
    const KIND: Kind = Kind::Text;
    type Builder = StringBuilder;

    fn append(cell: Option<&Self>, to: &mut StringBuilder) {
        to.append_option(cell);
    }
}

impl Cell for i64 {
    const KIND: Kind = Kind::Number;
    type Builder = Int64Builder;

    fn append(cell: Option<&Self>, to: &mut Int64Builder) {
        to.append_option(cell.copied());
    }
}

impl Cell for f64 {
    const KIND: Kind = Kind::Real;
    type Builder = Float64Builder;

    fn append(cell: Option<&Self>, to: &mut Float64Builder) {
        to.append_option(cell.copied());
    }
}

impl Cell for bool {
    const KIND: Kind = Kind::Flag;
    type Builder = BooleanBuilder;

    fn append(cell: Option<&Self>, to: &mut BooleanBuilder) {
        to.append_option(cell.copied());
    }
}

impl Cell for Instant {
    const KIND: Kind = Kind::Instant;
    type Builder = TimestampMillisecondBuilder;

    fn append(cell: Option<&Self>, to: &mut TimestampMillisecondBuilder) {
        to.append_option(cell.map(|instant| instant.0));
    }

    fn finish(mut cells: TimestampMillisecondBuilder) -> ArrayRef {
        Arc::new(cells.finish().with_timezone("UTC"))
    }
}

impl<T: Cell> Cell for Option<T> {
    const KIND: Kind = T::KIND;
    const IS_NULLABLE: bool = true;
    type Builder = T::Builder;

    fn append(cell: Option<&Self>, to: &mut T::Builder) {
        T::append(cell.and_then(Self::as_ref), to);
    }

    fn finish(cells: T::Builder) -> ArrayRef {
        T::finish(cells)
    }
}

/// The builders of some columns.
pub(crate) trait Cells: Debug + Default {
    type Row<'r>;

    fn append(&mut self, row: &Self::Row<'_>);

    /// The number of rows.
    fn len(&self) -> usize;

    /// The columns, in order.
    fn finish(self) -> Vec<ArrayRef>;
}

/// Defines the columns `$columns`, a row `$row` of them, and their builders `$cells`. `$columns`
/// begins with the columns of `$capture`.
macro_rules! columns {
    (
        $columns:ident, $row:ident, $cells:ident $(after $capture:ident)?:
        $($name:ident: $cell:ty = $meaning:literal,)*
    ) => {
        const $columns: &[Column] = $row::COLUMNS;

        #[derive(Clone, Debug, Default)]
        pub(crate) struct $row<'a> {
            $(#[doc = $meaning] pub(crate) $name: $cell,)*
        }

        impl<'a> $row<'a> {
            const COLUMNS: &'static [Column] = &[
                $($capture[0], $capture[1], $capture[2], $capture[3], $capture[4], $capture[5],)?
                $(Column {
                    name: stringify!($name),
                    kind: <$cell as Cell>::KIND,
                    is_nullable: <$cell as Cell>::IS_NULLABLE,
                    meaning: $meaning,
                },)*
            ];
        }

        #[derive(Debug, Default)]
        pub(crate) struct $cells<'a> {
            $($name: <$cell as Cell>::Builder,)*
        }

        impl<'a> Cells for $cells<'a> {
            type Row<'r> = $row<'r>;

            fn append(&mut self, row: &$row<'_>) {
                $(Cell::append(Some(&row.$name), &mut self.$name);)*
            }

            fn len(&self) -> usize {
                0 $(.max(ArrayBuilder::len(&self.$name)))*
            }

            fn finish(self) -> Vec<ArrayRef> {
                vec![$(<$cell as Cell>::finish(self.$name),)*]
            }
        }
    };
}
pub(crate) use columns;
