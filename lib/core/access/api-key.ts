/** API keys, and the caller that a key identifies. */

import type { KeyId, WorkspaceId } from '../ids.ts';
import type { Scope } from './access.ts';

export interface ApiKey {
  readonly id: KeyId;
  readonly name: string;
  readonly scope: Scope;
  /** The first characters of the plaintext, to tell keys apart. */
  readonly prefix: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  /** From then on the key is refused; null: never. */
  readonly expiresAt: number | null;
  /** Addresses and networks (CIDR) from which the key is accepted; empty: any. */
  readonly allowedIps: readonly string[];
}

/** What the creator of a key chooses. */
export type ApiKeyInput = Pick<ApiKey, 'name' | 'scope' | 'expiresAt' | 'allowedIps'>;

/** The authenticated caller of a request. */
export interface Caller {
  readonly workspaceId: WorkspaceId;
  readonly keyId: KeyId;
  readonly scope: Scope;
  /** Authenticates the cursors of this workspace; sealed. */
  readonly cursorSecret: string;
}

/** Who a request is recorded as, where somebody may ask who did something: the id of an API key. */
export const actorOf = ({ keyId }: Pick<Caller, 'keyId'>): string => keyId;
