/** The phases of a teardown: what each finds, and how it is removed (docs/decisions/0047-teardown-of-spaces.md). */

import type { WorkspaceId } from '../../core/ids.ts';
import type { Page, Paging } from '../../core/page.ts';
import { each } from '../../core/work/all-done.ts';
import type { TeardownPhase, TeardownScope } from '../../core/workspaces/teardown.ts';
import { listDomainsToRemove } from '../../storage/domains/domains.ts';
import { removeCorrespondents } from '../../storage/emails/correspondents.ts';
import { listMailboxesToRemove } from '../../storage/mailboxes/mailboxes.ts';
import { deleteRule, listRulesToRemove } from '../../storage/pacing/pacing-rules.ts';
import { removeBlocked } from '../../storage/receiving/blocked-emails.ts';
import { deleteInboundRule, listInboundRulesToRemove } from '../../storage/receiving/inbound-rules.ts';
import { listSuppressionsToRemove, removeSuppressions } from '../../storage/sending/suppressions.ts';
import { removeTenants } from '../../storage/sending/tenants.ts';
import { removeErasures } from '../../storage/teardown/erasures.ts';
import { listDraftsToRemove, removeDraft } from '../../storage/teardown/teardown-drafts.ts';
import { listEmailsToRemove, removeEmail } from '../../storage/teardown/teardown-emails.ts';
import { listEventsToRemove, removeEvents } from '../../storage/teardown/teardown-events.ts';
import { removeApps } from '../../storage/teardown/teardown-mailboxes.ts';
import { listThreadEntries, removeThread } from '../../storage/teardown/teardown-threads.ts';
import {
  removeAudit,
  removeEndpoints,
  removeKeys,
  removeObjects,
  removeRest,
  removeSpaces,
} from '../../storage/teardown/teardown-workspace.ts';
import { listAllEndpoints } from '../../storage/webhooks/endpoints.ts';
import { removeDomain } from '../domains/domains.ts';
import { removeConnectedMailbox } from '../mailboxes/disconnect.ts';

interface Subject {
  readonly workspaceId: WorkspaceId;
  readonly scope: TeardownScope;
}

/** Removes one page; the number of records found, and the position of the next page. */
type RemovePage = (subject: Subject, after: string | null) => Promise<{ found: number; next: string | null }>;

export const phases: Readonly<Record<TeardownPhase, RemovePage>> = {
  domains: removing(listDomainsToRemove, 25, ({ workspaceId }, domains) =>
    each(domains, 1, (domain) => removeDomain(workspaceId, domain)),
  ),
  mailboxes: removing(listMailboxesToRemove, 10, ({ workspaceId }, mailboxes) =>
    each(mailboxes, 4, (mailbox) => removeConnectedMailbox(workspaceId, mailbox)),
  ),
  'pacing-rules': removing(listRulesToRemove, 100, ({ workspaceId }, rules) =>
    each(rules, 1, async (rule) => void (await deleteRule(workspaceId, rule, []))),
  ),
  'inbound-rules': removing(listInboundRulesToRemove, 100, ({ workspaceId }, rules) =>
    each(rules, 1, async (rule) => void (await deleteInboundRule(workspaceId, rule))),
  ),
  'blocked-emails': ({ workspaceId, scope }, after) => removeBlocked(workspaceId, scope, after),
  drafts: removing(listDraftsToRemove, 25, ({ workspaceId }, drafts) =>
    each(drafts, 4, (draft) => removeDraft(workspaceId, draft)),
  ),
  // An email may have megabytes of content and thousands of files.
  emails: removing(listEmailsToRemove, 25, ({ workspaceId }, emails) =>
    each(emails, 4, (email) => removeEmail(workspaceId, email)),
  ),
  threads: removing(listThreadEntries, 100, ({ workspaceId }, entries) =>
    each(entries, 10, (entry) => removeThread(workspaceId, entry)),
  ),
  correspondents: async ({ workspaceId, scope }) => {
    const found = await removeCorrespondents(workspaceId, scope);
    return { found, next: found > 0 ? 'first' : null };
  },
  suppressions: removing(listSuppressionsToRemove, 500, ({ workspaceId }, suppressions) =>
    removeSuppressions(workspaceId, suppressions),
  ),
  events: removing(listEventsToRemove, 100, async ({ workspaceId }, ids) => {
    const endpoints = await listAllEndpoints(workspaceId);
    await removeEvents(
      workspaceId,
      ids,
      endpoints.map(({ id }) => id),
    );
  }),
  keys: untilNothingIsLeft(removeKeys),
  'oauth-apps': untilNothingIsLeft(removeApps),
  endpoints: untilNothingIsLeft(removeEndpoints),
  deletions: untilNothingIsLeft(removeErasures),
  spaces: untilNothingIsLeft(removeSpaces),
  objects: untilNothingIsLeft(removeObjects),
  tenants: untilNothingIsLeft(removeTenants),
  rest: untilNothingIsLeft(removeRest),
  audit: untilNothingIsLeft(removeAudit),
};

/** @param pageSize records that are removed before the time of a step is looked at */
function removing<T>(
  list: (workspaceId: WorkspaceId, scope: TeardownScope, paging: Paging) => Promise<Page<T>>,
  pageSize: number,
  remove: (subject: Subject, records: readonly T[]) => Promise<void>,
): RemovePage {
  return async (subject, after) => {
    const { items, next } = await list(subject.workspaceId, subject.scope, { limit: pageSize, after });
    await remove(subject, items);
    return { found: items.length, next };
  };
}

/** Each page is the first one: the page before it is gone. */
function untilNothingIsLeft(remove: (workspaceId: WorkspaceId) => Promise<number>): RemovePage {
  return async ({ workspaceId }) => {
    const found = await remove(workspaceId);
    return { found, next: found > 0 ? 'first' : null };
  };
}
