/** Thousands of mailboxes on virtual time: the code of `lib/services/mailboxes` against a model of a provider. */
import { composeId, type MailboxId, type WorkspaceId } from '../../lib/core/ids.ts';
import { ProviderError } from '../../lib/core/mailboxes/provider.ts';
import { syncMailbox } from '../../lib/services/mailboxes/sync-mailbox.ts';
import { seeded } from '../random.ts';
import { type MemoryMailbox, memoryMailbox, type ProviderCall } from './memory-mailbox.ts';

const minute = 60_000;

export interface Simulation {
  readonly mailboxes: number;
  readonly minutes: number;
  /** Share of mailboxes whose app has pushes. */
  readonly pushShare: number;
  /** Share of pushes that are lost. */
  readonly lostShare: number;
  /** Messages of a mailbox in a day. */
  readonly messagesPerDay: number;
  /** Minutes in which the provider fails; null: it never does. */
  readonly outage: { readonly from: number; readonly to: number } | null;
}

export interface SimulationResult {
  /** Calls of the provider in each minute, by kind. */
  readonly calls: readonly Readonly<Record<ProviderCall, number>>[];
  readonly messages: number;
  /** Messages that were queued more than once, and never. */
  readonly repeated: number;
  readonly missing: number;
  /** Milliseconds from the arrival of a message until it was queued, sorted. */
  readonly delays: readonly number[];
}

/** What happens in one second. */
type Agenda = Map<number, (() => Promise<void> | void)[]>;

const noCalls = { currentCursor: 0, changesSince: 0, listSince: 0, subscribe: 0 };
const workspaceId: WorkspaceId = composeId('wks', 0, new Uint8Array(10));

/** Runs the mailboxes, which are connected at the beginning, all within a minute. */
export async function simulate(given: Simulation): Promise<SimulationResult> {
  const { fraction: random } = seeded(1);
  const agenda: Agenda = new Map();
  let now = 1_700_000_000_000;
  const startedAt = now;
  const endsAt = startedAt + given.minutes * minute;
  const calls = Array.from({ length: given.minutes + 1 }, () => ({ ...noCalls }));
  const at = (time: number, what: () => Promise<void> | void) => {
    const second = Math.max(Math.ceil(time / 1000), Math.floor(now / 1000) + 1);
    const entries = agenda.get(second);
    if (entries) entries.push(what);
    else agenda.set(second, [what]);
  };
  const minuteOf = () => Math.floor((now - startedAt) / minute);
  const isDown = () =>
    given.outage !== null && minuteOf() >= given.outage.from && minuteOf() < given.outage.to;
  const boxes = new Map<MailboxId, MemoryMailbox>();
  let tokens = 0;
  const sync = async (id: MailboxId, wakeAt: number | null) => {
    const box = boxes.get(id);
    if (!box) return;
    tokens += 1;
    const known = box.found.length;
    const message = { kind: 'sync-mailbox', v: 1, workspaceId, mailboxId: id, wakeAt } as const;
    await syncMailbox(box.ports, message, String(tokens));
    for (const number of box.found.slice(known)) delays.push(now - (box.mail[Number(number)] ?? now));
  };
  const delays: number[] = [];
  const world = {
    now: () => now,
    random,
    call(what: ProviderCall) {
      const counted = calls[minuteOf()];
      if (counted) counted[what] += 1;
      if (isDown()) throw new ProviderError('unknown', 'The provider is down.');
    },
    schedule: (id: MailboxId, wakeAt: number | null) => at(wakeAt ?? now, () => sync(id, wakeAt)),
  };
  for (let number = 0; number < given.mailboxes; number++) {
    const bytes = new Uint8Array(10);
    new DataView(bytes.buffer).setUint32(0, number);
    const id = composeId('mbx', startedAt, bytes);
    const hasPush = random() < given.pushShare;
    const box = memoryMailbox(id, world, { hasPush });
    boxes.set(id, box);
    at(startedAt + random() * minute, () => sync(id, null));
    const receive = () => {
      if (now > startedAt + 2 * minute) {
        box.mail.push(now);
        // Pushes of the provider stop with the provider.
        if (hasPush && !isDown() && random() >= given.lostShare) at(now + 1000, () => sync(id, null));
      }
      const gap = (-Math.log(1 - random()) * 86_400_000) / given.messagesPerDay;
      if (now + gap < endsAt - 30 * minute) at(now + gap, receive);
    };
    at(startedAt + random() * 60 * minute, receive);
  }
  for (let second = Math.ceil(startedAt / 1000); second * 1000 < endsAt; second++) {
    now = second * 1000;
    const due = agenda.get(second);
    agenda.delete(second);
    for (const what of due ?? []) await what();
  }
  let messages = 0;
  let repeated = 0;
  let missing = 0;
  for (const { mail, found } of boxes.values()) {
    const unique = new Set(found).size;
    messages += mail.length;
    repeated += found.length - unique;
    missing += mail.length - unique;
  }
  return { calls, messages, repeated, missing, delays: delays.sort((a, b) => a - b) };
}

/** Calls of a minute. */
export function totalOf(calls: Readonly<Record<ProviderCall, number>>): number {
  return Object.values(calls).reduce((sum, one) => sum + one, 0);
}

/** Quota units of the Gmail API ("Usage limits", Gmail API): getProfile 1, history.list 2, messages.list 5, watch 100. */
export function unitsOf(calls: Readonly<Record<ProviderCall, number>>): number {
  return calls.currentCursor + 2 * calls.changesSince + 5 * calls.listSince + 100 * calls.subscribe;
}
