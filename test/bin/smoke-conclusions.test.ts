/** What `npm run smoke` concludes from the answers of AWS. */
import { describe, expect, it } from 'vitest';
import { conclude } from '../../bin/smoke/question.ts';
import { questions } from '../../bin/smoke/run-smoke.ts';

/** Answers of AWS that are about permissions, the account, its limits or the network. */
const unrelated = [
  '400 MessageRejected: Did not have authority to send from smoke@smoke.mail.example.com',
  '400 MessageRejected: Email address is not verified. The following identities failed the check in region US-EAST-1: success@simulator.amazonses.com',
  '400 MessageRejected: Sending suspended for this account.',
  '400 AccountSuspendedException: The account is suspended.',
  '400 SendingPausedException: Sending paused for this account.',
  '400 MailFromDomainNotVerifiedException: The MAIL FROM domain is not verified.',
  '403 AccessDeniedException: User: arn:aws:iam::111111111111:user/op is not authorized to perform: ses:SendEmail on resource: arn:aws:ses:us-east-1:111111111111:configuration-set/smoke-abc-missing',
  '403 AccessDeniedException: User is not authorized to perform: iam:PassRole',
  '404 NotFoundException: Configuration set <parley-mail> does not exist.',
  '429 TooManyRequestsException: Daily message quota exceeded.',
  '400 ThrottlingException: Rate exceeded',
  '400 LimitExceededException: Daily sending quota exceeded',
  '500 InternalFailure: The request processing has failed because of an unknown error.',
  '403 ExpiredTokenException: The security token included in the request is expired',
  'no status TypeError: fetch failed: getaddrinfo ENOTFOUND api.example.com',
  'no status TimeoutError: The operation was aborted due to timeout',
  'no status Error: the API answered 429: {"code":"rate_limited"}',
  'no status Error: the API answered 403: {"message":"Forbidden"}',
  'GET /health: 404',
  'GET /health: 503',
  '403, www-authenticate: null, x-amzn-remapped-www-authenticate: null',
  '503 {"message":"Service Unavailable"}',
  '429 {"code":"rate_limited"}',
  'queued: ',
  'failed: failed (MessageRejected: Email address is not verified.)',
  'nothing arrived',
  'nothing arrived; the sent email is failed: failed (MessageRejected: Did not have authority to send)',
  'nothing arrived; the sent email is bounced: sent, bounced (smtp; 550 5.4.4 Invalid domain)',
  '0 of 19 emails left, one in 4 seconds',
  '7 of 19 emails left, one in 4 seconds',
  '20 messages at once were accepted at 14 a second',
];

/** By title: the answers that settle a question, with what follows. */
const settling: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'API Gateway invokes functions by a Lambda permission with the ARN of the API': {
    'GET /health: 200': 'as assumed',
    'GET /health: 500': 'differs',
  },
  'An HTTP API passes the header WWW-Authenticate unchanged': {
    '401, www-authenticate: Bearer, x-amzn-remapped-www-authenticate: null': 'as assumed',
    '401, www-authenticate: null, x-amzn-remapped-www-authenticate: Bearer': 'differs',
  },
  'A message leaves through SES': {
    'sent: sent': 'as assumed',
    'bounced: sent, bounced (smtp; 550 5.1.1 user unknown)': 'as assumed',
  },
  'A message arrives through the receipt rule, the encrypted topic and the queue, and joins its thread': {
    'arrived in the same thread; verdicts: SPF pass, DKIM pass, DMARC pass': 'as assumed',
    'arrived in another thread; verdicts: SPF pass, DKIM pass, DMARC pass': 'differs',
    'nothing arrived; the sent email is delivered: sent, delivered (250 OK)': 'differs',
  },
  'The host of the Message-ID that SES writes': {
    '<1@email.amazonses.com> in us-east-1, as computed': 'as assumed',
    '<1@amazonses.com> in us-east-1, not computed as <1@email.amazonses.com>': 'differs',
  },
  'SES receives for a deep subdomain of a verified domain': {
    'delivered: sent, delivered (250 OK)': 'answered',
    'bounced: sent, bounced (smtp; 550 5.1.1 Requested action not taken: mailbox unavailable)': 'answered',
  },
  'A function reaches DNS: the records of an unpublished domain are missing, not unknown': {
    'DKIM missing, MX missing': 'as assumed',
    'DKIM pending, MX pending': 'differs',
  },
  'A request of 7 MB, above the payload limit of Lambda': {
    '413 {"message":"Request Entity Too Large"}': 'as assumed',
    '422 {"code":"validation_error"}': 'differs',
    '500 {"message":"Internal Server Error"}': 'differs',
  },
  'A message whose To header names 60 addresses, with one recipient in Destination': {
    'accepted as 0100': 'as assumed',
    '400 BadRequestException: Recipient count exceeds 50.': 'differs',
  },
  'The header X-SES-CONFIGURATION-SET beside the field ConfigurationSetName': {
    'accepted as 0100': 'answered',
    '404 NotFoundException: Configuration set <smoke-abc-missing> does not exist.': 'answered',
  },
  ...Object.fromEntries(
    [1, 2, 4].map((size) => [
      `A message with ${size} MB of headers`,
      {
        'accepted as 0100': 'answered',
        '400 MessageRejected: Header section is too long.': 'answered',
        '400 InvalidParameterValue: Message length is more than 10485760 bytes long; it exceeds the maximum':
          'answered',
      },
    ]),
  ),
  'The error of a sending rate that is exceeded': {
    '400 ThrottlingException: Maximum sending rate exceeded.': 'as assumed',
    '429 TooManyRequestsException: Too many requests.': 'as assumed',
    'SES allows 1000 emails a second; a burst above it would use up too much of the quota': 'not asked',
  },
  'A worker continues itself 18 times: the pacer of held emails, with a timer for each': {
    '19 of 19 emails left, one in 4 seconds': 'as assumed',
    '16 of 19 emails left, one in 4 seconds': 'differs',
    'It takes --wait 106': 'not asked',
  },
  'CreateSchedule with an at() in the past': {
    accepted: 'answered',
    '400 ValidationException: The schedule expression lies in the past.': 'answered',
  },
};

describe('a question of the smoke test', () => {
  it.each(questions)('$title: is settled by the answers that are about it', (question) => {
    const expected = settling[question.title] ?? {};
    const found = Object.keys(expected).map((answer) => [answer, conclude(question, answer)?.verdict]);
    expect(Object.fromEntries(found)).toEqual(expected);
    expect(Object.keys(expected)).not.toEqual([]);
  });

  it.each(questions)('$title: is not settled by an answer that is about something else', (question) => {
    expect(unrelated.filter((answer) => conclude(question, answer))).toEqual([]);
  });
});
