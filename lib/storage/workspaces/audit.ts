/** Audit entries of a workspace, and those of the operator about the deployment, for a year. */

import type { Actor } from '../../core/access/api-key.ts';
import { parseId, type WorkspaceId } from '../../core/ids.ts';
import type { Page, Paging } from '../../core/page.ts';
import { type AuditEntry, auditActions } from '../../core/workspaces/audit.ts';
import { codec, type Field, knownAs, nullable, number, oneOf, secondsAsMs, text } from '../table/codec.ts';
import { expressionsOf } from '../table/expressions.ts';
import { auditEntries, auditKey, type Key, operatorAuditKey, operatorEntries } from '../table/keys.ts';
import { listPage } from '../table/paging.ts';
import { updateIf } from '../table/table.ts';
import type { Write } from '../table/transactions.ts';

const keptMs = 365 * 86_400_000;

const isMember = (actor: string): actor is `member:${string}` => actor.startsWith('member:');

const actorField: Field<Actor | 'operator'> = {
  read(stored) {
    const actor = text.read(stored);
    return isMember(actor) ? actor : (parseId('key', actor) ?? 'operator');
  },
  write: text.write,
};

const auditCodec = codec<AuditEntry & { readonly expiresAt: number }>('audit entry', {
  at: number,
  actor: actorField,
  action: knownAs(oneOf(auditActions), (action) =>
    /^(?:member\.|email\.|thread\.)/.test(action) ? 'operator.command' : action,
  ),
  subject: text,
  expiresAt: secondsAsMs,
});

/** The hash of the key that an entry is about, where its item outlives it: the erasure of a workspace finds it here. */
const keyHashCodec = codec<{ readonly keyHash: string | null }>('audit entry', { keyHash: nullable(text) });

function entryWrite(key: Key, entry: AuditEntry, keyHash: string | null): Write {
  const attributes = auditCodec.encode({ ...entry, expiresAt: entry.at + keptMs });
  return { as: 'audit', put: { ...key, ...attributes, ...keyHashCodec.encode({ keyHash }) } };
}

/** The write that records an entry. @param keyHash of a deleted key */
export function addAuditEntry(
  workspaceId: WorkspaceId,
  entry: AuditEntry,
  keyHash: string | null = null,
): Write {
  return entryWrite(auditKey(workspaceId, entry), entry, keyHash);
}

/** The write that records an entry about the deployment. */
export function addOperatorEntry(entry: AuditEntry): Write {
  return entryWrite(operatorAuditKey(entry), entry, null);
}

/** A page of entries, newest first. @param workspaceId null: those about the deployment */
export async function listAudit(workspaceId: WorkspaceId | null, paging: Paging): Promise<Page<AuditEntry>> {
  const pk = workspaceId === null ? operatorEntries : auditEntries(workspaceId);
  const page = await listPage({ pk, order: 'newest first', ...paging });
  const items = page.items.map((item) => {
    const { expiresAt: _, ...entry } = auditCodec.decode(item);
    return entry;
  });
  return { items, next: page.next };
}

/** A page of the audit log that is to be removed with its workspace: the keys of its items, and the deleted keys that it names. */
export async function listAuditToRemove(
  workspaceId: WorkspaceId,
  limit: number,
): Promise<{ readonly entries: readonly Key[]; readonly keyHashes: readonly string[] }> {
  const pk = auditEntries(workspaceId);
  const { items } = await listPage({ pk, order: 'oldest first', limit, after: null });
  const keyHashes = items.flatMap((item) => keyHashCodec.decode(item).keyHash ?? []);
  return { entries: items.map(({ pk: of, sk }) => ({ pk: of, sk })), keyHashes };
}

/**
 * Rewrites what the entries of a workspace are about, one page of them.
 *
 * @param after position of the page before; null: the first one
 * @param rewrite null: the entry stays as it is
 * @param isDryRun counts only
 */
export async function rewriteAudit(
  workspaceId: WorkspaceId,
  after: string | null,
  rewrite: (subject: string) => string | null,
  isDryRun: boolean,
): Promise<{ readonly found: number; readonly next: string | null }> {
  const input = { pk: auditEntries(workspaceId), order: 'oldest first' as const, limit: 500, after };
  const { items, next } = await listPage(input);
  let found = 0;
  for (const item of items) {
    const subject = rewrite(auditCodec.decode(item).subject);
    if (subject === null) continue;
    found += 1;
    if (isDryRun) continue;
    const change = expressionsOf({ set: { subject } }, { exists: true });
    await updateIf({ pk: item.pk, sk: item.sk }, change);
  }
  return { found, next };
}
