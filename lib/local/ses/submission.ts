/** The SendEmail request: schema and validation. */
import * as z from 'zod';
import { AwsError } from '../aws/service.ts';
import { addressesOf } from './header-report.ts';
import { type HeaderField, readHeaders, valuesOf } from './headers.ts';

const addresses = z.array(z.string()).default([]);

/** The supported fields; others are rejected, because they would have no effect. */
export const sendEmailRequest = z.strictObject({
  FromEmailAddress: z.string(),
  Destination: z.strictObject({ ToAddresses: addresses, CcAddresses: addresses, BccAddresses: addresses }),
  Content: z.strictObject({ Raw: z.strictObject({ Data: z.string() }) }),
  EmailTags: z.array(z.strictObject({ Name: z.string(), Value: z.string() })).default([]),
  ConfigurationSetName: z.string().optional(),
  TenantName: z.string().optional(),
  ConfigurationOverrides: z
    .strictObject({
      Tracking: z
        .strictObject({
          OpenTrackingEnabled: z.boolean().optional(),
          ClickTrackingEnabled: z.boolean().optional(),
        })
        .optional(),
    })
    .optional(),
});

export interface Submission {
  /** `FromEmailAddress` as given. */
  readonly from: string;
  /** Addresses that must be verified: the sender and the authors in From. */
  readonly senders: readonly string[];
  readonly destination: {
    readonly to: readonly string[];
    readonly cc: readonly string[];
    readonly bcc: readonly string[];
  };
  /** Envelope addresses. */
  readonly recipients: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
  readonly configurationSet: string | null;
  readonly tenant: string | null;
  readonly tracking: { readonly opens: boolean | null; readonly clicks: boolean | null };
  readonly raw: Buffer;
}

const recipientsMax = 50;
const messageOctetsMax = 40 * 1024 * 1024;
/** Including the line end (SES developer guide, "Sending raw email using the Amazon SES API v2"). */
const lineOctetsMax = 1000;
const tagForm = /^[A-Za-z0-9_-]{1,256}$/;

/** Header fields allowed once (SES developer guide, "Amazon SES header fields"). */
const singleFields = [
  'from',
  'sender',
  'reply-to',
  'to',
  'cc',
  'bcc',
  'subject',
  'date',
  'message-id',
  'in-reply-to',
  'references',
  'return-path',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'list-unsubscribe',
  'list-unsubscribe-post',
];

/** Validates a request. @throws AwsError `BadRequestException` */
export function readSubmission(request: z.output<typeof sendEmailRequest>): Submission {
  const { ToAddresses: to, CcAddresses: cc, BccAddresses: bcc } = request.Destination;
  const recipients = [...to, ...cc, ...bcc].map(readAddress);
  if (recipients.length === 0) reject('Destination must have at least one recipient.');
  if (recipients.length > recipientsMax) reject(`Recipient count exceeds ${recipientsMax}.`);
  const raw = Buffer.from(request.Content.Raw.Data, 'base64');
  const { fields } = readHeaders(raw);
  checkMessage(raw, fields);
  const tracking = request.ConfigurationOverrides?.Tracking;
  return {
    from: request.FromEmailAddress,
    senders: [
      ...new Set([readAddress(request.FromEmailAddress), ...addressesOf(fields, 'from').map(readAddress)]),
    ],
    destination: { to, cc, bcc },
    recipients: [...new Set(recipients)],
    tags: readTags(request.EmailTags),
    configurationSet: request.ConfigurationSetName ?? null,
    tenant: request.TenantName ?? null,
    tracking: {
      opens: tracking?.OpenTrackingEnabled ?? null,
      clicks: tracking?.ClickTrackingEnabled ?? null,
    },
    raw,
  };
}

function checkMessage(raw: Buffer, fields: readonly HeaderField[]): void {
  if (raw.length > messageOctetsMax) {
    reject(`Message length is more than ${messageOctetsMax} bytes long: '${raw.length}'.`);
  }
  if (valuesOf(fields, 'from').length === 0) reject("Missing required header 'From'.");
  for (const name of singleFields) {
    if (valuesOf(fields, name).length > 1) reject(`Duplicate header '${name}'.`);
  }
  for (let at = 0; at < raw.length; ) {
    const feed = raw.indexOf('\n', at);
    const next = feed < 0 ? raw.length : feed + 1;
    if (next - at > lineOctetsMax) reject(`Message has a line of more than ${lineOctetsMax} bytes.`);
    at = next;
  }
}

function readTags(tags: readonly { Name: string; Value: string }[]): Record<string, string> {
  for (const { Name, Value } of tags) {
    if (!tagForm.test(Name))
      reject(`Invalid tag name <${Name}>: only alphanumeric ASCII characters, '_', '-' are allowed.`);
    if (!tagForm.test(Value)) {
      reject(`Invalid tag value <${Value}>: only alphanumeric ASCII characters, '_', '-' are allowed.`);
    }
  }
  return Object.fromEntries(tags.map(({ Name, Value }) => [Name, Value]));
}

const mailboxForm = /^(?:[^<>]*)<([^<>]*)>$/;
const domainForm = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** The address of `a@b` or `Name <a@b>`. @throws AwsError `BadRequestException` */
export function readAddress(text: string): string {
  const address = (mailboxForm.exec(text.trim())?.[1] ?? text).trim();
  const at = address.lastIndexOf('@');
  const local = address.slice(0, Math.max(0, at));
  const domain = address.slice(at + 1);
  if (at < 0) reject("Missing final '@domain'");
  if (local === '') reject('Missing local name');
  if (/[^\x20-\x7e]/.test(local)) reject('Local address contains non-ASCII or control characters');
  if (!isLocalPart(local) || local.length > 64) reject('Local address contains control or whitespace');
  if (domain.length > 253 || !domainForm.test(domain)) reject('Domain contains illegal character');
  return address;
}

function isLocalPart(local: string): boolean {
  return /^"(?:[^"\\]|\\.)*"$/.test(local) || !/[\s"(),:;<>@[\\\]]|^\.|\.$|\.\./.test(local);
}

function reject(message: string): never {
  throw new AwsError('BadRequestException', message);
}
