/** A stored email as the message that goes over the wire. */
import { getObject } from '../../adapters/objects.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { composeMessage } from '../../core/mail/compose.ts';
import { envelopeOf } from '../../core/mail/envelope.ts';
import { addRecipientLinks } from '../../core/mail/recipient-links.ts';
import { attachmentObject } from '../../storage/email-content.ts';
import type { FullEmail } from '../../storage/emails.ts';
import { findLinkSecret } from '../../storage/workspaces.ts';

/**
 * The raw message for a group of recipients: the same for every group, but for the unsubscribe links of mail that goes
 * to each recipient by itself.
 */
export async function composeEmail(
  workspaceId: WorkspaceId,
  email: FullEmail,
  recipients: readonly string[],
): Promise<Uint8Array> {
  const { head, content } = email;
  const [linked, attachments] = await Promise.all([
    withLinks(workspaceId, email, recipients),
    Promise.all(
      content.attachments.map(async (file) => {
        const content = await getObject(attachmentObject(workspaceId, head.id, file.id));
        return { filename: file.filename, contentType: file.contentType, content, cid: file.cid };
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
  });
}

async function withLinks(
  workspaceId: WorkspaceId,
  { head, content }: FullEmail,
  [recipient]: readonly string[],
) {
  if (!content.links) return content;
  const secret = await findLinkSecret(workspaceId);
  if (!secret) throw new Error(`the workspace ${workspaceId} has no secret to sign links with`);
  const place = envelopeOf({ ...content, to: head.to }).indexOf(recipient ?? '');
  return addRecipientLinks(content, content.links, {
    workspaceId,
    emailId: head.id,
    from: head.from.address,
    recipient: place < 0 ? null : place,
    secret,
  });
}
