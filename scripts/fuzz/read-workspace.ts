/** Reads everything that a workspace lets its program read after hostile mail, and checks each response. */

import type { HttpResponse } from './http-client.ts';
import { caseHeader } from './message-cases.ts';
import { faultOf, faultOfEvent, routeOf } from './openapi-schemas.ts';
import { type FuzzTenant, inParallel } from './tenant.ts';

export interface ReadWorkspace {
  readonly emails: readonly ReadEmail[];
  /** Addresses on suppression lists. */
  readonly suppressed: readonly string[];
  readonly faults: readonly ReadFault[];
  readonly requests: number;
  readonly slowest: { readonly what: string; readonly ms: number };
  readonly largest: { readonly what: string; readonly bytes: number };
}

export interface ReadEmail {
  readonly id: string;
  readonly threadId: string;
  readonly subject: string;
  /** The value of `X-Fuzz-Case`; null: the email has none. */
  readonly caseNumber: number | null;
}

export interface ReadFault {
  readonly caseNumber: number | null;
  readonly what: string;
}

interface Page {
  readonly data?: readonly { readonly id: string; readonly address?: string; readonly body?: unknown }[];
  readonly next_cursor?: string | null;
}

interface FullEmail {
  readonly id: string;
  readonly thread_id: string;
  readonly subject: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly attachments: readonly {
    readonly id: string;
    readonly preparation: { readonly format: string | null } | null;
  }[];
}

const statuses = ['received', 'queued', 'sent', 'delivered', 'bounced', 'complained', 'failed'];
const reasons = ['complaint', 'bounce', 'unsubscribe', 'manual'];
/** Attachments of an email that are read: the first ones. */
const attachmentsMax = 20;
const pagesMax = 200;
const atOnce = 4;

/** @param endpointId the webhook endpoint whose deliveries are read */
export async function readWorkspace(tenant: FuzzTenant, endpointId: string): Promise<ReadWorkspace> {
  const reader = readerOf(tenant);
  const { faults, list } = reader;
  const emails = await list('emails.list', '/emails?limit=100');
  const threads = await list('threads.list', '/threads?limit=100');
  await readFiltered(reader, tenant);
  await readDeliveries(reader, endpointId);
  const suppressions = await readSuppressions(reader);
  const readEmails = await inParallel(emails, atOnce, ({ id }) => readEmail(reader, id));
  await inParallel(threads, atOnce, ({ id }) => readThread(reader, id));
  await inParallel(threads, atOnce, ({ id }) => list('emails.list', `/emails?limit=100&thread_id=${id}`));
  const listed = new Set(threads.map(({ id }) => id));
  const present = readEmails.filter((email) => email !== null);
  for (const { id, threadId, caseNumber } of present) {
    if (!listed.has(threadId)) {
      faults.push({ caseNumber, what: `the list of threads lacks ${threadId} of email ${id}` });
    }
  }
  return {
    emails: present,
    suppressed: suppressions.map(({ address = '' }) => address),
    faults,
    ...reader.measures(),
  };
}

/** Lists of emails and threads with each filter. */
async function readFiltered({ list }: Reader, tenant: FuzzTenant): Promise<void> {
  for (const filter of [
    'space=none',
    'query=hello',
    'query=%22',
    'direction=inbound',
    'direction=outbound',
    ...statuses.map((status) => `status=${status}`),
  ]) {
    await list('emails.list', `/emails?limit=100&${filter}`);
  }
  const mailbox = encodeURIComponent(`support@${tenant.providedDomain}`);
  for (const filter of ['space=none', 'query=hello', `mailbox=${mailbox}`]) {
    await list('threads.list', `/threads?limit=100&${filter}`);
  }
}

/** Deliveries with their events. */
async function readDeliveries({ faults, list }: Reader, endpointId: string): Promise<void> {
  const deliveries = `/webhook-endpoints/${endpointId}/deliveries?limit=100`;
  for (const { id, body } of await list('webhook-endpoints.list-deliveries', deliveries)) {
    const fault = body ? faultOfEvent(body) : null;
    if (fault) faults.push({ caseNumber: null, what: `delivery ${id}: ${fault}` });
  }
  for (const state of ['pending', 'delivered', 'failed']) {
    await list('webhook-endpoints.list-deliveries', `${deliveries}&state=${state}`);
  }
}

async function readSuppressions({ list }: Reader): Promise<NonNullable<Page['data']>> {
  const suppressions = await list('suppressions.list', '/suppressions?limit=100');
  for (const filter of ['space=none', 'key=*', 'address=a', ...reasons.map((reason) => `reason=${reason}`)]) {
    await list('suppressions.list', `/suppressions?limit=100&${encodeURI(filter)}`);
  }
  return suppressions;
}

async function readEmail({ fetchValid, read, download }: Reader, id: string): Promise<ReadEmail | null> {
  const email = await read<FullEmail>('emails.retrieve', `/emails/${id}?include=attachment_content`);
  if (!email) return null;
  const caseNumber = caseNumberOf(email);
  for (const { id: attachment, preparation } of email.attachments.slice(0, attachmentsMax)) {
    const path = `/attachments/${attachment}`;
    await fetchValid('attachments.inspect', path, caseNumber);
    await download('attachments.download', path, caseNumber);
    if (preparation?.format) await download('attachments.download-text', `${path}/content`, caseNumber);
  }
  return { id, threadId: email.thread_id, subject: email.subject, caseNumber };
}

async function readThread({ read }: Reader, id: string): Promise<void> {
  let cursor: string | null | undefined = null;
  for (let pages = 0; pages < pagesMax; pages++) {
    const from: string = cursor ? `&message_cursor=${cursor}` : '';
    const page: { next_message_cursor: string | null } | null = await read(
      'threads.retrieve',
      `/threads/${id}?message_limit=100${from}`,
    );
    cursor = page?.next_message_cursor;
    if (!cursor) return;
  }
}

/** Reads with valid requests, and notes what is wrong with the responses. */
interface Reader {
  readonly faults: ReadFault[];
  /** A valid success; null otherwise. @param caseNumber of the mail that is read */
  fetchValid(operationId: string, path: string, caseNumber: number | null): Promise<HttpResponse | null>;
  /** The parsed body of a valid success; null otherwise. */
  read<T>(operationId: string, path: string): Promise<T | null>;
  /** Follows the redirect of a download. */
  download(operationId: string, path: string, caseNumber: number | null): Promise<void>;
  /** All pages of a list. */
  list(operationId: string, path: string): Promise<NonNullable<Page['data']>>;
  measures(): Pick<ReadWorkspace, 'requests' | 'slowest' | 'largest'>;
}

function readerOf(tenant: FuzzTenant): Reader {
  const faults: ReadFault[] = [];
  let requests = 0;
  let slowest = { what: '', ms: 0 };
  let largest = { what: '', bytes: 0 };
  const fetchValid = async (
    operationId: string,
    path: string,
    caseNumber: number | null,
  ): Promise<HttpResponse | null> => {
    const route = routeOf(operationId);
    const response = await tenant.call(route.method, path);
    const what = `${route.method} ${path.replace(/cursor=[^&]+/, 'cursor=…')}`;
    requests += 1;
    if (response.ms > slowest.ms) slowest = { what, ms: response.ms };
    if (response.body.length > largest.bytes) largest = { what, bytes: response.body.length };
    const fault = faultOf(route, route, response) ?? refusalOf(response);
    if (fault) faults.push({ caseNumber, what: `${what}: ${fault}` });
    return fault ? null : response;
  };

  const read = async <T>(operationId: string, path: string): Promise<T | null> => {
    const response = await fetchValid(operationId, path, null);
    return response && JSON.parse(response.body.toString());
  };

  const download = async (operationId: string, path: string, caseNumber: number | null): Promise<void> => {
    const location = (await fetchValid(operationId, path, caseNumber))?.headers.location;
    if (location === undefined) return;
    const response = await fetch(location);
    await response.bytes();
    if (!response.ok) faults.push({ caseNumber, what: `the file of ${path}: status ${response.status}` });
  };

  const list = async (operationId: string, path: string): Promise<NonNullable<Page['data']>> => {
    const all: NonNullable<Page['data']>[number][] = [];
    let cursor: string | null | undefined = null;
    for (let pages = 0; pages < pagesMax; pages++) {
      const from: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
      const page: Page | null = await read<Page>(operationId, `${path}${from}`);
      all.push(...(page?.data ?? []));
      cursor = page?.next_cursor;
      if (!cursor) return all;
    }
    faults.push({ caseNumber: null, what: `${path} has more than ${pagesMax} pages` });
    return all;
  };

  return { faults, fetchValid, read, download, list, measures: () => ({ requests, slowest, largest }) };
}

/** Every request is valid, so each refusal is a fault. */
function refusalOf({ status, body }: HttpResponse): string | null {
  return status < 400 ? null : `status ${status}: ${body.toString('utf8', 0, 300)}`;
}

function caseNumberOf({ headers }: FullEmail): number | null {
  const value = headers.find(({ name }) => name.toLowerCase() === caseHeader.toLowerCase())?.value;
  const digits = /^\d+/.exec(value ?? '')?.[0];
  return digits === undefined ? null : Number(digits);
}
