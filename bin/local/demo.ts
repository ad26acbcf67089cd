/** The demo workspace of a local run, its OAuth apps and its API key. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkspaceId } from '../../lib/core/ids.ts';
import { type Cloud, type DemoApp, prepareDemoApps } from '../../lib/local/index.ts';
import { createKey } from '../../lib/services/api-keys/api-keys.ts';
import { authenticate } from '../../lib/services/api-keys/authenticate.ts';
import { createWorkspace, findWorkspace } from '../../lib/services/workspaces/workspaces.ts';

export const demoSlug = 'demo';

export interface Demo {
  readonly workspaceId: WorkspaceId;
  readonly apiKey: string;
  readonly providedDomain: string;
  readonly apps: readonly DemoApp[];
}

/**
 * Creates the demo workspace, its OAuth apps and its key, or finds them with `--data`.
 *
 * @param dataFolder null: in memory
 */
export async function prepareDemo(cloud: Cloud, dataFolder: string | null): Promise<Demo> {
  Object.assign(process.env, cloud.environment);
  const { id } = (await findWorkspace(demoSlug)) ?? (await createWorkspace({ slug: demoSlug, name: 'Demo' }));
  const apiKey = dataFolder === null ? await newKey(id) : await keptKey(id, join(dataFolder, 'api-key'));
  const apps = await prepareDemoApps({ baseUrl: cloud.baseUrl, apiKey }, cloud.mailboxProviders);
  return { workspaceId: id, apiKey, providedDomain: `${demoSlug}.${cloud.providedDomain}`, apps };
}

async function newKey(workspaceId: WorkspaceId): Promise<string> {
  return (await createKey(workspaceId, { name: 'npm start', scope: 'full' })).token;
}

/** The key in a file, which its owner alone may read; a new one where the file has none that is valid. */
export async function keptKey(workspaceId: WorkspaceId, file: string): Promise<string> {
  const kept = readText(file).trim();
  const known = kept === '' ? null : await authenticate(kept, '127.0.0.1');
  if (known?.caller.workspaceId === workspaceId && known.caller.scope === 'full') return kept;
  const token = await newKey(workspaceId);
  // A file that exists would keep its permissions.
  rmSync(file, { force: true });
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  return token;
}

/** Empty where there is no such file. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
