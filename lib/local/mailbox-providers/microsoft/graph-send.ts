/** Sending of MIME content ("Send Outlook messages in MIME format"; "user: sendMail"). */
import { mailDate, rewriteHeaders } from '../../ses/headers.ts';
import { emptyResponse, type ProviderCall } from '../http.ts';
import { factsOf } from '../mail-facts.ts';
import type { ProviderRoutes } from '../provider-server.ts';
import { graphError, notModelled } from './errors.ts';
import { accessOf, sendingScopes } from './graph-access.ts';
import type { GraphMailbox } from './graph-mailbox.ts';
import type { MicrosoftState } from './state.ts';

const service = 'graph';
/** A request is limited to 4 MB ("Attach large files to Outlook messages"), which is 3 MB of MIME in base64. */
const requestBytesMax = 4 * 1024 * 1024;

export function graphSendRoutes(microsoft: MicrosoftState): ProviderRoutes {
  return {
    'POST /v1.0/me/sendMail': {
      service,
      action: 'sendMail',
      handle: (call) => {
        const { mailbox } = accessOf(microsoft, call, sendingScopes);
        sendFrom(microsoft, mailbox, checkedForm(microsoft, mailbox, mimeOf(microsoft, call)));
        return emptyResponse(202);
      },
    },
  };
}

/** MIME in base64 as `text/plain`. @throws Refusal */
function mimeOf(microsoft: MicrosoftState, { headers, body }: ProviderCall): Buffer {
  if (!/^text\/plain\b/i.test(headers['content-type'] ?? ''))
    throw notModelled(microsoft, 'messages in JSON');
  if (body.length > requestBytesMax) {
    throw graphError(
      microsoft,
      413,
      'ErrorMessageSizeExceeded',
      'The message exceeds the maximum supported size.',
    );
  }
  const text = body.toString('latin1').replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) {
    const message = 'Invalid base64 string for MIME content.';
    throw graphError(microsoft, 400, 'ErrorMimeContentInvalidBase64String', message);
  }
  return Buffer.from(text, 'base64');
}

/** Exchange keeps a Message-ID that is given. */
function withMessageId({ text }: MicrosoftState, raw: Buffer): Buffer {
  if (factsOf(raw).messageId !== null) return raw;
  return rewriteHeaders(raw, ['message-id'], [['Message-ID', `<${text.token(24)}@local.prod.outlook.com>`]]);
}

/** The message as it is sent: in the name of the account, with recipients, Message-ID and Date. @throws Refusal */
function checkedForm(microsoft: MicrosoftState, mailbox: GraphMailbox, raw: Buffer): Buffer {
  const { from, recipients, fields } = factsOf(raw);
  if (recipients.length === 0) {
    throw graphError(microsoft, 400, 'ErrorInvalidRecipients', 'At least one recipient is not valid.');
  }
  if (from.some((address) => address !== mailbox.address)) {
    const message = `The user account which was used to submit this request does not have the right to send mail on behalf of the specified sending account.`;
    throw graphError(microsoft, 403, 'ErrorSendAsDenied', message);
  }
  const has = (name: string) => fields.some((field) => field.name.toLowerCase() === name);
  return rewriteHeaders(
    withMessageId(microsoft, raw),
    [],
    [
      ...(has('from') ? [] : [['From', mailbox.address] as const]),
      ...(has('date') ? [] : [['Date', mailDate(microsoft.now())] as const]),
    ],
  );
}

/** Puts a message into Sent Items and delivers it. */
export function sendFrom(microsoft: MicrosoftState, mailbox: GraphMailbox, raw: Buffer): void {
  const form = withMessageId(microsoft, raw);
  mailbox.add({ raw: form, folder: 'sentitems' });
  microsoft.deliver({
    from: mailbox.address,
    recipients: factsOf(form).recipients,
    raw: rewriteHeaders(form, ['bcc'], []),
  });
}
