//! Canonical forms as immutable data. A computation loads them into an arena of its own.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use gametree_sums::value::{Complaint, Forms, Limits, Nus, OutOfBudget as Reason, Player, Value};
use kit::Stop;
use lab::Budget;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::{OutOfBudget, Parsed, Walls, default_memory, player};
use crate::number::{Number, integer_bytes};
use crate::work;

/// The longest text of a value.
const LONGEST: usize = 1 << 20;

/// A canonical form: its followers up to numbers, ups and nimbers, each after its options.
#[pyclass(frozen, module = "gametree._native")]
#[derive(Clone)]
pub struct Form {
    nodes: Arc<[Node]>,
    digest: u64,
}

#[derive(Clone, PartialEq, Eq)]
enum Node {
    Closed(Nus),
    /// The indices of Left's and Right's options.
    Options([Vec<u32>; 2]),
}

/// A node for Python: the text of a closed form, or indices.
#[derive(FromPyObject, IntoPyObject)]
enum NodeData {
    Closed(String),
    Options(Vec<u32>, Vec<u32>),
}

/// The notation of a value, or its length.
#[derive(IntoPyObject)]
enum Text {
    Written(String),
    TooLong(u64),
}

impl Form {
    /// The form of a value; the order of options depends on nothing but the value.
    pub(super) fn of(forms: &mut Forms, value: Value) -> Result<Form, Reason> {
        let digests = digests(forms, value)?;
        let mut nodes: Vec<Node> = Vec::new();
        let mut numbers: HashMap<Value, u32> = HashMap::new();
        for_each_follower(
            forms,
            value,
            |options| options.sort_by_key(|option| digests.get(option)),
            |forms, value, options| {
                let node = match options {
                    None => forms.as_nus(value).cloned().map(Node::Closed),
                    Some(options) => {
                        let index = |option: &Value| numbers.get(option).copied().unwrap_or(0);
                        let indices = |list: &Vec<Value>| list.iter().map(index).collect();
                        Some(Node::Options([indices(&options[0]), indices(&options[1])]))
                    }
                };
                numbers.insert(value, nodes.len() as u32);
                nodes.extend(node);
            },
        )?;
        Ok(Form {
            nodes: nodes.into(),
            digest: digests.get(&value).copied().unwrap_or(0),
        })
    }

    /// The value in an arena.
    pub(super) fn load(&self, forms: &mut Forms) -> Result<Value, Reason> {
        let mut values: Vec<Value> = Vec::with_capacity(self.nodes.len());
        for node in &*self.nodes {
            let value = match node {
                Node::Closed(nus) => forms.nus(nus.clone())?,
                Node::Options(options) => {
                    let [left, right] = options.each_ref().map(|list| -> Vec<Value> {
                        list.iter().map(|&at| values[at as usize]).collect()
                    });
                    forms.game(&left, &right)?
                }
            };
            values.push(value);
        }
        Ok(values.last().copied().unwrap_or(Value::ZERO))
    }

    fn closed(&self) -> Option<&Nus> {
        match self.nodes.last() {
            Some(Node::Closed(nus)) => Some(nus),
            _ => None,
        }
    }

    /// Computes with this value in an arena.
    fn with<R: Send>(
        &self,
        py: Python<'_>,
        run: impl Fn(&mut Forms, Value) -> Result<R, Reason> + Send + Sync,
    ) -> PyResult<R> {
        compute(py, |forms| {
            let value = self.load(forms)?;
            run(forms, value)
        })
    }

    fn with_other<R: Send>(
        &self,
        py: Python<'_>,
        other: &Form,
        run: impl Fn(&mut Forms, Value, Value) -> Result<R, Reason> + Send + Sync,
    ) -> PyResult<R> {
        self.with(py, |forms, value| {
            let other = other.load(forms)?;
            run(forms, value, other)
        })
    }
}

/// A hash of each follower that does not depend on the arena.
fn digests(forms: &mut Forms, value: Value) -> Result<HashMap<Value, u64>, Reason> {
    let mut digests: HashMap<Value, u64> = HashMap::new();
    for_each_follower(
        forms,
        value,
        |_| {},
        |forms, value, options| {
            let mut hasher = DefaultHasher::new();
            match options {
                None => forms.as_nus(value).hash(&mut hasher),
                Some(options) => {
                    for list in options {
                        let digest = |option: &Value| digests.get(option).copied();
                        let mut list: Vec<Option<u64>> = list.iter().map(digest).collect();
                        list.sort_unstable();
                        list.hash(&mut hasher);
                    }
                }
            }
            digests.insert(value, hasher.finish());
        },
    )?;
    Ok(digests)
}

/// Visits each follower once, after its options; those of closed forms are not visited. Without
/// recursion: forms can be deep.
fn for_each_follower(
    forms: &mut Forms,
    value: Value,
    sort: impl Fn(&mut Vec<Value>),
    mut visit: impl FnMut(&Forms, Value, Option<&[Vec<Value>; 2]>),
) -> Result<(), Reason> {
    let mut options: HashMap<Value, Option<[Vec<Value>; 2]>> = HashMap::new();
    let mut done: HashMap<Value, bool> = HashMap::new();
    let mut stack = vec![value];
    while let Some(&value) = stack.last() {
        match done.get(&value) {
            Some(true) => {
                stack.pop();
            }
            Some(false) => {
                visit(forms, value, options.get(&value).and_then(Option::as_ref));
                done.insert(value, true);
                stack.pop();
            }
            None => {
                let lists = sorted_options(forms, value, &sort)?;
                let below = lists.iter().flatten().flatten().rev();
                stack.extend(below.filter(|option| !done.contains_key(option)));
                options.insert(value, lists);
                done.insert(value, false);
            }
        }
    }
    Ok(())
}

/// None for a closed form.
fn sorted_options(
    forms: &mut Forms,
    value: Value,
    sort: impl Fn(&mut Vec<Value>),
) -> Result<Option<[Vec<Value>; 2]>, Reason> {
    if forms.as_nus(value).is_some() {
        return Ok(None);
    }
    let mut lists = [Vec::new(), Vec::new()];
    for (list, player) in lists.iter_mut().zip(Player::BOTH) {
        list.extend_from_slice(forms.options(value, player)?);
        sort(list);
    }
    Ok(Some(lists))
}

/// Tries a computation here with few steps, then on another thread that Ctrl-C ends.
fn compute<R: Send>(
    py: Python<'_>,
    run: impl Fn(&mut Forms) -> Result<R, Reason> + Send + Sync,
) -> PyResult<R> {
    /// About a millisecond.
    const QUICK: u64 = 2_000;
    /// Any thread has a stack for this.
    const SHALLOW: u32 = 100;
    let quick = Limits::default().with_steps(QUICK).with_depth(SHALLOW);
    match run(&mut Forms::new(quick)) {
        Ok(found) => return Ok(found),
        Err(Reason::Ups) => return Err(out_of_budget(Reason::Ups)),
        Err(_) => {}
    }
    let stop = Stop::new();
    let found = work::run(py, &stop, || {
        let budget = Budget::default().with_bytes(default_memory());
        let mut solver = lab::solve::solver(budget, &stop);
        let mut reason = Reason::Bytes;
        let found = solver.within_budget(|forms| run(forms).inspect_err(|why| reason = *why));
        found.ok_or(reason)
    })?;
    found.map_err(out_of_budget)
}

fn out_of_budget(reason: Reason) -> PyErr {
    OutOfBudget::new_err(reason.to_string())
}

#[pymethods]
impl Form {
    /// Reads a value; the error is `(message, start, end)`, counted in characters.
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str) -> PyResult<Parsed<Form>> {
        let parsed = compute(py, |forms| match forms.parse(text) {
            Ok(value) => Ok(Ok(Form::of(forms, value)?)),
            Err(error) => match error.complaint {
                Complaint::Value(reason) => Err(reason),
                _ => Ok(Err(error)),
            },
        })?;
        Ok(match parsed {
            Ok(form) => Parsed::Done(form),
            Err(error) => Parsed::failed(error.to_string(), &error.span, text),
        })
    }

    /// A number.
    #[staticmethod]
    fn number(number: Number) -> Form {
        let nus = Nus::number(number.0);
        let mut hasher = DefaultHasher::new();
        Some(&nus).hash(&mut hasher);
        Form {
            nodes: [Node::Closed(nus)].into(),
            digest: hasher.finish(),
        }
    }

    /// The game with these options.
    #[staticmethod]
    fn braces(py: Python<'_>, left: Vec<Py<Form>>, right: Vec<Py<Form>>) -> PyResult<Form> {
        compute(py, |forms| {
            let mut load = |list: &[Py<Form>]| -> Result<Vec<Value>, Reason> {
                list.iter().map(|form| form.get().load(forms)).collect()
            };
            let (left, right) = (load(&left)?, load(&right)?);
            let value = forms.game(&left, &right)?;
            Form::of(forms, value)
        })
    }

    /// The form with these nodes, each after its options.
    #[staticmethod]
    fn from_nodes(py: Python<'_>, nodes: Vec<NodeData>) -> PyResult<Form> {
        let invalid = || PyValueError::new_err("not the nodes of a value");
        let mut read: Vec<Node> = Vec::with_capacity(nodes.len());
        for node in nodes {
            read.push(match node {
                NodeData::Closed(text) => {
                    let Parsed::Done(form) = Form::parse(py, &text)? else {
                        return Err(invalid());
                    };
                    Node::Closed(form.closed().cloned().ok_or_else(invalid)?)
                }
                NodeData::Options(left, right) => {
                    let known = read.len() as u32;
                    if left.iter().chain(&right).any(|&at| at >= known) {
                        return Err(invalid());
                    }
                    Node::Options([left, right])
                }
            });
        }
        if read.is_empty() {
            return Err(invalid());
        }
        let unchecked = Form {
            nodes: read.into(),
            digest: 0,
        };
        unchecked.with(py, Form::of)
    }

    /// The nodes, each after its options.
    fn nodes(&self) -> Vec<NodeData> {
        let data = |node: &Node| match node {
            Node::Closed(nus) => NodeData::Closed(nus.to_string()),
            Node::Options([left, right]) => NodeData::Options(left.clone(), right.clone()),
        };
        self.nodes.iter().map(data).collect()
    }

    /// The usual notation, or its length if it is too long.
    fn text(&self, py: Python<'_>) -> PyResult<Text> {
        self.with(py, |forms, value| {
            let text = forms.text(value, LONGEST).map(Text::Written);
            Ok(text.unwrap_or_else(|long| Text::TooLong(long.length)))
        })
    }

    /// The number, if the value is one.
    fn as_number(&self) -> Option<Number> {
        let nus = self.closed().filter(|nus| nus.is_number())?;
        Some(Number(nus.number.clone()))
    }

    /// Number, ups and nimber, if the value is a sum of these.
    fn as_closed(&self) -> Option<(Number, i64, u64)> {
        let nus = self.closed()?;
        Some((Number(nus.number.clone()), nus.ups, nus.nimber))
    }

    /// A hash that does not depend on the process.
    #[getter]
    fn digest(&self) -> u64 {
        self.digest
    }

    fn equals(&self, py: Python<'_>, other: &Form) -> PyResult<bool> {
        if self.digest != other.digest {
            return Ok(false);
        }
        if self.nodes == other.nodes {
            return Ok(true);
        }
        self.with_other(py, other, |_, a, b| Ok(a == b))
    }

    /// -1, 0, 1, or none if the values are confused.
    fn compare(&self, py: Python<'_>, other: &Form) -> PyResult<Option<i8>> {
        let order = self.with_other(py, other, |forms, a, b| forms.compare(a, b))?;
        Ok(order.map(|order| order as i8))
    }

    fn plus(&self, py: Python<'_>, other: &Form) -> PyResult<Form> {
        self.with_other(py, other, |forms, a, b| {
            let sum = forms.sum(a, b)?;
            Form::of(forms, sum)
        })
    }

    fn minus(&self, py: Python<'_>, other: &Form) -> PyResult<Form> {
        self.with_other(py, other, |forms, a, b| {
            let difference = forms.difference(a, b)?;
            Form::of(forms, difference)
        })
    }

    fn negative(&self, py: Python<'_>) -> PyResult<Form> {
        self.with(py, |forms, value| {
            let negative = forms.negative(value)?;
            Form::of(forms, negative)
        })
    }

    fn times(&self, py: Python<'_>, count: i64) -> PyResult<Form> {
        self.with(py, |forms, value| {
            let multiple = forms.multiple(count, value)?;
            Form::of(forms, multiple)
        })
    }

    fn outcome(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |forms, value| Ok(forms.outcome(value).to_string()))
    }

    /// The Left stop and the Right stop.
    fn stops(&self, py: Python<'_>) -> PyResult<(Number, Number)> {
        self.with(py, |forms, value| {
            let stop = |first| Number(forms.stop(value, first).clone());
            Ok((stop(Player::Left), stop(Player::Right)))
        })
    }

    /// The bytes of an integer.
    fn birthday<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let birthday = self.with(py, |forms, value| forms.birthday(value))?;
        Ok(integer_bytes(py, &birthday))
    }

    /// The number of distinct positions, this one included.
    fn followers(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, |forms, value| Ok(forms.followers(value)?.len()))
    }

    fn options(&self, py: Python<'_>, by: &str) -> PyResult<Vec<Form>> {
        let by = player(by)?;
        self.with(py, |forms, value| {
            let options = forms.options(value, by)?.to_vec();
            options.into_iter().map(|o| Form::of(forms, o)).collect()
        })
    }

    /// What each move gains: `G^L - G` for Left, `G - G^R` for Right.
    fn incentives(&self, py: Python<'_>, by: &str) -> PyResult<Vec<Form>> {
        let by = player(by)?;
        self.with(py, |forms, value| {
            let options = forms.options(value, by)?.to_vec();
            let gain = |forms: &mut Forms, option| match by {
                Player::Left => forms.difference(option, value),
                Player::Right => forms.difference(value, option),
            };
            let gains = options.into_iter().map(|option| {
                let gain = gain(forms, option)?;
                Form::of(forms, gain)
            });
            gains.collect()
        })
    }

    fn is_numberish(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |forms, value| Ok(forms.is_numberish(value)))
    }

    fn is_all_small(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |forms, value| forms.is_all_small(value))
    }

    /// None unless the value is all-small.
    fn atomic_weight(&self, py: Python<'_>) -> PyResult<Option<Form>> {
        self.with(py, |forms, value| {
            let weight = forms.atomic_weight(value)?;
            weight.map(|weight| Form::of(forms, weight)).transpose()
        })
    }

    fn thermograph(&self, py: Python<'_>) -> PyResult<Walls> {
        self.with(py, |forms, value| {
            Ok(Walls::of(&*forms.thermograph(value)?))
        })
    }
}
