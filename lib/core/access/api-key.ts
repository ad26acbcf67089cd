/** API keys, and the caller that a key identifies. */

import type { KeyId, WorkspaceId } from '../ids.ts';
import type { MemberRole, Scope } from './access.ts';

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

/** Who makes a request: an API key, or a member by a session of the console. */
export type Actor = KeyId | `member:${string}`;

/** The authenticated caller of a request. */
export interface Caller {
  readonly workspaceId: WorkspaceId;
  readonly actor: Actor;
  readonly scope: Scope;
  /** Of the member whose session makes the request; null: a key makes it. */
  readonly role: MemberRole | null;
  /** Hash of the token of that session; absent: a key makes it. */
  readonly sessionHash?: string;
  /** Authenticates the cursors of this workspace; sealed. */
  readonly cursorSecret: string;
}
