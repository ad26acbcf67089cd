/** Completions that end anywhere (docs/decisions/0056-the-chunk-is-the-completion.md). */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import type { FullEmail } from '../../../lib/core/emails/email.ts';
import { wireMessageId } from '../../../lib/core/emails/message-ids.ts';
import { newClaim, type SubmissionChunk } from '../../../lib/core/emails/submission.ts';
import type { WorkspaceId } from '../../../lib/core/ids.ts';
import type { ProviderEvent } from '../../../lib/core/sending/provider-event.ts';
import { completeAccepted, completeRefused } from '../../../lib/services/sending/complete-submission.ts';
import { recordProviderEvent } from '../../../lib/services/sending/record-provider-event.ts';
import { sendMailMessage } from '../../../lib/services/sending/submission-messages.ts';
import { submitEmail } from '../../../lib/services/sending/submit-email.ts';
import { claimChunk } from '../../../lib/storage/emails/chunks.ts';
import { storeContent } from '../../../lib/storage/emails/email-content.ts';
import { createEmail } from '../../../lib/storage/emails/email-heads.ts';
import { findFullEmail } from '../../../lib/storage/emails/emails.ts';
import { findEmailByMessageId } from '../../../lib/storage/emails/message-ids.ts';
import { commit } from '../../../lib/storage/table/transactions.ts';
import { listEvents } from '../../../lib/storage/webhooks/events.ts';
import { clearFaults, type Fault, inject } from '../../faults/kit.ts';
import { meterCalls, ownCalls, recordedCalls } from '../../support/calls.ts';
import { cloud } from '../../support/cloud.ts';
import { storedContent, storedHead, threadOf } from '../../support/stored-mail.ts';
import { workspace } from '../../support/workspace.ts';

afterEach(clearFaults);

const region = 'us-east-1';

/** An email whose chunks are claimed, and what the tests do with it. */
interface Claimed {
  readonly workspaceId: WorkspaceId;
  readonly email: FullEmail;
  readonly claims: readonly SubmissionChunk[];
  /** SES's ids, one for each chunk. */
  readonly providerIds: readonly string[];
}

const recipientOf = (number: number) => `anna${number}@example.test`;

async function claimed(chunks: number): Promise<Claimed> {
  const { id: workspaceId } = await workspace();
  const status = chunks === 1 ? 'queued' : 'sending';
  const to = Array.from({ length: chunks }, (_, at) => ({ name: null, address: recipientOf(at) }));
  const head = storedHead({ status, to });
  const claims = to.map(({ address }, number) =>
    newClaim({ number, of: chunks, recipients: [address], attempt: 1, claimedAt: now(), region }),
  );
  await storeContent(workspaceId, head.id, storedContent('Hello'));
  await commit(workspaceId, [
    ...createEmail(workspaceId, head),
    ...threadOf(workspaceId, head),
    ...claims.map((claim) => claimChunk(workspaceId, head.id, claim, null)),
  ]);
  const email = await findFullEmail(workspaceId, head.id);
  if (!email) throw new Error('the email was not stored');
  return { workspaceId, email, claims, providerIds: claims.map(() => newId('evt').slice(4).toLowerCase()) };
}

function accept({ workspaceId, email, claims, providerIds }: Claimed, number: number): Promise<boolean> {
  const [claim, providerId] = [claims[number], providerIds[number]];
  if (!claim || !providerId) throw new Error(`there is no chunk ${number}`);
  return completeAccepted(workspaceId, email, claim, { providerId });
}

const redeliver = ({ workspaceId, email }: Claimed, number: number) =>
  submitEmail(sendMailMessage(workspaceId, email.head.id, number));

const reported = { Delivery: 'delivered', Bounce: 'bounced', Complaint: 'complained' } as const;

function report(
  { workspaceId, email, providerIds }: Claimed,
  number: number,
  type: 'Send' | keyof typeof reported,
) {
  const event: ProviderEvent = {
    workspaceId,
    emailId: email.head.id,
    chunk: number,
    providerId: providerIds[number] ?? '',
    source: `${type} ${number}`,
    engagement: null,
    entry:
      type === 'Send'
        ? null
        : { type: reported[type], at: now(), recipients: [recipientOf(number)], detail: null },
  };
  return recordProviderEvent(event);
}

/** What is stored of an email, once what it published is. */
async function outcomeOf({ workspaceId, email: { head }, providerIds }: Claimed) {
  await cloud().waitForQuiescence();
  const email = await findFullEmail(workspaceId, head.id);
  const indexed = providerIds.map((id) =>
    findEmailByMessageId(workspaceId, head.spaceId, wireMessageId(region, id)),
  );
  const { items } = await listEvents(workspaceId, {}, 'oldest first', { limit: 100, after: null });
  return {
    status: email?.head.status,
    hasSentAt: (email?.head.sentAt ?? null) !== null,
    sent: email?.history.filter(({ type }) => type === 'sent').map(({ detail }) => detail),
    indexed: await Promise.all(indexed),
    events: items.map(({ type, body }) => [type, JSON.parse(body).data.wire_message_ids?.length ?? 0]),
  };
}

/** The outcome of an email all of whose chunks were accepted, and none delivered. */
const sentOnce = ({ email: { head }, providerIds }: Claimed) => ({
  status: 'sent',
  hasSentAt: true,
  sent: expect.toSatisfy(
    (sent: string[]) =>
      sent.toSorted().join() ===
      providerIds
        .map((id) => wireMessageId(region, id))
        .toSorted()
        .join(),
  ),
  indexed: providerIds.map(() => head.id),
  events: [['email.sent', providerIds.length]],
});

/** A fault of the write, of which nothing is stored. */
const refused = { kind: 'error', status: 400, code: 'ValidationException', service: 'dynamodb' } as const;

/** Writes of a completion after that of the chunk: its Message-ID, the head, and its history entry. */
const writes: readonly [string, (of: Claimed) => Fault][] = [
  [
    'its Message-ID',
    ({ workspaceId }) => ({ ...refused, action: 'UpdateItem', match: `W#${workspaceId}#MID#` }),
  ],
  [
    'its head',
    ({ email: { head } }) => ({ ...refused, action: 'UpdateItem', match: `"sk":{"S":"${head.id}"}` }),
  ],
  ['its history entry', () => ({ ...refused, action: 'PutItem', match: '"S":"sent"' })],
];

const repairs: readonly [string, (of: Claimed) => Promise<unknown>][] = [
  ['its message is delivered again', (of) => redeliver(of, 0)],
  [
    'both happen at once, and twice',
    async (of) => {
      await Promise.all([redeliver(of, 0), report(of, 0, 'Send'), redeliver(of, 0), report(of, 0, 'Send')]);
    },
  ],
];

describe('an email of one chunk whose completion ended', () => {
  const cases = writes.flatMap(([write, fault]) =>
    repairs.map((repair) => [write, ...repair, fault] as const),
  );

  it.each(cases)('before %s is sent once when %s', async (_, __, repair, fault) => {
    const of = await claimed(1);
    await inject(fault(of));
    await expect(accept(of, 0)).rejects.toThrow();
    await clearFaults();
    await repair(of);
    await repair(of);
    expect(await outcomeOf(of)).toEqual(sentOnce(of));
  });

  it.each(writes)('before %s is delivered once when SES reports its delivery', async (_, fault) => {
    const of = await claimed(1);
    await inject(fault(of));
    await expect(accept(of, 0)).rejects.toThrow();
    await clearFaults();
    await report(of, 0, 'Delivery');
    await redeliver(of, 0);
    const { events, ...stored } = await outcomeOf(of);
    expect(stored).toEqual({ ...sentOnce(of), status: 'delivered', events: undefined });
    expect(events.map(([type]) => type).toSorted()).toEqual(['email.delivered', 'email.sent']);
  });
});

describe('completeAccepted', () => {
  it('is one write of the chunk and one of each item that follows from it, without a read', async () => {
    const of = await claimed(1);
    expect(await ownCalls(() => accept(of, 0))).toEqual(['PutItem', 'PutItem', 'UpdateItem', 'UpdateItem']);
  });

  it.each([1, 3])('has one outcome when worker and event race, with %i chunks', async (chunks) => {
    const of = await claimed(chunks);
    await Promise.all(
      of.claims.flatMap((_, number) => [
        accept(of, number),
        report(of, number, 'Send'),
        accept(of, number),
        redeliver(of, number),
      ]),
    );
    expect(await outcomeOf(of)).toEqual(sentOnce(of));
  });

  it('has one outcome when each of many that race takes longer than most conflicts last', async () => {
    const of = await claimed(3);
    let elapsedMs = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (elapsedMs += 10_000));
    try {
      const round = () => of.claims.flatMap((_, at) => [accept(of, at), report(of, at, 'Delivery')]);
      await Promise.all([round(), round(), round(), round()].flat());
    } finally {
      clock.mockRestore();
    }
    expect(await outcomeOf(of)).toMatchObject({ status: 'delivered', hasSentAt: true });
  });

  it('ends an email with its last chunk', async () => {
    const of = await claimed(3);
    await accept(of, 2);
    await accept(of, 0);
    expect(await outcomeOf(of)).toMatchObject({ status: 'sending', events: [] });
    await accept(of, 1);
    expect(await outcomeOf(of)).toEqual(sentOnce(of));
  });

  it.each([
    ['its Message-ID', 'UpdateItem', '#MID#'],
    ['its history entry', 'PutItem', '"S":"sent"'],
    ['the end of the email', 'TransactWriteItems', 'email.sent'],
  ])(
    'of the last of three chunks ends the email when it ended before %s and its message is delivered again',
    async (_, action, match) => {
      const of = await claimed(3);
      await accept(of, 0);
      await accept(of, 1);
      await inject({ ...refused, action, match });
      await expect(accept(of, 2)).rejects.toThrow();
      await clearFaults();
      await redeliver(of, 2);
      await redeliver(of, 0);
      expect(await outcomeOf(of)).toEqual(sentOnce(of));
    },
  );

  it('of one chunk does not wait for another that ended before its history entry', async () => {
    const of = await claimed(2);
    await inject({ ...refused, action: 'PutItem', match: `<${of.providerIds[0]}@` });
    await expect(accept(of, 0)).rejects.toThrow();
    await clearFaults();
    await accept(of, 1);
    expect(await outcomeOf(of)).toEqual(sentOnce(of));
  });

  it('changes nothing when the chunk was refused meanwhile', async () => {
    const of = await claimed(1);
    const [claim] = of.claims;
    if (!claim) throw new Error('there is no claim');
    await completeRefused(of.workspaceId, of.email, claim, { reason: 'No', isRefused: true });
    await accept(of, 0);
    expect(await outcomeOf(of)).toEqual({
      status: 'failed',
      hasSentAt: false,
      sent: [],
      indexed: [null],
      events: [['email.failed', 0]],
    });
  });
});

describe('recordProviderEvent', () => {
  it('reads the email once, and its parts again after the entry', async () => {
    const of = await claimed(1);
    await accept(of, 0);
    // Head, chunk and deleted spaces; then the parts.
    expect(await ownCalls(() => report(of, 0, 'Delivery'))).toEqual([
      'BatchGetItem',
      'PutItem',
      'Query',
      'UpdateItem',
    ]);
  });

  it('is one read when SES says that it has accepted what is known to be accepted', async () => {
    const of = await claimed(1);
    await accept(of, 0);
    expect(await ownCalls(() => report(of, 0, 'Send'))).toEqual(['GetItem']);
    expect(await outcomeOf(of)).toEqual(sentOnce(of));
  });

  it("completes a claimed chunk by SES's Send event", async () => {
    const of = await claimed(2);
    await report(of, 1, 'Send');
    expect(await outcomeOf(of)).toMatchObject({ status: 'sending' });
    await report(of, 0, 'Send');
    expect(await outcomeOf(of)).toEqual(sentOnce(of));
  });

  it('indexes both copies of a chunk that was submitted twice', async () => {
    const of = await claimed(1);
    await accept(of, 0);
    const copy = { ...of, providerIds: [newId('evt').slice(4).toLowerCase()] };
    await report(copy, 0, 'Send');
    expect(await outcomeOf(of)).toEqual(sentOnce(of));
    expect((await outcomeOf(copy)).indexed).toEqual([of.email.head.id]);
  });

  const races = [
    ['delivered', [['Delivery'], ['Delivery']]],
    ['bounced', [['Delivery'], ['Bounce']]],
    ['bounced', [['Bounce'], ['Bounce']]],
    ['complained', [['Complaint', 'Delivery'], ['Bounce']]],
    ['complained', [['Delivery', 'Complaint', 'Bounce']]],
    ['bounced', [['Delivery', 'Bounce']]],
  ] as const;

  it.each(races)(
    'leaves an email %s when its reports are recorded at the same time: %j',
    async (status, types) => {
      const rounds = Array.from({ length: 8 }, async (_, round) => {
        const of = await claimed(types.length);
        const accepting = types.map((_type, number) => () => accept(of, number));
        const reports = types.flatMap((all, number) => all.map((type) => () => report(of, number, type)));
        // Before, with and after the completion of the submission.
        if (round % 3 === 0) for (const run of accepting) await run();
        const beside = round % 3 === 1 ? accepting : [];
        await Promise.all([...beside, ...reports, ...reports.toReversed()].map((run) => run()));
        if (round % 3 === 2) await Promise.all(accepting.map((run) => run()));
        const email = await findFullEmail(of.workspaceId, of.email.head.id);
        return email?.head.status;
      });
      expect(new Set(await Promise.all(rounds))).toEqual(new Set([status]));
    },
  );
});

describe('a report that overtakes the completion', () => {
  meterCalls();

  /** Write units that the test uses itself. */
  async function writeUnits(flow: () => Promise<unknown>): Promise<number> {
    const calls = await recordedCalls(flow);
    const own = calls.filter(({ principal, keys }) => !principal.startsWith('parley-') && keys !== undefined);
    return own.reduce((sum, { capacity = 0 }) => sum + capacity, 0);
  }

  it('costs at most the chunk, its Message-ID and the head once more', async () => {
    const [inOrder, overtaken, beside] = [await claimed(1), await claimed(1), await claimed(1)];
    const usual = await writeUnits(async () => {
      await accept(inOrder, 0);
      await report(inOrder, 0, 'Delivery');
    });
    const after = await writeUnits(async () => {
      await report(overtaken, 0, 'Delivery');
      await accept(overtaken, 0);
    });
    const together = await writeUnits(() => Promise.all([report(beside, 0, 'Delivery'), accept(beside, 0)]));
    expect(after - usual).toBeGreaterThan(0);
    expect(Math.max(after, together) - usual).toBeLessThanOrEqual(3);
  });
});
