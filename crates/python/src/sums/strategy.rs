//! Winning strategies: nodes for Python, and pictures.

use kit::Stop;
use lab::strategy::StrategyTable;
use pyo3::prelude::*;

use crate::draw::{PaperData, picture_bytes};
use crate::work;

/// A winning strategy.
#[pyclass(frozen, module = "gametree._native")]
pub struct Strategy {
    table: StrategyTable,
}

impl Strategy {
    pub(super) fn new(table: StrategyTable) -> Strategy {
        Strategy { table }
    }
}

#[pymethods]
impl Strategy {
    /// The nodes in the order of the variations, as JSON.
    fn json(&self, py: Python<'_>) -> PyResult<String> {
        work::run(py, &Stop::new(), || self.table.to_json().to_string())
    }

    /// A picture, or an interactive page.
    fn draw<'py>(
        &self,
        py: Python<'py>,
        format: &str,
        paper: PaperData,
    ) -> PyResult<Bound<'py, pyo3::types::PyBytes>> {
        picture_bytes(py, format, &paper, |format, paper| {
            self.table.draw(paper, format)
        })
    }
}
