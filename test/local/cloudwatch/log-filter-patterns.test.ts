import { describe, expect, it } from 'vitest';
import { matchesLogPattern } from '../../../lib/local/cloudwatch/log-filter-patterns.ts';

const line = JSON.stringify({
  level: 'WARN',
  event: 'a.b',
  chunk: 2,
  record: { status: 'success' },
  list: [],
});

describe('matchesLogPattern', () => {
  it.each([
    ['{ $.level = "WARN" }', true],
    ['{ $.level = WARN }', true],
    ['{ $.level = "warn" }', false],
    ['{ $.level != "ERROR" }', true],
    ['{ $.event = "a.*" }', true],
    ['{ $.event = "aXb" }', false],
    ['{ $.chunk = "2" }', true],
    ['{ $.record.status = "success" }', true],
    ['{ $.record = "success" }', false],
    ['{ $.list = "*" }', false],
    ['{ $.missing = "*" }', false],
    ['{ $.missing != "a" }', false],
    ['{ ($.level = "WARN") && ($.event = "a.b") }', true],
    ['{ ($.level = "WARN") && ($.event = "b") }', false],
    ['{ ($.level = "ERROR") || (($.level = "WARN") && ($.record.status = "success")) }', true],
    ['{ $.level = "WARN" || $.level = "x" && $.event = "x" }', true],
  ])('evaluates %s', (pattern, expected) => {
    expect(matchesLogPattern(pattern, line)).toBe(expected);
  });

  it('matches no line that is not JSON', () => {
    expect(matchesLogPattern('{ $.level = "*" }', 'level WARN')).toBe(false);
  });

  it.each(['"hand-off later"', '{ $.a > 1 }', '{ ($.a = "b" }', '{ $.a = "b" $.c = "d" }', '{ }'])(
    'throws when the syntax is not known: %s',
    (pattern) => {
      expect(() => matchesLogPattern(pattern, line)).toThrow();
    },
  );
});
