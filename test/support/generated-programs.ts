/**
 * Programs that use generated clients: send and reply with the required fields only, create a webhook endpoint, iterate over a list,
 * narrow events by type, read the code of an error.
 */
import type { ApiVersion } from '../../lib/http/versions.ts';
import type { Generator } from './generators.ts';

/** The same in each program of version 2: `data` has the fields of the event, and a switch over all types is complete. */
const eventSwitch = `
export function describe(event: Event): string {
  switch (event.type) {
    case 'email.received':
      return event.data.category ?? event.data.verdicts.spf ?? event.data.from;
    case 'email.clicked':
      return event.data.url;
    case 'email.bounced':
      return event.data.permanent ? event.data.reason : event.data.recipients.join();
    case 'mailbox.needs_reauth':
      return event.data.reason ?? event.data.provider;
    case 'email.sent':
    case 'email.delivered':
    case 'email.complained':
    case 'email.failed':
    case 'email.opened':
    case 'email.drafted':
    case 'email.approved':
    case 'email.canceled':
      return event.data.email_id;
    case 'email.blocked':
      return event.data.blocked_email_id;
    case 'email.unsubscribed':
      return event.data.address;
    case 'thread.created':
      return event.data.thread_id;
    case 'domain.verified':
    case 'domain.lost':
      return event.data.name;
    case 'mailbox.connected':
    case 'mailbox.disconnected':
      return event.data.address;
    default: {
      const none: never = event;
      return none;
    }
  }
}
`;

const v2Message = "{ from: 'a@acme.dev', to: 'anna@example.com', subject: 'Hello', text: 'Hello' }";
const v1Message = "{ from: 'a@acme.dev', to: 'anna@example.com', subject: 'Hello', html: '<p>Hello</p>' }";

/** `openapi-typescript` makes types only. */
const calls = `
import type { components, operations } from './api/index';

type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never;
type BodyOf<Name extends keyof operations> = operations[Name] extends { requestBody?: infer Body } ? Json<Body> : undefined;
type Success<Responses> = { [Status in keyof Responses]: Status extends 200 | 201 ? Json<Responses[Status]> : never }[keyof Responses];
declare function call<Name extends keyof operations>(name: Name, body?: BodyOf<Name>): Promise<Success<operations[Name]['responses']>>;
`;

export const programs: Readonly<Record<Generator, Readonly<Record<ApiVersion, string>>>> = {
  'openapi-typescript': {
    1: `${calls}
export async function run(): Promise<string> {
  const sent = await call('sendEmail', ${v1Message});
  const reply = await call('replyToEmail', { from: 'a@acme.dev', html: '<p>Thanks</p>' });
  const { threads, pagination } = await call('searchThreads', {});
  return [sent.emailId, reply.threadId, pagination.total.toFixed(), ...threads.map(({ subject }) => subject ?? '')].join();
}
export const codeOf = (error: components['schemas']['ErrorBody']): 'BAD_REQUEST' | undefined =>
  error.code === 'BAD_REQUEST' ? error.code : undefined;
`,
    2: `${calls}
type Event = components['schemas']['Event'];
export async function run(): Promise<string> {
  const sent = await call('sendEmail', ${v2Message});
  const reply = await call('replyToThread', { text: 'Thanks' });
  const endpoint = await call('createWebhookEndpoint', { url: 'https://acme.dev/hooks', subscriptions: ['email.received'] });
  const { data, next_cursor } = await call('listEmails');
  const lines = [sent.id, reply.thread_id, endpoint.secret, next_cursor ?? ''];
  for (const email of data) lines.push(email.subject, email.category ?? '', email.space_id ?? '');
  return lines.join();
}
export const codeOf = (error: components['schemas']['Problem']): 'domain_unverified' | undefined =>
  error.code === 'domain_unverified' ? error.code : undefined;
${eventSwitch}`,
  },
  '@hey-api/openapi-ts': {
    1: `
import { replyToEmail, searchThreads, sendEmail } from './api';
export async function run(): Promise<string> {
  const sent = await sendEmail({ body: ${v1Message} });
  if (!sent.data) return 'code' in sent.error && sent.error.code === 'BAD_REQUEST' ? sent.error.issues.map(({ path }) => path).join() : '';
  const { data: reply } = await replyToEmail({ path: { emailId: sent.data.emailId }, body: { from: 'a@acme.dev', html: 'Thanks' }, throwOnError: true });
  const { data } = await searchThreads({ body: {}, throwOnError: true });
  return [reply.threadId, data.pagination.total.toFixed(), ...data.threads.map(({ subject }) => subject ?? '')].join();
}
`,
    2: `
import { createWebhookEndpoint, listEmails, replyToThread, sendEmail, type Event } from './api';
export async function run(): Promise<string> {
  const sent = await sendEmail({ body: ${v2Message}, headers: { 'Idempotency-Key': '4711' } });
  if (!sent.data) return 'code' in sent.error && sent.error.code === 'domain_unverified' ? sent.error.detail : sent.response?.statusText ?? '';
  const reply = await replyToThread({ path: { thread_id: sent.data.thread_id }, body: { text: 'Thanks' }, throwOnError: true });
  const endpoint = await createWebhookEndpoint({ body: { url: 'https://acme.dev/hooks', subscriptions: ['email.received'] }, throwOnError: true });
  const { data } = await listEmails({ query: { limit: 10 }, throwOnError: true });
  const lines = [reply.data.id, endpoint.data.secret, data.next_cursor ?? ''];
  for (const email of data.data) lines.push(email.subject, email.category ?? '', email.space_id ?? '');
  return lines.join();
}
${eventSwitch}`,
  },
  orval: {
    1: `
import { replyToEmail, sendEmail } from './api/emails/emails';
import { searchThreads } from './api/threads/threads';
export async function run(): Promise<string> {
  const sent = await sendEmail(${v1Message});
  if (sent.status === 400) return sent.data.code === 'BAD_REQUEST' ? sent.data.issues.map(({ path }) => path).join() : '';
  if (sent.status !== 200) return '';
  const reply = await replyToEmail(sent.data.emailId, { from: 'a@acme.dev', html: 'Thanks' });
  const { status, data } = await searchThreads({});
  if (status !== 200 || reply.status !== 200) return '';
  return [reply.data.threadId, data.pagination.total.toFixed(), ...data.threads.map(({ subject }) => subject ?? '')].join();
}
`,
    2: `
import { listEmails, sendEmail } from './api/emails/emails';
import type { Event } from './api/model';
import { replyToThread } from './api/threads/threads';
import { createWebhookEndpoint } from './api/webhook-endpoints/webhook-endpoints';
export async function run(): Promise<string> {
  const sent = await sendEmail(${v2Message}, { headers: { 'Idempotency-Key': '4711' } });
  if (sent.status === 409) return sent.data.code === 'domain_unverified' ? sent.data.detail : '';
  if (sent.status !== 201) return '';
  const reply = await replyToThread(sent.data.thread_id, { text: 'Thanks' });
  const endpoint = await createWebhookEndpoint({ url: 'https://acme.dev/hooks', subscriptions: ['email.received'] });
  const list = await listEmails({ limit: 10 });
  if (reply.status !== 201 || endpoint.status !== 201 || list.status !== 200) return '';
  const lines = [reply.data.id, endpoint.data.secret, list.data.next_cursor ?? ''];
  for (const email of list.data.data) lines.push(email.subject, email.category ?? '', email.space_id ?? '');
  return lines.join();
}
${eventSwitch}`,
  },
};
