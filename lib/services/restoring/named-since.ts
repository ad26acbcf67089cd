/** What the log lines of the lost time say of emails: those that the restored table does not have, and submissions that it takes for open. */
import { LogsRefused, logPages } from '../../adapters/log-search.ts';
import { type EmailId, idTime, type WorkspaceId } from '../../core/ids.ts';
import { env } from '../../env.ts';
import { findStatuses, openStatuses } from '../../storage/restoring/unsubmitted.ts';
import { type EmailInLine, invocationLine, namingLines } from '../trace/invocation-line.ts';

/** An email by its ids, `<workspace>/<email>`. */
export type EmailName = string;

export const nameOf = (workspaceId: WorkspaceId, emailId: EmailId): EmailName => `${workspaceId}/${emailId}`;

/** An email that is not in the table. */
export interface LostEmail {
  isSent: boolean;
  isReceived: boolean;
}

export interface NamedSince {
  /** Lines that were read. */
  lines: number;
  /** Why there are others, or may be; null: all were read. */
  unread: string | null;
  /** Accepted, drafted or received since. */
  readonly lost: Map<EmailName, LostEmail>;
  /** Of emails that are still open in the table: the provider's ids of submissions, by chunk; null: it has none. */
  readonly submitted: Map<EmailName, Map<number, string | null>>;
}

export interface LostTime {
  /** The time that the table was restored to, Unix milliseconds. */
  readonly restoredTo: number;
  /** When the deployment stopped to work; Unix milliseconds. */
  readonly lostAt: number;
  /** A region that cannot be reached (docs/regions.md). */
  readonly lostRegion?: string;
}

/** Clocks differ, and a restore has whole seconds. */
export const marginMs = 60_000;

export const nothingNamed = (): NamedSince => ({
  lines: 0,
  unread: null,
  lost: new Map(),
  submitted: new Map(),
});

/** The line of an invocation is written at its end: 15 minutes after its begin at most ("Lambda quotas", AWS Lambda Developer Guide). */
const invocationMsMax = 15 * 60_000;

/** Keeps ids alone: a day of a million emails has millions of lines. @param report is told after each page, with the lines so far */
export async function namedSince(time: LostTime, report: (lines: number) => void): Promise<NamedSince> {
  const named = nothingNamed();
  if (time.lostRegion !== undefined) {
    return { ...named, unread: `The region ${time.lostRegion} is lost, with its log groups.` };
  }
  const { METRICS_NAMESPACE: prefix, HOME_REGION: region } = env();
  const between = { from: time.restoredTo - marginMs, to: time.lostAt + invocationMsMax };
  try {
    for (const group of [`/${prefix}/api`, `/${prefix}/workers`]) {
      for await (const page of logPages({ region, group, pattern: namingLines, ...between })) {
        await noteLines(
          named,
          page.map(({ text }) => text),
          time,
        );
        report(named.lines);
      }
    }
  } catch (error) {
    if (!(error instanceof LogsRefused)) throw error;
    named.unread = `${error.name}: ${error.message}`;
  }
  return named;
}

/** Adds what lines say of emails. Asks the table once for each email of them. */
export async function noteLines(
  named: NamedSince,
  lines: readonly string[],
  { restoredTo }: Pick<LostTime, 'restoredTo'>,
): Promise<void> {
  const { lost, submitted } = named;
  named.lines += lines.length;
  const entries = lines.flatMap((line) => invocationLine(line)?.emails ?? []);
  const byName = Map.groupBy(entries, ({ workspaceId, emailId }) => nameOf(workspaceId, emailId));
  const unknown = [...byName].filter(([name]) => !lost.has(name));
  const statuses = await findStatuses(unknown.flatMap(([, [first]]) => first ?? []));
  for (const [at, [name, of]] of unknown.entries()) {
    const status = statuses[at] ?? null;
    // What is older and is not there was deleted before: its reports come later.
    const isSince = of.some((entry) => isBeginning(entry) || idTime(entry.emailId) >= restoredTo - marginMs);
    if (status === null && isSince) lost.set(name, { isSent: false, isReceived: false });
    if (openStatuses.some((open) => open === status)) noteChunks(submitted, name, of);
  }
  for (const [name, of] of byName) {
    const email = lost.get(name);
    if (!email) continue;
    email.isSent ||= of.some(({ chunk }) => chunk !== null);
    email.isReceived ||= of.some(({ isReceived }) => isReceived);
  }
}

/** The line of what accepted or received it; a mailbox gives an email the time of its message. */
const isBeginning = ({ chunk, deliveryId }: EmailInLine): boolean => chunk === null && deliveryId === null;

function noteChunks(
  submitted: NamedSince['submitted'],
  name: EmailName,
  entries: readonly EmailInLine[],
): void {
  const chunks = submitted.get(name) ?? new Map<number, string | null>();
  for (const { chunk, providerId } of entries) if (chunk !== null) chunks.set(chunk, providerId);
  if (chunks.size > 0) submitted.set(name, chunks);
}
