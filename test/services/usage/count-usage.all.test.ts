/** The counting of a batch (docs/decisions/0089-usage-counted-apart.md). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import type { WorkspaceId } from '../../../lib/core/ids.ts';
import type { PublishEvent } from '../../../lib/core/queue-messages.ts';
import { newEvent } from '../../../lib/services/events/new-event.ts';
import { sendMailMessage } from '../../../lib/services/sending/submission-messages.ts';
import { countUsage } from '../../../lib/services/usage/usage.ts';
import { eraseWorkspace } from '../../../lib/services/workspaces/erase-workspace.ts';
import { listUsage } from '../../../lib/storage/workspaces/usage.ts';
import { clearFaults, inject } from '../../faults/kit.ts';
import { ownCalls } from '../../support/calls.ts';
import { carrierOf } from '../../support/carriers.ts';
import { tearDown } from '../../support/deleted-space.ts';
import { captureLog, type LogLine } from '../../support/log-lines.ts';
import { itemsOf } from '../../support/stored.ts';
import { workspace } from '../../support/workspace.ts';

let log: readonly LogLine[] = [];
beforeEach(() => {
  log = captureLog();
});
afterEach(clearFaults);

const dayMs = 86_400_000;
const event = (workspaceId: WorkspaceId, at = now()): PublishEvent =>
  newEvent(workspaceId, 'email.sent', at, { emailId: newId('eml') });
const sentOf = async (workspaceId: WorkspaceId) => (await listUsage(workspaceId, 30)).map(({ sent }) => sent);
const logged = () => log.map((line) => line.event);

describe('countUsage', () => {
  it('writes once for each workspace and day, and reads the workspaces together', async () => {
    const [a, b] = [await workspace(), await workspace()];
    const records = Array.from({ length: 30 }, (_, at) => [
      carrierOf(event(a.id, now() - (at % 2) * dayMs)),
      carrierOf(event(b.id)),
      carrierOf(sendMailMessage(a.id, newId('eml'), null)),
    ]).flat();
    const calls = await ownCalls(() => countUsage(records));
    expect(calls).toEqual(['BatchGetItem', 'UpdateItem', 'UpdateItem', 'UpdateItem']);
    expect([await sentOf(a.id), await sentOf(b.id)]).toEqual([[15, 15], [30]]);
  });

  // Ten writes run at the same time.
  it.each([11, 1000])('counts the events of %i days, each in its own', async (days) => {
    const { id } = await workspace();
    await countUsage(Array.from({ length: days }, (_, at) => carrierOf(event(id, now() + at * dayMs))));
    const counted = await listUsage(id, days);
    expect(new Set(counted.map(({ day }) => day)).size).toBe(days);
    expect(counted.filter(({ sent }) => sent !== 1)).toEqual([]);
  });

  it('counts an event that waits to be published, and nothing for other messages', async () => {
    const { id } = await workspace();
    const message = event(id);
    const outbox = { id: 'x', messages: [{ message, dueAt: now() + 10_000 }] };
    await countUsage([
      { image: { outbox: { S: JSON.stringify(outbox) } }, sequenceNumber: '1' },
      carrierOf({
        kind: 'extract-text',
        v: 1,
        workspaceId: id,
        emailId: newId('eml'),
        attachmentId: newId('att'),
        receivedEvent: message,
      }),
    ]);
    expect(await sentOf(id)).toEqual([1]);
  });

  it('tries an update once: what fails is logged, and the others are counted', async () => {
    const [a, b] = [await workspace(), await workspace()];
    const fault = {
      kind: 'error',
      service: 'dynamodb',
      action: 'UpdateItem',
      code: 'Lost',
      status: 400,
    } as const;
    await inject({ ...fault, match: a.id });
    await countUsage([carrierOf(event(a.id)), carrierOf(event(b.id))]);
    expect([await sentOf(a.id), await sentOf(b.id)]).toEqual([[], [1]]);
    expect(log).toContainEqual(expect.objectContaining({ event: 'usage.not_counted', workspace_id: a.id }));
  });

  it('skips items that it cannot read, and counts the others', async () => {
    const { id } = await workspace();
    const corrupt = [
      undefined,
      {},
      { outbox: { N: '1' } },
      { outbox: { S: 'no JSON' } },
      { outbox: { S: '{"id":"x","messages":[{}]}' } },
    ];
    await countUsage([
      ...corrupt.map((image, at) => ({ image, sequenceNumber: String(at) })),
      carrierOf(event(id)),
    ]);
    expect(await sentOf(id)).toEqual([1]);
    expect(logged()).toEqual(corrupt.map(() => 'usage.record_skipped'));
  });

  it('leaves nothing of a workspace that is erased, however late it counts', async () => {
    const { id } = await workspace();
    await countUsage([carrierOf(event(id))]);
    await eraseWorkspace({ id }, 'erase');
    await countUsage([carrierOf(event(id))]);
    expect(await sentOf(id)).toEqual([1]);
    await tearDown(id, 'workspace');
    await countUsage([carrierOf(event(id))]);
    expect((await itemsOf(id)).filter(({ pk }) => pk.endsWith('#USAGE'))).toEqual([]);
    expect(logged().filter((name) => String(name).startsWith('usage.'))).toEqual([]);
  });
});
