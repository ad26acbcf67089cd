/** Messages that really go out and come in. */

import { wireMessageId as messageIdOfSes, sesIdOf } from '../../lib/core/emails/message-ids.ts';
import { type EmailBody, expectOk, outcomeOf, request, send, waitFor } from './api-client.ts';
import { answered, asAssumed, type Deployed, differs, type Question } from './question.ts';

const history = ({ events }: EmailBody) =>
  events.map(({ type, detail }) => (detail ? `${type} (${detail})` : type)).join(', ');
const described = (email: EmailBody) => `${email.status}: ${history(email)}`;

export const sending: Question = {
  title: 'A message leaves through SES',
  settledBy: [asAssumed(/^(sent|delivered|bounced|complained): /, 'it does')],
  async ask(deployed) {
    const email = await send(deployed, deployed.to, `smoke ${deployed.run} to you`);
    return described(await outcomeOf(deployed, email.id));
  },
};

/** The inbound copy of an email that was sent to an address of the workspace. */
async function receivedCopy(deployed: Deployed, { subject }: EmailBody): Promise<EmailBody | null> {
  return await waitFor(deployed.patienceMs, async () => {
    const page = await expectOk(
      await request(deployed, 'GET', `/api/v2/emails?direction=inbound&query=${encodeURIComponent(subject)}`),
    );
    const [found] = page.data as readonly EmailBody[];
    if (!found) return null;
    return (await expectOk(
      await request(deployed, 'GET', `/api/v2/emails/${found.id}`),
    )) as unknown as EmailBody;
  });
}

/** SES stores, the encrypted topic announces, and the queue brings a message: policies of all of them hold. */
export const receiving: Question = {
  title:
    'A message arrives through the receipt rule, the encrypted topic and the queue, and joins its thread',
  settledBy: [
    asAssumed(/^arrived in the same thread/, 'it does'),
    differs(/^arrived in another thread/, 'its thread is not found'),
    differs(
      /^nothing arrived; the sent email is delivered: /,
      'SES took it for the domain; the receipt rule, the topic or the queue did not bring it',
    ),
  ],
  async ask(deployed) {
    const email = await send(deployed, `smoke-in@${deployed.domain}`, `smoke ${deployed.run} to myself`);
    const copy = await receivedCopy(deployed, email);
    if (!copy) return `nothing arrived; the sent email is ${described(await outcomeOf(deployed, email.id))}`;
    const { spf, dkim, dmarc } = copy.verdicts;
    const thread = copy.thread_id === email.thread_id ? 'the same' : 'another';
    return `arrived in ${thread} thread; verdicts: SPF ${spf}, DKIM ${dkim}, DMARC ${dmarc}`;
  },
};

export const wireMessageId: Question = {
  title: 'The host of the Message-ID that SES writes',
  settledBy: [
    asAssumed(/, as computed$/, 'it is the one that the code computes'),
    differs(/, not computed as /, 'replies that cite it find no thread'),
  ],
  async ask(deployed) {
    const email = await send(deployed, `smoke-in@${deployed.domain}`, `smoke ${deployed.run} message id`);
    const copy = await receivedCopy(deployed, email);
    if (!copy) return 'nothing arrived';
    const computed = messageIdOfSes(deployed.region, sesIdOf(copy.message_id) ?? '');
    const found = `${copy.message_id} in ${deployed.region},`;
    return copy.message_id === computed ? `${found} as computed` : `${found} not computed as ${computed}`;
  },
};

export const deepSubdomain: Question = {
  title: 'SES receives for a deep subdomain of a verified domain',
  settledBy: [
    answered(/^delivered: /, 'it does'),
    answered(/^bounced: .*mailbox unavailable/i, 'it does not'),
  ],
  async ask(deployed) {
    const to = `smoke@deep.down.${deployed.domain}`;
    const email = await send(deployed, to, `smoke ${deployed.run} deep`);
    return described(await outcomeOf(deployed, email.id, new Set(['delivered', 'bounced', 'failed'])));
  },
};
