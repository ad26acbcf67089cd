/** Injects messages into a workspace of their own, reads the workspace, and judges what became of each message. */
import { createHash } from 'node:crypto';
import { type DropEvent, droppedMail, stuckMessages } from './control.ts';
import { type Correspondent, continueCorrespondence, startCorrespondence } from './correspondence.ts';
import { type MessageCase, messageCase } from './message-cases.ts';
import { type ReadWorkspace, readWorkspace } from './read-workspace.ts';
import { sendOverSmtp } from './smtp-client.ts';
import { type FuzzCloud, inParallel, newFuzzTenant } from './tenant.ts';

export interface MailBatch {
  readonly seed: number;
  readonly numbers: readonly number[];
  /** Size of the targeted texts; default 4 MB. */
  readonly octets?: number;
  /** Receives the webhooks. */
  readonly hookUrl: string;
  /** Moves the clock until delayed messages have been processed; default: the clock stays. */
  readonly drain?: () => Promise<void>;
}

export interface MailFailure {
  /** Null: the batch failed as a whole. */
  readonly number: number | null;
  readonly kind: string;
  readonly what: string;
  readonly raw: Buffer | null;
}

/** What became of a message. */
export type Fate = 'stored' | 'refused by SMTP' | 'repeated' | 'lost' | DropEvent;

export interface MailOutcome {
  readonly number: number;
  readonly kind: string;
  readonly octets: number;
  /** SES's id; null: refused. */
  readonly sesId: string | null;
  readonly fate: Fate;
}

export interface MailBatchResult {
  readonly outcomes: readonly MailOutcome[];
  readonly failures: readonly MailFailure[];
  readonly read: ReadWorkspace;
}

const atOnce = 4;

interface Injected {
  readonly message: MessageCase;
  readonly sesId: string | null;
}

/** Runs one batch. */
export async function runMailBatch(cloud: FuzzCloud, batch: MailBatch): Promise<MailBatchResult> {
  const tenant = await newFuzzTenant(cloud);
  const before = new Set((await stuckMessages(cloud)).map(({ id }) => id));
  try {
    const correspondent = await startCorrespondence(cloud, tenant, batch.hookUrl);
    const injected = await inject(cloud, batch, correspondent);
    await cloud.settle();
    await batch.drain?.();
    const stuck = (await stuckMessages(cloud)).filter(({ id }) => !before.has(id));
    const read = await readWorkspace(tenant, correspondent.endpointId);
    const dropped = await droppedMail(cloud);
    const outcomes = fatesOf(injected, read, dropped);
    const faults = await continueCorrespondence(
      cloud,
      tenant,
      correspondent,
      read.emails.map(({ threadId }) => threadId),
    );
    const byNumber = new Map(injected.map(({ message }) => [message.number, message]));
    const failure = (number: number | null, what: string): MailFailure => {
      const message = number === null ? undefined : byNumber.get(number);
      return {
        number: message?.number ?? null,
        kind: message?.kind ?? 'batch',
        what,
        raw: message?.raw ?? null,
      };
    };
    const failures = [
      ...stuck.map(({ queue, body, receiveCount }) => {
        const about = injected.find(({ sesId }) => sesId !== null && body.includes(sesId));
        const what = `left in ${queue} after ${receiveCount} receives`;
        return failure(about?.message.number ?? null, about ? what : `${what}: ${body.slice(0, 300)}`);
      }),
      ...read.faults.map(({ caseNumber, what }) => failure(caseNumber, what)),
      ...outcomes.filter(({ fate }) => fate === 'lost').map(({ number }) => failure(number, 'is no email')),
      ...faults.map((what) => failure(null, what)),
      ...(read.suppressed.includes(correspondent.bystander)
        ? [failure(null, 'a forged message suppressed the bystander')]
        : []),
    ];
    return { outcomes, failures, read };
  } finally {
    tenant.close();
  }
}

async function inject(
  { smtpPort }: FuzzCloud,
  { seed, numbers, octets }: MailBatch,
  with_: Correspondent,
): Promise<Injected[]> {
  return await inParallel(numbers, atOnce, async (number) => {
    const message = messageCase(seed, number, with_, octets);
    const { isAccepted, text } = await sendOverSmtp(smtpPort, {
      from: message.from,
      to: with_.mailbox,
      raw: message.raw,
    });
    const sesId = /^250 OK ([a-z0-9]+)/.exec(text)?.[1];
    if (isAccepted && !sesId) throw new Error(`an unexpected reply: ${text}`);
    return { message, sesId: isAccepted ? (sesId ?? null) : null };
  });
}

function fatesOf(
  injected: readonly Injected[],
  { emails }: ReadWorkspace,
  dropped: ReadonlyMap<string, DropEvent>,
): MailOutcome[] {
  const stored = new Set(emails.map(({ caseNumber }) => caseNumber));
  const bodies = new Set(
    injected.filter(({ message }) => stored.has(message.number)).map(({ message }) => bodyHash(message.raw)),
  );
  const fateOf = ({ message, sesId }: Injected): Fate => {
    if (sesId === null) return 'refused by SMTP';
    if (stored.has(message.number)) return 'stored';
    const reason = dropped.get(sesId);
    if (reason) return reason;
    // A repeated message has the Message-ID and the body of one that is stored.
    const isRepeated = /^message-id *:/im.test(message.raw.toString('latin1'));
    return isRepeated && bodies.has(bodyHash(message.raw)) ? 'repeated' : 'lost';
  };
  return injected.map((one) => ({
    number: one.message.number,
    kind: one.message.kind,
    octets: one.message.raw.length,
    sesId: one.sesId,
    fate: fateOf(one),
  }));
}

function bodyHash(raw: Buffer): string {
  const at = raw.indexOf('\r\n\r\n');
  return createHash('sha256')
    .update(at < 0 ? raw : raw.subarray(at))
    .digest('hex');
}
