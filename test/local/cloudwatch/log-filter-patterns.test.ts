import { describe, expect, it } from 'vitest';
import { matchesLogPattern } from '../../../lib/local/cloudwatch/log-filter-patterns.ts';

const line = JSON.stringify({
  level: 'WARN',
  event: 'a.b',
  chunk: 2,
  record: { status: 'success' },
  list: [],
  objects: [{ id: 'eml_1a' }, { id: 'eml_2b' }],
  texts: ['x', 'y'],
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
    ['{ $.objects[0].id = "eml_1*" }', true],
    ['{ $.objects[0].id = "eml_2*" }', false],
    ['{ $.objects[2].id = "*" }', false],
    ['{ $.objects[*].id = "eml_2*" }', true],
    ['{ $.objects[*].id = "eml_3*" }', false],
    ['{ $.texts[*] = "y" }', true],
    ['{ $.level[*] = "WARN" }', false],
    ['{ $.level = %AR% }', true],
    ['{ $.objects[*].id = %[ab]$% }', true],
    ['{ $.objects[*].id = %[cd]$% }', false],
    ['{ $.objects[*].id = %^eml_[13]% }', true],
  ])('evaluates %s', (pattern, expected) => {
    expect(matchesLogPattern(pattern, line)).toBe(expected);
  });

  it('matches no line that is not JSON', () => {
    expect(matchesLogPattern('{ $.level = "*" }', 'level WARN')).toBe(false);
  });

  it.each([
    '"hand-off later"',
    '{ $.a > 1 }',
    '{ ($.a = "b" }',
    '{ $.a = "b" $.c = "d" }',
    '{ }',
    '{ $.a[*].b[*] = "c" }',
    '{ $.a = %(b)% }',
  ])('throws when the syntax is not known: %s', (pattern) => {
    expect(() => matchesLogPattern(pattern, line)).toThrow();
  });
});
