/** The workspace of a batch: an endpoint for all events, and an email to a customer and a bystander. */
import type { Correspondence } from './message-fields.ts';
import { webhookTypes } from './openapi-schemas.ts';
import { sendOverSmtp } from './smtp-client.ts';
import { bodyOf, type FuzzCloud, type FuzzTenant } from './tenant.ts';

export interface Correspondent extends Correspondence {
  readonly endpointId: string;
}

interface Email {
  readonly id: string;
  readonly thread_id: string;
  readonly message_id: string;
  readonly subject: string;
}

const customer = 'customer@example.test';
const bystander = 'bystander@elsewhere.test';

/** @param hookUrl receives the events */
export async function startCorrespondence(
  cloud: FuzzCloud,
  tenant: FuzzTenant,
  hookUrl: string,
): Promise<Correspondent> {
  const mailbox = `support@${tenant.providedDomain}`;
  const subscriptions = webhookTypes;
  const endpoint = { url: hookUrl, subscriptions, max_concurrency: 4 };
  const { id: endpointId } = bodyOf<{ id: string }>(
    await tenant.call('POST', '/webhook-endpoints', endpoint),
  );
  const mail = { from: mailbox, to: [customer, bystander], subject: 'Fuzz', text: 'Hello' };
  const send = async (fields: object) => bodyOf<Email>(await tenant.call('POST', '/emails', fields));
  const sent = await send(mail);
  const optional = await send({ ...mail, to: bystander, unsubscribe: true });
  await cloud.settle();
  const wireId = async ({ id }: Email) => bodyOf<Email>(await tenant.call('GET', `/emails/${id}`)).message_id;
  const [sentId, optionalId] = await Promise.all([wireId(sent), wireId(optional)]);
  return {
    endpointId,
    mailbox,
    sentId,
    optionalId,
    ownId: sent.message_id,
    threadId: sent.thread_id,
    customer,
    bystander,
  };
}

/** Threads of a batch to which a reply is sent, besides that of the email. */
const repliesMax = 5;

/**
 * Replies to threads and lets the customer answer the email, as if nothing had happened.
 *
 * @returns what went wrong
 */
export async function continueCorrespondence(
  cloud: FuzzCloud,
  tenant: FuzzTenant,
  { mailbox, threadId, sentId }: Correspondent,
  hostileThreads: readonly string[],
): Promise<string[]> {
  const faults: string[] = [];
  const others = [...new Set(hostileThreads)].filter((id) => id !== threadId).slice(-repliesMax);
  for (const id of [threadId, ...others]) {
    const { status, body } = await tenant.call('POST', `/threads/${id}/reply`, { text: 'Thank you' });
    if (status >= 500) faults.push(`POST /threads/${id}/reply: ${status} ${body}`);
  }
  const subject = `Re: Fuzz, an honest answer of ${performance.now()}`;
  const raw = Buffer.from(
    `From: ${customer}\r\nTo: ${mailbox}\r\nSubject: ${subject}\r\nIn-Reply-To: ${sentId}\r\n\r\nThank you!\r\n`,
  );
  await sendOverSmtp(cloud.smtpPort, { from: customer, to: mailbox, raw });
  await cloud.settle();
  // A reply to a message that names our mailbox as its author arrives as well, and may be newer.
  const listed = await tenant.call('GET', `/emails?direction=inbound&limit=${2 + repliesMax}`);
  const newest = listed.status === 200 ? bodyOf<{ data: Email[] }>(listed).data : [];
  const answer = newest.find((email) => email.subject === subject);
  if (answer?.thread_id !== threadId) {
    faults.push(`the answer of the customer is not in its thread: ${JSON.stringify(answer)?.slice(0, 300)}`);
  }
  return faults;
}
