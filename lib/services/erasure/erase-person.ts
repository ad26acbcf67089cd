/**
 * Erasure of a person from a workspace (docs/concepts/deletion.md#erasing-a-person). It goes through the lists of the workspace
 * and has no progress of its own: what is erased is not found any more, so that another run finds what one has left.
 */
import { type EmailHead, isInSubmission } from '../../core/emails/email.ts';
import type { EmailId, MailboxId, SpaceId, ThreadId, WorkspaceId } from '../../core/ids.ts';
import type { Page, Paging } from '../../core/page.ts';
import { erasedAddress } from '../../core/suppressions/suppression.ts';
import { each } from '../../core/work/all-done.ts';
import { memberId } from '../../core/workspaces/workspace.ts';
import { addressKey } from '../../mail/addresses/addresses.ts';
import { knowingSpaces } from '../../storage/emails/correspondents.ts';
import { listAllOfThread } from '../../storage/emails/email-heads.ts';
import { findMailboxByAddress } from '../../storage/mailboxes/mailboxes.ts';
import { eraseBlocked, listBlockedToErase } from '../../storage/receiving/blocked-emails.ts';
import { deleteInboundRule, listInboundRulesToRemove } from '../../storage/receiving/inbound-rules.ts';
import * as suppressions from '../../storage/sending/suppressions.ts';
import { listDraftsToRemove } from '../../storage/teardown/teardown-drafts.ts';
import { listEmailsToRemove } from '../../storage/teardown/teardown-emails.ts';
import { countDeliveries, listEventBodies, removeEvents } from '../../storage/teardown/teardown-events.ts';
import { listAllEndpoints } from '../../storage/webhooks/endpoints.ts';
import { rewriteAudit } from '../../storage/workspaces/audit.ts';
import { findDeletedSpaces, isDeleted } from '../../storage/workspaces/deleted-spaces.ts';
import { listMembers } from '../../storage/workspaces/members.ts';
import { listSpaces } from '../../storage/workspaces/spaces.ts';
import { deleteDraftOf, deleteEmailsOfThread } from '../teardown/delete-mail.ts';
import { mentionsOf } from './address-mentions.ts';
import { type Person, type PersonMail, personMail } from './person-mail.ts';

/** What an erasure has removed, or would remove. */
export interface ErasedCounts {
  /** From or to the person, also with other recipients. */
  emails: number;
  /** Other emails that name the address: in quotes, forwarded messages, or their text. */
  emailsNaming: number;
  /** Of all these, those whose time had not come: they are never sent. */
  scheduled: number;
  drafts: number;
  threads: number;
  files: number;
  rawMessages: number;
  events: number;
  deliveries: number;
  blockedEmails: number;
  /** Kept without address and note, so that nothing is sent to it. */
  suppressions: number;
  /** Spaces that know the address as that of a correspondent. */
  correspondents: number;
  inboundRules: number;
  /** Entries of the audit log, kept without the address. */
  auditEntries: number;
}

/** What an erasure leaves, as somebody else decides about it. */
export interface LeftOfPerson {
  /** Emails that are queued or being sent: another run erases them. At most `inProgressMax` are named. */
  readonly inProgress: readonly EmailId[];
  readonly isMember: boolean;
  readonly mailbox: MailboxId | null;
}

export interface PersonErasure {
  readonly counts: Readonly<ErasedCounts>;
  readonly left: LeftOfPerson;
}

/** How far an erasure is: records of a list that were read. */
export type ReportErasure = (progress: { readonly list: string; readonly read: number }) => void;

const inProgressMax = 100;
/** Emails that are read at the same time, and threads that are changed at the same time. */
const readAtOnce = 20;
const threadsAtOnce = 10;
/** A thread with so much mail on one page is large. */
const manyOfThread = 10;
const pageSize = 100;

interface Run extends Person {
  readonly workspaceId: WorkspaceId;
  readonly isDryRun: boolean;
  readonly counts: ErasedCounts;
  readonly inProgress: Set<EmailId>;
  readonly report: ReportErasure;
  isHidden(spaceId: SpaceId | null): boolean;
}

/**
 * Erases all mail from and to a person, with what names the address elsewhere. What is hidden at once is removed in the
 * background within half an hour, as that of a deleted email is.
 *
 * @param options.isDryRun counts only
 */
export async function erasePerson(
  workspaceId: WorkspaceId,
  address: string,
  { isDryRun }: { readonly isDryRun: boolean },
  report: ReportErasure = () => {},
): Promise<PersonErasure> {
  const key = addressKey(address);
  const deleted = await findDeletedSpaces(workspaceId);
  const run: Run = {
    ...{ workspaceId, isDryRun, report, address: key, mentions: mentionsOf(key) },
    counts: noCounts(),
    inProgress: new Set(),
    // What is in them is being removed.
    isHidden: (spaceId) => isDeleted(deleted, spaceId),
  };
  const isMember = (await listMembers(workspaceId)).some(({ email }) => memberId(email) === memberId(key));
  // Events first: those of an email that is deleted are no longer found by what they say.
  await eraseEvents(run);
  // The last email of a thread takes its drafts with it.
  await eraseDrafts(run);
  await eraseEmails(run);
  await eraseBlockedMail(run);
  await eraseRules(run);
  await eraseSuppressions(run);
  await eraseCorrespondents(run);
  // What a member has done stays on record while they are one.
  if (!isMember) await eraseAuditEntries(run);
  const mailbox = await findMailboxByAddress(workspaceId, key);
  return {
    counts: run.counts,
    left: { inProgress: [...run.inProgress], isMember, mailbox: mailbox?.id ?? null },
  };
}

const noCounts = (): ErasedCounts => ({
  ...{ emails: 0, emailsNaming: 0, scheduled: 0, drafts: 0, threads: 0, files: 0, rawMessages: 0 },
  ...{ events: 0, deliveries: 0, blockedEmails: 0, suppressions: 0, correspondents: 0 },
  ...{ inboundRules: 0, auditEntries: 0 },
});

/** Goes through a list page by page. */
async function walk<T>(
  { report }: Pick<Run, 'report'>,
  list: string,
  read: (paging: Paging) => Promise<Page<T>>,
  visit: (items: readonly T[]) => Promise<void>,
): Promise<void> {
  let after: string | null = null;
  let count = 0;
  do {
    const page: Page<T> = await read({ limit: pageSize, after });
    await visit(page.items);
    count += page.items.length;
    report({ list, read: count });
    after = page.next;
  } while (after !== null);
}

async function eraseEvents(run: Run): Promise<void> {
  const { workspaceId, mentions, counts, isDryRun } = run;
  const endpoints = (await listAllEndpoints(workspaceId)).map(({ id }) => id);
  await walk(
    run,
    'events',
    (paging) => listEventBodies(workspaceId, paging),
    async (events) => {
      const found = events.filter(({ body }) => mentions.isIn(JSON.parse(body))).map(({ id }) => id);
      if (found.length === 0) return;
      counts.events += found.length;
      const count = isDryRun ? countDeliveries : removeEvents;
      counts.deliveries += await count(workspaceId, found, endpoints);
    },
  );
}

async function eraseEmails(run: Run): Promise<void> {
  const { workspaceId } = run;
  // Each deletion reads all heads of its thread: of a large one, or one that comes again, all of the person's mail is deleted.
  const threads = new Map<ThreadId, 'in part' | 'whole'>();
  await walk(
    run,
    'emails',
    (paging) => listEmailsToRemove(workspaceId, 'workspace', paging),
    async (heads) => {
      const found = await mailAmong(run, heads);
      const byThread = [...Map.groupBy(found, ({ head }) => head.threadId)];
      await each(byThread, threadsAtOnce, async ([threadId, mail]) => {
        const before = threads.get(threadId);
        const isPart = before === undefined && mail.length < manyOfThread;
        threads.set(threadId, isPart ? 'in part' : 'whole');
        const rest = isPart || before === 'whole' ? [] : await restOfThread(run, threadId, mail);
        await eraseOfThread(run, threadId, [...mail, ...rest]);
      });
    },
  );
  run.counts.threads = threads.size;
}

/** The person's mail among emails or drafts. */
async function mailAmong(run: Run, heads: readonly EmailHead[]): Promise<PersonMail[]> {
  const found: PersonMail[] = [];
  const shown = heads.filter(({ spaceId }) => !run.isHidden(spaceId));
  await each(shown, readAtOnce, async (head) => {
    const mail = await personMail(run.workspaceId, head, run);
    if (mail) found.push(mail);
  });
  return found;
}

async function eraseOfThread(run: Run, threadId: ThreadId, mail: readonly PersonMail[]): Promise<void> {
  const { workspaceId, isDryRun } = run;
  const ids = mail.map(({ head }) => head.id);
  const left = mail.flatMap(({ head }) => (isInSubmission(head) ? [head.id] : []));
  const outcome = isDryRun
    ? { deleted: ids.filter((id) => !left.includes(id)), left }
    : await deleteEmailsOfThread(workspaceId, threadId, ids, { takesScheduled: true });
  for (const id of outcome.left) if (run.inProgress.size < inProgressMax) run.inProgress.add(id);
  // Another run at the same time counts the others.
  const deleted = new Set(outcome.deleted);
  for (const one of mail) if (deleted.has(one.head.id)) countMail(run, one);
}

/** The person's mail in a thread, without what is known. */
async function restOfThread(
  run: Run,
  threadId: ThreadId,
  known: readonly PersonMail[],
): Promise<readonly PersonMail[]> {
  if (run.isDryRun) return [];
  const ids = new Set(known.map(({ head }) => head.id));
  const heads = await listAllOfThread(run.workspaceId, threadId);
  return await mailAmong(
    run,
    heads.filter(({ id }) => !ids.has(id)),
  );
}

function countMail({ counts }: Run, { head, isOwn, files, hasRaw }: PersonMail): void {
  if (isOwn) counts.emails += 1;
  else counts.emailsNaming += 1;
  if (head.status === 'scheduled') counts.scheduled += 1;
  countParts(counts, { files, hasRaw });
}

function countParts(counts: ErasedCounts, { files, hasRaw }: Pick<PersonMail, 'files' | 'hasRaw'>): void {
  counts.files += files;
  if (hasRaw) counts.rawMessages += 1;
}

async function eraseDrafts(run: Run): Promise<void> {
  const { workspaceId, counts, isDryRun } = run;
  await walk(
    run,
    'drafts',
    (paging) => listDraftsToRemove(workspaceId, 'workspace', paging),
    async (drafts) => {
      for (const mail of await mailAmong(run, drafts)) {
        if (!isDryRun && !(await deleteDraftOf(workspaceId, mail.head.id))) continue;
        counts.drafts += 1;
        countParts(counts, mail);
      }
    },
  );
}

async function eraseBlockedMail(run: Run): Promise<void> {
  const { workspaceId, mentions, counts, isDryRun } = run;
  await walk(
    run,
    'blocked emails',
    (paging) => listBlockedToErase(workspaceId, paging),
    async (blocked) => {
      for (const one of blocked.filter((entry) => !run.isHidden(entry.spaceId) && mentions.isIn(entry))) {
        counts.blockedEmails += 1;
        if (!isDryRun) await eraseBlocked(workspaceId, one);
      }
    },
  );
}

async function eraseRules(run: Run): Promise<void> {
  const { workspaceId, mentions, counts, isDryRun } = run;
  await walk(
    run,
    'inbound rules',
    (paging) => listInboundRulesToRemove(workspaceId, 'workspace', paging),
    async (rules) => {
      for (const rule of rules.filter(({ pattern, note }) => mentions.isIn([pattern, note]))) {
        counts.inboundRules += 1;
        if (!isDryRun) await deleteInboundRule(workspaceId, rule);
      }
    },
  );
}

async function eraseSuppressions(run: Run): Promise<void> {
  const { workspaceId, address, mentions, counts, isDryRun } = run;
  await walk(
    run,
    'suppressions',
    (paging) => suppressions.listSuppressionsToRemove(workspaceId, 'workspace', paging),
    async (found) => {
      for (const suppression of found) {
        const isErased = suppression.address === erasedAddress;
        const isOwn = !isErased && suppressions.isOfAddress(suppression, address);
        if (!isOwn && !mentions.isIn(suppression.note)) continue;
        counts.suppressions += 1;
        if (isDryRun) continue;
        await (isOwn ? suppressions.eraseAddress : suppressions.eraseNote)(workspaceId, suppression);
      }
    },
  );
}

async function eraseCorrespondents(run: Run): Promise<void> {
  const { workspaceId, address, counts, isDryRun } = run;
  counts.correspondents += await knowingSpaces(workspaceId, [null], address, !isDryRun);
  await walk(
    run,
    'spaces',
    (paging) => listSpaces(workspaceId, paging),
    async (spaces) => {
      const ids = spaces.map(({ id }) => id);
      counts.correspondents += await knowingSpaces(workspaceId, ids, address, !isDryRun);
    },
  );
}

async function eraseAuditEntries({ workspaceId, mentions, counts, isDryRun }: Run): Promise<void> {
  const rewrite = (subject: string) =>
    mentions.isIn(subject) ? mentions.replacedIn(subject, erasedAddress) : null;
  let after: string | null = null;
  do {
    const page = await rewriteAudit(workspaceId, after, rewrite, isDryRun);
    counts.auditEntries += page.found;
    after = page.next;
  } while (after !== null);
}
