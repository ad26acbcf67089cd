/** The operator's commands for API keys. */
import { UsageError } from '../../clients/cli/src/terminal/exit.ts';
import { now } from '../../lib/adapters/clock.ts';
import { scopes } from '../../lib/core/access/access.ts';
import { isNetwork } from '../../lib/core/access/ip-networks.ts';
import { parseId } from '../../lib/core/ids.ts';
import { limits } from '../../lib/core/limits.ts';
import { boundedText, quoted, time } from '../operator/values.ts';
import { type AdminCommand, neverAudited, onWorkspace } from './command.ts';

const services = () => import('../../lib/services/api-keys/api-keys.ts');
const presenters = () => import('../../lib/http/presenters/api-key.ts');

export const keyCommands: Readonly<Record<string, AdminCommand>> = {
  'key create': onWorkspace({
    summary: 'Creates an API key and prints it, only this once.',
    options: {
      name: { type: 'string', demandOption: true, describe: 'what it is for' },
      scope: { choices: scopes, default: 'full', describe: 'what it may do' },
      'expires-at': { type: 'string', describe: 'when it ends, as 2027-01-31T00:00:00Z' },
      'allowed-ips': { type: 'string', describe: 'addresses and networks that may use it, with commas' },
    },
    examples: [
      ['key create --workspace acme --name Production --scope sending', 'a key that sends'],
      [
        'key create --workspace acme --name Audit --scope read --allowed-ips 192.0.2.0/24',
        'a key that reads, from one network',
      ],
    ],
    prepare: (values) => {
      const input = {
        name: boundedText('name', values.name, limits.nameCharacters),
        scope: values.scope,
        expiresAt: readTime(values['expires-at']),
        allowedIps: readNetworks(values['allowed-ips']),
      };
      return async ({ id }) => {
        const [{ createKey }, { presentApiKey }] = await Promise.all([services(), presenters()]);
        const { key, token } = await createKey(id, input);
        return { ...presentApiKey(key), key: token };
      };
    },
  }),
  'key list': onWorkspace({
    summary: 'Lists the API keys of a workspace, oldest first.',
    options: {},
    examples: [['key list --workspace acme', 'all keys']],
    isAudited: neverAudited,
    prepare:
      () =>
      async ({ id }) => {
        const [{ listKeys }, { presentApiKey }] = await Promise.all([services(), presenters()]);
        return (await listKeys(id, { limit: limits.apiKeys, after: null })).items.map(presentApiKey);
      },
  }),
  'key delete': onWorkspace({
    summary: 'Deletes an API key for good, also the last full one.',
    details: 'It is refused with the next request.',
    options: { key: { type: 'string', demandOption: true, describe: 'id of the key, from key list' } },
    examples: [[`key delete --workspace acme --key key_${'0'.repeat(8)}…`, 'ends this key']],
    prepare: (values) => {
      const id = parseId('key', values.key);
      if (!id) throw new UsageError('--key is the id of an API key, as key list shows it.');
      return async (workspace) => {
        const { deleteKey } = await services();
        await deleteKey(workspace.id, id);
        return { id, deleted: true };
      };
    },
  }),
};

function readTime(text: string | undefined): number | null {
  if (text === undefined) return null;
  const at = time('expires-at', text);
  if (at <= now()) throw new UsageError('--expires-at is in the past.');
  return at;
}

function readNetworks(text: string | undefined): string[] {
  if (text === undefined) return [];
  const networks = text.split(',').map((one) => one.trim());
  const wrong = networks.find((one) => !isNetwork(one));
  if (wrong !== undefined) {
    throw new UsageError(`--allowed-ips: ${quoted(wrong)} is no address or network such as 192.0.2.0/24.`);
  }
  if (networks.length > limits.apiKeyNetworks) {
    throw new UsageError(`--allowed-ips has at most ${limits.apiKeyNetworks} networks.`);
  }
  return networks;
}
