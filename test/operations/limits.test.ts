/** Every bound of a body and of a query that the OpenAPI document shows holds: at it, and one beyond it (docs/concepts/limits.md). */
import { beforeAll, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { operations } from '../../functions/operations.ts';
import { invalid, parseOptions } from '../../lib/http/issues.ts';
import { type BoundedField, boundedFields, withField } from '../support/body-fields.ts';
import { bodyOf, type FixtureContext } from '../support/operation-fixtures.ts';
import { workspace } from '../support/workspace.ts';
import { workspaceContext } from '../support/workspace-context.ts';

const withBounds = operations.flatMap((contract) => {
  const { id, body, query } = contract;
  // The service refuses more than these (test/functions/oauth-apps/oauth-apps.all.test.ts).
  const ofBody = (body ? boundedFields(body) : []).filter(({ path }) => path[0] !== 'return_urls');
  const ofQuery = boundedFields(query);
  return ofBody.length + ofQuery.length > 0 ? [{ id, contract, ofBody, ofQuery }] : [];
});

let context: FixtureContext;
beforeAll(async () => {
  context = workspaceContext(await workspace());
});

/** The issues of a value, and which of them are about a size. */
function issuesOf(schema: z.ZodType, value: unknown) {
  const { error } = schema.safeParse(value, parseOptions);
  return error ? (invalid(error.issues, { code: 'invalid_request', detail: '' }).issues ?? []) : [];
}

function expectBounds(
  schema: z.ZodType,
  valid: unknown,
  fields: readonly BoundedField[],
  as = (value: unknown) => value,
): void {
  for (const { path, within, beyond } of fields) {
    const place = path.join('.');
    for (const value of within) {
      const sizes = issuesOf(schema, withField(valid, path, as(value))).filter(
        (issue) => issue.path === place && /at most|at least|must not be empty/.test(issue.message),
      );
      expect(sizes, `${place} ${JSON.stringify(value).slice(0, 40)}`).toEqual([]);
    }
    for (const value of beyond) {
      // Of an alternative that lacks other fields, the issue is about the alternatives.
      const named = issuesOf(schema, withField(valid, path, as(value))).filter(
        (issue) => issue.path === place || place.startsWith(`${issue.path}.`),
      );
      expect(named, `${place} ${JSON.stringify(value).slice(0, 40)}`).not.toEqual([]);
    }
  }
}

describe('every operation', () => {
  it.each(withBounds)(
    '$id takes what is at a bound, and names the field of what is one beyond it',
    async ({ contract, ofBody, ofQuery }) => {
      if (contract.body) expectBounds(contract.body, await bodyOf(contract, context), ofBody);
      expectBounds(contract.query, {}, ofQuery, String);
    },
  );
});
