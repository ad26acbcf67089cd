import { describe, expect, it } from 'vitest';
import { outcomeOfError } from '../../lib/adapters/ses.ts';

const from = 'Support@Mail.example.com';
const failure = (name: string, message: string, httpStatusCode?: number, code?: string) =>
  outcomeOfError({ name, message, code, $metadata: { httpStatusCode } }, from);
const unverified = (identities: string) =>
  `Email address is not verified. The following identities failed the check in region EU-CENTRAL-1: ${identities}`;

describe('an error of SES', () => {
  it.each([
    ['sending_rate', 'TooManyRequestsException', 'Too many requests', 429],
    ['sending_rate', 'ThrottlingException', 'Maximum sending rate exceeded.', 400],
    ['sending_rate', 'Throttling', 'Rate exceeded', 400],
    ['daily_quota', 'ThrottlingException', 'Daily message quota exceeded.', 400],
    ['daily_quota', 'TooManyRequestsException', 'Daily sending quota exceeded', 429],
    ['account', 'AccountSuspendedException', 'suspended', 400],
    ['account', 'SendingPausedException', 'Sending is paused', 400],
    ['permissions', 'AccessDeniedException', 'not authorized to perform: ses:SendEmail', 403],
    ['permissions', 'ExpiredTokenException', 'The security token is expired', 403],
  ])('that means %s puts the mail off: %s', (cause, name, message, status) => {
    expect(failure(name, message, status)).toEqual({ kind: 'delayed', cause, reason: `${name}: ${message}` });
  });

  it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])(
    'proves that there was no connection when its code is %s',
    (code) => {
      expect(failure('Error', 'connect', undefined, code)).toMatchObject({
        kind: 'delayed',
        cause: 'network',
      });
    },
  );

  it.each([
    ['sandbox', 'MessageRejected', unverified('anna@example.com')],
    ['sandbox', 'MessageRejected', unverified('anna@example.com, bo@example.com')],
    ['sender', 'MessageRejected', unverified('support@mail.example.com')],
    ['sender', 'MessageRejected', unverified('anna@example.com, Support <support@mail.example.com>')],
    ['sender', 'MessageRejected', unverified('mail.example.com')],
    ['sender', 'MailFromDomainNotVerifiedException', 'bounce.mail.example.com'],
    ['message', 'MessageRejected', 'Email address is on a list.'],
    ['message', 'BadRequestException', 'Missing final'],
  ])('that means %s refuses the mail for good: %s, %s', (cause, name, message) => {
    expect(failure(name, message, 400)).toEqual({ kind: 'refused', cause, reason: `${name}: ${message}` });
  });

  it.each([
    ['TimeoutError', 'timed out', undefined],
    ['InternalFailure', 'oops', 500],
    ['ServiceUnavailable', 'try later', 503],
  ])('that leaves the outcome open is unknown: %s', (name, message, status) => {
    expect(failure(name, message, status)).toEqual({ kind: 'unconfirmed', reason: `${name}: ${message}` });
  });
});
