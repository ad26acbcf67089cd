/** `users.messages.send` of the Gmail API, by a multipart upload ("Create and send email messages", "Upload attachments"). */
import type { HttpResponse } from '../../http-server.ts';
import { mailDate, rewriteHeaders } from '../../ses/headers.ts';
import { jsonResponse, type ProviderCall } from '../http.ts';
import { factsOf } from '../mail-facts.ts';
import type { ProviderRoutes } from '../provider-server.ts';
import { googleError } from './errors.ts';
import { accessOf, invalidArgument, notFound, sendingScopes } from './gmail-access.ts';
import type { GmailMailbox, GmailMessage } from './gmail-mailbox.ts';
import type { GoogleState } from './state.ts';

const service = 'gmail';
/** "Maximum file size: 35MB" ("Method: users.messages.send"). */
const bytesMax = 35 * 1024 * 1024;

export function gmailSendRoutes(google: GoogleState): ProviderRoutes {
  return {
    'POST /upload/gmail/v1/users/{userId}/messages/send': {
      service,
      action: 'messages.send',
      handle: (call) => send(google, call, fromUpload(call)),
    },
  };
}

interface Sending {
  readonly raw: Buffer;
  readonly threadId: string | null;
}

function parsedObject(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString());
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {}
  throw invalidArgument('Invalid JSON payload received.');
}

function fromUpload(call: ProviderCall): Sending {
  if (call.query.get('uploadType') !== 'multipart') {
    throw invalidArgument('The local Gmail models uploadType=multipart only');
  }
  const type = call.headers['content-type'] ?? '';
  const [, quoted, plain] = /^multipart\/related;.*\bboundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type) ?? [];
  const [metadata, media] = partsOf(call.body, quoted ?? plain ?? '');
  if (!metadata || !media) throw invalidArgument('The multipart body has no two parts');
  if (!/^message\/rfc822\b/i.test(media.type)) throw mediaTypeError(media.type);
  const { threadId } = parsedObject(metadata.body);
  return { raw: media.body, threadId: typeof threadId === 'string' ? threadId : null };
}

function mediaTypeError(type: string) {
  const message = `Media type '${type.split(';')[0]}' is not supported. Valid media types: [message/rfc822]`;
  return googleError({ code: 400, message, status: 'INVALID_ARGUMENT', reason: 'badContent' });
}

/** The parts of a `multipart/related` body (RFC 2046 section 5.1). */
function partsOf(body: Buffer, boundary: string): { readonly type: string; readonly body: Buffer }[] {
  const delimiter = Buffer.from(`--${boundary}`);
  const parts: { type: string; body: Buffer }[] = [];
  for (let at = body.indexOf(delimiter); at >= 0; ) {
    const next = body.indexOf(Buffer.concat([Buffer.from('\r\n'), delimiter]), at + delimiter.length);
    const part = body.subarray(at + delimiter.length, next < 0 ? body.length : next);
    const blank = part.indexOf('\r\n\r\n');
    if (blank >= 0) {
      const [, type = ''] = /^content-type:\s*(.*)$/im.exec(part.toString('latin1', 0, blank)) ?? [];
      parts.push({ type, body: part.subarray(blank + 4) });
    }
    at = next < 0 ? -1 : next + 2;
  }
  return parts;
}

function send(google: GoogleState, call: ProviderCall, sending: Sending): HttpResponse {
  const { mailbox } = accessOf(google, call, sendingScopes);
  if (sending.raw.length > bytesMax) {
    throw googleError({
      code: 413,
      message: 'Request Entity Too Large',
      status: 'OUT_OF_RANGE',
      reason: 'uploadTooLarge',
    });
  }
  if (sending.threadId !== null && !mailbox.hasThread(sending.threadId)) throw notFound();
  if (factsOf(sending.raw).recipients.length === 0) throw invalidArgument('Recipient address required');
  const { id, threadId, labelIds } = sendFrom(google, mailbox, sending);
  return jsonResponse(200, { id, threadId, labelIds });
}

/** Puts a message under SENT and delivers it. */
export function sendFrom(
  google: GoogleState,
  mailbox: GmailMailbox,
  { raw, threadId }: Sending,
): GmailMessage {
  const sent = sentForm(google, raw, mailbox.address);
  const message = mailbox.add(sent, ['SENT'], threadId);
  google.deliver({
    from: mailbox.address,
    recipients: message.facts.recipients,
    raw: rewriteHeaders(sent, ['bcc'], []),
  });
  return message;
}

/**
 * Gmail sends in the name of the account and replaces the Message-ID of what comes through its API, without keeping the
 * given one: not documented, as seen by FlowCrypt (flowcrypt-browser, issues 4269 and 4273) and others.
 */
function sentForm(google: GoogleState, raw: Buffer, address: string): Buffer {
  const { from, fields } = factsOf(raw);
  const isOwn = from.length === 1 && from[0] === address;
  const hasDate = fields.some(({ name }) => name.toLowerCase() === 'date');
  return rewriteHeaders(
    raw,
    ['message-id', ...(isOwn ? [] : ['from'])],
    [
      ['Message-ID', `<CA${google.text.token(50)}@mail.gmail.com>`],
      ...(isOwn ? [] : [['From', address] as const]),
      ...(hasDate ? [] : [['Date', mailDate(google.now())] as const]),
    ],
  );
}
