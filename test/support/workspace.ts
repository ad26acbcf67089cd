/** A workspace for each test, so that tests share no data. */
import { randomBytes } from 'node:crypto';
import type { Scope } from '../../lib/core/access/access.ts';
import type { WorkspaceId } from '../../lib/core/ids.ts';
import { createKey } from '../../lib/services/api-keys/api-keys.ts';
import { createWorkspace } from '../../lib/services/workspaces/workspaces.ts';

export interface TestWorkspace {
  readonly id: WorkspaceId;
  readonly slug: string;
  /** `<slug>.mail.parley.test`. */
  readonly providedDomain: string;
  /** Plaintext of a `full` key. */
  readonly key: string;
  /** Creates another key; its plaintext. */
  keyOf(scope: Scope): Promise<string>;
}

/** Creates a workspace with a `full` key. */
export async function workspace(given: { slug?: string; name?: string } = {}): Promise<TestWorkspace> {
  const slug = given.slug ?? `t${randomBytes(8).toString('hex')}`;
  const { id, providedDomain } = await createWorkspace({ slug, name: given.name ?? slug });
  const keyOf = async (scope: Scope) => (await createKey(id, { name: scope, scope })).token;
  return { id, slug, providedDomain: providedDomain ?? '', key: await keyOf('full'), keyOf };
}
