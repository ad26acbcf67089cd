/** What the control routes and the webmail see of an emulated mailbox, at any provider. */

import type { Faults } from '../aws/faults.ts';
import type { RecordedCall } from '../aws/recorder.ts';
import type { LocalClock } from '../aws/service.ts';
import type { IncomingMail } from '../ses/incoming-mail.ts';
import type { Accounts } from './accounts.ts';
import type { Grants } from './grants.ts';
import type { MailFacts } from './mail-facts.ts';
import type { OauthClients } from './oauth-clients.ts';
import type { Pushes } from './pushes.ts';

export const mailFolders = ['inbox', 'sent', 'drafts', 'spam', 'trash'] as const;
export type MailFolder = (typeof mailFolders)[number];

export interface StoredMail {
  readonly id: string;
  readonly threadId: string;
  readonly folder: MailFolder;
  /** Unix milliseconds. */
  readonly at: number;
  readonly raw: Buffer;
  readonly facts: MailFacts;
}

export interface LocalMailbox {
  /** Newest first. */
  list(): readonly StoredMail[];
  /** Puts a message into a folder; into the inbox and spam as received mail. */
  put(raw: Buffer, folder: MailFolder): void;
  /** false: there is no such message. */
  move(id: string, folder: MailFolder): boolean;
  remove(id: string): boolean;
  /** Makes history and delta positions out of date. */
  forgetHistory(): void;
  /** Sends as the user of the mailbox. @param threadId the thread that is answered */
  send(raw: Buffer, threadId: string | null): void;
}

/** What all emulated providers need. */
export interface ProviderOptions {
  /** 0: a free port. */
  readonly port: number;
  readonly clock: Pick<LocalClock, 'now' | 'at'>;
  readonly faults: Pick<Faults, 'consume'>;
  /** Seed of ids and tokens. */
  readonly seed: number;
  /** Called with each answered call. */
  readonly record?: (call: RecordedCall) => void;
  /** Delivers mail that an account sends. */
  readonly deliver: (mail: IncomingMail) => void;
  /** Called after background work. */
  readonly onProgress?: () => void;
}

/** What all emulated providers have. */
export interface ProviderEmulator {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly accounts: Accounts;
  readonly clients: OauthClients;
  readonly grants: Grants;
  readonly pushes: Pushes;
  /** @param address of an account */
  mailbox(address: string): LocalMailbox;
  close(): Promise<void>;
}
