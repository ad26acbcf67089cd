/** Audit entries of a workspace, for a year. */
import { type AuditEntry, auditActions } from '../core/audit.ts';
import { type KeyId, parseId, type WorkspaceId } from '../core/ids.ts';
import type { Page, Paging } from '../core/page.ts';
import { codec, type Field, number, oneOf, secondsAsMs, text } from './codec.ts';
import { auditEntries, auditKey } from './keys.ts';
import { listPage } from './paging.ts';
import type { Write } from './transactions.ts';

const keptMs = 365 * 86_400_000;

const actorField: Field<KeyId | 'operator'> = {
  read: (stored) => parseId('key', text.read(stored)) ?? 'operator',
  write: text.write,
};

const auditCodec = codec<AuditEntry & { readonly expiresAt: number }>('audit entry', {
  at: number,
  actor: actorField,
  action: oneOf(auditActions),
  subject: text,
  expiresAt: secondsAsMs,
});

/** The write that records an entry. */
export function addAuditEntry(workspaceId: WorkspaceId, entry: AuditEntry): Write {
  return {
    as: 'audit',
    put: {
      ...auditKey(workspaceId, entry),
      ...auditCodec.encode({ ...entry, expiresAt: entry.at + keptMs }),
    },
  };
}

/** A page of entries, newest first. */
export async function listAudit(workspaceId: WorkspaceId, paging: Paging): Promise<Page<AuditEntry>> {
  const page = await listPage({ pk: auditEntries(workspaceId), order: 'newest first', ...paging });
  const items = page.items.map((item) => {
    const { expiresAt: _, ...entry } = auditCodec.decode(item);
    return entry;
  });
  return { items, next: page.next };
}
