/**
 * OAuth apps of a workspace with their sealed client secrets, and the claims on their slugs across workspaces. The client of
 * a deleted app stays while mailboxes need it (docs/decisions/0051-mailbox-credentials.md).
 */

import type { MailboxId, OauthAppId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { mailboxProviders } from '../../core/mailboxes/mailbox.ts';
import type { OauthApp, SealedClient } from '../../core/mailboxes/oauth-app.ts';
import type { Page, Paging } from '../../core/page.ts';
import type { AuditEntry } from '../../core/workspaces/audit.ts';
import { codec, id, list, nullable, number, oneOf, sortKey, text } from '../table/codec.ts';
import { countCreated, countDeleted } from '../table/counters.ts';
import { expressionsOf } from '../table/expressions.ts';
import * as keys from '../table/keys.ts';
import { listPage } from '../table/paging.ts';
import { get } from '../table/reads.ts';
import { type Item, query, remove } from '../table/table.ts';
import { absent, ConditionFailed, commit, commitIfUnchanged, type Write } from '../table/transactions.ts';
import { addAuditEntry } from '../workspaces/audit.ts';

interface StoredApp extends OauthApp {
  readonly sealedSecret: string;
}

const clientFields = {
  clientId: text,
  sealedSecret: text,
  tenant: nullable(text),
  pubsubTopic: nullable(text),
};

const appCodec = codec<StoredApp>('OAuth app', {
  id: sortKey(id('app')),
  provider: oneOf(mailboxProviders),
  slug: text,
  name: text,
  ...clientFields,
  accent: nullable(text),
  tagline: nullable(text),
  supportEmail: nullable(text),
  logoUrl: nullable(text),
  returnUrls: list(text),
  createdAt: number,
  updatedAt: number,
  revision: number,
});
const clientCodec = codec<SealedClient>('OAuth client', clientFields);
const slugCodec = codec<{ readonly workspaceId: WorkspaceId; readonly appId: OauthAppId }>('OAuth app slug', {
  workspaceId: id('wks'),
  appId: id('app'),
});

/** An app with its sealed client secret. */
export interface FoundApp {
  readonly app: OauthApp;
  readonly sealedSecret: string;
}

function decode(item: Item): FoundApp {
  const { sealedSecret, ...app } = appCodec.decode(item);
  return { app, sealedSecret };
}

/** Stores a new app; nothing is written unless the outcome is `created`. */
export async function createApp(
  workspaceId: WorkspaceId,
  { app, sealedSecret }: FoundApp,
  audit: AuditEntry,
): Promise<'created' | 'slug_taken' | 'limit_reached'> {
  const claim = slugCodec.encode({ workspaceId, appId: app.id });
  try {
    await commit(workspaceId, [
      countCreated(workspaceId, 'oauth-apps', limits.oauthApps),
      { as: 'slug', put: { ...keys.appSlugKey(app.slug), ...claim }, ...absent },
      {
        as: 'app',
        put: { ...keys.oauthAppKey(workspaceId, app.id), ...appCodec.encode({ ...app, sealedSecret }) },
      },
      addAuditEntry(workspaceId, audit),
    ]);
    return 'created';
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return error.write === 'slug' ? 'slug_taken' : 'limit_reached';
  }
}

/** An app of the workspace, or null. */
export async function findApp(workspaceId: WorkspaceId, id: OauthAppId): Promise<FoundApp | null> {
  const item = await get(keys.oauthAppKey(workspaceId, id));
  return item && decode(item);
}

/** The app of a slug with its workspace, or null. */
export async function findAppBySlug(
  slug: string,
): Promise<({ readonly workspaceId: WorkspaceId } & FoundApp) | null> {
  const claim = await get(keys.appSlugKey(slug));
  if (!claim) return null;
  const { workspaceId, appId } = slugCodec.decode(claim);
  const found = await findApp(workspaceId, appId);
  return found && { workspaceId, ...found };
}

/** The OAuth client of an app, of a deleted one too; null where there is none. */
export async function findClient(workspaceId: WorkspaceId, id: OauthAppId): Promise<SealedClient | null> {
  const item =
    (await get(keys.oauthAppKey(workspaceId, id))) ?? (await get(keys.retiredAppKey(workspaceId, id)));
  return item && clientCodec.decode(item);
}

/** A page of apps, oldest first. */
export async function listApps(workspaceId: WorkspaceId, paging: Paging): Promise<Page<OauthApp>> {
  const page = await listPage({ pk: keys.oauthApps(workspaceId), order: 'oldest first', ...paging });
  return { items: page.items.map((item) => decode(item).app), next: page.next };
}

/** Stores a change of an app; `provider` and `slug` never change. False where it was changed or deleted meanwhile. */
export async function updateApp(
  workspaceId: WorkspaceId,
  before: OauthApp,
  { app, sealedSecret }: FoundApp,
  audit: AuditEntry,
): Promise<boolean> {
  const item = { ...keys.oauthAppKey(workspaceId, app.id), ...appCodec.encode({ ...app, sealedSecret }) };
  const unchanged = expressionsOf({}, { equal: { revision: before.revision } });
  return await commitIfUnchanged(workspaceId, [
    { as: 'app', put: item, ...unchanged },
    addAuditEntry(workspaceId, audit),
  ]);
}

/**
 * Deletes an app and releases its slug. Its client stays for the mailboxes that it has connected. False where the app was
 * changed or deleted meanwhile: nothing was written.
 */
export async function deleteApp(
  workspaceId: WorkspaceId,
  { app, sealedSecret }: FoundApp,
  audit: AuditEntry,
): Promise<boolean> {
  const client = clientCodec.encode({ ...app, sealedSecret });
  const isDeleted = await commitIfUnchanged(workspaceId, [
    countDeleted(workspaceId, 'oauth-apps'),
    {
      as: 'app',
      delete: keys.oauthAppKey(workspaceId, app.id),
      ...expressionsOf({}, { equal: { revision: app.revision } }),
    },
    { as: 'slug', delete: keys.appSlugKey(app.slug) },
    { as: 'client', put: { ...keys.retiredAppKey(workspaceId, app.id), ...client } },
    addAuditEntry(workspaceId, audit),
  ]);
  if (isDeleted) await forgetUnusedClient(workspaceId, app.id);
  return isDeleted;
}

/** Removes the client of a deleted app that no mailbox needs any more. Idempotent; nothing where the app exists. */
export async function forgetUnusedClient(workspaceId: WorkspaceId, id: OauthAppId): Promise<void> {
  // No mailbox can be connected through a deleted app: the partition only shrinks.
  if (!(await get(keys.retiredAppKey(workspaceId, id)))) return;
  const { count } = await query({
    Select: 'COUNT',
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': keys.mailboxesOfApp(workspaceId, id) },
    Limit: 1,
  });
  if (count === 0) await remove(keys.retiredAppKey(workspaceId, id));
}

/** The writes that enter a mailbox under its app. `app` fails where the app is deleted. */
export function enterUnderApp(workspaceId: WorkspaceId, appId: OauthAppId, mailboxId: MailboxId): Write[] {
  return [
    { as: 'app', check: keys.oauthAppKey(workspaceId, appId) },
    { as: 'mailbox of app', put: { ...keys.mailboxOfAppKey(workspaceId, appId, mailboxId) } },
  ];
}

/** The write that takes a mailbox from its app. */
export function leaveApp(workspaceId: WorkspaceId, appId: OauthAppId, mailboxId: MailboxId): Write {
  return { as: 'mailbox of former app', delete: keys.mailboxOfAppKey(workspaceId, appId, mailboxId) };
}
