/** Keys as authentication reads them, by the hash of their plaintext. Apart from `api-keys.ts`, which manages keys: every request reads one. */
import { timingSafeEqual } from 'node:crypto';
import { scopes } from '../../core/access/access.ts';
import type { Caller } from '../../core/access/api-key.ts';
import type { KeyId } from '../../core/ids.ts';
import {
  codec,
  id,
  knownAs,
  named,
  nullable,
  number,
  oneOf,
  sparseList,
  text,
  withDefault,
} from '../table/codec.ts';
import { expressionsOf } from '../table/expressions.ts';
import { keyHashKey } from '../table/keys.ts';
import { get } from '../table/reads.ts';
import { updateIf } from '../table/table.ts';

/** The global item of a key, found by the hash of its plaintext. For stores only. */
export interface KeyHash extends Pick<Caller, 'workspaceId' | 'scope' | 'cursorSecret'> {
  readonly keyId: KeyId;
  readonly hash: string;
  /** Unix milliseconds; 0: never used. */
  readonly lastUsedAt: number;
  readonly expiresAt: number | null;
  readonly allowedIps: readonly string[];
  /** When the key was deleted: its item stays for a while, so that its use is noticed. */
  readonly deletedAt: number | null;
}

/** The previous release lets a key of scope `draft` read. */
export const scopeField = knownAs(oneOf(scopes), (scope) => (scope === 'draft' ? 'read' : scope));

/** For stores only. */
export const hashCodec = codec<KeyHash>('api key hash', {
  hash: text,
  workspaceId: id('wks'),
  keyId: id('key'),
  scope: scopeField,
  cursorSecret: text,
  lastUsedAt: withDefault(number, 0),
  expiresAt: named('validUntil', nullable(number)),
  allowedIps: sparseList(text),
  deletedAt: nullable(number),
});

/** A key as authentication reads it. */
export interface FoundKey extends Omit<KeyHash, keyof Caller | 'hash'> {
  readonly caller: Caller;
}

/** A key by the hash of its plaintext, also one that was deleted a while ago; or null. One consistent read. */
export async function findKeyByHash(hash: string): Promise<FoundKey | null> {
  const item = await get(keyHashKey(hash));
  if (!item) return null;
  const { hash: stored, lastUsedAt, expiresAt, allowedIps, deletedAt, keyId, ...of } = hashCodec.decode(item);
  if (!timingSafeEqual(Buffer.from(stored), Buffer.from(hash))) return null;
  const caller = { ...of, actor: keyId, role: null };
  return { caller, keyId, lastUsedAt, expiresAt, allowedIps, deletedAt };
}

/** Records the last use of a key; does nothing where the key was deleted meanwhile. */
export async function recordKeyUse(hash: string, atMs: number): Promise<void> {
  await updateIf(keyHashKey(hash), expressionsOf({ set: { lastUsedAt: atMs } }, { exists: true }));
}
