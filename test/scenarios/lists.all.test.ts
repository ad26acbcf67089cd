/** Lists of emails and threads: filters, search, cursors, and mail that arrives during a listing. */
import { describe, expect, it } from 'vitest';
import { now } from '../../lib/adapters/clock.ts';
import { newId } from '../../lib/adapters/ids.ts';
import { type Api, api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';

interface Row {
  readonly id: string;
  readonly thread_id: string;
  readonly subject: string;
  readonly status: string;
  readonly direction: string;
  readonly message_count: number;
  readonly mailbox: string;
}

interface Page {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
  readonly code: string;
}

interface ThreadBody {
  readonly messages: readonly { readonly id: string; readonly text: string }[];
  readonly next_message_cursor: string | null;
  readonly message_count: number;
  readonly code: string;
}

interface Desk extends Api {
  readonly ours: TestWorkspace;
  /** Sends from an address of the provided domain; the email. */
  send(subject: string, more?: object): Promise<Row>;
  /** Delivers mail to an address of the provided domain. */
  receive(subject: string, more?: { to?: string; inReplyTo?: string; from?: string }): Promise<void>;
  page(path: string): Promise<Page>;
}

async function desk(): Promise<Desk> {
  const ours = await workspace();
  const client = api(ours);
  const address = (name: string) => `${name}@${ours.providedDomain}`;
  return {
    ...client,
    ours,
    async send(subject, more = {}) {
      const message = { from: address('desk'), to: 'anna@example.test', subject, text: subject, ...more };
      const { status, body } = await client.post<Row>('/emails', message);
      expect(status).toBe(201);
      return body;
    },
    async receive(subject, { to = 'desk', from = 'bo@example.test', inReplyTo } = {}) {
      const mail = { from, to: address(to), subject, text: subject };
      await cloud().sendMail({ ...mail, ...(inReplyTo && { inReplyTo }) });
    },
    async page(path) {
      const { status, body } = await client.get<Page>(path);
      expect(status).toBe(200);
      return body;
    },
  };
}

const subjects = ({ data }: Page) => data.map(({ subject }) => subject);

/** The rows of a first page and of all further ones; `between` runs before each further one. */
async function rest(
  page: Desk['page'],
  path: string,
  first: Page,
  between: () => Promise<void> = async () => {},
): Promise<Row[]> {
  const rows = [...first.data];
  for (let cursor = first.next_cursor; cursor; ) {
    await between();
    const next = await page(`${path}&cursor=${cursor}`);
    rows.push(...next.data);
    cursor = next.next_cursor;
  }
  return rows;
}

const all = async (page: Desk['page'], path: string) => await rest(page, path, await page(path));

/** Starts threads with these subjects; the emails by subject. */
async function threads(client: Desk, names: readonly string[]): Promise<Map<string, Row>> {
  const begun = new Map<string, Row>();
  for (const name of names) begun.set(name, await client.send(name));
  return begun;
}

describe('GET /threads', () => {
  const path = '/threads?limit=2';

  it('shows each thread once and skips none when mail moves threads during the listing', async () => {
    const client = await desk();
    const begun = await threads(client, ['a', 'b', 'c', 'd', 'e', 'f']);
    const first = await client.page(path);
    expect(subjects(first)).toEqual(['f', 'e']);
    let round = 0;
    const moving = ['b', 'f', 'a', 'd'];
    const rows = await rest(client.page, path, first, async () => {
      // Moves a thread of an earlier or a later page, and starts a new one.
      const moved = begun.get(moving[round++] ?? '');
      await client.send('joins', { thread_id: moved?.thread_id });
      await client.send(`new ${round}`);
      await cloud().waitForQuiescence();
    });
    expect(rows.map(({ subject }) => subject)).toEqual(['f', 'e', 'd', 'c', 'b', 'a']);
    // A new listing has the new order.
    const now = (await all(client.page, path)).map(({ subject }) => subject);
    expect(now.slice(0, 2)).toEqual(['new 2', 'f']);
    expect([...now].sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'new 1', 'new 2']);
  });

  it('shows a thread once when it moves several times during the listing', async () => {
    const client = await desk();
    const begun = await threads(client, ['a', 'b', 'c', 'd']);
    const first = await client.page(path);
    for (let times = 0; times < 3; times++) {
      await client.send('joins', { thread_id: begun.get('a')?.thread_id });
    }
    const rows = await rest(client.page, path, first);
    expect(rows.map(({ subject }) => subject)).toEqual(['d', 'c', 'b', 'a']);
    expect(rows.at(-1)?.message_count).toBe(4);
  });

  it('shows each thread once when filtered by space or mailbox', async () => {
    const client = await desk();
    for (const to of ['desk', 'shop', 'desk', 'shop', 'desk']) await client.receive(`for ${to}`, { to });
    await cloud().waitForQuiescence();
    const mailbox = `desk@${client.ours.providedDomain}`;
    const ofDesk = `${path}&mailbox=${encodeURIComponent(mailbox.toUpperCase())}`;
    const first = await client.page(ofDesk);
    await client.receive('meanwhile');
    await cloud().waitForQuiescence();
    const rows = await rest(client.page, ofDesk, first);
    expect(rows.map((row) => [row.subject, row.mailbox])).toEqual(Array(3).fill(['for desk', mailbox]));
    expect(await all(client.page, `${path}&space=none`)).toHaveLength(6);
    const { body: space } = await client.post('/spaces', { name: 'Empty' });
    expect(await client.page(`${path}&space=${space.id}`)).toEqual({ data: [], next_cursor: null });
  });

  it('sorts by the last message, inbound or outbound', async () => {
    const client = await desk();
    const begun = await threads(client, ['a', 'b', 'c']);
    await cloud().waitForQuiescence();
    const [sent] = await cloud()
      .sentTo('anna@example.test')
      .then((list) => list.filter(isOf(client, begun.get('a'))));
    await client.receive('Re: a', { from: 'anna@example.test', inReplyTo: sent?.message_id ?? '' });
    await cloud().waitForQuiescence();
    expect(subjects(await client.page('/threads'))).toEqual(['a', 'c', 'b']);
  });

  it('finds words in subject, mailbox and participants', async () => {
    const client = await desk();
    await client.send('Größe XL', { to: 'Zoë Quill <zoe@example.test>' });
    await client.send('Invoice 100%', { from: `billing@${client.ours.providedDomain}` });
    const found = async (query: string) =>
      subjects(await client.page(`/threads?query=${encodeURIComponent(query)}`));
    expect(await found('GRÖSSE')).toEqual([]);
    expect(await found('gröSSe xl')).toEqual([]);
    expect(await found('GRÖßE')).toEqual(['Größe XL']);
    expect(await found('quill größe')).toEqual(['Größe XL']);
    expect(await found('ZOE@')).toEqual(['Größe XL']);
    expect(await found('billing@')).toEqual(['Invoice 100%']);
    expect(await found('100% invoice')).toEqual(['Invoice 100%']);
    expect(await found('100_')).toEqual([]);
    expect(await found('invoice größe')).toEqual([]);
  });

  it('answers invalid_query when the mailbox is no address', async () => {
    const { get } = await desk();
    const { status, body } = await get('/threads?mailbox=nobody');
    expect([status, body.code, body.issues]).toMatchObject([400, 'invalid_query', [{ path: 'mailbox' }]]);
  });
});

const isOf = (client: Desk, email: Row | undefined) => {
  return ({ tags }: { tags: Readonly<Record<string, string>> }) =>
    tags.email_id === email?.id && tags.workspace_id === client.ours.id;
};

describe('GET /emails', () => {
  it('shows each email once, newest first, when mail arrives during the listing', async () => {
    const client = await desk();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await client.send(name);
    const path = '/emails?limit=2';
    const first = await client.page(path);
    let round = 0;
    const rows = await rest(client.page, path, first, async () => {
      await client.receive(`new ${++round}`);
      await cloud().waitForQuiescence();
    });
    expect(rows.map(({ subject }) => subject)).toEqual(['e', 'd', 'c', 'b', 'a']);
    expect(subjects(await client.page(path))).toEqual(['new 2', 'new 1']);
  });

  it('filters by direction, status, thread and space, and by several at once', async () => {
    const client = await desk();
    const first = await client.send('first');
    await client.send('bounces', { to: 'bounce@simulator.amazonses.com' });
    await client.receive('inbound');
    const in9days = new Date(now() + 9 * 86_400_000).toISOString();
    const later = await client.send('later', { scheduled_at: in9days });
    await client.send('again', { thread_id: first.thread_id });
    await cloud().waitForQuiescence();
    const found = async (query: string) => subjects(await client.page(`/emails?${query}`));
    expect(await found('direction=inbound')).toEqual(['inbound']);
    expect(await found('direction=outbound')).toEqual(['again', 'later', 'bounces', 'first']);
    expect(await found('status=received')).toEqual(['inbound']);
    expect(await found('status=delivered')).toEqual(['again', 'first']);
    expect(await found('status=bounced')).toEqual(['bounces']);
    expect(await found('status=scheduled')).toEqual(['later']);
    expect(await found('status=scheduled&direction=inbound')).toEqual([]);
    expect(await found(`thread_id=${first.thread_id}`)).toEqual(['again', 'first']);
    expect(await found(`thread_id=${later.thread_id}&status=delivered`)).toEqual([]);
    expect(await found(`thread_id=${first.thread_id}&query=AGAIN`)).toEqual(['again']);
    expect(await found('space=none&direction=inbound')).toEqual(['inbound']);
    const { body: space } = await client.post('/spaces', { name: 'Empty' });
    expect(await found(`space=${space.id}`)).toEqual([]);
    expect(await found(`space=${space.id}&thread_id=${first.thread_id}`)).toEqual([]);
  });

  it('keeps its filter from page to page', async () => {
    const client = await desk();
    for (const name of ['yes 1', 'no 1', 'yes 2', 'no 2', 'no 3', 'yes 3']) await client.send(name);
    for (const filter of ['query=yes', 'space=none&query=yes', 'direction=outbound&query=yes']) {
      const rows = await all(client.page, `/emails?limit=1&${filter}`);
      expect(rows.map(({ subject }) => subject)).toEqual(['yes 3', 'yes 2', 'yes 1']);
    }
    const thread = await client.send('yes 4');
    for (const subject of ['no 4', 'yes 5']) await client.send(subject, { thread_id: thread.thread_id });
    const ofThread = await all(client.page, `/emails?limit=1&thread_id=${thread.thread_id}&query=yes`);
    expect(ofThread.map(({ subject }) => subject)).toEqual(['yes 5', 'yes 4']);
  });

  it('finds words in subject, names and addresses, literally and ignoring case', async () => {
    const client = await desk();
    await client.send('Lunch', {
      from: `Front Desk <desk@${client.ours.providedDomain}>`,
      to: 'Anna Smith <anna@example.test>',
      cc: 'Carl <carl@example.test>',
      bcc: 'hidden@example.test',
      reply_to: 'answers@example.test',
    });
    const words = [
      'LUNCH',
      'smith',
      'anna@example.test',
      'carl',
      'hidden@',
      'answers@',
      'front desk',
      'lunch smith carl',
    ];
    for (const query of words) {
      expect(subjects(await client.page(`/emails?query=${encodeURIComponent(query)}`)), query).toEqual([
        'Lunch',
      ]);
    }
    for (const query of ['dinner', 'lunch dinner', '.*', 'l_nch', 'l%nch']) {
      expect(subjects(await client.page(`/emails?query=${encodeURIComponent(query)}`)), query).toEqual([]);
    }
  });

  it('refuses unknown values and ids in filters', async () => {
    const { get } = await desk();
    const refusal = async (query: string) => {
      const { status, body } = await get(`/emails?${query}`);
      return [status, body.code];
    };
    expect(await refusal('status=lost')).toEqual([400, 'invalid_query']);
    expect(await refusal('direction=up')).toEqual([400, 'invalid_query']);
    expect(await refusal('query=')).toEqual([400, 'invalid_query']);
    expect(await refusal(`query=${'x'.repeat(321)}`)).toEqual([400, 'invalid_query']);
    expect(await refusal('thread_id=x')).toEqual([400, 'invalid_thread_id']);
    expect(await refusal(`thread_id=${newId('thr')}`)).toEqual([404, 'thread_not_found']);
    const theirs = await (await desk()).send('Theirs');
    expect(await refusal(`thread_id=${theirs.thread_id}`)).toEqual([404, 'thread_not_found']);
  });
});

describe('a cursor', () => {
  it('is valid only for its list and filters, with any limit', async () => {
    const client = await desk();
    const { body: space } = await client.post('/spaces', { name: 'Shop' });
    const { thread_id } = await client.send('a');
    for (const name of ['b', 'c']) await client.send(name);
    const { next_cursor: ofEmails } = await client.page('/emails?limit=1');
    const { next_cursor: ofThreads } = await client.page('/threads?limit=1');
    const refused = [
      `/threads?cursor=${ofEmails}`,
      `/emails?cursor=${ofThreads}`,
      ...['direction=outbound', 'status=queued', 'query=a', 'space=none', `space=${space.id}`].map(
        (filter) => `/emails?${filter}&cursor=${ofEmails}`,
      ),
      `/emails?thread_id=${thread_id}&cursor=${ofEmails}`,
      ...['query=a', 'space=none', `mailbox=desk@${client.ours.providedDomain}`].map(
        (filter) => `/threads?${filter}&cursor=${ofThreads}`,
      ),
    ];
    for (const path of refused) {
      const { status, body } = await client.get(path);
      expect([status, body.code], path).toEqual([400, 'invalid_cursor']);
    }
    expect(subjects(await client.page(`/emails?limit=5&cursor=${ofEmails}`))).toEqual(['b', 'a']);
    expect(subjects(await client.page(`/threads?limit=5&cursor=${ofThreads}`))).toEqual(['b', 'a']);
    const theirs = await desk();
    expect((await theirs.get(`/emails?cursor=${ofEmails}`)).body.code).toBe('invalid_cursor');
  });
});

describe('the messages of a thread', () => {
  async function conversation(count: number) {
    const client = await desk();
    const first = await client.send('message 1');
    const ids = [first.id];
    for (let at = 2; at <= count; at++) {
      ids.push((await client.send(`message ${at}`, { thread_id: first.thread_id })).id);
    }
    const read = async (query = '') => {
      const { status, body } = await client.get<ThreadBody>(`/threads/${first.thread_id}${query}`);
      return { ...body, status };
    };
    return { ...client, thread: first.thread_id, ids, read };
  }

  it('come oldest first, page by page, with the last id shown as the cursor', async () => {
    const { read, ids, send, thread } = await conversation(5);
    const whole = await read();
    expect(whole.messages.map(({ id }) => id)).toEqual(ids);
    expect([whole.next_message_cursor, whole.message_count]).toEqual([null, 5]);
    const first = await read('?message_limit=2');
    expect(first.messages.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first.next_message_cursor).toBe(ids[1]);
    // A message that joins during the listing comes last.
    const sixth = await send('message 6', { thread_id: thread });
    const second = await read(`?message_limit=2&message_cursor=${first.next_message_cursor}`);
    const third = await read(`?message_limit=2&message_cursor=${second.next_message_cursor}`);
    expect([...second.messages, ...third.messages].map(({ id }) => id)).toEqual([...ids.slice(2), sixth.id]);
    expect(third.next_message_cursor).toBeNull();
    expect(await read(`?message_cursor=${sixth.id}`)).toMatchObject({
      status: 200,
      messages: [],
      next_message_cursor: null,
    });
  });

  it('end a page at 4 MB when the limit allows more', async () => {
    const { read, ids, send, thread } = await conversation(1);
    // A response holds a text three times: text, stripped_text and its one segment.
    const text = 'x'.repeat(1_000_000);
    for (let at = 0; at < 2; at++) ids.push((await send('large', { thread_id: thread, text })).id);
    const first = await read();
    expect(first.messages.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const second = await read(`?message_cursor=${first.next_message_cursor}`);
    expect(second.messages.map(({ id }) => id)).toEqual(ids.slice(2));
    expect(second.next_message_cursor).toBeNull();
  });

  it('refuse a cursor that is no message of the thread, and a limit outside 1 to 100', async () => {
    const { read, send } = await conversation(2);
    const other = await send('another thread');
    for (const cursor of [other.id, newId('eml'), newId('thr'), 'x', '']) {
      const { status, code } = await read(`?message_cursor=${cursor}`);
      expect([status, code], cursor).toEqual([400, 'invalid_cursor']);
    }
    for (const limit of ['0', '101', 'x', '']) {
      const { status, code } = await read(`?message_limit=${limit}`);
      expect([status, code], limit).toEqual([400, 'invalid_query']);
    }
  });
});
