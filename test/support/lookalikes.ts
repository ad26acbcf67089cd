/** JSON objects with members that strings, arrays, numbers, dates and promises have, of types that these never have. */

/** No conversion of it to a number, a string or JSON gives one. */
const inconvertible = { toString: 1, valueOf: 1, toJSON: 1 };

export const lookalikes: readonly unknown[] = [
  inconvertible,
  { length: inconvertible },
  { length: 5_000 },
  { length: -1 },
  { length: null, size: inconvertible },
  { 0: 'a', length: 1 },
  { length: 1, trim: 1, replace: 1, split: 1, at: 1, map: 1, filter: 1, flat: 1 },
  { getTime: 1, toISOString: 1, valueOf: null },
  JSON.parse('{"then": 1, "constructor": {"prototype": {"length": {"toString": 1}}}}'),
  { hasOwnProperty: 1, isPrototypeOf: 1, constructor: inconvertible },
  // An own member: `JSON.parse` makes one of a key that an object literal takes as its prototype.
  JSON.parse('{"__proto__": {"length": {"toString": 1}}}'),
  [{ length: inconvertible }],
];
