/** More mail in one answer of a provider than one transaction takes (docs/mailbox-providers.md#synchronization). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, api } from '../../support/api.ts';
import { cloud } from '../../support/cloud.ts';
import { connectMailbox, disconnectAll, message, providers, settle } from '../../support/emulated-mailbox.ts';
import { type TestWorkspace, workspace } from '../../support/workspace.ts';

/** One transaction takes 100. */
const burst = 101;

let own: TestWorkspace;
let client: Api;
beforeAll(async () => {
  own = await workspace();
  client = api(own);
});
afterAll(() => disconnectAll(client));

/** Subjects of the received emails that begin like this, sorted. */
async function subjectsOf(query: string): Promise<unknown[]> {
  const subjects: unknown[] = [];
  let cursor: unknown = null;
  do {
    const page = cursor === null ? '' : `&cursor=${encodeURIComponent(String(cursor))}`;
    const { body } = await client.get(`/emails?limit=100&query=${encodeURIComponent(query)}${page}`);
    subjects.push(...body.data.map(({ subject }) => subject));
    cursor = body.next_cursor;
  } while (cursor);
  return subjects.sort();
}

const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${prefix} ${at}`).sort();

describe.each(providers)('a mailbox of %s', (provider) => {
  it('brings in each of more new messages than one transaction takes, and what comes after them', async () => {
    const prefix = `Burst ${crypto.randomUUID()}`;
    const mailbox = await connectMailbox(own, provider);
    const pushes = (body: object) => cloud().control('POST', `/mailbox-providers/${provider}/pushes`, body);
    // All of them are found by one session.
    await pushes({ hold: true });
    for (const subject of names(prefix, burst)) {
      await mailbox.receive(message('ben@elsewhere.test', mailbox.address, subject));
    }
    await pushes({ release: {}, hold: false });
    await settle();
    expect(await subjectsOf(prefix)).toEqual(names(prefix, burst));
    await mailbox.receive(message('ben@elsewhere.test', mailbox.address, `${prefix} after`));
    await settle();
    expect(await subjectsOf(prefix)).toHaveLength(burst + 1);
  });

  it('brings in more mail of the days before its connection than one transaction takes', async () => {
    const prefix = `Before ${crypto.randomUUID()}`;
    await connectMailbox(own, provider, {
      backfill_days: 7,
      before: async (receive) => {
        for (const subject of names(prefix, burst)) {
          await receive(message('ben@elsewhere.test', 'x@y.test', subject));
        }
      },
    });
    await settle();
    expect(await subjectsOf(prefix)).toEqual(names(prefix, burst));
  });
});
