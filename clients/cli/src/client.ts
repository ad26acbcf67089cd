/** The client of a command: whose key it uses, and what its errors mean for a person. */
import { Parley, ParleyError, type ParleyOptions } from '../../typescript/src/index.ts';
import {
  configurationFolder,
  defaultProfile,
  type Environment,
  type Profile,
  readProfiles,
} from './configuration.ts';
import type { Context } from './terminal/command.ts';
import { type Explanation, Refused } from './terminal/exit.ts';

export interface Account extends Profile {
  /** Where the key is from: `PARLEY_API_KEY`, or the profile. */
  readonly source: string;
  readonly profile: string | null;
}

/** Values of the options that every command has. */
export interface CommonValues {
  readonly profile?: string | undefined;
}

const environmentOf = (): Environment => process.env;

/** The configuration folder of this process. */
export const folderOfProcess = (): string => configurationFolder(environmentOf());

/** The key and the address to use; the environment wins. @throws Refused */
export function accountOf({ profile }: CommonValues, env: Environment = environmentOf()): Account {
  const name = profile ?? env.PARLEY_PROFILE ?? defaultProfile;
  const [key, url] = [env.PARLEY_API_KEY?.trim(), env.PARLEY_BASE_URL?.trim()];
  if (key && url) return { api_key: key, base_url: url, source: 'PARLEY_API_KEY', profile: null };
  const profiles = readProfiles(configurationFolder(env));
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  // A key is never sent to an address that it was not given with.
  if (key) throw new Refused('PARLEY_API_KEY is set, and PARLEY_BASE_URL is not.', 'Set both, or none.');
  if (found && url && url !== found.base_url) {
    throw new Refused('PARLEY_BASE_URL is set, and PARLEY_API_KEY is not.', 'Set both, or none.');
  }
  if (found) return { ...found, source: `profile ${name}`, profile: name };
  const others = Object.keys(profiles);
  const hint = others.length > 0 ? ` There are: ${others.join(', ')}.` : '';
  throw new Refused(
    name === defaultProfile ? 'You are not logged in.' : `There is no profile "${name}".${hint}`,
    `Run: parley login${name === defaultProfile ? '' : ` --profile ${name}`}`,
  );
}

/** @param options of the client beside key and address */
export function clientOf(values: CommonValues, context: Context, options: ParleyOptions = {}): Parley {
  const account = accountOf(values);
  if (values.profile && account.profile === null) {
    context.terminal.note(`PARLEY_API_KEY is set: the profile "${values.profile}" is not used.`);
  }
  return clientFor(account, options);
}

export function clientFor(account: Profile, options: ParleyOptions = {}): Parley {
  return new Parley({ apiKey: account.api_key, baseUrl: account.base_url, timeoutMs: 30_000, ...options });
}

/** What to do about an error, by its code. */
const hints: Readonly<Record<string, string>> = {
  unauthorized: 'The key is wrong, has ended, or is not allowed from here: parley login.',
  forbidden: 'The scope of the key is too narrow; parley whoami shows it.',
  connection_error: 'Is the address right (parley whoami), and is the deployment up?',
  timeout: 'Try again.',
  sender_unknown: 'parley domains list shows the domains that can send.',
  domain_unverified: 'parley domains check shows the records that are missing.',
  unexpected_response: 'Is the address the one of a Parley deployment (parley whoami)?',
  no_recipients: 'Name the recipients with --to.',
  internal_error: 'Tell the operator of the deployment the request id.',
};

/** The errors of the library in words; null for others. */
export function explain(error: unknown): Explanation | null {
  if (!(error instanceof ParleyError)) return fileError(error);
  const { code, status, issues, requestId, detail, retryAfter } = error;
  const wait = retryAfter === null ? undefined : `Try again in ${retryAfter} s.`;
  const message = code === 'connection_error' ? `${detail}${causeOf(error)}` : detail;
  return { message, code, status, issues, requestId, hint: wait ?? hints[code] };
}

function causeOf({ cause }: ParleyError): string {
  const { code, cause: inner } = (cause ?? {}) as { code?: string; cause?: { code?: string } };
  const found = code ?? inner?.code;
  return found ? ` (${found})` : '';
}

/** A file of the command line that cannot be read. */
function fileError(error: unknown): Explanation | null {
  const { code, path, message } = error as NodeJS.ErrnoException;
  const isOfFiles = typeof path === 'string' && /^E[A-Z]+$/.test(code ?? '');
  return isOfFiles ? { message: message.replace(/^[A-Z]+: /, ''), code: 'file_error' } : null;
}
