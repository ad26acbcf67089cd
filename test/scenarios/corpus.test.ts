/** Real messages through SMTP, receive-mail and the API. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseMime } from '../../lib/core/mail/parse-mime.ts';
import { type ApiResponse, api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { workspace } from '../support/workspace.ts';

const folder = join(import.meta.dirname, '../../../shared/corpus/mime');
const messages = existsSync(folder)
  ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.eml'))
  : [];

it.skipIf(messages.length === 0)(
  `every message of the corpus goes in through SMTP and can be read through the API (skipped where ../shared/corpus is absent)`,
  async () => {
    const ours = await workspace();
    const client = api(ours);
    const to = `in@${ours.providedDomain}`;
    const raws = messages.map((name) => readFileSync(join(folder, name)));
    for (let at = 0; at < raws.length; at += 20) {
      await Promise.all(
        raws.slice(at, at + 20).map((raw) => cloud().sendMail({ from: 'a@example.test', to, raw })),
      );
    }
    await cloud().waitForQuiescence();
    const emails: { id: string; message_id: string }[] = [];
    let cursor: string | null = null;
    do {
      const page: ApiResponse<{ data: typeof emails; next_cursor: string | null }> = await client.get(
        `/emails?limit=100${cursor ? `&cursor=${cursor}` : ''}`,
      );
      expect(page.status).toBe(200);
      emails.push(...page.body.data);
      cursor = page.body.next_cursor;
    } while (cursor);
    // Some files are one message in two forms, which is stored once; a message without an id is given one of ours.
    const cited = (await Promise.all(raws.map((raw) => parseMime(raw)))).map(({ messageId }) => messageId);
    const stored = emails.map(({ message_id }) => message_id);
    const isGiven = (id: string) => id.endsWith(`@${ours.providedDomain}>`);
    expect(new Set(stored.filter((id) => !isGiven(id)))).toEqual(new Set(cited.filter((id) => id !== null)));
    expect(stored.filter(isGiven)).toHaveLength(cited.filter((id) => id === null).length);
    const ids = emails.map(({ id }) => id);
    for (let at = 0; at < ids.length; at += 20) {
      const answers = await Promise.all(ids.slice(at, at + 20).map((id) => client.get(`/emails/${id}`)));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    }
    const { inbound = { visible: -1 } } = await deadLetters();
    expect(inbound.visible).toBe(0);
  },
  60_000,
);

async function deadLetters(): Promise<Record<string, { visible: number }>> {
  const queues = await cloud().control<Record<string, { visible: number }>>('GET', '/queues');
  const name = Object.keys(queues).find((queue) => /-inbound-dead-letters$/.test(queue)) ?? '';
  return { inbound: queues[name] ?? { visible: -1 } };
}
