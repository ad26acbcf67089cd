import { describe, expect, it } from 'vitest';
import { enhancedCode, isHardBounce } from '../../../lib/mail/reports/hard-bounce.ts';

describe('isHardBounce is true', () => {
  it.each([
    ['5.1.1', null],
    ['5.1.1', '550 5.1.1 <x@y.example>... User Unknown'],
    ['5.0.0', '550 <x@y.example>: User unknown'],
    ['5.7.1', '550 5.7.1 550 User Unknown: x@y.example'],
    ['5.1.2', '550 Host unknown'],
    ['5.1.6', '550 5.1.6 recipient no longer on server'],
    ['5.1.10', '556 5.1.10 Recipient address has null MX'],
    ['5.2.1', '550 5.2.1 The email account that you tried to reach is disabled.'],
    ['5.4.4', null],
    ['5.7.13', '525 5.7.13 Disabled recipient address'],
    ['5.4.1', '550 5.4.1 Recipient address rejected: Access denied [AM1.prod]'],
    ['5.5.0', '550 Requested action not taken: mailbox unavailable'],
    ['5.0.0', "554 delivery error: dd This user doesn't have a y.example account (x@y.example)"],
    [null, '550 No such user here'],
    [null, '550'],
    ['5.0.0', '550 <content@blocked-shop.example>: Recipient address rejected'],
    ['5.1.1', "550 <x@y.example>: user doesn't exist, see https://help.example/policy"],
    [null, '<x@y.example>: unknown host'],
    ['5.0.0', "550-'Unknown user x@y.example' (delivery attempts: 0)"],
    [null, '550 sorry, no mailbox here by that name (#5.1.1)'],
    ['5.4.4', 'Host or domain name not found. Name service error for name=y.example type=MX: Host not found'],
    ['5.1.10', 'The email address wasn’t found at the destination domain. Contact the recipient by phone.'],
    [null, '550 5.1.1 Empfänger unbekannt'],
    ['5.0.0', '553 sorry, badrcptto (user mail-box not found) (#5.7.1)'],
    ['5.0.0', '554 Rcpt <x@y.example> does not exist'],
    ['5.0.0', '550 BAD_RECIPIENT - see https://help.example/undelivered'],
    ['5.0.0', '[mx.y.example]: Name or service not known'],
  ])('when the report says %s %s', (status, diagnostic) => {
    expect(isHardBounce({ status, diagnostic })).toBe(true);
  });
});

describe('isHardBounce is false', () => {
  it.each([
    ['4.4.7', '550 User unknown'],
    ['4.4.7', 'Message expired: unable to deliver in 840 minutes'],
    ['5.2.2', '552 5.2.2 Mailbox full'],
    ['5.2.1', 'The user you are trying to contact is receiving mail at a rate that prevents delivery'],
    ['5.2.3', '552 5.2.3 Message length exceeds limit'],
    ['5.3.4', '554 5.3.4 Message too big for system'],
    ['5.1.1', '550 RCPT TO:<x@y.example> max message size exceeded'],
    ['5.1.1', '550 5.1.1 Mail is too large'],
    ['5.4.6', '554 5.4.6 Too many hops'],
    ['5.6.0', '550 5.6.0 Media error'],
    ['5.7.1', '554 5.7.1 Client host rejected: blocked using zen.example'],
    ['5.7.26', '550-5.7.26 Unauthenticated email is not accepted'],
    ['5.1.1', '550 5.7.1 IP address blacklisted by recipient'],
    ['5.1.0', '550 5.1.0 <me@our.example> sender rejected'],
    ['5.1.7', '550 5.1.7 No such domain our.example'],
    ['5.1.8', '501 5.1.8 Sender address rejected'],
    ['5.0.0', '550 Virus detected; content rejected'],
    ['5.0.0', '552 Too many recipients'],
    ['5.0.0', null],
    [null, '421 try again later'],
    [null, '554 Service currently unavailable'],
    [null, 'retry timeout exceeded'],
    [null, null],
    // A temporary failure in words, whatever the code.
    ['5.1.1', '550 5.1.1 mailbox full'],
    ['5.2.1', '550 5.2.1 <x@y.example> is over quota temporarily'],
    ['5.4.4', '550 5.4.4 Host not found, try again'],
    ['5.0.0', '554 5.1.1 Too many messages, rate limit reached'],
    ['5.1.1', '451 4.7.1 Greylisted, please try again in 300 seconds'],
    ['5.0.0', '550 Das Postfach ist voll'],
    ['5.4.4', 'Name service error for name=y.example type=MX: Malformed or unexpected name server reply'],
    // Codes and words in quotations are of others.
    ['5.0.0', '550 Message refused, see "5.1.1 User unknown"'],
    ['5.0.0', '552 mailbox full; the message “Re: 550 5.1.1 no such user” was not stored'],
    ['5.1.1', '550 5.1.1 last error was "452 4.2.2 over quota"'],
    // The sender, the message or a list is to blame.
    ['5.1.1', '550 5.1.1 Recipient rejected, your address is listed at Spamhaus'],
    ['5.7.1', '550 5.7.1 Unknown user or blocked for policy reasons'],
    // The server that sends is refused, whatever the code says about the address.
    ['5.1.3', '553 http://www.spamhaus.org/query/bl?ip=192.0.2.1'],
    [
      '5.1.1',
      '550 5.1.1 <a@b.example>: User unknown; Client host [192.0.2.1] blocked using zen.spamhaus.org',
    ],
    ['5.1.1', '550-192.0.2.1 is listed at zen.spamhaus.org 550 User unknown'],
    ['5.1.1', '550 5.1.1 User unknown (you are blacklisted by abuseat CBL)'],
    ['5.1.1', '550 5.1.1 The account that you tried to reach does not accept mail from your IP [192.0.2.1]'],
    ['5.1.2', '554 5.1.2 Your access has been rejected due to the poor reputation of the domain'],
    ['5.1.1', '550 5.1.1 banned sending IP [192.0.2.1]'],
    ['5.1.1', '550 5.1.1 [192.0.2.1] refused: bad reverse DNS'],
    ['5.1.1', '550 5.1.1 Your server is not allowed to send to this mailbox'],
    ['5.1.1', '550 5.1.1 Message rejected due to content restrictions'],
    ['5.1.0', "550-'5.7.1 <us@our.example>... Access denied'"],
    [null, '550 Rejected'],
    [null, '550 Administrative prohibition'],
    ['5.0.0', 'my name was rejected. Remote host said: 501 5.0.0 Invalid domain name'],
    ['5.7.1', 'Message could not be delivered (sent by Exim 5.1.1)'],
  ])('when the report says %s %s', (status, diagnostic) => {
    expect(isHardBounce({ status, diagnostic })).toBe(false);
  });
});

it.each([
  ['5.1.1', '5.1.1'],
  ['550-5.7.26 no', '5.7.26'],
  ['550 #5.1.0 Address rejected', '5.1.0'],
  ['(#5.4.4)', '5.4.4'],
  ['host a [192.5.2.14] said', null],
  ['host a [5.1.2.14] said', null],
  ['version 15.1.2', null],
  ['2024.5.1.1', null],
])('enhancedCode of %s is %s', (text, code) => {
  expect(enhancedCode(text)).toBe(code);
});
