/** Messages that really go out and come in. */

import { wireMessageId as messageIdOfSes, sesIdOf } from '../../lib/core/mail/message-ids.ts';
import { type EmailBody, expectOk, outcomeOf, request, send, waitFor } from './api-client.ts';
import { answered, asAssumed, type Deployed, type Question } from './question.ts';

const accepted = new Set(['sent', 'delivered']);
const history = ({ events }: EmailBody) =>
  events.map(({ type, detail }) => (detail ? `${type} (${detail})` : type)).join(', ');

export const sending: Question = {
  title: 'A message leaves through SES',
  async ask(deployed) {
    const email = await send(deployed, deployed.to, `smoke ${deployed.run} to you`);
    const outcome = await outcomeOf(deployed, email.id);
    return asAssumed(accepted.has(outcome.status), `${outcome.status}: ${history(outcome)}`);
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
  async ask(deployed) {
    const email = await send(deployed, `smoke-in@${deployed.domain}`, `smoke ${deployed.run} to myself`);
    const copy = await receivedCopy(deployed, email);
    if (!copy) {
      const outcome = await outcomeOf(deployed, email.id);
      return asAssumed(false, `nothing arrived; the sent email is ${outcome.status}: ${history(outcome)}`);
    }
    const { spf, dkim, dmarc } = copy.verdicts;
    return asAssumed(
      copy.thread_id === email.thread_id,
      `verdicts: SPF ${spf}, DKIM ${dkim}, DMARC ${dmarc}; the thread is ${copy.thread_id === email.thread_id ? 'the same' : 'another'}`,
    );
  },
};

export const wireMessageId: Question = {
  title: 'The host of the Message-ID that SES writes',
  async ask(deployed) {
    const email = await send(deployed, `smoke-in@${deployed.domain}`, `smoke ${deployed.run} message id`);
    const copy = await receivedCopy(deployed, email);
    if (!copy) return asAssumed(false, 'nothing arrived');
    const expected = messageIdOfSes(deployed.region, sesIdOf(copy.message_id) ?? '');
    return asAssumed(copy.message_id === expected, `${copy.message_id} in ${deployed.region}`);
  },
};

export const deepSubdomain: Question = {
  title: 'SES receives for a deep subdomain of a verified domain',
  async ask(deployed) {
    const to = `smoke@deep.down.${deployed.domain}`;
    const email = await send(deployed, to, `smoke ${deployed.run} deep`);
    const outcome = await outcomeOf(deployed, email.id, new Set(['delivered', 'bounced', 'failed']));
    return answered(`${outcome.status}: ${history(outcome)}`);
  },
};
