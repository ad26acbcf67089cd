/** The input fields that send, reply and forward of version 1 share, and their response (docs/concepts/v1.md#sending). */
import * as z from 'zod';
import { maySend } from '../../../core/access/access.ts';
import type { Caller } from '../../../core/access/api-key.ts';
import type { InlineAttachment } from '../../../core/attachments/requested-attachment.ts';
import type { Tracking } from '../../../core/emails/draft.ts';
import { dispositions, type EmailHead } from '../../../core/emails/email.ts';
import { limits } from '../../../core/limits.ts';
import { type Address, displayName, parseAddress } from '../../../mail/addresses/addresses.ts';
import type { AcceptedEmail } from '../../../services/sending/accept-email.ts';
import { idSchema } from '../../schemas.ts';
import { addressListOf, atLeastOne, attachmentsText, copyFields, messageFields } from '../outgoing.ts';
import { cidInput, contentInput, filenameInput, optionalMediaTypeInput } from '../outgoing-attachment.ts';
import { dispositionText, v1MessageId } from './fields.ts';

const addressText = z
  .string()
  .min(1)
  .max(limits.v1AddressCharacters, { abort: true })
  .meta({
    id: 'V1AddressInput',
    examples: ['anna@example.com'],
    description: 'An address such as `a@example.com` or `Name <a@example.com>`.',
  });

/** An address or a list of addresses; duplicates are removed. */
export const v1AddressesInput = addressListOf(addressText, 'V1AddressListInput');

/** The same of a field that names somebody where it is given. */
export const v1RecipientsInput = atLeastOne(v1AddressesInput);

/** The sender's address; a name in it gives way to `from_name`. */
export const v1FromInput = addressText
  .describe('The sender: an address of a verified domain, with or without a name.')
  .transform((input, context): Address => {
    const address = parseAddress(input);
    if (address) return { ...address, name: displayName(address.name ?? '') };
    context.addIssue({ code: 'custom', message: 'must be an address such as "a@example.com"' });
    return z.NEVER;
  });

const attachmentInput = z
  .strictObject({
    file_name: filenameInput,
    content: contentInput,
    content_type: optionalMediaTypeInput,
    cid: cidInput.optional(),
    disposition: z.enum(dispositions).optional().describe(dispositionText),
  })
  .meta({ id: 'V1AttachmentInput', description: 'A file in the request itself.' })
  .transform((input): InlineAttachment => {
    const { file_name: filename, content_type: given, content, cid = null, disposition } = input;
    return { filename, contentType: given ?? content.type, content: content.bytes, cid, disposition };
  });

const tracking = (what: string) =>
  z
    .boolean()
    .optional()
    .describe(`Whether ${what} of this message are recorded; without it, as the domain is set.`);

/** The fields of every message. */
export const v1MessageFields = {
  from_name: z
    .string()
    .max(limits.v1AddressCharacters, { abort: true })
    .refine((name) => !/\p{Cc}/u.test(name), 'must not contain control characters')
    .optional()
    .meta({ examples: ['Support'], description: 'Display name of the sender; replaces a name in `from`.' }),
  ...copyFields(v1AddressesInput),
  is_draft: z
    .boolean()
    .default(false)
    .describe('`true` stores the message as a draft, which `POST /emails/{emailId}/send` sends.'),
  attachments: z
    .array(attachmentInput)
    .max(limits.attachmentsPerMessage)
    .optional()
    .describe(attachmentsText),
  track_opens: tracking('opens'),
  track_clicks: tracking('clicks'),
};

/** The fields of a message with a body of its own. */
export const v1BodyFields = {
  html: messageFields.html
    .unwrap()
    .refine((html) => html.trim() !== '', 'must not be empty')
    .meta({ examples: ['<p>It is on its way.</p>'], description: 'At most 2 MB in UTF-8, and not empty.' }),
  text: messageFields.text,
};

/** A Message-ID (RFC 5322, 3.6.4) with or without angle brackets; parsed with them. */
export const messageIdInput = z
  .string()
  .min(1)
  .max(limits.messageIdCharacters, { abort: true })
  .transform((input, context): string => {
    const id = input.trim().replace(/^<(.*)>$/, '$1');
    if (/^[!-;=?-~]+$/.test(id)) return `<${id}>`;
    context.addIssue({ code: 'custom', message: 'must be a Message-ID such as <1@example.com>' });
    return z.NEVER;
  })
  .meta({ examples: ['<1@example.com>'], description: 'A Message-ID, with or without angle brackets.' });

/** The sender of a message. */
export function v1Sender(
  from: Address,
  { from_name: name }: { readonly from_name?: string | undefined },
): Address {
  const given = displayName(name ?? '');
  return given === null ? from : { ...from, name: given };
}

/** A request as it counts: all that a key of scope `draft` writes is a draft. */
export function asV1Draft<Body extends { readonly is_draft: boolean }>(
  body: Body,
  { scope }: Pick<Caller, 'scope'>,
): Body {
  return maySend(scope) ? body : { ...body, is_draft: true };
}

/** The tracking flags of a message; null: as the domain's settings. */
export function v1Tracking(body: {
  readonly track_opens?: boolean | undefined;
  readonly track_clicks?: boolean | undefined;
}): { readonly tracking: Tracking } {
  return { tracking: { opens: body.track_opens ?? null, clicks: body.track_clicks ?? null } };
}

export const v1SentSchema = z
  .strictObject({
    emailId: idSchema('eml'),
    threadId: idSchema('thr'),
    messageId: v1MessageId,
  })
  .meta({ id: 'V1SentEmail', description: 'The ids of an accepted email or a stored draft.' });

/** The response of send, reply and forward: what is new, or replayed. */
export function sentV1Response({ email, replayed }: AcceptedEmail) {
  const response = { status: 200, body: presentV1Sent(email) } as const;
  return replayed ? { ...response, headers: { 'Idempotent-Replayed': 'true' } } : response;
}

export function presentV1Sent({
  id,
  threadId,
  messageId,
}: Pick<EmailHead, 'id' | 'threadId' | 'messageId'>): z.input<typeof v1SentSchema> {
  return { emailId: id, threadId, messageId };
}
