/** Fields that several records and inputs of version 1 share. */
import { nullableText, text } from '../../schemas.ts';

export const dispositionText =
  'Whether mail programs list the file (`attachment`) or show it in the text (`inline`); a file that the html shows is `inline`.';

/** Of threads, too. */
export const v1Subject = nullableText('Your order', 'The subject line; null where there is none.');

export const v1MessageId = text(
  '<eml_019c1430b800a1b2c3d4e5f60718293a@acme.dev>',
  'Message-ID with angle brackets; never changes. Amazon SES replaces it on the wire.',
);

export const statusText =
  'Outcome over all recipients; `DRAFT` is stored and not sent, `ARCHIVED` was canceled, `REJECTED` was refused by Amazon ' +
  'SES, and no email is `READ`.';

export const directionText = '`INBOUND`: received; `OUTBOUND`: sent, to be sent, or a draft.';
