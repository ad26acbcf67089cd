/** What getting an access token needs from the outside; tests have the same in memory. */
import type { Mailbox } from '../../core/mailboxes/mailbox.ts';
import type { Tokens } from '../../core/mailboxes/provider.ts';

export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Of the access token; Unix milliseconds. */
  readonly expiresAt: number;
}

/** The ports of one mailbox. */
export interface AccessTokenPorts {
  now(): number;
  pause(ms: number): Promise<void>;
  /** null: there is no such mailbox, or it has no credentials. */
  find(): Promise<({ readonly mailbox: Mailbox } & Omit<TokenPair, 'refreshToken'>) | null>;
  /** Takes the lease of the credentials; null where another function has it, or there are none. */
  acquire(leaseToken: string): Promise<TokenPair | null>;
  /** Releases the lease, with new tokens. False where it is lost: nothing was written. */
  release(leaseToken: string, tokens: Tokens | null): Promise<boolean>;
  /** @throws ProviderError */
  refresh(mailbox: Mailbox, refreshToken: string): Promise<Tokens>;
  /** False where the mailbox was changed since it was read: nothing was written. */
  requireReauth(mailbox: Mailbox, reason: string): Promise<boolean>;
}
