/** OAuth apps as the API manages them (docs/concepts/mailboxes.md#oauth-apps). */

import { now } from '../../adapters/clock.ts';
import { newId } from '../../adapters/ids.ts';
import type { Actor } from '../../core/access/api-key.ts';
import type { OauthAppId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { OauthApp, OauthAppSettings } from '../../core/mailboxes/oauth-app.ts';
import { returnUrlIssue } from '../../core/mailboxes/return-urls.ts';
import type { Page, Paging } from '../../core/page.ts';
import { type Issue, Problem } from '../../core/problems.ts';
import type { AuditEntry } from '../../core/workspaces/audit.ts';
import * as store from '../../storage/mailboxes/oauth-apps.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';
import { sealClientSecret } from './sealed-tokens.ts';

const notFound = () => new Problem('not_found', 'There is no such OAuth app.');
const slugTaken = () => new Problem('slug_taken', 'Another OAuth app has this slug.');

/** Paths below `/connect` that are no pages of apps. */
const reservedSlugs: readonly string[] = ['callback'];

export type NewApp = OauthAppSettings & Pick<OauthApp, 'provider' | 'slug'>;

/** @throws Problem invalid_return_url, invalid_request, slug_taken, limit_reached */
export async function createApp(
  workspaceId: WorkspaceId,
  settings: NewApp,
  clientSecret: string,
  actor: Actor,
): Promise<OauthApp> {
  checkSettings(settings);
  if (reservedSlugs.includes(settings.slug)) throw slugTaken();
  const at = now();
  const app: OauthApp = { ...settings, id: newId('app'), createdAt: at, updatedAt: at, revision: 1 };
  const sealedSecret = await sealClientSecret(workspaceId, clientSecret);
  const outcome = await store.createApp(
    workspaceId,
    { app, sealedSecret },
    auditOf('oauth_app.created', app.id, actor),
  );
  if (outcome === 'slug_taken') throw slugTaken();
  if (outcome === 'limit_reached') {
    throw new Problem('limit_reached', `A workspace has at most ${limits.oauthApps} OAuth apps.`);
  }
  return app;
}

/** @throws Problem not_found */
export async function getApp(workspaceId: WorkspaceId, id: OauthAppId): Promise<OauthApp> {
  return (await find(workspaceId, id)).app;
}

async function find(workspaceId: WorkspaceId, id: OauthAppId): Promise<store.FoundApp> {
  const found = await store.findApp(workspaceId, id);
  if (!found) throw notFound();
  return found;
}

/** A page of apps, oldest first. */
export async function listApps(workspaceId: WorkspaceId, paging: Paging): Promise<Page<OauthApp>> {
  return await store.listApps(workspaceId, paging);
}

type AppChange = { readonly [Name in keyof OauthAppSettings]?: OauthAppSettings[Name] | undefined };

/**
 * Changes what `change` names. A new client secret is used from the next refresh on.
 *
 * @param change.clientSecret undefined: it stays
 * @throws Problem not_found, invalid_return_url, invalid_request
 */
export async function updateApp(
  workspaceId: WorkspaceId,
  id: OauthAppId,
  { clientSecret, ...change }: AppChange & { readonly clientSecret: string | undefined },
  actor: Actor,
): Promise<OauthApp> {
  const sealed = clientSecret === undefined ? null : await sealClientSecret(workspaceId, clientSecret);
  return await retryOnConflict(`OAuth app ${id}`, async () => {
    const before = await find(workspaceId, id);
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const app: OauthApp = {
      ...before.app,
      ...given,
      updatedAt: now(),
      revision: before.app.revision + 1,
    };
    checkSettings(app);
    const after = { app, sealedSecret: sealed ?? before.sealedSecret };
    const audit = auditOf('oauth_app.updated', id, actor);
    return (await store.updateApp(workspaceId, before.app, after, audit)) ? app : conflict;
  });
}

/** Deletes an app: it connects no mailbox any more. @throws Problem not_found */
export async function deleteApp(workspaceId: WorkspaceId, id: OauthAppId, actor: Actor): Promise<void> {
  await retryOnConflict(`OAuth app ${id}`, async () => {
    const found = await find(workspaceId, id);
    const audit = auditOf('oauth_app.deleted', id, actor);
    return (await store.deleteApp(workspaceId, found, audit)) ? undefined : conflict;
  });
}

function checkSettings({ provider, tenant, pubsubTopic, returnUrls }: NewApp): void {
  const issues: Issue[] = [];
  if (provider !== 'microsoft' && tenant !== null) {
    issues.push({ path: 'tenant', message: 'is for provider microsoft only' });
  }
  if (provider !== 'google' && pubsubTopic !== null) {
    issues.push({ path: 'pubsub_topic', message: 'is for provider google only' });
  }
  if (issues.length > 0) throw new Problem('invalid_request', 'The body failed validation.', { issues });
  const issue = returnUrlIssue(returnUrls);
  if (issue) {
    const path = issue.at === null ? 'return_urls' : `return_urls.${issue.at}`;
    throw new Problem('invalid_return_url', `${path} ${issue.message}.`, {
      issues: [{ path, message: issue.message }],
    });
  }
}

const auditOf = (action: AuditEntry['action'], subject: OauthAppId, actor: Actor): AuditEntry => ({
  at: now(),
  actor,
  action,
  subject,
});
