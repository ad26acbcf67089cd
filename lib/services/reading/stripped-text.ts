/** What the author of an email wrote, without quotes and signature (docs/concepts/reading-mail.md). */
import { directionOf, type FullEmail } from '../../core/emails/email.ts';

/**
 * An email as it is shown. Received mail is divided when it arrives; mail that is sent is divided here, so that a request to send
 * does not wait for it and does not load its code.
 */
export async function withStrippedText(email: FullEmail): Promise<FullEmail> {
  const { head, content } = email;
  if (directionOf(head.status) === 'inbound' || content.segments.length > 0) return email;
  const { strip } = await import('../../mail/quoting/strip.ts');
  return { ...email, content: { ...content, ...strip({ text: content.text, html: content.html }) } };
}
