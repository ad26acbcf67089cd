/** Approvals, edits and cancellations of one draft at the same time, with lost answers of the table: one wins (docs/concepts/drafts.md#approval). */
import { expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { incompressible } from '../support/incompressible.ts';
import { workspace } from '../support/workspace.ts';
import { inject } from './kit.ts';

const actions = ['approve', 'approve seen', 'edit', 'edit seen', 'cancel'] as const;
const seeds = Array.from({ length: 16 }, (_, at) => at + 1);

/** Every other text is larger than the table holds. */
const textOf = (number: number): string => `Text ${number}. ${number % 2 === 0 ? incompressible(6000) : ''}`;

it.each(seeds)(
  'a draft is sent in the version that was approved, once, or not at all: case %i',
  async (seed) => {
    const random = randomOf(seed);
    const own = await workspace();
    const client = api(own);
    const to = `anna@${own.slug}.example.test`;
    const first = textOf(0);
    const mail = { from: `desk@${own.providedDomain}`, to, subject: 'Order', text: first, draft: true };
    const { id } = (await client.post('/emails', mail)).body;
    const texts = new Map([[1, first]]);
    const approvals: { version: number; isReplay: boolean }[] = [];
    for (let round = 0; round < 3; round++) {
      const seen = Math.max(...texts.keys());
      if (random() < 0.5) {
        const kind = random() < 0.5 ? 'timeout-after' : 'drop-before';
        await inject({ kind, action: 'TransactWriteItems', match: id, times: 1 });
      }
      const act = async (number: number) => {
        const action = actions[Math.floor(random() * actions.length)] ?? 'edit';
        const version = action.endsWith('seen') ? { version: seen } : {};
        if (action.startsWith('approve')) {
          const { status, headers, body } = await client.post(`/emails/${id}/approve`, version);
          if (status !== 200) return;
          const approved = (body.draft as { version: number }).version;
          if ('version' in version) expect(approved).toBe(seen);
          approvals.push({ version: approved, isReplay: headers['idempotent-replayed'] === 'true' });
        } else if (action.startsWith('edit')) {
          const text = textOf(10 * (round + 1) + number);
          const { status, body } = await client.patch(`/emails/${id}`, { text, ...version });
          if (status === 200) texts.set((body.draft as { version: number }).version, text);
        } else if (round > 0) await client.post(`/emails/${id}/cancel`);
      };
      await Promise.all([0, 1, 2, 3].map(act));
    }
    await cloud().waitForQuiescence();
    const { body: email } = await client.get(`/emails/${id}`);
    const sent = await Promise.all((await cloud().sentTo(to)).map((one) => cloud().sent(one.id)));
    // A lost answer may leave the first approval without one that is new.
    expect(approvals.filter(({ isReplay }) => !isReplay).length).toBeLessThanOrEqual(1);
    if (email.status === 'draft' || email.status === 'canceled') {
      expect([approvals, sent]).toEqual([[], []]);
      return;
    }
    const { version } = email.draft as { version: number };
    expect(new Set(approvals.map((one) => one.version))).toEqual(new Set([version]));
    const text = texts.get(version) ?? '';
    expect(email.text === text).toBe(true);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.raw).toContain(text.slice(0, 8));
  },
);

function randomOf(seed: number): () => number {
  let state = seed * 2654435761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) >>> 0;
    return state / 2 ** 32;
  };
}
