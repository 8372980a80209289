//! Record batches in and out, through Arrow's interface between libraries.

use crate::error::{invalid_option, wrong_type};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchReader, StructArray};
use arrow_schema::{DataType, Field, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::error::PyArrowResult;
use pyo3_arrow::ffi::{ArrayIterator, to_schema_pycapsule, to_stream_pycapsule};
use pyo3_arrow::input::AnyRecordBatch;
use std::sync::Arc;

/// Record batches, which every library that knows Arrow can take.
#[pyclass(module = "abide_robots", frozen)]
pub(crate) struct RecordBatches {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl RecordBatches {
    pub(crate) fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        Self { schema, batches }
    }

    pub(crate) fn of(batch: RecordBatch) -> Self {
        Self::new(batch.schema(), vec![batch])
    }
}

/// A batch of these columns, which have the same length and may have nulls.
pub(crate) fn of_columns(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    let columns = columns
        .into_iter()
        .map(|(name, column)| (name, column, true));
    RecordBatch::try_from_iter_with_nullable(columns).expect("the columns have the same length")
}

#[pymethods]
impl RecordBatches {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyCapsule>> {
        let fields = DataType::Struct(self.schema.fields().clone());
        let metadata = self.schema.metadata().clone();
        let field = Arc::new(Field::new("", fields, false).with_metadata(metadata));
        let batches: Vec<_> = self
            .batches
            .iter()
            .map(|batch| Ok(Arc::new(StructArray::from(batch.clone())) as ArrayRef))
            .collect();
        let reader = Box::new(ArrayIterator::new(batches, field));
        to_stream_pycapsule(py, reader, requested_schema)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyArrowResult<Bound<'py, PyCapsule>> {
        to_schema_pycapsule(py, self.schema.as_ref())
    }

    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    fn __repr__(&self) -> String {
        let names: Vec<&str> = self
            .schema
            .fields()
            .iter()
            .map(|field| field.name().as_str())
            .collect();
        format!(
            "<RecordBatches: {} rows of {}>",
            self.__len__(),
            names.join(", ")
        )
    }
}

/// The batches of an argument: a table, a record batch, or a stream of them.
pub(crate) fn read(
    value: &Bound<'_, PyAny>,
    argument: &str,
) -> PyResult<Box<dyn RecordBatchReader + Send>> {
    let batches: AnyRecordBatch = value
        .extract()
        .map_err(|_| wrong_type(argument, "a table or record batches", value))?;
    batches.into_reader()
}

/// The only batch of an argument.
pub(crate) fn read_one(value: &Bound<'_, PyAny>, argument: &str) -> PyResult<RecordBatch> {
    let reader = read(value, argument)?;
    let schema = reader.schema();
    let batches = reader.collect::<Result<Vec<_>, _>>();
    let batch = batches.and_then(|batches| arrow_select::concat::concat_batches(&schema, &batches));
    batch
        .and_then(plain)
        .map_err(|error| invalid_option(value.py(), argument, &error.to_string()))
}

/// The batch without dictionaries, and without columns that are missing in every row.
pub(crate) fn plain(batch: RecordBatch) -> Result<RecordBatch, arrow_schema::ArrowError> {
    use arrow_array::Array;
    use arrow_array::cast::AsArray;
    let schema = batch.schema();
    let is_plain = |field: &Arc<Field>| {
        !matches!(field.data_type(), DataType::Dictionary(..) | DataType::Null)
    };
    if schema.fields().iter().all(is_plain) {
        return Ok(batch);
    }
    let (mut fields, mut columns) = (Vec::new(), Vec::new());
    for (field, column) in schema.fields().iter().zip(batch.columns()) {
        match field.data_type() {
            DataType::Null => {}
            DataType::Dictionary(..) => {
                let dictionary = column.as_any_dictionary();
                let values =
                    arrow_select::take::take(dictionary.values(), dictionary.keys(), None)?;
                fields.push(Arc::new(Field::new(
                    field.name(),
                    values.data_type().clone(),
                    true,
                )));
                columns.push(values);
            }
            _ => {
                fields.push(Arc::clone(field));
                columns.push(Arc::clone(column));
            }
        }
    }
    let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    let schema = arrow_schema::Schema::new(fields);
    RecordBatch::try_new_with_options(Arc::new(schema), columns, &options)
}
