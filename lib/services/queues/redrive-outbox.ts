/** Sends outbox messages that the relay gave up on, for the operator's command line. */
import { now } from '../../adapters/clock.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { listOutbox, type StoredOutboxItem } from '../../storage/outbox.ts';
import { listWorkspaces } from '../../storage/workspaces.ts';
import { sendOutboxItem } from './relay-outbox.ts';

/** Younger items are left to the relay. */
const staleMs = 60_000;

/** The workspaces that have outbox items older than a minute, with their number. */
export async function staleOutbox(): Promise<{ workspaceId: WorkspaceId; slug: string; items: number }[]> {
  const workspaces = await listWorkspaces();
  const counts = await Promise.all(
    workspaces.map(async ({ id, slug }) => ({
      workspaceId: id,
      slug,
      items: (await staleItems(id)).length,
    })),
  );
  return counts.filter(({ items }) => items > 0);
}

/** Sends the messages of these items and deletes the items. An item that fails again does not stop the others. */
export async function redriveOutbox(): Promise<{ sent: number; failed: number }> {
  const result = { sent: 0, failed: 0 };
  for (const { workspaceId } of await staleOutbox()) {
    for (const item of await staleItems(workspaceId)) {
      const [{ status }] = await Promise.allSettled([redrive(item)]);
      result[status === 'fulfilled' ? 'sent' : 'failed'] += 1;
    }
  }
  return result;
}

async function redrive(item: StoredOutboxItem): Promise<void> {
  await sendOutboxItem(item.read());
}

async function staleItems(workspaceId: WorkspaceId): Promise<StoredOutboxItem[]> {
  const items = await listOutbox(workspaceId);
  return items.filter(({ createdAt }) => createdAt < now() - staleMs);
}
