/** Which mail is a person's, and what is stored with it (docs/concepts/deletion.md#erasing-a-person). */
import type { EmailContent, EmailHead } from '../../core/emails/email.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { type Address, addressKey } from '../../mail/addresses/addresses.ts';
import { readParts } from '../../storage/teardown/teardown-emails.ts';
import type { AddressMentions } from './address-mentions.ts';

export interface Person {
  /** As `addressKey` makes it. */
  readonly address: string;
  readonly mentions: AddressMentions;
}

/** An email or draft of a person. */
export interface PersonMail {
  readonly head: EmailHead;
  /** From or to the person; otherwise it names the address, as a quote or a forwarded message does. */
  readonly isOwn: boolean;
  readonly files: number;
  /** Whether the message as it was received is stored. */
  readonly hasRaw: boolean;
}

/** Reads all of an email or draft but its files; null where nothing of it names the person. */
export async function personMail(
  workspaceId: WorkspaceId,
  head: EmailHead,
  { address, mentions }: Person,
): Promise<PersonMail | null> {
  const { content, parts } = await readParts(workspaceId, head);
  const isOwn = addressesOf(head, content).some((one) => addressKey(one) === address);
  // Who drafted, approved or canceled it is a member.
  const { draft: _, cancellation: __, ...written } = head;
  if (!isOwn && !mentions.isIn([written, content, parts])) return null;
  return {
    head,
    isOwn,
    files: content?.attachments.length ?? 0,
    hasRaw: content?.raw !== undefined,
  };
}

function addressesOf(head: EmailHead, content: EmailContent | null): string[] {
  const { to = [], cc, bcc, replyTo, envelope = [], suppressed = [] } = content ?? noContent;
  const named: Address[] = [head.from, ...head.to, ...head.others, ...to, ...cc, ...bcc, ...replyTo];
  return [...named.map((one) => one.address), ...envelope, ...suppressed];
}

const noContent: Pick<EmailContent, 'to' | 'cc' | 'bcc' | 'replyTo' | 'envelope' | 'suppressed'> = {
  cc: [],
  bcc: [],
  replyTo: [],
};
