/** Every operation with a session of each role: what it may do follows from the contracts. */
import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../functions/operations.ts';
import { memberRoles, roleScopes, scopeAllows } from '../../lib/core/access/access.ts';
import { exampleId } from '../../lib/http/schemas.ts';
import { versionOf } from '../../lib/http/versions.ts';
import { apiInProcess } from '../support/api.ts';
import { type Browser, signedIn } from '../support/console.ts';
import { idPrefixOf, paramNames } from '../support/operation-fixtures.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';

let ours: TestWorkspace;
const browsers = new Map<string, Browser>();

beforeAll(async () => {
  ours = await workspace();
  for (const role of memberRoles) browsers.set(role, await signedIn(ours, role, apiInProcess));
});

/** A path with ids of nothing. */
function pathOf(operation: (typeof operations)[number]): string {
  return paramNames(operation).reduce((path, name) => {
    const id = versionOf(path) === 1 ? 'x' : exampleId(idPrefixOf(operation, name));
    return path.replace(`{${name}}`, id);
  }, operation.path as string);
}

describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (_, operation) => {
  const { method, scope, path } = operation;
  const body = operation.body ? { body: {} } : {};

  it.each(memberRoles)('by a session of the role %s', async (role) => {
    const { status, body: problem } = (await browsers
      .get(role)
      ?.request(method, pathOf(operation), body)) ?? { status: 0, body: { code: '' } };
    if (versionOf(path) === 1) expect(status).toBe(401);
    else if (!scopeAllows(roleScopes[role], scope)) expect(status).toBe(403);
    else expect([401, 403, 500], JSON.stringify(problem)).not.toContain(status);
  });

  it('by a session without the marks of the console', async () => {
    const owner = browsers.get('owner');
    for (const headers of [
      { 'x-console-request': '' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ]) {
      const answer = await owner?.request(method, pathOf(operation), { ...body, headers });
      const isChange = method !== 'GET' && method !== 'HEAD';
      if (versionOf(path) === 2) expect(answer?.status === 403).toBe(isChange);
      else expect(answer?.status).toBe(401);
    }
  });
});
