/** What log lines say of emails, compared with the table. */
import { describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newIdAt } from '../../../lib/adapters/ids.ts';
import type { WorkspaceId } from '../../../lib/core/ids.ts';
import type { NamedEmail } from '../../../lib/observability/count.ts';
import { namedSince, noteLines, nothingNamed } from '../../../lib/services/restoring/named-since.ts';
import { clearFaults, inject } from '../../faults/kit.ts';
import { api } from '../../support/api.ts';
import { workspace } from '../../support/workspace.ts';

const hourMs = 3_600_000;
const tomorrow = () => new Date(now() + 24 * hourMs).toISOString();

const lineOf = (...emails: Partial<NamedEmail>[]) =>
  JSON.stringify({ _aws: { Timestamp: now() }, duration_ms: 1, emails });

/** A workspace and an email that is in its table, as after a restore to this moment. */
async function stage(fields: object = { scheduled_at: tomorrow() }) {
  const own = await workspace();
  const { body } = await api(own).post('/emails', {
    ...{ from: `hi@${own.providedDomain}`, to: 'anna@people.example.test', subject: 'Hi', text: 'Hi' },
    ...fields,
  });
  const workspace_id = own.id as WorkspaceId;
  const restoredTo = now();
  return {
    restoredTo,
    stored: { workspace_id, email_id: body.id },
    /** An email of another time, which the table does not have. */
    other: (atMs = restoredTo + hourMs) => ({ workspace_id, email_id: newIdAt('eml', atMs) }),
    name: ({ email_id }: { email_id: string }) => `${own.id}/${email_id}`,
    async note(...lines: string[]) {
      const named = nothingNamed();
      for (const line of lines) await noteLines(named, [line], { restoredTo });
      return named;
    },
  };
}

describe('noteLines', () => {
  it('names what is not in the table, once, with whether it was received, and submitted', async () => {
    const { note, other, name, stored } = await stage();
    const [accepted, sent, received] = [other(), other(), other()];
    const named = await note(
      lineOf(accepted, accepted, sent, { ...received, received: true }, stored),
      lineOf({ ...sent, chunk: 0, provider_id: 'ses-1' }),
      lineOf(accepted),
      lineOf({ ...received, delivery_id: 'dlv_1' }),
    );
    expect(named.lines).toBe(4);
    expect([...named.lost]).toEqual([
      [name(accepted), { isSent: false, isReceived: false }],
      [name(sent), { isSent: true, isReceived: false }],
      [name(received), { isSent: false, isReceived: true }],
    ]);
    expect(named.submitted).toEqual(new Map());
  });

  it('names a lost email by its report or its delivery alone, and none that was deleted before', async () => {
    const { note, other, name, restoredTo } = await stage();
    const [reported, delivered] = [other(), other()];
    const before = () => other(restoredTo - hourMs);
    const named = await note(
      lineOf({ ...reported, chunk: 1, provider_id: 'ses-1' }, { ...delivered, delivery_id: 'dlv_1' }),
      lineOf({ ...before(), chunk: 0, provider_id: 'ses-2' }, { ...before(), delivery_id: 'dlv_2' }),
    );
    expect([...named.lost.keys()]).toEqual([name(reported), name(delivered)]);
    // A mailbox gives an email the time of its message.
    const old = before();
    expect([...(await note(lineOf({ ...old, received: true }))).lost.keys()]).toEqual([name(old)]);
  });

  it('knows the submissions of what is open in the table, also of drafts, and of nothing else', async () => {
    const { note, stored, name } = await stage();
    const named = await note(
      lineOf({ ...stored, chunk: 0, provider_id: 'ses-1' }, { ...stored, chunk: 1 }),
      lineOf({ ...stored, delivery_id: 'dlv_1' }),
    );
    const chunks = new Map([
      [0, 'ses-1'],
      [1, null],
    ]);
    expect(named).toMatchObject({ lost: new Map(), submitted: new Map([[name(stored), chunks]]) });
    const draft = await stage({ draft: true });
    expect([...(await draft.note(lineOf({ ...draft.stored, chunk: 0 }))).submitted.keys()]).toEqual([
      draft.name(draft.stored),
    ]);
  });

  it('takes nothing from lines of another shape', async () => {
    const { note, other } = await stage();
    const odd = [{}, { ...other(), workspace_id: 'W#1' }, { ...other(), email_id: 'eml_1#x' }];
    const named = await note('', 'null', '{"emails":[1]}', lineOf(...odd), `text ${lineOf(other())}`);
    expect([...named.lost]).toEqual([]);
  });

  it('takes a page with ten thousand emails', async () => {
    const { note, other } = await stage();
    const lines = Array.from({ length: 100 }, () => lineOf(...Array.from({ length: 100 }, () => other())));
    const named = nothingNamed();
    await noteLines(named, lines, { restoredTo: now() });
    expect(named.lost.size).toBe(10_000);
    expect((await note()).lines).toBe(0);
  });
});

describe('namedSince', () => {
  it('says that a lost region, and CloudWatch Logs where it refuses, left lines unread', async () => {
    const time = { restoredTo: Math.trunc(now()), lostAt: now() };
    const report = () => undefined;
    expect(await namedSince({ ...time, lostRegion: 'us-east-2' }, report)).toMatchObject({
      lines: 0,
      unread: 'The region us-east-2 is lost, with its log groups.',
    });
    await inject({
      ...{ kind: 'error', service: 'logs', action: 'FilterLogEvents', status: 400, times: 1 },
      ...{ match: String(time.restoredTo), code: 'AccessDeniedException', message: 'no' },
    });
    // The first call has the time in its input.
    const refused = await namedSince({ ...time, restoredTo: time.restoredTo + 60_000 }, report);
    await clearFaults();
    expect(refused.unread).toBe('AccessDeniedException: no');
  });
});
