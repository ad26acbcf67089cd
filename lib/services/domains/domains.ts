/** Domains as the API manages them (docs/concepts/domains.md). Creation and checks have files of their own. */
import type { SendingDomain } from '../../core/domains/sending-domain.ts';
import type { DomainId, SpaceId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Page, Paging } from '../../core/page.ts';
import { Problem } from '../../core/problems.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import * as store from '../../storage/domains/domains.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';
import { checkSpaceFilter } from '../spaces/spaces.ts';
import { syncIdentityMessage } from './sync-identity-message.ts';

/** A domain as stored. @throws Problem not_found */
export async function getDomain(workspaceId: WorkspaceId, id: DomainId): Promise<SendingDomain> {
  const domain = await store.findDomain(workspaceId, id);
  if (!domain) throw new Problem('not_found', 'The domain does not exist.');
  return domain;
}

/** A domain as the API shows it. @throws Problem not_found */
export async function getDomainWithParent(workspaceId: WorkspaceId, id: DomainId): Promise<SendingDomain> {
  const domain = await getDomain(workspaceId, id);
  const [shown] = await withParentVerification(workspaceId, [domain]);
  return shown ?? domain;
}

/**
 * A page of domains as the API shows them, oldest first.
 *
 * @param space undefined: every space
 * @throws Problem not_found (space)
 */
export async function listDomains(
  workspaceId: WorkspaceId,
  space: SpaceId | null | undefined,
  paging: Paging,
): Promise<Page<SendingDomain>> {
  const [page] = await Promise.all([
    store.listDomains(workspaceId, space, paging),
    checkSpaceFilter(workspaceId, space),
  ]);
  return { items: await withParentVerification(workspaceId, page.items), next: page.next };
}

/** The domains of every space, at most `limits.domains`, which a workspace has at most: version 1 has no pages. */
export async function listAllDomains(workspaceId: WorkspaceId): Promise<readonly SendingDomain[]> {
  const domains: SendingDomain[] = [];
  let after: string | null = null;
  do {
    const limit = Math.min(limits.pageSize, limits.domains - domains.length);
    const page: Page<SendingDomain> = await listDomains(workspaceId, undefined, { limit, after });
    domains.push(...page.items);
    after = page.next;
  } while (after !== null && domains.length < limits.domains);
  return domains;
}

/** A subdomain is verified since its wildcard is. */
async function withParentVerification(
  workspaceId: WorkspaceId,
  domains: readonly SendingDomain[],
): Promise<SendingDomain[]> {
  const ids = [...new Set(domains.flatMap(({ parentId }) => parentId ?? []))];
  const parents = await store.findDomains(workspaceId, ids);
  return domains.map((domain) =>
    domain.parentId ? { ...domain, verifiedAt: parents.get(domain.parentId)?.verifiedAt ?? null } : domain,
  );
}

/** Changes the tracking of a domain; undefined leaves a setting as it is. @throws Problem not_found */
export async function updateTracking(
  workspaceId: WorkspaceId,
  id: DomainId,
  change: { readonly opens: boolean | undefined; readonly clicks: boolean | undefined },
): Promise<void> {
  await retryOnConflict(`domain ${id}`, async () => {
    const before = await getDomain(workspaceId, id);
    const tracking = {
      opens: change.opens ?? before.tracking.opens,
      clicks: change.clicks ?? before.tracking.clicks,
    };
    const isUpdated = await store.updateDomain(workspaceId, before, { ...before, tracking }, []);
    return isUpdated ? undefined : conflict;
  });
}

/** Deletes a domain, and the subdomains of a wildcard with it. @throws Problem not_found, domain_provided */
export async function deleteDomain(workspaceId: WorkspaceId, id: DomainId): Promise<void> {
  const deleted = await getDomain(workspaceId, id);
  if (deleted.provided) {
    throw new Problem('domain_provided', 'The provided domain of a workspace cannot be deleted.');
  }
  await removeDomain(workspaceId, deleted);
}

/** Removes a domain, and the subdomains of a wildcard with it. Idempotent. */
export async function removeDomain(workspaceId: WorkspaceId, deleted: SendingDomain): Promise<void> {
  // One transaction each, as a wildcard may have any number of subdomains; the wildcard last, so that a retry finds it.
  if (deleted.wildcard) await deleteSubdomains(workspaceId, deleted.id);
  // A subdomain has no SES identity of its own, nor has a provided domain.
  const messages = deleted.parentId || deleted.provided ? [] : [syncIdentityMessage(workspaceId, deleted)];
  await store.deleteDomain(workspaceId, deleted, [...messages, ...checkOfDeleted(workspaceId, deleted)]);
  // A subdomain may have been created meanwhile; from now on none can be.
  if (deleted.wildcard) await deleteSubdomains(workspaceId, deleted.id);
}

/** The function may die before its second look for subdomains; the check of the deleted wildcard repeats it. */
function checkOfDeleted(
  workspaceId: WorkspaceId,
  { id: domainId, wildcard }: SendingDomain,
): OutboxMessage[] {
  return wildcard ? [{ message: { kind: 'check-domain', v: 1, workspaceId, domainId } }] : [];
}

/** Deletes the subdomains of a wildcard, which may be gone already. */
export async function deleteSubdomains(workspaceId: WorkspaceId, id: DomainId): Promise<void> {
  for (const subdomain of await store.listSubdomains(workspaceId, id)) {
    await store.deleteDomain(workspaceId, subdomain, []);
  }
}
