/** The synchronization of a mailbox on the table and its provider. */
import { now, timestamp } from '../../adapters/clock.ts';
import { random } from '../../adapters/random.ts';
import type { MailboxId, WorkspaceId } from '../../core/ids.ts';
import { count } from '../../observability/count.ts';
import { describeError, logEvent } from '../../observability/log.ts';
import * as syncs from '../../storage/mailboxes/mailbox-syncs.ts';
import { knownProviderMessages } from '../../storage/mailboxes/provider-messages.ts';
import { commitIfUnchanged } from '../../storage/table/transactions.ts';
import { type MailboxAccess, withAccessToken } from './access-token.ts';
import { receiveMailboxMessage, syncMailboxMessage } from './sync-messages.ts';
import type { SyncPorts, SyncProvider, SyncReport } from './sync-ports.ts';

/** Messages of one transaction: each is a few hundred bytes of an outbox item. */
const foundAtOnce = 100;

export function syncPorts(workspaceId: WorkspaceId, mailboxId: MailboxId): SyncPorts {
  return {
    now,
    random,
    job: syncs.mailboxSyncStore(workspaceId, mailboxId, (timer) =>
      syncMailboxMessage(workspaceId, mailboxId, timer),
    ),
    async save(token, change, found) {
      const messages = found.map(({ id }) => ({
        message: receiveMailboxMessage(workspaceId, mailboxId, id),
      }));
      // The position last: should a part fail, the page is read again.
      for (let at = foundAtOnce; at < messages.length; at += foundAtOnce) {
        const part = messages.slice(at, at + foundAtOnce);
        const lease = syncs.saveSync(workspaceId, mailboxId, token, {});
        if (!(await commitIfUnchanged(workspaceId, [lease], part))) return false;
      }
      const position = syncs.saveSync(workspaceId, mailboxId, token, change);
      return await commitIfUnchanged(workspaceId, [position], messages.slice(0, foundAtOnce));
    },
    async unknownOf(found) {
      const ids = [...new Set(found.map(({ id }) => id))];
      const known = await knownProviderMessages(workspaceId, mailboxId, ids);
      return ids.filter((id) => !known.has(id)).map((id) => ({ id }));
    },
    async noteLastSync(at) {
      count('MailboxesSynchronized', workspaceId);
      await syncs.noteLastSync(workspaceId, mailboxId, at);
    },
    async noteFailing(since, reason) {
      count('MailboxesNotSynchronized', workspaceId);
      logEvent('mailbox.not_synchronized', { workspace_id: workspaceId, mailbox_id: mailboxId, reason });
      const text = `Not synchronized since ${timestamp(since)}: ${reason}`;
      await syncs.noteFailing(workspaceId, mailboxId, text);
    },
    report: (news) => report(workspaceId, mailboxId, news),
    provider: providerOf(workspaceId, mailboxId),
  };
}

function providerOf(workspaceId: WorkspaceId, mailboxId: MailboxId): SyncProvider {
  const withMail = <T>(call: (access: MailboxAccess) => Promise<T>) =>
    withAccessToken(workspaceId, mailboxId, call);
  return {
    currentCursor: () => withMail(({ mail, accessToken }) => mail.currentCursor(accessToken)),
    changesSince: (cursor) => withMail(({ mail, accessToken }) => mail.changesSince(accessToken, cursor)),
    listSince: (sinceMs, page) =>
      withMail(({ mail, accessToken }) => mail.listSince(accessToken, sinceMs, page)),
    async subscribe(current, secret) {
      const sync = await syncs.findMailboxSync(workspaceId, mailboxId);
      const url = `${sync?.baseUrl ?? ''}/push/microsoft/${workspaceId}/${mailboxId}`;
      return await withMail(async ({ mail, accessToken, client }) =>
        mail.subscribe(accessToken, await client(), current, { url, secret }),
      );
    },
  };
}

function report(workspaceId: WorkspaceId, mailboxId: MailboxId, news: SyncReport): void {
  const ids = { workspace_id: workspaceId, mailbox_id: mailboxId };
  if (news.event === 'resync') {
    count('MailboxResyncs', workspaceId);
    logEvent('mailbox.resync', ids);
    return;
  }
  if (news.event === 'sync_broken') {
    count('MailboxSyncsFailed', workspaceId);
    logEvent('mailbox.sync_broken', { ...ids, error: describeError(news.error) });
    return;
  }
  const { kind: cause, message: reason } = news.error;
  if (news.event === 'subscription_failed') {
    count('MailboxSubscriptionsFailed', workspaceId);
    logEvent('mailbox.subscription_failed', { ...ids, cause });
    return;
  }
  // Whoever has a lost authorization hears of it, and connects again.
  if (cause !== 'unauthorized') count('MailboxSyncsFailed', workspaceId);
  logEvent('mailbox.sync_failed', { ...ids, cause, reason });
}
