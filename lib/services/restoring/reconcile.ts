/**
 * Brings a restored table in line with what happened since (docs/restoring.md). Runs before the deployment adopts the table: nobody
 * else writes it. Repeated, it goes on where it was killed.
 */
import {
  bringBackObject,
  type DeletedObject,
  listDeletedSince,
  listObjectsSince,
  ObjectStoreError,
} from '../../adapters/objects.ts';
import type { FullEmail } from '../../core/emails/email.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { parseId } from '../../core/ids.ts';
import { env } from '../../env.ts';
import { findFullEmail } from '../../storage/emails/emails.ts';
import { areStored, type StoredHead, scanOpenHeads } from '../../storage/restoring/unsubmitted.ts';
import { holdEmail } from './hold-email.ts';
import { receivedSince } from './received-since.ts';

export interface ReconcileOptions {
  /** The time that the table was restored to, Unix milliseconds. */
  readonly restoredTo: number;
  /** When the deployment stopped to work; Unix milliseconds. */
  readonly lostAt: number;
  /** A region that cannot be reached (docs/regions.md). */
  readonly lostRegion?: string;
  readonly isDryRun: boolean;
}

/** An email by its ids, `<workspace>/<email>`. */
type EmailName = string;

/** What the table does not know, or not for certain. Lists name emails as `<workspace>/<email>`. */
export interface Reconciliation {
  /** May have been submitted since; held until SES reports them, or the operator decides. */
  unconfirmed: EmailName[];
  /** The same through a mailbox: its worker asks the provider. */
  of_mailboxes: EmailName[];
  /** Scheduled for later than the loss, and held as well: they may have been canceled since, or rescheduled and submitted. */
  scheduled: EmailName[];
  /** Still to be approved. An approval since is unknown. */
  drafts: EmailName[];
  /** Deleted since, with files or content in the bucket, which are brought back. */
  deleted_since: EmailName[];
  /** Still to be sent, and their content cannot be read. */
  without_content: EmailName[];
  /** Accepted or received since, and known by their files alone. */
  lost: EmailName[];
  /** Messages that SES received since; `restore replay` receives them again. */
  received_since: number;
}

/** Clocks differ, and a restore has whole seconds. */
const marginMs = 60_000;

/** @param report is told after each email that is held */
export async function reconcile(
  options: ReconcileOptions,
  report: (held: number) => void = () => undefined,
): Promise<Reconciliation> {
  const found: Reconciliation = {
    unconfirmed: [],
    of_mailboxes: [],
    scheduled: [],
    drafts: [],
    deleted_since: await bringBackDeleted(options),
    without_content: [],
    lost: await lostSince(options.restoredTo),
    received_since: 0,
  };
  for await (const stored of scanOpenHeads()) {
    // The table is in use already: this email is new.
    if (stored.head.createdAt > options.restoredTo + marginMs) continue;
    await sortIn(found, stored, options);
    report(found.unconfirmed.length);
  }
  for await (const _ of receivedSince(options.restoredTo - marginMs, options.lostRegion))
    found.received_since += 1;
  return found;
}

async function sortIn(
  found: Reconciliation,
  { workspaceId, head }: StoredHead,
  { restoredTo, lostAt, isDryRun }: ReconcileOptions,
): Promise<void> {
  const name = nameOf(workspaceId, head.id);
  if (head.status === 'draft') return void found.drafts.push(name);
  const email = await findReadable(workspaceId, head.id);
  if (email === 'without content') return void found.without_content.push(name);
  // Of a deleted space.
  if (!email) return;
  const isLater = head.status === 'scheduled' && (head.scheduledAt ?? 0) > lostAt + marginMs;
  if (head.mailboxId !== null) found.of_mailboxes.push(name);
  else (isLater ? found.scheduled : found.unconfirmed).push(name);
  if (!isDryRun) await holdEmail(workspaceId, email, { restoredTo, isLater });
}

/** An email whose content is missing cannot be submitted, either. */
async function findReadable(
  workspaceId: WorkspaceId,
  id: EmailId,
): Promise<FullEmail | null | 'without content'> {
  try {
    return await findFullEmail(workspaceId, id);
  } catch (error) {
    if (error instanceof ObjectStoreError && error.status === 404) return 'without content';
    throw error;
  }
}

const nameOf = (workspaceId: WorkspaceId, emailId: EmailId): EmailName => `${workspaceId}/${emailId}`;

const contentObjects = () => ({ bucket: env().CONTENT_BUCKET, key: 'w/' });

interface Owner {
  readonly workspaceId: WorkspaceId;
  readonly emailId: EmailId;
}

/** The email that an object of the content bucket belongs to; null: none. */
function ownerOf(key: string): Owner | null {
  const [, workspace = '', email = ''] = /^w\/([^/]+)\/e\/([^/]+)\//.exec(key) ?? [];
  const workspaceId = parseId('wks', workspace);
  const emailId = parseId('eml', email);
  return workspaceId && emailId ? { workspaceId, emailId } : null;
}

/** Emails whose objects were stored since and whose item is not in the table. */
async function lostSince(restoredTo: number): Promise<EmailName[]> {
  const emails = new Map<EmailName, Owner>();
  for await (const { key } of listObjectsSince(contentObjects(), restoredTo - marginMs)) {
    const owner = ownerOf(key);
    if (owner) emails.set(nameOf(owner.workspaceId, owner.emailId), owner);
  }
  const stored = await areStored([...emails.values()]);
  return [...emails.keys()].filter((_, at) => !stored[at]);
}

/** Objects that are deleted and whose email is in the table, which cannot be read without them. */
async function bringBackDeleted({ restoredTo, isDryRun }: ReconcileOptions): Promise<EmailName[]> {
  const deleted: (Owner & { readonly object: DeletedObject })[] = [];
  for await (const object of listDeletedSince(contentObjects(), restoredTo - marginMs)) {
    const owner = ownerOf(object.key);
    if (owner) deleted.push({ ...owner, object });
  }
  const stored = await areStored(deleted);
  const ofStored = deleted.filter((_, at) => stored[at]);
  for (const { object } of isDryRun ? [] : ofStored) await bringBackObject(object);
  return [...new Set(ofStored.map(({ workspaceId, emailId }) => nameOf(workspaceId, emailId)))];
}
