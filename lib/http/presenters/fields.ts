/** Fields that several records and events share. They import no record, so that a function loads those it needs only. */
import * as z from 'zod';
import { suppressionScopes } from '../../core/emails/email.ts';
import { mailboxProviders } from '../../core/mailboxes/mailbox.ts';
import { categories } from '../../mail/category/categories.ts';
import { count, idSchema, nullableText, text } from '../schemas.ts';

export const bareAddressText =
  'Address without a display name; its domain is in lower-case ASCII (RFC 5891).';

/** Recipients in responses and events: addresses without display names, which are in `headers`. */
export function addresses(description: string, example = ['anna@example.com']) {
  return z.array(z.string()).meta({ examples: [example], description });
}

/** Fields of events, too. */
export const subject = text(
  'Your order',
  'The subject line, at most 998 characters; empty where there is none.',
);

export const snippet = text(
  'It is on its way.',
  'The first 200 characters of the readable text, on one line.',
);

export const category = z
  .enum(categories)
  .nullable()
  .meta({
    examples: [null],
    description: 'What kind of mail was received, by its headers and words; null for outbound email.',
  });

export const suppressionKey = nullableText(
  null,
  'The suppression list that was checked in addition to `*`; null: none.',
);

export const messageId = text(
  '<eml_019c1430b800a1b2c3d4e5f60718293a@acme.dev>',
  'With angle brackets. Of outbound email it is in References on the wire, since Amazon SES replaces Message-ID: see ' +
    '`wire_message_ids`.',
);

/** The fields of a file that events have, too. */
export const fileFields = {
  id: idSchema('att'),
  filename: text(
    'order.pdf',
    'Name without folders, at most 255 bytes; as the sender gave it, or generated.',
  ),
  content_type: text(
    'application/pdf',
    'Media type that the sender declared, not checked against the content.',
  ),
  size: count(48213, 'Bytes of the decoded file.'),
};

export const cidText = 'Content-ID without angle brackets, by which html shows the file; null: it has none.';

/** Who loaded a pixel or followed a link. */
export const visitorFields = {
  user_agent: nullableText('Mozilla/5.0', 'The User-Agent header of the request; null: it had none.'),
  bot: z.boolean().meta({
    examples: [false],
    description: 'Whether a scanner or another program caused it, as far as it shows.',
  }),
};

/** Fields of events, too. */
export const threadFields = {
  subject: text('Your order', 'The subject of the first message.'),
  mailbox: text('support@acme.dev', "The workspace's address in the conversation."),
  forward_of: idSchema('thr')
    .nullable()
    .meta({ examples: [null], description: 'The thread that this thread forwards; null: it is no forward.' }),
};

export const provider = z.enum(mailboxProviders).meta({
  examples: ['google'],
  description: 'Gmail, or Microsoft 365 and Outlook.com.',
});

/** Fields of events, too. */
export const mailboxAddress = text('anna@acme.dev', 'Address of the account, in lower case.');

export const mailboxAppId = idSchema('app')
  .nullable()
  .meta({
    examples: [null],
    description: 'The OAuth app of the last connection; null: an app that the deployment shares.',
  });

export const keyText =
  'The suppression list; `*` is checked for every send, others for sends with this `suppression_key`.';

export const suppressionScope = z
  .enum(suppressionScopes)
  .describe('`all` blocks every send; `optional` blocks only mail sent with `unsubscribe: true`.');

export const headerSchema = z
  .strictObject({
    name: text('X-Priority', 'Header name as it was written; names compare without case and may repeat.'),
    value: text('1', 'Decoded and unfolded.'),
  })
  .meta({ id: 'Header', description: 'A header of the message.' });
