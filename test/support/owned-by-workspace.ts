/** What a workspace owns beside its mail, written through the stores. */
import { now } from '../../lib/adapters/clock.ts';
import { newId } from '../../lib/adapters/ids.ts';
import { putObject } from '../../lib/adapters/objects.ts';
import type { EndpointId, WorkspaceId } from '../../lib/core/ids.ts';
import { newProgress } from '../../lib/core/live/connection.ts';
import { changeBudget } from '../../lib/services/admission/change-budget.ts';
import { createKey, deleteKey } from '../../lib/services/api-keys/api-keys.ts';
import { createApp, deleteApp } from '../../lib/services/mailboxes/oauth-apps.ts';
import { suspendWorkspace } from '../../lib/services/sending/sending-guard.ts';
import { recordAttachments } from '../../lib/storage/emails/attachments.ts';
import { attachmentObject, storeContent } from '../../lib/storage/emails/email-content.ts';
import { createEmail } from '../../lib/storage/emails/email-heads.ts';
import { recordUpload, uploadObject } from '../../lib/storage/emails/uploads.ts';
import { openConnection, storeTicket } from '../../lib/storage/live/connections.ts';
import { commit } from '../../lib/storage/table/transactions.ts';
import { hideEmail } from '../../lib/storage/teardown/erasures.ts';
import { markBacklog } from '../../lib/storage/webhooks/endpoint-states.ts';
import { addMember } from '../../lib/storage/workspaces/members.ts';
import { claimNotice } from '../../lib/storage/workspaces/notices.ts';
import { mailboxOf, storeMailbox } from './mailbox.ts';
import { storedContent, storedHead } from './stored-mail.ts';

/** Members, keys, limits, uploads, the state of an endpoint, and what crashed functions leave. */
export async function fillWorkspace(workspaceId: WorkspaceId, endpointId: EndpointId): Promise<void> {
  await Promise.all([
    addMember(workspaceId, { email: 'owner@acme.test', role: 'owner', outageMail: true }),
    changeBudget(workspaceId, { capacity: 100 }),
    suspendWorkspace(workspaceId, 'operator'),
    storeUpload(workspaceId),
    storeState(workspaceId, endpointId),
    storeOrphan(workspaceId),
    storeApps(workspaceId),
    storeLive(workspaceId),
    storeDeleted(workspaceId),
  ]);
  const { key } = await createKey(workspaceId, { name: 'deleted', scope: 'read' });
  await deleteKey(workspaceId, key.id);
}

async function storeUpload(workspaceId: WorkspaceId): Promise<void> {
  const upload = { id: newId('att'), filename: 'u.txt', contentType: 'text/plain', size: 5, cid: null };
  await recordUpload(workspaceId, { ...upload, expiresAt: now() + 86_400_000 });
  await putObject(uploadObject(workspaceId, upload.id), Buffer.from('Hello'), 'text/plain');
}

async function storeState(workspaceId: WorkspaceId, endpointId: EndpointId): Promise<void> {
  await markBacklog({ workspaceId, endpointId });
  await claimNotice(workspaceId, 'outage', 'owner@acme.test', now() + 86_400_000);
}

/** A live connection, and a ticket for another. */
async function storeLive(workspaceId: WorkspaceId): Promise<void> {
  const actor = newId('key');
  const ticket = { actor, sessionHash: null, endsAt: now() + 60_000 };
  await storeTicket(workspaceId, `${workspaceId}-used`, ticket);
  await storeTicket(workspaceId, `${workspaceId}-unused`, ticket);
  await openConnection(workspaceId, `${workspaceId}-used`, {
    ...{ id: `${workspaceId}=`, actor, sessionHash: null, sourceIp: '192.0.2.1' },
    ...{ endsAt: now() + 7_200_000, subscription: null, progress: newProgress(null) },
  });
}

/** A file of an email that was never accepted. */
async function storeOrphan(workspaceId: WorkspaceId): Promise<void> {
  const emailId = newId('eml');
  const file = { id: newId('att'), filename: 'a.txt', contentType: 'text/plain', size: 5, cid: null };
  await recordAttachments(workspaceId, emailId, [{ ...file, extraction: null }]);
  await putObject(attachmentObject(workspaceId, emailId, file.id), Buffer.from('Seven'), 'text/plain');
}

/** A deleted email whose parts are still stored. */
async function storeDeleted(workspaceId: WorkspaceId): Promise<void> {
  const head = storedHead();
  await storeContent(workspaceId, head.id, storedContent('Deleted'));
  await commit(workspaceId, createEmail(workspaceId, head));
  await commit(workspaceId, await hideEmail(workspaceId, head));
}

/** An OAuth app, and a deleted one whose client a mailbox needs. */
async function storeApps(workspaceId: WorkspaceId): Promise<void> {
  const settings = {
    provider: 'microsoft' as const,
    name: 'Acme Mail',
    clientId: 'client-1',
    ...{ tenant: null, pubsubTopic: null, accent: null, tagline: null, supportEmail: null, logoUrl: null },
    returnUrls: [],
  };
  const keyId = newId('key');
  const create = (end: string) =>
    createApp(workspaceId, { ...settings, slug: `${workspaceId.slice(4)}-${end}` }, 'secret', keyId);
  const [, gone] = await Promise.all([create('kept'), create('gone')]);
  const mailbox = mailboxOf({ id: newId('mbx'), provider: 'microsoft', appId: gone.id });
  await storeMailbox(workspaceId, { ...mailbox, address: `gone@${workspaceId}.example` });
  await deleteApp(workspaceId, gone.id, keyId);
}
