/** The body of an attempt with content of its email. Loaded for endpoints that include some (docs/concepts/webhooks.md#content-in-webhooks). */
import { getObject } from '../../adapters/objects.ts';
import type { FullEmail } from '../../core/emails/email.ts';
import type { AttachmentId, WorkspaceId } from '../../core/ids.ts';
import type { Endpoint } from '../../core/webhooks/endpoint.ts';
import {
  cutHeaders,
  cutText,
  type IncludedContent,
  type IncludedPart,
  includedBytesMax,
} from '../../core/webhooks/included.ts';
import { extractedTextObject } from '../../storage/emails/attachments.ts';
import { findFullEmail } from '../../storage/emails/emails.ts';
import { findEvent } from '../../storage/webhooks/events.ts';
import type { Posted } from './dispatch-ports.ts';

/** Adds content to the `data` of an event: `presentIncluded` of lib/http. */
export type PresentIncluded = (
  data: object,
  parts: readonly IncludedPart[],
  content: IncludedContent,
) => object;

/** The event with the content that the endpoint includes; without it where the email is gone. */
export async function buildIncludedBody(
  workspaceId: WorkspaceId,
  { include }: Pick<Endpoint, 'include'>,
  { delivery, body }: Pick<Posted, 'delivery' | 'body'>,
  present: PresentIncluded,
): Promise<string> {
  const plain = body.toString();
  const event = await findEvent(workspaceId, delivery.eventId);
  const emailId = event && 'emailId' in event.subject ? event.subject.emailId : null;
  const email = emailId && (await findFullEmail(workspaceId, emailId));
  if (!email) return plain;
  const { data, ...envelope } = JSON.parse(plain);
  const content = await includedContent(workspaceId, email, include);
  return JSON.stringify({ ...envelope, data: present(data, include, content) });
}

async function includedContent(
  workspaceId: WorkspaceId,
  email: FullEmail,
  include: Endpoint['include'],
): Promise<IncludedContent> {
  const { text, strippedText, headers } = email.content;
  return {
    text: cutText(text),
    strippedText: cutText(strippedText),
    headers: cutHeaders(headers),
    attachmentTexts: include.includes('attachment_text')
      ? await attachmentTexts(workspaceId, email)
      : { byFile: new Map(), isCut: false },
  };
}

/** The texts of the first files. One after another: each gets what those before it leave. */
async function attachmentTexts(
  workspaceId: WorkspaceId,
  { head, content, extractions }: FullEmail,
): Promise<IncludedContent['attachmentTexts']> {
  const byFile = new Map<AttachmentId, string>();
  let left = includedBytesMax;
  for (const { id } of content.attachments.filter((file) => extractions.get(file.id)?.format)) {
    if (left === 0) return { byFile, isCut: true };
    // One byte more shows whether the text is longer.
    const bytes = await getObject(extractedTextObject(workspaceId, head.id, id), left + 1);
    const { text, isCut } = cutText(bytes.toString(), left);
    byFile.set(id, text ?? '');
    if (isCut) return { byFile, isCut };
    left -= bytes.length;
  }
  return { byFile, isCut: false };
}
