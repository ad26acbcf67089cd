import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { invalid, parseOptions, pathText } from '../../lib/http/issues.ts';
import { idSchema } from '../../lib/http/schemas.ts';

function problemOf(schema: z.ZodType, value: unknown) {
  const { error } = schema.safeParse(value, parseOptions);
  if (!error) throw new Error('the value is valid');
  const { code, status, message, issues } = invalid(error, { code: 'invalid_request', detail: 'Refused.' });
  return { code, status, message, issues };
}

const address = z.union([z.string(), z.strictObject({ name: z.string().optional(), address: z.string() })]);
const body = z.strictObject({
  to: z.array(address),
  subject: z.string(),
  note: z.string().max(3).optional(),
});

describe('invalid', () => {
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
      { path: 'to[1].nmae', message: 'unknown field' },
      { path: 'x', message: 'unknown field' },
      { path: '["a b"]', message: 'unknown field' },
    ]);
  });

  it('speaks of the alternative that knows most of the fields', () => {
    const file = z.union([
      z.strictObject({ name: z.string(), content: z.string().regex(/^\w+$/, 'no spaces') }),
      z.strictObject({ id: z.string() }),
    ]);
    const issuesOf = (value: unknown) => problemOf(file, value).issues;
    expect(issuesOf({ name: 'a', content: 'a b' })).toEqual([{ path: 'content', message: 'no spaces' }]);
    expect(issuesOf({ id: 7 })).toEqual([
      { path: 'id', message: 'Invalid input: expected string, received number' },
    ]);
    expect(issuesOf({})).toEqual([{ path: '', message: 'Invalid input' }]);
  });

  it('speaks of the place, not of the alternatives, where none fits', () => {
    const { issues } = problemOf(body, { to: [7], subject: '' });
    expect(issues).toEqual([{ path: 'to[0]', message: 'Invalid input' }]);
  });

  it('lets an issue name the code of the whole answer', () => {
    const schema = z.strictObject({ space_id: idSchema('spc'), name: z.string() });
    expect(problemOf(schema, { space_id: `dom_${'0'.repeat(32)}` })).toEqual({
      code: 'not_found',
      status: 404,
      message: 'space_id: is not a Space id.',
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
    [['to', 0, 'address'], 'to[0].address'],
    [['headers', 'X-Tag'], 'headers.X-Tag'],
    [['headers', 'a.b'], 'headers["a.b"]'],
    [[0], '[0]'],
  ])('writes %j as %s', (path, text) => {
    expect(pathText(path)).toBe(text);
  });
});
