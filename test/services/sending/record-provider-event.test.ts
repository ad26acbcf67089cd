import { expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import type { WorkspaceId } from '../../../lib/core/ids.ts';
import type { ProviderEvent } from '../../../lib/core/sending/provider-event.ts';
import { recordProviderEvent } from '../../../lib/services/sending/record-provider-event.ts';
import { findSendingGuard } from '../../../lib/storage/sending/sending-guards.ts';
import { listSuppressions } from '../../../lib/storage/sending/suppressions.ts';
import { workspace } from '../../support/workspace.ts';

/** A bounce about an email that a deleted space has sent. */
function bounce(
  workspaceId: WorkspaceId,
  permanent: boolean,
  recipients = ['gone@example.test'],
): ProviderEvent {
  const at = now();
  return {
    workspaceId,
    emailId: newId('eml'),
    chunk: 0,
    providerId: 'ses-id',
    source: 'feedback-1',
    engagement: null,
    entry: { type: 'bounced', at, recipients, detail: null, permanent },
  };
}

async function stateOf(workspaceId: WorkspaceId) {
  const { items } = await listSuppressions(workspaceId, {}, { limit: 10, after: null });
  const { counts } = await findSendingGuard(workspaceId);
  return {
    suppressed: items.map(({ address, reason }) => [address, reason]),
    bounced: counts.reduce((sum, { bounced }) => sum + bounced, 0),
  };
}

it('recordProviderEvent suppresses and counts once when the email of a hard bounce is deleted', async () => {
  const { id } = await workspace();
  const event = bounce(id, true);
  await recordProviderEvent(event);
  await recordProviderEvent(event);
  expect(await stateOf(id)).toEqual({ suppressed: [['gone@example.test', 'bounce']], bounced: 1 });
});

it('recordProviderEvent suppresses each address of a report with more than one transaction takes', async () => {
  const { id } = await workspace();
  const recipients = Array.from({ length: 91 }, (_, at) => `gone${at}@example.test`);
  await recordProviderEvent(bounce(id, true, recipients));
  const { items } = await listSuppressions(id, {}, { limit: 100, after: null });
  expect(items.map(({ address }) => address).sort()).toEqual(recipients.toSorted());
});

it('recordProviderEvent changes nothing when the email of a soft bounce is deleted', async () => {
  const { id } = await workspace();
  await recordProviderEvent(bounce(id, false));
  expect(await stateOf(id)).toEqual({ suppressed: [], bounced: 0 });
});

it('recordProviderEvent writes nothing when the workspace does not exist', async () => {
  const id = newId('wks');
  await recordProviderEvent(bounce(id, true));
  expect(await stateOf(id)).toEqual({ suppressed: [], bounced: 0 });
});
