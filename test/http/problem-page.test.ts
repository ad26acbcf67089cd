import { describe, expect, it } from 'vitest';
import { type ProblemCode, problemStatus } from '../../lib/core/problems.ts';
import { problemPage } from '../../lib/http/pages/problem.ts';
import { problemDescriptions } from '../../lib/http/problem-descriptions.ts';

const codes = Object.keys(problemStatus) as ProblemCode[];

describe('problemPage', () => {
  it.each(codes)('shows the status, the cause and the action of %s', (code) => {
    const { status, headers, body } = problemPage(code) ?? {};
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8' });
    expect(body).toContain(`<h1>${code}</h1>`);
    expect(body).toContain(`<dd>${problemStatus[code]}</dd>`);
  });

  it.each(Object.entries(problemDescriptions))('describes %s in sentences', (_, { cause, action }) => {
    for (const sentence of [cause, action]) expect(sentence).toMatch(/^[A-Z].+\.$/);
  });

  it.each(['', 'nothing', 'constructor', '__proto__'])('returns null when the code is %j', (code) => {
    expect(problemPage(code)).toBeNull();
  });
});
