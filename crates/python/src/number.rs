//! Exact numbers on their way to Python and back.

use gametree_sums::value::Dyadic;
use num_bigint::BigInt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A number `numerator / 2^exponent`. Python reads the numerator from its bytes (little-endian,
/// signed): decimal text is limited in length there.
#[derive(Clone)]
pub struct Number(pub Dyadic);

impl<'py> IntoPyObject<'py> for Number {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let numerator = integer_bytes(py, &self.0.numerator());
        Ok((numerator, self.0.exponent()).into_pyobject(py)?.into_any())
    }
}

impl<'py> FromPyObject<'_, 'py> for Number {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Number> {
        let (numerator, exponent): (Vec<u8>, u64) = object.extract()?;
        let numerator = BigInt::from_signed_bytes_le(&numerator);
        let number = Dyadic::ratio(&numerator, &(BigInt::from(1) << exponent));
        let invalid = || PyValueError::new_err("not a fraction over a power of two");
        number.map(Number).ok_or_else(invalid)
    }
}

/// An integer as little-endian bytes, signed.
pub fn integer_bytes<'py>(py: Python<'py>, integer: &BigInt) -> Bound<'py, PyBytes> {
    PyBytes::new(py, &integer.to_signed_bytes_le())
}
