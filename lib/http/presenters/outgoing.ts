/** The input fields that send, reply and forward share (docs/concepts/sending.md). */
import * as z from 'zod';
import { maySend } from '../../core/access/access.ts';
import type { Caller } from '../../core/access/api-key.ts';
import { limits } from '../../core/limits.ts';
import { defaultPacing } from '../../core/pacing/rule.ts';
import {
  type Address,
  displayName,
  normalizeAddress,
  parseAddress,
  uniqueAddresses,
} from '../../mail/addresses/addresses.ts';
import { isStructuralHeader } from '../../mail/writing/outgoing.ts';
import type { PreparedReply } from '../../services/threads/reply.ts';
import { besideOtherIssues, timestampInput } from '../schemas.ts';
import { attachmentInput } from './outgoing-attachment.ts';

const addressForm = 'an address such as "a@example.com" or "Name <a@example.com>", or {name, address}';

/** Checked before an address is parsed. */
const addressText = z
  .string()
  .max(limits.addressInputCharacters, { abort: true })
  .meta({ examples: ['anna@example.com'] });

const rawAddress = z
  .union([
    addressText,
    z
      .strictObject({
        name: z
          .string()
          .max(limits.senderNameCharacters, { abort: true })
          .nullish()
          .meta({ examples: ['Anna Berg'], description: 'Display name; null or empty: none.' }),
        address: addressText.describe('The address, with or without a name, which `name` replaces.'),
      })
      .meta({ id: 'NamedAddress', description: 'An address with a display name.' }),
  ])
  .meta({ id: 'AddressInput', description: `${addressForm[0]?.toUpperCase()}${addressForm.slice(1)}.` });

/** null when the input is not an address. Quotes around a name are removed. */
function readAddress(input: z.output<typeof rawAddress>): Address | null {
  const parsed = parseAddress(typeof input === 'string' ? input : input.address);
  if (!parsed) return null;
  const given = typeof input === 'string' ? parsed.name : (input.name ?? parsed.name);
  if (/\p{Cc}/u.test(given?.trim() ?? '')) return null;
  return { name: displayName(given ?? ''), address: parsed.address };
}

type RawAddress = z.output<typeof rawAddress>;

function toAddress(input: RawAddress, context: z.core.$RefinementCtx): Address {
  const address = readAddress(input);
  if (address) return address;
  context.addIssue({ code: 'custom', message: `must be ${addressForm}` });
  return z.NEVER;
}

/** An address in any accepted form. */
export const addressInput = rawAddress.transform(toAddress);

/** An address without a name, normalized for comparison. */
export const bareAddressInput = addressText.transform((input, context): string => {
  const address = normalizeAddress(input.trim());
  if (address) return address;
  context.addIssue({ code: 'custom', message: 'must be an address such as "a@example.com"' });
  return z.NEVER;
});

/** The sender. */
export const senderInput = addressInput.refine(
  ({ name }) => (name?.length ?? 0) <= limits.senderNameCharacters,
  `has a name of more than ${limits.senderNameCharacters} characters`,
);

/** An address or a list of addresses; duplicates are removed. */
export const addressesInput = addressListOf(rawAddress, 'AddressListInput');

/** The same of a field that names somebody where it is given. */
export const recipientsInput = atLeastOne(addressesInput);

/**
 * An address or a list of them, over a form of addresses.
 *
 * @param raw the form of an address ahead of its parsing
 * @param id name of the schema in the OpenAPI document
 */
export function addressListOf<Raw extends z.ZodType<RawAddress>>(raw: Raw, id: string) {
  const one = raw.transform(toAddress);
  return z
    .union([one, z.array(one).check(fewAddresses()).meta({ maxItems: limits.recipientsPerField })])
    .meta({ id, description: `An address or a list of at most ${limits.recipientsPerField} addresses.` })
    .transform((given) => uniqueAddresses([given].flat()));
}

/** Refuses an empty list. */
export function atLeastOne<List extends z.ZodType<readonly Address[]>>(list: List): List {
  return list.refine(({ length }) => length > 0, 'must not be empty');
}

/** The check of a maximum length, which comes before those of the elements, with the code of too many recipients. */
function fewAddresses(): z.core.$ZodCheckMaxLength {
  const check = z.maxLength(limits.recipientsPerField);
  check._zod.check = ({ value, issues }) => {
    if (value.length <= limits.recipientsPerField) return;
    issues.push({
      code: 'custom',
      input: value,
      message: `has ${value.length} addresses; at most ${limits.recipientsPerField} are allowed`,
      params: { problem: 'too_many_recipients' },
    });
  };
  return check;
}

const bodyText = z
  .string()
  .refine(
    (text) => Buffer.byteLength(text) <= limits.bodyBytes,
    `is longer than ${limits.bodyBytes} bytes (2 MB) in UTF-8`,
  )
  .meta({ maxLength: limits.bodyBytes });

/** RFC 5322, section 2.2. */
const headerName = /^[!-9;-~]+$/;

const headersInput = z
  .record(
    z.string().meta({ maxLength: limits.headerNameCharacters, pattern: headerName.source }),
    z.string().meta({ maxLength: limits.headerValueCharacters }),
  )
  .superRefine((headers, context) => {
    const entries = Object.entries(headers);
    if (entries.length > limits.headers) {
      context.addIssue({
        code: 'custom',
        message: `has ${entries.length} headers; at most ${limits.headers} are allowed`,
      });
    }
    const spellings = Map.groupBy(entries, ([name]) => name.toLowerCase());
    for (const [name, value] of entries) {
      const isRepeated = (spellings.get(name.toLowerCase()) ?? []).length > 1;
      const message = isRepeated ? 'is given in two spellings' : headerIssue(name, value);
      if (message) context.addIssue({ code: 'custom', path: [name], message });
    }
  })
  .transform((headers) => Object.entries(headers).map(([name, value]) => ({ name, value })))
  .meta({
    maxProperties: limits.headers,
    examples: [{ 'X-Order': '4711' }],
    description:
      'Additional headers by name. Those that the service writes, such as From, Subject and Content-Type, are refused.',
  });

function headerIssue(name: string, value: string): string | null {
  if (name.length > limits.headerNameCharacters) {
    return `has a name of ${name.length} characters; at most ${limits.headerNameCharacters} are allowed`;
  }
  if (!headerName.test(name)) return 'must have a name of printable ASCII without colons and spaces';
  if (isStructuralHeader(name)) return 'is set by the service and cannot be given';
  if (value.length > limits.headerValueCharacters) {
    return `has ${value.length} characters; at most ${limits.headerValueCharacters} are allowed`;
  }
  if (/\p{Cc}/u.test(value.replaceAll('\t', ' ')))
    return 'must not contain line breaks or control characters';
  return null;
}

/** The service checks that it is in the future. */
export const scheduledAtInput = timestampInput.meta({
  format: 'date-time',
  description: 'When the email is sent: RFC 3339 with an offset, in the future and at most 30 days ahead.',
});

const pacingInput = z
  .strictObject({
    skip: z.boolean().default(false).describe('`true`: no pacing rule holds the email.'),
    count: z
      .boolean()
      .default(true)
      .describe('`false`: the email uses up nothing of the limits of the rules.'),
  })
  .meta({ id: 'SendPacing', description: 'How pacing rules treat the email.' })
  // The default is no field at all, so that it makes no other body for an Idempotency-Key.
  .transform((pacing) => (pacing.skip || !pacing.count ? pacing : undefined))
  .optional();

/** `cc` and `bcc`, over a form of addresses. */
export const copyFields = <List extends z.ZodType>(addresses: List) => ({
  cc: addresses.optional().describe('Recipients that all recipients see; at most 100 addresses.'),
  bcc: addresses.optional().describe('Recipients that no other recipient sees; at most 100 addresses.'),
});

export const replyToField = <List extends z.ZodType>(addresses: List) =>
  addresses.optional().describe('Where answers go instead of to `from`; at most 100 addresses.');

export const fromText =
  'The sender: an address of a verified domain or of a connected mailbox; its name has at most 200 characters.';
export const toText = 'Recipients of the To header, 1 to 100; an address given twice receives one copy.';
export const replyAllText =
  'Whether the default recipients include the other To and Cc addresses of the answered message; without effect on a given `to`.';
/** Of a forward. */
export const noteInput = z
  .string()
  .max(limits.forwardNoteCharacters)
  .optional()
  .meta({
    examples: ['Can you take care of this?'],
    description: 'Plain text that is put above the transcript of the thread.',
  });
export const attachmentsText = 'Files to attach, at most 25 MB decoded in all.';

/** In the body of send, reply and forward. */
const draftInput = z
  .boolean()
  // The default is no field at all, so that it makes no other body for an Idempotency-Key.
  .transform((isDraft): true | undefined => isDraft || undefined)
  .optional()
  .meta({
    examples: [true],
    description:
      '`true`: the email is stored as a draft, which `POST /emails/{email_id}/approve` sends. With a key of scope `draft`, ' +
      'every email is one. `scheduled_at` counts from the approval; `Prefer` has no effect.',
  });

/** In the body of a reply, and of a send that continues a thread. */
export const cancelOnReplyInput = z
  .boolean()
  // The default is no field at all, as of `draft`.
  .transform((isCanceled): true | undefined => isCanceled || undefined)
  .optional()
  .meta({
    examples: [true],
    description:
      '`true`, with `scheduled_at`: a message of a person that arrives in the thread before the email leaves cancels it.',
  });

/** @throws an issue where nothing could be canceled */
export const withoutTime = {
  check: (body: { cancel_on_reply?: unknown; scheduled_at?: unknown }): boolean =>
    !body.cancel_on_reply || body.scheduled_at !== undefined,
  options: { message: 'needs scheduled_at', path: ['cancel_on_reply'], ...besideOtherIssues },
};

export const messageFields = {
  subject: z
    .string()
    .max(limits.subjectCharacters, { abort: true })
    .refine((text) => !/[\r\n]/.test(text), 'must not contain line breaks')
    .meta({ examples: ['Your order'], description: 'The subject line, without line breaks; may be empty.' }),
  html: bodyText.optional().meta({
    examples: ['<p>It is on its way.</p>'],
    description: 'At most 2 MB in UTF-8. `html` or `text` is required; an empty one counts as missing.',
  }),
  text: bodyText.optional().meta({
    examples: ['It is on its way.'],
    description: 'At most 2 MB in UTF-8; without it, the text part is made from `html`, up to 512 KB.',
  }),
  ...copyFields(addressesInput),
  reply_to: replyToField(addressesInput),
  headers: headersInput.optional(),
  attachments: z
    .array(attachmentInput)
    .max(limits.attachmentsPerMessage)
    .optional()
    .describe(attachmentsText),
  scheduled_at: scheduledAtInput.optional(),
  suppression_key: z
    .string()
    .min(1)
    .max(limits.suppressionKeyCharacters)
    .optional()
    .meta({
      examples: ['newsletter'],
      description: 'The suppression list that is checked in addition to `*`.',
    }),
  pacing: pacingInput,
  draft: draftInput,
  unsubscribe: z
    .boolean()
    .default(false)
    .describe(
      'Marks optional mail. Each recipient gets a copy with an unsubscribe link in the headers (RFC 8058) and in the ' +
        'body: in place of `{{unsubscribe_url}}`, else at the end. Suppressions of scope `optional` apply.',
    ),
};

/** Whether a message has a body. */
export function hasBody(body: { html?: unknown; text?: unknown }): boolean {
  return Boolean(body.html) || Boolean(body.text);
}
/**
 * The same as JSON Schema: not both of them empty or missing. Not as `anyOf`, of which generators make a union that accepts anything
 * (openapi-typescript) or names no type.
 */
export const textOrHtml = { not: { properties: { text: { maxLength: 0 }, html: { maxLength: 0 } } } };
export const bodyMissing = { message: 'is required without html', path: ['text'], ...besideOtherIssues };

/** A request as it counts: all that a key of scope `draft` writes is a draft. */
export function asDraft<Body extends { readonly draft?: true | undefined }>(
  body: Body,
  { scope }: Pick<Caller, 'scope'>,
): Body {
  return maySend(scope) ? body : { ...body, draft: true };
}

const fields = z.object(messageFields).partial();

/**
 * Converts the shared fields of a request body.
 *
 * @param baseUrl scheme and host of the API, for links in the message
 */
export function outgoingFields(
  body: z.output<typeof fields> & { readonly cancel_on_reply?: true | undefined },
  baseUrl: string,
) {
  return {
    cc: body.cc ?? [],
    bcc: body.bcc ?? [],
    replyTo: body.reply_to ?? [],
    html: body.html || null,
    text: body.text || null,
    headers: body.headers ?? [],
    attachments: body.attachments ?? [],
    suppressionKey: body.suppression_key ?? null,
    unsubscribe: body.unsubscribe ?? false,
    pacing: body.pacing ?? defaultPacing,
    baseUrl,
    scheduledAt: body.scheduled_at ?? null,
    cancelOnReply: body.cancel_on_reply ?? false,
    forwardOf: null,
    carried: [],
  };
}

/** The same of a reply: recipients and subject that the body does not name are those of the answered message. */
export function replyFields(
  body: z.output<typeof fields> & {
    readonly to?: Address[] | undefined;
    readonly cancel_on_reply?: true | undefined;
    readonly subject?: string | undefined;
  },
  { sender, from, to, cc, subject }: PreparedReply,
  baseUrl: string,
) {
  return {
    ...outgoingFields(body, baseUrl),
    sender,
    from,
    to: body.to ?? to,
    cc: body.cc ?? (body.to ? [] : cc),
    subject: body.subject ?? subject,
  };
}
