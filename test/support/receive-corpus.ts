/** Receives a folder of real messages on the local cloud and reads each through the API. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parseMime } from '../../lib/mail/message/parse-mime.ts';
import { messagesUnder } from '../../scripts/corpus/files.ts';
import { type ApiResponse, api } from './api.ts';
import { cloud } from './cloud.ts';
import { workspace } from './workspace.ts';

interface Email {
  readonly id: string;
  readonly message_id: string;
}

/** Messages and requests at a time. */
const concurrency = 20;

/** Fails unless every message under a folder of `corpus` arrives through SMTP, is stored once, and is readable. */
export async function expectAllReadable(corpus: string, folder: string): Promise<void> {
  const ours = await workspace();
  const client = api(ours);
  const to = `in@${ours.providedDomain}`;
  const raws = messagesUnder(folder, corpus).map((file) => readFileSync(join(corpus, file)));
  expect(raws.length).toBeGreaterThan(50);
  for (const batch of batchesOf(raws)) {
    await Promise.all(batch.map((raw) => cloud().sendMail({ from: 'a@example.test', to, raw })));
  }
  await cloud().waitForQuiescence();
  const emails: Email[] = [];
  let cursor: string | null = null;
  do {
    const page: ApiResponse<{ data: Email[]; next_cursor: string | null }> = await client.get(
      `/emails?limit=100${cursor ? `&cursor=${cursor}` : ''}`,
    );
    expect(page.status).toBe(200);
    emails.push(...page.body.data);
    cursor = page.body.next_cursor;
  } while (cursor);
  // Files with the same Message-ID are stored once; a message without one gets an id of ours.
  const cited = (await Promise.all(raws.map((raw) => parseMime(raw)))).map(({ messageId }) => messageId);
  const stored = emails.map(({ message_id }) => message_id);
  const isGiven = (id: string) => id.endsWith(`@${ours.providedDomain}>`);
  expect(new Set(stored.filter((id) => !isGiven(id)))).toEqual(new Set(cited.filter((id) => id !== null)));
  expect(stored.filter(isGiven)).toHaveLength(cited.filter((id) => id === null).length);
  for (const batch of batchesOf(emails)) {
    const responses = await Promise.all(batch.map(({ id }) => client.get(`/emails/${id}`)));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  }
  expect(await inboundDeadLetters()).toBe(0);
}

function batchesOf<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / concurrency) }, (_, at) =>
    all.slice(at * concurrency, (at + 1) * concurrency),
  );
}

async function inboundDeadLetters(): Promise<number> {
  const queues = await cloud().control<Record<string, { visible: number }>>('GET', '/queues');
  const [, depth] = Object.entries(queues).find(([name]) => /-inbound-dead-letters$/.test(name)) ?? [];
  return depth?.visible ?? -1;
}
