/** A local run whose demo workspace has hostile mail in every place of the inbox and the console. */
import { type InboxRun, startInboxRun } from '../../test/support/inbox-run.ts';
import { activeMessage, armed } from './active-content.ts';
import { caseRandom, type MessageCase, messageCase } from './message-cases.ts';
import type { Correspondence } from './message-fields.ts';
import { webhookTypes } from './openapi-schemas.ts';
import { sendOverSmtp } from './smtp-client.ts';
import { inParallel } from './tenant.ts';

export interface BrowserBatch {
  readonly seed: number;
  readonly numbers: readonly number[];
  /** Larger messages are left out. */
  readonly octetsMax: number;
  /** A kind of messages that is left out. */
  readonly without?: string;
}

export interface HostileRun {
  readonly run: InboxRun;
  /** Messages that were taken, by kind. */
  readonly kinds: readonly string[];
  /** Where the local inbox shows each message. */
  readonly inboxPaths: readonly string[];
  /** Where the console shows each conversation, with its last message open. */
  readonly threadPaths: readonly string[];
  readonly draftPaths: readonly string[];
  readonly endpointPath: string;
  /** Words of subjects, to search for. */
  readonly words: readonly string[];
}

interface Email {
  readonly id: string;
  readonly thread_id: string;
  readonly message_id: string;
  readonly subject: string;
  readonly text: string | null;
  readonly html: string | null;
}
interface Page<T> {
  readonly data: readonly T[];
  readonly next_cursor?: string | null;
  readonly next_before?: string | null;
}

/** Octets of the text in one field, and of the largest html. */
const targetedOctets = 400_000;
const largeHtmlOctets = 5_000_000;
const atOnce = 4;

/** Two of three cases are those of `npm run fuzz:mail` with active elements in their html, the third is active as a whole. */
export function browserCase(seed: number, number: number, with_: Correspondence): MessageCase {
  const random = caseRandom(seed, number);
  if (number % 3 === 0) {
    const isLarge = number % 60 === 0;
    const raw = activeMessage(random, isLarge ? largeHtmlOctets : 0);
    const kind = isLarge ? 'active: 5 MB of html' : 'active';
    return { number, kind, from: 'mallory@example.test', raw: Buffer.from(raw, 'latin1') };
  }
  const made = messageCase(seed, number, with_, targetedOctets);
  return { ...made, raw: Buffer.from(armed(made.raw.toString('latin1'), random), 'latin1') };
}

/** Starts the run. @throws Error where it cannot be set up */
export async function startHostileRun(batch: BrowserBatch): Promise<HostileRun> {
  const run = await startInboxRun();
  try {
    const endpointPath = await openEndpoint(run);
    const kinds = await inject(run, batch);
    const emails = await wholeEmails(run);
    await answer(run, emails);
    await run.control('POST', '/settle');
    const drafts = await run.api<Page<Email>>('GET', '/emails?status=draft&limit=100');
    return {
      run,
      kinds,
      endpointPath,
      inboxPaths: await inboxPathsOf(run),
      threadPaths: [...new Map(emails.map((one) => [one.thread_id, one.id]))].map(
        ([thread, email]) => `/console/conversations/${thread}#${email}`,
      ),
      draftPaths: drafts.data.map(({ id }) => `/console/drafts/${id}`),
      words: emails.flatMap(({ subject }) =>
        subject
          .split(/\s+/)
          .filter((word) => word.length > 3)
          .slice(0, 1),
      ),
    };
  } catch (error) {
    await run.close();
    throw error;
  }
}

async function openEndpoint(run: InboxRun): Promise<string> {
  const url = `${run.origin}/_control/receiver/inbox`;
  const { id, secret } = await run.api<{ id: string; secret: string }>('POST', '/webhook-endpoints', {
    url,
    subscriptions: webhookTypes,
  });
  await run.control('POST', '/receiver/inbox/endpoint', { endpoint_id: id, secret });
  return `/console/webhooks/${id}`;
}

async function inject(run: InboxRun, { seed, numbers, octetsMax, without }: BrowserBatch): Promise<string[]> {
  const mailbox = `support@${run.domain}`;
  const [customer, bystander] = ['customer@example.test', 'bystander@elsewhere.test'];
  const mail = { from: mailbox, to: [customer, bystander], subject: 'Fuzz', text: 'Hello' };
  const sent = await run.api<Email>('POST', '/emails', mail);
  const optional = await run.api<Email>('POST', '/emails', { ...mail, to: bystander, unsubscribe: true });
  await run.control('POST', '/settle');
  const wireId = async ({ id }: Email) => (await run.api<Email>('GET', `/emails/${id}`)).message_id;
  const with_: Correspondence = {
    ...{ mailbox, customer, bystander, ownId: sent.message_id, threadId: sent.thread_id },
    sentId: await wireId(sent),
    optionalId: await wireId(optional),
  };
  await run.api('POST', '/inbound-rules', { action: 'block', pattern: 'blocked@example.test' });
  const kinds = await inParallel(numbers, atOnce, async (number) => {
    const { kind, raw } = browserCase(seed, number, with_);
    if (raw.length > octetsMax || kind === without) return null;
    // The author of the envelope is another each time, so that each message has a person of its own where it names none.
    const from = `case${number}@example.test`;
    const { isAccepted } = await sendOverSmtp(run.smtpPort, { from, to: mailbox, raw });
    return isAccepted ? kind : null;
  });
  const blocked = `${activeMessage(caseRandom(seed, 0))}`.replace(
    'mallory@example.test',
    'blocked@example.test',
  );
  await sendOverSmtp(run.smtpPort, {
    ...{ from: 'blocked@example.test', to: mailbox },
    raw: Buffer.from(blocked, 'latin1'),
  });
  await run.control('POST', '/settle');
  return kinds.filter((kind) => kind !== null);
}

/** Received email of the workspace, with html and text. */
async function wholeEmails(run: InboxRun): Promise<readonly Email[]> {
  const all: Email[] = [];
  let cursor: string | null | undefined = '';
  do {
    const query = `direction=inbound&limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`;
    const page: Page<Email> = await run.api('GET', `/emails?${query}`);
    all.push(...(await inParallel(page.data, atOnce, ({ id }) => run.api<Email>('GET', `/emails/${id}`))));
    cursor = page.next_cursor;
  } while (cursor);
  return all;
}

const sentMax = 30_000;

/** Lets the workspace send, draft, forward and suppress what it received; what the API refuses is left out. */
async function answer(run: InboxRun, emails: readonly Email[]): Promise<void> {
  const from = `support@${run.domain}`;
  const attempt = (method: string, path: string, body: object) =>
    run.api<Email>(method, path, body).catch((error: unknown) => {
      if (/: 5\d\d /.test(String(error))) throw error;
      return null;
    });
  await inParallel(
    [...emails.entries()],
    atOnce,
    async ([at, { thread_id: thread, subject, text, html }]) => {
      const content = {
        text: (text ?? 'No text.').slice(0, sentMax),
        ...(html && { html: html.slice(0, sentMax) }),
      };
      const [reader, plainSubject] = [`reader${at % 5}@example.test`, subject.slice(0, 900) || 'None'];
      if (at % 3 === 0)
        await attempt('POST', '/emails', { from, to: [reader], subject: plainSubject, ...content });
      if (at % 5 === 1)
        await attempt('POST', `/threads/${thread}/forward`, {
          to: [reader],
          note: content.text.slice(0, 500),
        });
      if (at % 4 === 2) {
        const draft = await attempt('POST', `/threads/${thread}/reply`, {
          draft: true,
          ...content,
          text: 'An answer of ours.',
        });
        if (draft) await attempt('PATCH', `/emails/${draft.id}`, { text: content.text });
      }
      if (at % 6 === 3)
        await attempt('POST', '/suppressions', {
          addresses: [`gone${at}@example.test`],
          note: plainSubject.slice(0, 200),
        });
    },
  );
}

async function inboxPathsOf(run: InboxRun): Promise<string[]> {
  type Row = { readonly address: string; readonly id: string };
  const all = async (path: string): Promise<Row[]> => {
    const rows: Row[] = [];
    let before: string | null | undefined = '';
    do {
      const page: Page<Row> = await run.control(
        'GET',
        `${path}?limit=100${before ? `&before=${before}` : ''}`,
      );
      rows.push(...page.data);
      before = page.next_before;
    } while (before);
    return rows;
  };
  const paths: string[] = [];
  for (const { address } of await all('/people')) {
    const path = `/people/${encodeURIComponent(address)}`;
    paths.push(...(await all(`${path}/messages`)).map(({ id }) => `${path}/${id}`));
  }
  return paths;
}
