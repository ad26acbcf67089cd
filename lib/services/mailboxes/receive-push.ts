/**
 * Pushes of the mail providers: each makes one synchronization at most, which reads what is new. What a push says is not
 * used (docs/mailbox-providers.md#pushes).
 */

import { timingSafeEqual } from 'node:crypto';
import { hashOf } from '../../adapters/ids.ts';
import { isPushToken } from '../../adapters/mailbox-providers/google/push-token.ts';
import { type MailboxId, parseId, type WorkspaceId } from '../../core/ids.ts';
import { addressOfGooglePush, microsoftNotifications } from '../../core/mailboxes/push.ts';
import { allDone } from '../../core/work/all-done.ts';
import { count } from '../../observability/count.ts';
import { logEvent } from '../../observability/log.ts';
import { findMailboxSync, forgetPush, listPushedMailboxes } from '../../storage/mailboxes/mailbox-syncs.ts';
import { commit } from '../../storage/table/transactions.ts';
import { syncMailboxMessage } from './sync-messages.ts';

/** `accepted`: acknowledged, whatever came of it; the provider is not to repeat it. */
export type PushOutcome = 'accepted' | 'refused';

/** The path segment of the deployment's own app. */
const sharedApp = 'shared';

/**
 * Processes a push of Pub/Sub.
 *
 * @param push.app the app of the push endpoint, or `shared`
 * @param push.audience the URL that was pushed to
 */
export async function receiveGooglePush(push: {
  readonly app: string;
  readonly audience: string;
  readonly authorization: string;
  readonly body: string;
}): Promise<PushOutcome> {
  const appId = push.app === sharedApp ? null : parseId('app', push.app);
  const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(push.authorization)?.[1];
  if ((appId === null && push.app !== sharedApp) || token === undefined) return refused('no_token');
  if (!(await isPushToken(token, push.audience))) return refused('token');
  const address = addressOfGooglePush(push.body);
  if (address === null) return refused('body');
  const mailboxes = await listPushedMailboxes(appId, address);
  await allDone(mailboxes.map(({ workspaceId, mailboxId }) => callSync(workspaceId, mailboxId)));
  return 'accepted';
}

/** Processes a push of Microsoft Graph to the URL of a mailbox. */
export async function receiveMicrosoftPush(push: {
  readonly workspace: string;
  readonly mailbox: string;
  readonly body: string;
}): Promise<PushOutcome> {
  const workspaceId = parseId('wks', push.workspace);
  const mailboxId = parseId('mbx', push.mailbox);
  const notifications = microsoftNotifications(push.body);
  if (!workspaceId || !mailboxId || notifications.length === 0) return refused('body');
  const sync = await findMailboxSync(workspaceId, mailboxId);
  const hash = sync?.pushSecretHash;
  if (!hash) return refused('no_subscription');
  const proved = notifications.filter(
    ({ clientState }) => clientState !== null && isSecret(clientState, hash),
  );
  if (proved.length === 0) return refused('client_state');
  // The session subscribes again.
  if (proved.some(({ isAboutSubscription }) => isAboutSubscription)) {
    await forgetPush(workspaceId, mailboxId, hash);
  }
  await callSync(workspaceId, mailboxId);
  return 'accepted';
}

function isSecret(secret: string, hash: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(secret), 'hex'), Buffer.from(hash, 'hex'));
}

async function callSync(workspaceId: WorkspaceId, mailboxId: MailboxId): Promise<void> {
  await commit(workspaceId, [], [{ message: syncMailboxMessage(workspaceId, mailboxId, null) }]);
}

function refused(cause: string): 'refused' {
  count('MailboxPushesRefused', null);
  logEvent('mailbox.push_refused', { cause });
  return 'refused';
}
