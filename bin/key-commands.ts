/** The operator's commands for API keys and the audit log. */
import { timestamp } from '../lib/adapters/clock.ts';
import { scopes } from '../lib/core/access/access.ts';
import { isNetwork } from '../lib/core/access/ip-networks.ts';
import { parseId } from '../lib/core/ids.ts';
import { limits } from '../lib/core/limits.ts';
import { presentApiKey } from '../lib/http/presenters/api-key.ts';
import { createKey, deleteKey, listKeys } from '../lib/services/api-keys/api-keys.ts';
import { type Command, neverAudited, onWorkspace } from './command.ts';
import { oneOf, time, Usage } from './options.ts';

export const keyCommands: Readonly<Record<string, Command>> = {
  'key create': onWorkspace({
    summary: 'Creates an API key and prints it, only this once.',
    options: {
      name: { value: 'NAME', required: true, help: 'what it is for' },
      scope: { value: 'SCOPE', default: 'full', help: 'read, sending or full' },
      'expires-at': { value: 'TIME', help: 'when it ends, as 2027-01-31T00:00:00Z' },
      'allowed-ips': { value: 'NETWORK,…', help: 'addresses and networks that may use it' },
    },
    examples: [
      'key create --workspace acme --name Production --scope sending',
      'key create --workspace acme --name Audit --scope read --expires-at 2027-01-31T00:00:00Z --allowed-ips 192.0.2.0/24',
    ],
    prepare: (values) => {
      if (values.name.length > limits.nameCharacters) {
        throw new Usage(`--name has at most ${limits.nameCharacters} characters.`);
      }
      const input = {
        name: values.name,
        scope: oneOf('scope', values.scope, scopes),
        expiresAt: readTime(values['expires-at']),
        allowedIps: readNetworks(values['allowed-ips']),
      };
      return async ({ id }) => {
        const { key, token } = await createKey(id, input);
        return { ...presentApiKey(key), key: token };
      };
    },
  }),
  'key list': onWorkspace({
    summary: 'Lists the API keys of a workspace, oldest first.',
    options: {},
    examples: ['key list --workspace acme'],
    isAudited: neverAudited,
    prepare:
      () =>
      async ({ id }) =>
        (await listKeys(id, { limit: limits.apiKeys, after: null })).items.map(presentApiKey),
  }),
  'key delete': onWorkspace({
    summary: 'Deletes an API key for good, also the last full one. It is refused with the next request.',
    options: { key: { value: 'ID', required: true, help: 'the id of the key, from key list' } },
    examples: [`key delete --workspace acme --key key_${'0'.repeat(8)}…`],
    prepare: (values) => {
      const id = parseId('key', values.key);
      if (!id) throw new Usage('--key is the id of an API key.');
      return async (workspace) => {
        await deleteKey(workspace.id, id);
        return { id, deleted: true };
      };
    },
  }),
};

function readTime(text: string | undefined): number | null {
  return text === undefined ? null : Date.parse(timestamp(time('expires-at', text)));
}

function readNetworks(text: string | undefined): string[] {
  if (text === undefined) return [];
  const networks = text.split(',').map((one) => one.trim());
  const wrong = networks.find((one) => !isNetwork(one));
  if (wrong !== undefined) {
    throw new Usage(`--allowed-ips: "${wrong}" is no address or network such as 192.0.2.0/24.`);
  }
  if (networks.length > limits.apiKeyNetworks) {
    throw new Usage(`--allowed-ips has at most ${limits.apiKeyNetworks} networks.`);
  }
  return networks;
}
