/** The demo workspace of a local run, its OAuth apps and its API key. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KeyId, parseId, type WorkspaceId } from '../../lib/core/ids.ts';
import type { Cloud } from '../../lib/local/index.ts';
import { createKey } from '../../lib/services/api-keys/api-keys.ts';
import { authenticate } from '../../lib/services/api-keys/authenticate.ts';
import { addMember, createWorkspace, findWorkspace } from '../../lib/services/workspaces/workspaces.ts';
import { type DemoApp, prepareDemoApps } from './demo-apps.ts';

const slug = 'demo';

export interface Demo {
  readonly workspaceId: WorkspaceId;
  readonly apiKey: string;
  /** Address of the owner, who is signed in to the console. */
  readonly owner: string;
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
  const { id } = (await findWorkspace(slug)) ?? (await createWorkspace({ slug, name: 'Demo' }));
  const { token, keyId } =
    dataFolder === null ? await newKey(id) : await keptKey(id, join(dataFolder, 'api-key'));
  const owner = `owner@${slug}.${cloud.providedDomain}`;
  await addMember(id, { email: owner, role: 'owner', outageMail: true });
  const siteUrl = new URL(cloud.baseUrl).origin;
  const apps = await prepareDemoApps({ workspaceId: id, keyId, siteUrl }, cloud.mailboxProviders);
  return { workspaceId: id, apiKey: token, owner, providedDomain: `${slug}.${cloud.providedDomain}`, apps };
}

interface DemoKey {
  readonly token: string;
  readonly keyId: KeyId;
}

async function newKey(workspaceId: WorkspaceId): Promise<DemoKey> {
  const { token, key } = await createKey(workspaceId, { name: 'npm start', scope: 'full' });
  return { token, keyId: key.id };
}

/** The key in a file, which its owner alone may read; a new one where the file has none that is valid. */
export async function keptKey(workspaceId: WorkspaceId, file: string): Promise<DemoKey> {
  const token = readText(file).trim();
  const { caller } = (token === '' ? null : await authenticate(token, '127.0.0.1')) ?? {};
  const keyId = parseId('key', caller?.actor ?? '');
  if (keyId && caller?.workspaceId === workspaceId && caller.scope === 'full') return { token, keyId };
  const created = await newKey(workspaceId);
  // A file that exists would keep its permissions.
  rmSync(file, { force: true });
  writeFileSync(file, `${created.token}\n`, { mode: 0o600 });
  return created;
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
