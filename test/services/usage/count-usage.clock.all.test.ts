/** The function that counts usage, beside the relay, on the table's stream (docs/concepts/usage.md). */
import { afterEach, describe, expect, it } from 'vitest';
import { countUsageWorker } from '../../../functions/workers/count-usage.contract.ts';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import type { WorkspaceId } from '../../../lib/core/ids.ts';
import { noUsage } from '../../../lib/core/workspaces/usage.ts';
import { newEvent } from '../../../lib/services/events/new-event.ts';
import { replayOutbox } from '../../../lib/services/queues/replay-outbox.ts';
import { commit } from '../../../lib/storage/table/transactions.ts';
import { clearFaults, eventsFor, inject, newSender, roleOfWorker, type Sender } from '../../faults/kit.ts';
import { api } from '../../support/api.ts';
import { meterCalls, recordedCalls } from '../../support/calls.ts';
import { cloud } from '../../support/cloud.ts';
import { workspace } from '../../support/workspace.ts';

afterEach(clearFaults);
meterCalls();

const { trigger } = countUsageWorker;
if (trigger.kind !== 'gathered-outbox') throw new Error('count-usage does not gather');
const { batchSize, batchWindowSeconds } = trigger;

const person = 'anna@people.example.test';
/** Of today, and of the day before: the window may end after midnight. */
async function usageOf(own: Sender['own']) {
  const { body } = await api(own).get('/usage?days=2');
  const days = body.data as unknown as readonly (typeof noUsage)[];
  const kinds = Object.keys(noUsage) as (keyof typeof noUsage)[];
  return Object.fromEntries(kinds.map((kind) => [kind, days.reduce((sum, day) => sum + day[kind], 0)]));
}

/** Ends the windows that are open. */
const endWindow = () => cloud().advance(batchWindowSeconds);

/** A send, its delivery, and an answer with two files, whose event waits for their text. */
async function converse(sender: Sender) {
  const email = await sender.send([person]);
  await cloud().waitForQuiescence();
  const attachments = ['a.csv', 'b.csv'].map((filename) => ({ filename, content: 'item,count\nbooks,2\n' }));
  await cloud().sendMail({ from: person, to: sender.from, subject: 'Re: Hello', text: 'Yes', attachments });
  await cloud().waitForQuiescence();
  return email;
}

const announce = (workspaceId: WorkspaceId) =>
  commit(
    workspaceId,
    [],
    [{ message: newEvent(workspaceId, 'email.sent', now(), { emailId: newId('eml') }) }],
  );

describe('count-usage', () => {
  it('counts each event once when its window ends, and none again in a replay', async () => {
    const sender = await newSender({ subscribes: false });
    const since = now();
    await endWindow();
    await converse(sender);
    await converse(sender);
    await endWindow();
    const counted = { ...noUsage, sent: 2, delivered: 2, received: 2 };
    expect(await usageOf(sender.own)).toEqual(counted);
    await replayOutbox({ sinceMs: since, untilMs: now() }, { isDryRun: false }, () => {});
    await endWindow();
    await endWindow();
    expect(await usageOf(sender.own)).toEqual(counted);
  });

  it('counts one event more than a batch has, whose subjects are gone, with few writes', async () => {
    const own = await workspace();
    await endWindow();
    const calls = await recordedCalls(async () => {
      for (let left = batchSize + 1; left > 0; left -= 50) {
        await Promise.all(Array.from({ length: Math.min(left, 50) }, () => announce(own.id)));
      }
      await cloud().waitForQuiescence();
      await endWindow();
    });
    // A slow machine may take longer than a window.
    const writes = calls.filter(
      ({ principal, keys }) =>
        principal.startsWith(roleOfWorker('count-usage')) && keys?.some((key) => key.includes(own.id)),
    );
    expect(writes.length).toBeGreaterThanOrEqual(2);
    expect(writes.length).toBeLessThan(50);
    expect(await usageOf(own)).toEqual({ ...noUsage, sent: batchSize + 1 });
  });

  it('leaves out the batch in which it dies, counts the next one, and delays no event', async () => {
    const sender = await newSender();
    await endWindow();
    await inject({ worker: 'count-usage', kind: 'kill-before', times: 1000 });
    const first = await converse(sender);
    expect(eventsFor(sender, first.id)).toEqual(['email.delivered', 'email.sent']);
    await endWindow();
    expect(await usageOf(sender.own)).toEqual(noUsage);
    await clearFaults();
    await converse(sender);
    await endWindow();
    expect(await usageOf(sender.own)).toEqual({ ...noUsage, sent: 1, delivered: 1, received: 1 });
  });
});
