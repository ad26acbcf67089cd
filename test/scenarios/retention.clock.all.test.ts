/** Mail that is older than its workspace keeps it is deleted (docs/concepts/deletion.md#retention). */
import { expect, it } from 'vitest';
import { now, timestamp } from '../../lib/adapters/clock.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { findStored, finishDeletion } from '../support/marked-thread.ts';
import { adminResult } from '../support/operator.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';

const hour = 3600;

const retention = (own: TestWorkspace, ...more: string[]) =>
  adminResult(['workspace', 'retention', '--workspace', own.slug, ...more]);

it('deletes emails and threads that are too old, when they are done, and nothing else', async () => {
  const own = await workspace();
  const client = api(own);
  const from = `desk@${own.providedDomain}`;
  const send = async (to: string, more: object = {}) => {
    const { body } = await client.post('/emails', { from, to, subject: `To ${to}`, text: 'Hello', ...more });
    return { email: `/emails/${body.id}`, thread: `/threads/${body.thread_id}` };
  };
  const statuses = (...paths: string[]) =>
    Promise.all(paths.map(async (path) => (await client.get(path)).status));
  expect(await retention(own)).toEqual({ retention_days: null, is_default: true });
  const [old, waiting] = [
    await send('old@example.test'),
    await send('later@example.test', { scheduled_at: timestamp(now() + 30 * hour * 1000) }),
  ];
  await cloud().waitForQuiescence();
  await cloud().advance(12 * hour);
  const young = await send('young@example.test');
  await cloud().waitForQuiescence();
  expect(await retention(own, '--days', '1')).toEqual({ retention_days: 1, is_default: false });
  await cloud().advance(2 * hour);
  await cloud().waitForQuiescence();
  expect(await statuses(old.email, young.email)).toEqual([200, 200]);

  await cloud().advance(12 * hour);
  await cloud().waitForQuiescence();

  expect(await statuses(old.email, old.thread)).toEqual([404, 404]);
  expect(await statuses(young.email, young.thread, waiting.email)).toEqual([200, 200, 200]);
  await finishDeletion();
  expect(await findStored(own.id, ['old@example.test'])).toEqual([]);
  for (const hours of [14, 2]) {
    await cloud().advance(hours * hour);
    await cloud().waitForQuiescence();
  }
  // The time of the scheduled email has come: it has left, and is older than a day.
  expect(await statuses(waiting.email, waiting.thread, young.email)).toEqual([404, 404, 404]);
  expect(await cloud().sentTo('later@example.test')).toHaveLength(1);
  expect(await retention(own, '--days', 'forever')).toEqual({ retention_days: null, is_default: false });
  expect(await retention(own, '--days', 'default')).toEqual({ retention_days: null, is_default: true });
});
