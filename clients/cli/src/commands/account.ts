/** `parley login`, `logout`, `whoami`: the key of a profile. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ForbiddenError, NotFoundError, type Parley } from '../../../typescript/src/index.ts';
import { accountOf, clientFor, clientOf, folderOfProcess } from '../client.ts';
import { defaultProfile, type Profile, readProfiles, writeProfile } from '../configuration.ts';
import { command, result } from '../output.ts';
import { ask, askHidden } from '../terminal/ask.ts';
import type { Context } from '../terminal/command.ts';
import { Refused, UsageError } from '../terminal/exit.ts';
import { fields } from '../terminal/tables.ts';

export const login = command({
  name: 'login',
  summary: 'Checks an API key and keeps it in your configuration folder.',
  details:
    'Asks for the address of the deployment and for the key, which is not shown. Where nobody can be asked, the key is\n' +
    'read from stdin. PARLEY_API_KEY and PARLEY_BASE_URL of the environment win over every profile.',
  options: {
    'base-url': { describe: 'the address of the deployment: https://mail.example.com' },
    local: { type: 'boolean', describe: 'the run that npm start keeps up in this folder' },
  },
  examples: [
    ['login', 'asks for address and key'],
    ['login --local', 'takes both from npm start, in the folder of its repository'],
    ['login --profile staging --base-url https://mail.example.com < key.txt', 'reads the key from a file'],
  ],
  run: async (values, context) => {
    const given = values.local ? localRun(values['base-url']) : await asked(values['base-url'], context);
    const profile = values.profile ?? defaultProfile;
    const parley = clientFor(given);
    const { scope } = await keyFacts(parley, given.api_key, context.signal);
    writeProfile(folderOfProcess(), profile, given);
    const { base_url } = given;
    result(values, context, { profile, base_url, scope }, () => `Logged in to ${base_url} (scope ${scope}).`);
    if (process.env.PARLEY_API_KEY)
      context.terminal.note('PARLEY_API_KEY is set, and wins over this profile.');
  },
});

export const logout = command({
  name: 'logout',
  summary: 'Removes the key of a profile from your configuration folder.',
  examples: [
    ['logout', 'removes the key of the default profile'],
    ['logout --profile staging', 'removes that of another one'],
  ],
  run: async (values, context) => {
    const [folder, profile] = [
      folderOfProcess(),
      values.profile ?? process.env.PARLEY_PROFILE ?? defaultProfile,
    ];
    if (!Object.hasOwn(readProfiles(folder), profile)) throw new Refused(`There is no profile "${profile}".`);
    writeProfile(folder, profile, null);
    result(
      values,
      context,
      { profile, logged_out: true },
      () => `Logged out of profile ${profile}. The key still works.`,
    );
  },
});

export const whoami = command({
  name: 'whoami',
  summary: 'Shows which deployment and key the commands use, and what the key may do.',
  examples: [['whoami', 'shows address, scope and domains']],
  run: async (values, context) => {
    const account = accountOf(values);
    const parley = clientOf(values, context);
    const [{ scope, name, id }, { items }] = await Promise.all([
      keyFacts(parley, account.api_key, context.signal),
      parley.domains.list({ limit: 5 }, { signal: context.signal }),
    ]);
    const facts = {
      base_url: account.base_url,
      source: account.source,
      profile: account.profile,
      scope,
      key_id: id,
      key_name: name,
      domains: items.map((domain) => domain.name),
    };
    result(values, context, facts, () =>
      fields(
        [
          ['address', account.base_url],
          ['key of', account.source],
          ['scope', scope],
          ...(name === null ? [] : [['key', `${name} (${id})`] as const]),
          ['domains', facts.domains.join(', ') || '-'],
        ],
        context.terminal,
      ),
    );
  },
});

/** @throws UsageError, Refused */
async function asked(baseUrl: string | undefined, { terminal }: Context): Promise<Profile> {
  const known = baseUrl ?? process.env.PARLEY_BASE_URL;
  if (!terminal.isInteractive) {
    if (!known) throw new UsageError('--base-url is missing: nobody can be asked.');
    const key = (await text(process.stdin)).trim().split(/\s/)[0] ?? '';
    if (!key) throw new UsageError('Nobody can be asked for the key, and stdin is empty.');
    return { base_url: known, api_key: key };
  }
  const url = known ?? (await ask('Address of the deployment (https://mail.example.com): '));
  if (!url) throw new UsageError('The address is missing.');
  const key = await askHidden('API key (not shown): ');
  if (!key) throw new UsageError('The key is missing.');
  return { base_url: url, api_key: key };
}

/** The address and the key that `npm start` leaves in its folder (docs/local-cloud.md#starting). */
function localRun(baseUrl: string | undefined): Profile {
  if (baseUrl !== undefined) throw new UsageError('--local and --base-url exclude each other.');
  const file = join(process.cwd(), '.local', 'ready.json');
  try {
    const { baseUrl: base_url, apiKey: api_key } = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof base_url === 'string' && typeof api_key === 'string') return { base_url, api_key };
  } catch {
    // Told below: there is no run, or it is not ready.
  }
  throw new Refused(
    'There is no local run in this folder.',
    'Run npm start in the repository of Parley, and log in there.',
  );
}

interface KeyFacts {
  readonly scope: 'read' | 'sending' | 'full';
  /** Null unless the key may list keys. */
  readonly id: string | null;
  readonly name: string | null;
}

const prefixCharacters = 10;
const noEmail = `eml_${'0'.repeat(32)}`;

/** What a key may do, found by calls that change nothing. @throws ParleyError for a key that is refused */
async function keyFacts(parley: Parley, key: string, signal: AbortSignal): Promise<KeyFacts> {
  try {
    const keys = await parley.apiKeys.list({ limit: 100 }, { signal }).toArray({ max: 100 });
    const own = keys.filter(({ prefix }) => prefix === key.slice(0, prefixCharacters));
    const [only] = own;
    return {
      scope: 'full',
      id: (own.length === 1 && only?.id) || null,
      name: (own.length === 1 && only?.name) || null,
    };
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error;
  }
  try {
    await parley.emails.cancel(noEmail, { signal });
  } catch (error) {
    if (error instanceof ForbiddenError) return { scope: 'read', id: null, name: null };
    if (!(error instanceof NotFoundError)) throw error;
  }
  return { scope: 'sending', id: null, name: null };
}
