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
import type { ReceivedClaim } from '../../storage/restoring/received-claims.ts';
import { findStatuses, type StoredHead, scanUncertain } from '../../storage/restoring/unsubmitted.ts';
import { completeHeld, isSubmittedWhole } from './complete-held.ts';
import { holdEmail } from './hold-email.ts';
import {
  type EmailName,
  type LostEmail,
  type LostTime,
  marginMs,
  type NamedSince,
  namedSince,
  nameOf,
} from './named-since.ts';
import { receivedSince } from './received-since.ts';
import { releaseTorn } from './release-torn.ts';

export interface ReconcileOptions extends LostTime {
  readonly isDryRun: boolean;
}

/** What the table does not know, or not for certain. Lists name emails as `<workspace>/<email>`. */
export interface Reconciliation {
  /** May have been submitted since; held until SES reports them, or the operator decides. */
  unconfirmed: EmailName[];
  /** Were submitted since, as the logs say: they are `sent`. */
  completed: EmailName[];
  /** The same as `unconfirmed` through a mailbox: its worker asks the provider. */
  of_mailboxes: EmailName[];
  /** Scheduled for later than the loss, and held as well: they may have been canceled since, or rescheduled and submitted. */
  scheduled: EmailName[];
  /** Still to be approved. An approval since is unknown. */
  drafts: EmailName[];
  /** Of the drafts, those that were approved and submitted since, as the logs say. */
  drafts_sent: EmailName[];
  /** Deleted since, with files or content in the bucket, which are brought back. */
  deleted_since: EmailName[];
  /** Still to be sent, and their content cannot be read. */
  without_content: EmailName[];
  /** Accepted or drafted since, and not in the table: known by the logs, or by their files. */
  lost: EmailName[];
  /** Of the lost ones, those that were submitted, as the logs say. */
  lost_sent: EmailName[];
  /** Received since, and not in the table: their messages are received again, as other emails. */
  lost_received: EmailName[];
  /** Messages that SES received since; `restore replay` receives them again. */
  received_since: number;
  /** Lines of the logs that were read, and why some were not; null: all were. */
  logs: { readonly lines: number; readonly unread: string | null };
}

/** @param report is told after each page of log lines, and after each email that is held */
export async function reconcile(
  options: ReconcileOptions,
  report: (progress: { readonly lines: number; readonly held: number }) => void = () => undefined,
): Promise<Reconciliation> {
  const deleted = await bringBackDeleted(options);
  const named = await namedSince(options, (lines) => report({ lines, held: 0 }));
  const { lines, unread } = named;
  const found: Reconciliation = {
    unconfirmed: [],
    completed: [],
    of_mailboxes: [],
    scheduled: [],
    drafts: [],
    drafts_sent: [],
    deleted_since: deleted,
    without_content: [],
    ...(await lostSince(options, named)),
    received_since: 0,
    logs: { lines, unread },
  };
  const claims: ReceivedClaim[] = [];
  for await (const stored of scanUncertain(options.restoredTo - marginMs)) {
    if (!('head' in stored)) {
      claims.push(stored);
      continue;
    }
    // The table is in use already: this email is new.
    if (stored.head.createdAt > options.restoredTo + marginMs) continue;
    await sortIn(found, stored, { ...options, named });
    report({ lines, held: found.unconfirmed.length });
  }
  found.lost_received = [
    ...new Set([...found.lost_received, ...(await releaseTorn(claims, options.isDryRun))]),
  ];
  for await (const _ of receivedSince(options.restoredTo - marginMs, options.lostRegion))
    found.received_since += 1;
  return found;
}

async function sortIn(
  found: Reconciliation,
  { workspaceId, head }: StoredHead,
  { restoredTo, lostAt, isDryRun, named }: ReconcileOptions & { readonly named: NamedSince },
): Promise<void> {
  const name = nameOf(workspaceId, head.id);
  const submitted = named.submitted.get(name);
  if (head.status === 'draft') {
    found.drafts.push(name);
    if (submitted) found.drafts_sent.push(name);
    return;
  }
  const email = await findReadable(workspaceId, head.id);
  if (email === 'without content') return void found.without_content.push(name);
  // Of a deleted space.
  if (!email) return;
  const isLater = !submitted && head.status === 'scheduled' && (head.scheduledAt ?? 0) > lostAt + marginMs;
  if (head.mailboxId !== null) found.of_mailboxes.push(name);
  else if (isSubmittedWhole(email, submitted)) found.completed.push(name);
  else (isLater ? found.scheduled : found.unconfirmed).push(name);
  if (isDryRun) return;
  await holdEmail(workspaceId, email, { restoredTo, isLater });
  if (head.mailboxId === null && submitted) await completeHeld(workspaceId, head.id, submitted);
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

/** Emails that the logs name, and those whose objects were stored since and whose item is not in the table. */
async function lostSince(
  { restoredTo }: ReconcileOptions,
  { lost: named }: NamedSince,
): Promise<Pick<Reconciliation, 'lost' | 'lost_sent' | 'lost_received'>> {
  const emails = new Map<EmailName, Owner>();
  for await (const { key } of listObjectsSince(contentObjects(), restoredTo - marginMs)) {
    const owner = ownerOf(key);
    const name = owner && nameOf(owner.workspaceId, owner.emailId);
    if (owner && name && !named.has(name)) emails.set(name, owner);
  }
  const statuses = await findStatuses([...emails.values()]);
  const byObjects = [...emails.keys()].filter((_, at) => statuses[at] === null);
  const all = [...named];
  const withFlag = (isMeant: (email: LostEmail) => boolean) =>
    all.flatMap(([name, email]) => (isMeant(email) ? [name] : []));
  return {
    lost: [...withFlag(({ isReceived }) => !isReceived), ...byObjects],
    lost_sent: withFlag(({ isReceived, isSent }) => !isReceived && isSent),
    lost_received: withFlag(({ isReceived }) => isReceived),
  };
}

/** Objects that are deleted and whose email is in the table, which cannot be read without them. */
async function bringBackDeleted({ restoredTo, isDryRun }: ReconcileOptions): Promise<EmailName[]> {
  const deleted: (Owner & { readonly object: DeletedObject })[] = [];
  for await (const object of listDeletedSince(contentObjects(), restoredTo - marginMs)) {
    const owner = ownerOf(object.key);
    if (owner) deleted.push({ ...owner, object });
  }
  const statuses = await findStatuses(deleted);
  const ofStored = deleted.filter((_, at) => statuses[at] !== null);
  for (const { object } of isDryRun ? [] : ofStored) await bringBackObject(object);
  return [...new Set(ofStored.map(({ workspaceId, emailId }) => nameOf(workspaceId, emailId)))];
}
