// Arguments, checked before they reach the native part, which would convert them silently.
'use strict';

/** A text; anything else is a TypeError. */
function text(value, name) {
  if (typeof value !== 'string') throw new TypeError(`${name} must be a string, not ${describe(value)}`);
  return value;
}

/** A whole number of at least `least`, or undefined. */
function count(value, name, least = 0) {
  if (value === undefined || (Number.isInteger(value) && value >= least)) return value;
  throw new RangeError(`${name} must be a whole number, at least ${least}, not ${describe(value)}`);
}

/** A number, or undefined; Infinity means no limit. */
function limit(value, name) {
  if (value === undefined || value === Infinity) return undefined;
  if (typeof value === 'number' && value >= 0) return value;
  throw new RangeError(`${name} must be a number, at least 0, not ${describe(value)}`);
}

function describe(value) {
  return typeof value === 'number' || value === null ? String(value) : typeof value;
}

module.exports = { count, limit, text };
