import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { invalid, parseOptions, pathText } from '../../lib/http/issues.ts';
import { idSchema } from '../../lib/http/schemas.ts';

function problemOf(schema: z.ZodType, value: unknown) {
  const { error } = schema.safeParse(value, parseOptions);
  if (!error) throw new Error('the value is valid');
  const { code, status, message, issues } = invalid(error.issues, {
    code: 'invalid_request',
    detail: 'Refused.',
  });
  return { code, status, message, issues };
}

const address = z.union([z.string(), z.strictObject({ name: z.string().optional(), address: z.string() })]);
const body = z.strictObject({
  to: z.array(address),
  subject: z.string(),
  note: z.string().max(3).optional(),
});

describe('invalid', () => {
  it.each([
    [z.string(), 7, 'must be a string'],
    [z.int(), 1.5, 'must be a whole number'],
    [z.int(), 'x', 'must be a number'],
    [z.boolean(), 'yes', 'must be true or false'],
    [z.strictObject({}), [], 'must be an object'],
    [z.array(z.string()), {}, 'must be an array'],
    [z.record(z.string(), z.string()), 7, 'must be an object'],
    [z.enum(['full', 'sending', 'read']), 'write', 'must be one of full, sending, read'],
    [z.literal('attachment_content'), 'x', 'must be attachment_content'],
    [z.string().max(998), 'x'.repeat(1043), 'has 1043 characters; at most 998 are allowed'],
    [z.string().min(3), 'x', 'has 1 character; at least 3 are required'],
    [z.string().min(1), '', 'must not be empty'],
    [z.array(z.int()).max(2), [1, 2, 3], 'has 3 items; at most 2 are allowed'],
    [z.array(z.int()).min(1), [], 'must not be empty'],
    [z.int().max(100), 101, 'must be at most 100'],
    [z.int().min(1), 0, 'must be at least 1'],
    [z.union([z.string(), z.int()]), true, 'has none of the allowed forms'],
    [z.iso.datetime(), 'now', 'has an invalid format'],
    [z.string(), undefined, 'is required'],
    [z.enum(['a']), undefined, 'is required'],
    [z.union([z.string(), z.int()]), undefined, 'is required'],
  ])('describes what is wrong in words of its own (%#)', (schema, value, message) => {
    const { issues } = problemOf(
      z.strictObject({ field: schema }),
      value === undefined ? {} : { field: value },
    );
    expect(issues).toEqual([{ path: 'field', message }]);
  });

  it('says of a missing field that it is required', () => {
    expect(problemOf(body, { to: [] })).toEqual({
      code: 'invalid_request',
      status: 422,
      message: 'Refused.',
      issues: [{ path: 'subject', message: 'is required' }],
    });
  });

  it('names every unknown field, at any depth and inside alternatives', () => {
    const { issues } = problemOf(body, {
      to: ['a', { address: 'b', nmae: 'c' }],
      subject: '',
      x: 1,
      'a b': 2,
    });
    expect(issues).toEqual([
      { path: 'to.1.nmae', message: 'is not a known field' },
      { path: 'x', message: 'is not a known field' },
      { path: 'a b', message: 'is not a known field' },
    ]);
  });

  it('speaks of the alternative that knows most of the fields', () => {
    const file = z.union([
      z.strictObject({ name: z.string(), content: z.string().regex(/^\w+$/, 'no spaces') }),
      z.strictObject({ id: z.string() }),
    ]);
    const issuesOf = (value: unknown) => problemOf(file, value).issues;
    expect(issuesOf({ name: 'a', content: 'a b' })).toEqual([{ path: 'content', message: 'no spaces' }]);
    expect(issuesOf({ id: 7 })).toEqual([{ path: 'id', message: 'must be a string' }]);
    expect(issuesOf({})).toEqual([{ path: '', message: 'has none of the allowed forms' }]);
  });

  it('speaks of the place, not of the alternatives, where none fits', () => {
    const { issues } = problemOf(body, { to: [7], subject: '' });
    expect(issues).toEqual([{ path: 'to.0', message: 'has none of the allowed forms' }]);
  });

  it('lets an issue name the code of the whole answer', () => {
    const schema = z.strictObject({ space_id: idSchema('spc'), name: z.string() });
    expect(problemOf(schema, { space_id: `dom_${'0'.repeat(32)}` })).toEqual({
      code: 'not_found',
      status: 404,
      message: '`space_id` is not a Space id.',
      issues: [
        { path: 'space_id', message: 'is not a Space id' },
        { path: 'name', message: 'is required' },
      ],
    });
  });

  it('names the code also from inside an alternative', () => {
    const schema = z.strictObject({
      in: z.union([z.number(), z.strictObject({ thread_id: idSchema('thr') })]),
    });
    expect(problemOf(schema, { in: { thread_id: 'x' } }).code).toBe('invalid_thread_id');
  });

  it('does not repeat what was sent', () => {
    const { issues } = problemOf(body, { to: [], subject: '', note: 'hunter2' });
    expect(JSON.stringify(issues)).not.toContain('hunter2');
  });

  it('keeps to a hundred issues', () => {
    const { issues } = problemOf(body, { to: Array.from({ length: 10_000 }, () => 1), subject: '' });
    expect(issues).toHaveLength(100);
  });
});

describe('pathText', () => {
  it.each([
    [[], ''],
    [['to', 0, 'address'], 'to.0.address'],
    [['headers', 'X-Tag'], 'headers.X-Tag'],
    [[0], '0'],
  ])('writes %j as %s', (path, text) => {
    expect(pathText(path)).toBe(text);
  });
});
