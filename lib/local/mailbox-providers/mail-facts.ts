/** What a mail server reads of a message (RFC 5322). */
import { decodeWords } from 'postal-mime';
import { parseMessageIds } from '../../mail/message/parse-message-ids.ts';
import { addressesOf } from '../ses/header-report.ts';
import { type HeaderField, readHeaders, valuesOf } from '../ses/headers.ts';

export interface MailFacts {
  readonly fields: readonly HeaderField[];
  /** With angle brackets; null: none. */
  readonly messageId: string | null;
  /** The ids of `In-Reply-To` and `References`. */
  readonly references: readonly string[];
  /** Decoded. */
  readonly subject: string;
  /** In lower case. */
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  /** Of `To`, `Cc` and `Bcc`, each once, in lower case. */
  readonly recipients: readonly string[];
}

export function factsOf(raw: Buffer): MailFacts {
  const { fields } = readHeaders(raw);
  const ids = (name: string) => valuesOf(fields, name).flatMap((value) => parseMessageIds(value));
  const addresses = (name: string) => addressesOf(fields, name).map((address) => address.toLowerCase());
  const [to, cc, bcc] = [addresses('to'), addresses('cc'), addresses('bcc')];
  return {
    fields,
    messageId: ids('message-id')[0] ?? null,
    references: [...new Set([...ids('in-reply-to'), ...ids('references')])],
    subject: decodeWords(valuesOf(fields, 'subject')[0] ?? ''),
    from: addresses('from'),
    to,
    cc,
    bcc,
    recipients: [...new Set([...to, ...cc, ...bcc])],
  };
}

/** The subject without prefixes of replies and forwards. */
export function baseSubject(subject: string): string {
  return subject.replace(/^(?:\s*(?:re|fwd?|aw|wg)\s*:)+/i, '').trim();
}

/** Whether a message was marked as spam by its sender, for tests: the field of docs/local-cloud.md#ses. */
export function isMarkedSpam({ fields }: MailFacts): boolean {
  return valuesOf(fields, 'x-local-spam-verdict')[0]?.toUpperCase() === 'FAIL';
}
