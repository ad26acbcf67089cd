/** What a program sends: the body fields that send, reply and forward share (contract, section 3, send body). */
import * as z from 'zod';
import { limits } from '../../core/limits.ts';
import { type Address, normalizeAddress, parseAddress, uniqueAddresses } from '../../core/mail/addresses.ts';
import { isStructuralHeader } from '../../core/mail/outgoing.ts';
import { attachmentInput } from './outgoing-attachment.ts';

const addressForm = 'an address such as "a@example.com" or "Name <a@example.com>", or {name, address}';

const rawAddress = z
  .union([
    z.string(),
    z.strictObject({ name: z.string().max(limits.senderNameCharacters).nullish(), address: z.string() }),
  ])
  .meta({ description: addressForm });

/** null where it is no address. Names lose surrounding quotes. */
function readAddress(input: z.output<typeof rawAddress>): Address | null {
  const parsed = parseAddress(typeof input === 'string' ? input : input.address);
  if (!parsed) return null;
  const given = typeof input === 'string' ? parsed.name : (input.name ?? parsed.name);
  const name = given?.trim().replace(/^"(.*)"$/, '$1') ?? '';
  if (/\p{Cc}/u.test(name)) return null;
  return { name: name === '' ? null : name, address: parsed.address };
}

/** One address in any of the accepted forms. */
export const addressInput = rawAddress.transform((input, context): Address => {
  const address = readAddress(input);
  if (address) return address;
  context.addIssue({ code: 'custom', message: `must be ${addressForm}` });
  return z.NEVER;
});

/** An address without a name, in the form it is compared by. */
export const bareAddressInput = z.string().transform((input, context): string => {
  const address = normalizeAddress(input.trim());
  if (address) return address;
  context.addIssue({ code: 'custom', message: 'must be an address such as "a@example.com"' });
  return z.NEVER;
});

/** The sender: a display name has at most 200 characters. */
export const senderInput = addressInput.refine(
  ({ name }) => (name?.length ?? 0) <= limits.senderNameCharacters,
  `the name has at most ${limits.senderNameCharacters} characters`,
);

/** One address or a list of them; an address that appears twice stays once. */
export const addressesInput = z
  .union([rawAddress, z.array(rawAddress)])
  .transform((input, context): Address[] => {
    const list = Array.isArray(input) ? input : [input];
    if (list.length > limits.recipientsPerField) {
      context.addIssue({
        code: 'custom',
        message: `at most ${limits.recipientsPerField} addresses`,
        params: { problem: 'too_many_recipients' },
      });
      return z.NEVER;
    }
    const addresses = list.map((entry, at) => {
      const address = readAddress(entry);
      if (!address) {
        context.addIssue({
          code: 'custom',
          message: `must be ${addressForm}`,
          path: Array.isArray(input) ? [at] : [],
        });
      }
      return address;
    });
    return uniqueAddresses(addresses.filter((address) => address !== null));
  });

const bodyText = z
  .string()
  .refine(
    (text) => Buffer.byteLength(text) <= limits.bodyBytes,
    `at most ${limits.bodyBytes} bytes (2 MB) in UTF-8`,
  );

const headersInput = z
  .record(z.string(), z.string())
  .superRefine((headers, context) => {
    const entries = Object.entries(headers);
    if (entries.length > limits.headers) {
      context.addIssue({ code: 'custom', message: `at most ${limits.headers} headers` });
    }
    for (const [name, value] of entries) {
      const message = headerIssue(name, value);
      if (message) context.addIssue({ code: 'custom', path: [name], message });
    }
  })
  .transform((headers) => Object.entries(headers).map(([name, value]) => ({ name, value })));

/** Header names and values as RFC 5322, 2.2 allows them, within the interface's limits. */
function headerIssue(name: string, value: string): string | null {
  if (!/^[!-9;-~]+$/.test(name)) return 'a header name is printable ASCII without colon or space';
  if (name.length > limits.headerNameCharacters) {
    return `a header name has at most ${limits.headerNameCharacters} characters`;
  }
  if (isStructuralHeader(name)) return `${name} is set by the service and cannot be given`;
  if (value.length > limits.headerValueCharacters) {
    return `a header value has at most ${limits.headerValueCharacters} characters`;
  }
  if (/\p{Cc}/u.test(value.replaceAll('\t', ' ')))
    return 'a header value has no line breaks or control characters';
  return null;
}

/** A time with an offset, in Unix milliseconds. Whether it is ahead is for the service to say, which has the clock. */
export const scheduledAtInput = z.iso
  .datetime({
    offset: true,
    error: 'must be an RFC 3339 time with an offset, such as 2026-01-31T12:00:00+01:00',
  })
  .transform((text) => Date.parse(text));

/** The fields of a message, whatever operation it is sent by. */
export const messageFields = {
  subject: z
    .string()
    .max(limits.subjectCharacters)
    .refine((text) => !/[\r\n]/.test(text), 'no line breaks'),
  html: bodyText.optional(),
  text: bodyText.optional(),
  cc: addressesInput.optional(),
  bcc: addressesInput.optional(),
  reply_to: addressesInput.optional(),
  headers: headersInput.optional(),
  attachments: z.array(attachmentInput).max(limits.attachmentsPerMessage).optional(),
  scheduled_at: scheduledAtInput.optional(),
  suppression_key: z
    .string()
    .min(1)
    .max(limits.suppressionKeyCharacters)
    .optional()
    .describe('The suppression list that is checked beside `*`.'),
  unsubscribe: z
    .boolean()
    .default(false)
    .describe(
      'Optional mail: each recipient gets a copy of their own with an unsubscribe link, in the headers and where ' +
        '`{{unsubscribe_url}}` stands, else at the end. Suppressions of scope `optional` apply.',
    ),
};

/** A message has something to read. */
export function hasBody(body: { html?: string | undefined; text?: string | undefined }): boolean {
  return body.html !== undefined || body.text !== undefined;
}
export const bodyMissing = { message: 'html or text is required', path: ['text'] };

/** A send names someone. */
export function hasRecipient(body: { to: readonly Address[] }): boolean {
  return body.to.length > 0;
}
export const recipientMissing = { message: 'at least one address', path: ['to'] };

const fields = z.object(messageFields).partial();

/**
 * The parts of a message that a body gives, whatever operation it came by.
 *
 * @param baseUrl scheme and host that the API was reached at
 */
export function outgoingFields(body: z.output<typeof fields>, baseUrl: string) {
  return {
    cc: body.cc ?? [],
    bcc: body.bcc ?? [],
    replyTo: body.reply_to ?? [],
    html: body.html ?? null,
    text: body.text ?? null,
    headers: body.headers ?? [],
    attachments: body.attachments ?? [],
    suppressionKey: body.suppression_key ?? null,
    unsubscribe: body.unsubscribe ?? false,
    baseUrl,
    scheduledAt: body.scheduled_at ?? null,
    forwardOf: null,
    carried: [],
  };
}
