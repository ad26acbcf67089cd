/** What a drill has lost, doubled, or does not know, from what the customer's program knows and what SES took. */
import type { Cloud } from '../../lib/local/index.ts';
import type { Reconciliation } from '../../lib/services/restoring/reconcile.ts';
import type { Client, EmailBody } from './client.ts';
import type { Ledger } from './load.ts';

type Sent = ReturnType<Cloud['ses']['sent']>;

export interface Evidence {
  readonly client: Client;
  readonly ledger: Ledger;
  /** The moment of the copy, Unix milliseconds. */
  readonly restoredTo: number;
  /** What SES took before the loss, and after the adoption. */
  readonly before: Sent;
  readonly after: Sent;
  readonly report: Reconciliation;
  /** `<workspace>/<email>`: held, and not reported by SES in the end. */
  readonly held: readonly string[];
  /** Ids of events by email and type. */
  readonly events: ReadonlyMap<string, ReadonlySet<string>>;
  readonly deadLetters: number;
}

/** Numbers of emails, unless another thing is said. */
export interface Figures {
  accepted: number;
  /** Recipients of an email that SES took twice. */
  doubled: number;
  /** Received messages that are two emails. */
  receivedTwice: number;
  /** Accepted before the moment, and gone. */
  lostFromBefore: number;
  /** Accepted after it, and gone; of these, left through SES; named by the report. */
  lost: number;
  lostAndSent: number;
  lostAndNamed: number;
  lostAndNamedAsSent: number;
  /** Held, and completed by SES's reports. */
  completed: number;
  /** Completed by the reconciliation, from log lines; of these, that had not left. */
  completedFromLogs: number;
  completedFromLogsNotSent: number;
  /** Held, and not reported: of these, left or not. */
  unconfirmed: number;
  unconfirmedAndSent: number;
  /** Scheduled for later than the loss, and held; of these, moved to an earlier time since, and sent. */
  scheduledHeld: number;
  scheduledHeldAndSent: number;
  /** `sent`: their outcome was reported before the loss. */
  outcomeLost: number;
  /** In the table, and without their content. */
  unreadable: number;
  /** Neither gone, nor held, nor sent, nor ended, though due. */
  stuck: number;
  /** Canceled after the moment, and sent by the restored table. */
  cancellationsLost: number;
  /** Deleted after the moment, and back. */
  deletionsLost: number;
  /** Messages that SES received; those that are no email. */
  received: number;
  receivedLost: number;
  /** Facts of which a webhook endpoint heard under two event ids. */
  toldTwice: number;
  deadLetters: number;
}

export const figureNames = [
  'accepted',
  'doubled',
  'receivedTwice',
  'lostFromBefore',
  'lost',
  'lostAndSent',
  'lostAndNamed',
  'lostAndNamedAsSent',
  'completed',
  'completedFromLogs',
  'completedFromLogsNotSent',
  'unconfirmed',
  'unconfirmedAndSent',
  'scheduledHeld',
  'scheduledHeldAndSent',
  'outcomeLost',
  'unreadable',
  'stuck',
  'cancellationsLost',
  'deletionsLost',
  'received',
  'receivedLost',
  'toldTwice',
  'deadLetters',
] as const satisfies readonly (keyof Figures)[];

export const noFigures = (): Figures =>
  Object.fromEntries(figureNames.map((name) => [name, 0])) as unknown as Figures;

const ended: ReadonlySet<string> = new Set(['delivered', 'bounced', 'complained', 'failed', 'canceled']);

/** Subjects of received messages that are two emails. */
export async function receivedTwice(client: Client): Promise<string[]> {
  const emails = await client.list<EmailBody>('/emails?direction=inbound');
  const times = new Map<string, number>();
  for (const { subject } of emails) times.set(subject, (times.get(subject) ?? 0) + 1);
  return [...times].flatMap(([subject, got]) => (got > 1 ? [subject] : []));
}

export async function judge(evidence: Evidence): Promise<Figures> {
  const figures = noFigures();
  figures.accepted = evidence.ledger.emails.size;
  figures.deadLetters = evidence.deadLetters;
  const copies = copiesOf([...evidence.before, ...evidence.after]);
  for (const [id, of] of copies) {
    const twice = [...of.values()].filter((got) => got > 1).length;
    if (twice === 0) continue;
    figures.doubled += twice;
    console.error(`doubled: ${id} ${JSON.stringify(evidence.ledger.emails.get(id))}`);
  }
  for (const id of evidence.ledger.emails.keys()) {
    await judgeEmail(figures, evidence, id, copies.has(id));
  }
  await judgeReceived(figures, evidence);
  figures.toldTwice = [...evidence.events]
    .filter(([key]) => !key.startsWith('undefined'))
    .filter(([, ids]) => ids.size > 1).length;
  return figures;
}

/** Copies that SES took, by email and recipient. */
function copiesOf(sent: Sent): Map<string, Map<string, number>> {
  const copies = new Map<string, Map<string, number>>();
  for (const { tags, recipients } of sent) {
    const of = copies.get(tags.email_id ?? '') ?? new Map<string, number>();
    for (const one of recipients) of.set(one, (of.get(one) ?? 0) + 1);
    copies.set(tags.email_id ?? '', of);
  }
  return copies;
}

async function judgeEmail(
  figures: Figures,
  { client, ledger, restoredTo, after, report, held }: Evidence,
  id: string,
  isSent: boolean,
): Promise<void> {
  const { at, canceledAt, deletedAt } = ledger.emails.get(id) ?? { at: 0, canceledAt: null, deletedAt: null };
  const isIn = (names: readonly string[]) => names.some((name) => name.endsWith(`/${id}`));
  const found = await client.find(id).catch(() => 'unreadable' as const);
  if (found === 'unreadable') {
    figures.unreadable += 1;
    return;
  }
  const isDeletedBefore = deletedAt !== null && deletedAt < restoredTo;
  if (!found) {
    if (isDeletedBefore) return;
    if (at < restoredTo) figures.lostFromBefore += deletedAt === null ? 1 : 0;
    else {
      figures.lost += 1;
      figures.lostAndSent += isSent ? 1 : 0;
      figures.lostAndNamed += isIn(report.lost) ? 1 : 0;
      figures.lostAndNamedAsSent += isSent && isIn(report.lost_sent) ? 1 : 0;
    }
    return;
  }
  if (deletedAt !== null) figures.deletionsLost += 1;
  if (isIn(held)) {
    const name = isIn(report.scheduled) ? 'scheduledHeld' : 'unconfirmed';
    figures[name] += 1;
    figures[`${name}AndSent`] += isSent ? 1 : 0;
    return;
  }
  if (isIn(report.unconfirmed)) figures.completed += 1;
  if (isIn(report.completed)) {
    figures.completedFromLogs += 1;
    figures.completedFromLogsNotSent += isSent ? 0 : 1;
  }
  const isSentAfter = after.some(({ tags }) => tags.email_id === id);
  if (canceledAt !== null && isSentAfter) figures.cancellationsLost += 1;
  if (found.status === 'sent') figures.outcomeLost += 1;
  else if (found.status !== 'draft' && !ended.has(found.status)) {
    figures.stuck += 1;
    console.error(`stuck: ${id} ${JSON.stringify(ledger.emails.get(id))} ${found.status}, sent: ${isSent}`);
  }
}

async function judgeReceived(figures: Figures, { client, ledger }: Evidence): Promise<void> {
  const emails = await client.list<EmailBody>('/emails?direction=inbound');
  const subjects = new Set(emails.map(({ subject }) => subject));
  figures.received = ledger.received.size;
  figures.receivedLost = [...ledger.received.keys()].filter((subject) => !subjects.has(subject)).length;
  figures.receivedTwice = (await receivedTwice(client)).length;
}
