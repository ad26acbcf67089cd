import { expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import { type OutboxRange, scanOutbox } from '../../../lib/storage/table/outbox.ts';
import { commit } from '../../../lib/storage/table/transactions.ts';

const hourMs = 3_600_000;

it('scanOutbox finds the changes within a time, and earlier ones with a message that was due since', async () => {
  const workspaceId = newId('wks');
  const at = now();
  // A workspace that does not exist: its pacer has nothing to do.
  const message = { kind: 'pace-mail', v: 1, workspaceId, wakeAt: null } as const;
  await commit(workspaceId, [], [{ message }]);
  await commit(workspaceId, [], [{ message, dueAt: at + 24 * hourMs }]);
  const found = async (range: OutboxRange) => {
    const own: unknown[] = [];
    for await (const part of scanOutbox(range)) {
      const messages = part.found.flatMap((change) => change.messages);
      own.push(...messages.filter((one) => JSON.stringify(one).includes(workspaceId)));
    }
    return own.length;
  };
  expect(await found({ sinceMs: at - 1, untilMs: at + hourMs })).toBe(2);
  expect(await found({ sinceMs: at + hourMs, untilMs: at + 2 * hourMs })).toBe(1);
  expect(await found({ sinceMs: at + 25 * hourMs, untilMs: at + 26 * hourMs })).toBe(0);
  expect(await found({ sinceMs: at - hourMs, untilMs: at })).toBe(0);
});
