/** The user's configuration folder: profiles with keys, the secret of `listen`, and what `listen` has done. All for the owner only. */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { endpointSecretOf } from '../../../lib/core/webhooks/signature.ts';
import { Refused } from './terminal/exit.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Profile {
  readonly base_url: string;
  readonly api_key: string;
}

interface Contents {
  readonly profiles: Readonly<Record<string, Profile>>;
}

export const defaultProfile = 'default';

/** `$XDG_CONFIG_HOME/parley` where that is set; else the place that the system has for it. */
export function configurationFolder(env: Environment, platform: NodeJS.Platform = process.platform): string {
  const home = env.HOME || env.USERPROFILE || homedir();
  // A relative path is to be ignored (XDG Base Directory Specification).
  if (env.XDG_CONFIG_HOME?.startsWith('/')) return join(env.XDG_CONFIG_HOME, 'parley');
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'parley');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'parley');
  return join(home, '.config', 'parley');
}

const fileOf = (folder: string) => join(folder, 'credentials.json');

/** @throws Refused for a file that is not as this program writes it */
export function readProfiles(folder: string): Readonly<Record<string, Profile>> {
  const text = readOptional(fileOf(folder));
  if (text === null) return {};
  try {
    const { profiles } = JSON.parse(text) as Partial<Contents>;
    if (typeof profiles === 'object' && profiles !== null) return profiles;
  } catch {
    // Not JSON: the same as JSON of another form.
  }
  throw new Refused(`${fileOf(folder)} is not a file of parley.`, 'Remove it and log in again.');
}

/** Sets a profile, or removes it with null. */
export function writeProfile(folder: string, name: string, profile: Profile | null): void {
  const { [name]: _, ...others } = readProfiles(folder);
  const profiles = profile ? { ...others, [name]: profile } : others;
  writePrivate(fileOf(folder), `${JSON.stringify({ profiles }, null, 2)}\n`);
}

/** The secret that signs what `listen` and `trigger --forward-to` post: made once, the same ever after. */
export function listenSecret(folder: string): string {
  const file = join(folder, 'listen-secret');
  const found = readOptional(file)?.trim();
  if (found?.startsWith('whsec_')) return found;
  const secret = endpointSecretOf(randomBytes(32));
  writePrivate(file, `${secret}\n`);
  return secret;
}

export function readOptional(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw cannot('read', file, error);
  }
}

/** Replaces a file as a whole, so that a run that ends meanwhile leaves the old one or the new one. @throws Refused */
export function writePrivate(file: string, text: string): void {
  const draft = `${file}.${process.pid}.new`;
  try {
    privateFolder(join(file, '..'));
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw cannot('write', file, error);
  }
}

/** @throws Refused */
export function privateFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // It may have been there.
    if (process.platform !== 'win32') chmodSync(folder, 0o700);
  } catch (error) {
    throw cannot('write', folder, error);
  }
}

const cannot = (verb: string, path: string, error: unknown): Refused =>
  new Refused(`Cannot ${verb} ${path}: ${(error as Error).message}.`);
