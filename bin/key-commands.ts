/** The operator's commands for API keys and the audit log. */
import { timestamp } from '../lib/adapters/clock.ts';
import { scopes } from '../lib/core/access.ts';
import { type KeyId, parseId, type WorkspaceId } from '../lib/core/ids.ts';
import { limits } from '../lib/core/limits.ts';
import { presentApiKey } from '../lib/http/presenters/api-key.ts';
import { createKey, deleteKey, listKeys } from '../lib/services/api-keys/api-keys.ts';
import { listAudit } from '../lib/services/workspaces/audit.ts';
import { oneOf, print, Usage } from './options.ts';

export const keyHelp = `  key create --workspace SLUG --name NAME [--scope full|sending|read]
  key list --workspace SLUG
  key delete --workspace SLUG --key ID           also the last full key
  audit list --workspace SLUG                    keys created, deleted and used after deletion, and operators' commands,
                                                 newest first`;

export const keyOptions = {
  scope: { type: 'string', default: 'full' },
  key: { type: 'string' },
} as const;

interface Options {
  readonly name?: string | undefined;
  readonly scope: string;
  readonly key?: string | undefined;
}

/** Each checks its options and returns the work. */
export const keyCommands: Readonly<
  Record<string, (options: Options) => (workspaceId: WorkspaceId) => Promise<void>>
> = {
  'key create': (options) => {
    const { name } = options;
    if (!name) throw new Usage('--name is missing.');
    const input = { name, scope: oneOf('scope', options.scope, scopes) };
    return async (workspaceId) => {
      const { key, token } = await createKey(workspaceId, input);
      print({ id: key.id, name: key.name, scope: key.scope, key: token });
    };
  },
  'key list': () => async (workspaceId) => {
    const { items } = await listKeys(workspaceId, { limit: limits.apiKeys, after: null });
    for (const key of items) print(presentApiKey(key));
  },
  'key delete': (options) => {
    const id = keyId(options);
    return async (workspaceId) => {
      await deleteKey(workspaceId, id);
      print({ id, deleted: true });
    };
  },
  'audit list': () => async (workspaceId) => {
    for await (const { at, actor, action, subject } of listAudit(workspaceId)) {
      print({ at: timestamp(at), actor, action, subject });
    }
  },
};

function keyId({ key }: Options): KeyId {
  const id = parseId('key', key ?? '');
  if (!id) throw new Usage('--key is the id of an API key.');
  return id;
}
