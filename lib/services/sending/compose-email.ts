/** Composition of a stored email into a MIME message. */
import { getObject } from '../../adapters/objects.ts';
import type { FullEmail } from '../../core/emails/email.ts';
import { envelopeOf } from '../../core/emails/envelope.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { addRecipientLinks } from '../../core/tracking/recipient-links.ts';
import type { Address } from '../../mail/addresses/addresses.ts';
import { composeMessage, type OutgoingMessage } from '../../mail/writing/compose.ts';
import { attachmentObject } from '../../storage/emails/email-content.ts';
import { findLinkTerms } from '../../storage/workspaces/workspaces.ts';
import { openSigningSecret } from '../workspaces/signing-secrets.ts';

/**
 * The MIME message for a chunk's recipients. It is the same for every chunk, except that mail with unsubscribe links has
 * one recipient per chunk.
 */
export async function composeEmail(
  workspaceId: WorkspaceId,
  email: FullEmail,
  recipients: readonly string[],
  changes: Partial<Pick<OutgoingMessage, 'to' | 'cc' | 'bcc' | 'messageId' | 'references'>> = {},
): Promise<Uint8Array> {
  const { head, content } = email;
  const [linked, attachments] = await Promise.all([
    withLinks(workspaceId, email, recipients),
    Promise.all(
      content.attachments.map(async (file) => {
        const content = await getObject(attachmentObject(workspaceId, head.id, file.id));
        const { filename, contentType, cid, disposition } = file;
        return { filename, contentType, content, cid, disposition };
      }),
    ),
  ]);
  return await composeMessage({
    ...content,
    ...linked,
    from: head.from,
    to: head.to,
    subject: head.subject,
    messageId: head.messageId,
    inReplyTo: head.inReplyTo,
    date: head.createdAt,
    attachments,
    bcc: [],
    ...changes,
  });
}

/**
 * The message of a mailbox for some of its recipients. Its provider sends to the addresses of its headers, and removes
 * Bcc: only these recipients are among them.
 *
 * @param messageId of the message; the email's own is that of its first chunk
 */
export async function composeForMailbox(
  workspaceId: WorkspaceId,
  email: FullEmail,
  recipients: readonly string[],
  messageId: string,
): Promise<Uint8Array> {
  const kept = new Set(recipients);
  const only = (list: readonly Address[]) => list.filter(({ address }) => kept.has(address));
  const { head, content } = email;
  return await composeEmail(workspaceId, email, recipients, {
    to: only(head.to),
    cc: only(content.cc),
    bcc: only(content.bcc),
    messageId,
    // Gmail replaces the Message-ID; a copy in the mailbox is known by the end of References.
    references: [...new Set([...content.references, messageId])],
  });
}

async function withLinks(
  workspaceId: WorkspaceId,
  { head, content }: FullEmail,
  [recipient]: readonly string[],
) {
  if (!content.links) return content;
  const terms = await findLinkTerms(workspaceId);
  if (!terms) throw new Error(`no workspace ${workspaceId}`);
  const baseUrl = terms.linkDomain === null ? content.links.baseUrl : `https://${terms.linkDomain}`;
  const index = envelopeOf({ ...content, to: head.to }).indexOf(recipient ?? '');
  return addRecipientLinks(
    content,
    { ...content.links, baseUrl },
    {
      workspaceId,
      emailId: head.id,
      from: head.from.address,
      recipient: index < 0 ? null : index,
      secret: await openSigningSecret(workspaceId, 'link-secret', terms.linkSecret),
    },
  );
}
