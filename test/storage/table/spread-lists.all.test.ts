/** Lists of a workspace that is spread have the pages that they have in one partition (docs/decisions/0088-spread-workspaces.md). */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import { composeId, type EmailId, type WorkspaceId } from '../../../lib/core/ids.ts';
import type { Page } from '../../../lib/core/page.ts';
import { createEmail, listEndedDrafts } from '../../../lib/storage/emails/email-heads.ts';
import { scanUncertain } from '../../../lib/storage/restoring/unsubmitted.ts';
import * as keys from '../../../lib/storage/table/keys.ts';
import {
  type ListInput,
  listEntries,
  listFiltered,
  listPage,
  type Order,
} from '../../../lib/storage/table/paging.ts';
import { type Item, put, putMany, removeAll } from '../../../lib/storage/table/table.ts';
import { commit } from '../../../lib/storage/table/transactions.ts';
import { findEmailsInStatus, visitThreads } from '../../../lib/storage/threads/thread-search.ts';
import { findMisplaced } from '../../../lib/storage/workspaces/spread-check.ts';
import { randomCases } from '../../support/random-cases.ts';
import { spread } from '../../support/spread.ts';
import { storedHead, threadOf } from '../../support/stored-mail.ts';
import { workspace } from '../../support/workspace.ts';

const minute = 60_000;
const from = Date.UTC(2026, 11, 1);

/** A workspace in one partition, and one that is spread from a time on. */
function twoWorkspaces(): { plain: WorkspaceId; wide: WorkspaceId } {
  const [plain, wide] = [newId('wks'), newId('wks')];
  spread(wide, from);
  return { plain, wide };
}

/** An id of a minute after the time since when, or before it. */
function idAt(minutes: number, tail: number): EmailId {
  const random = new Uint8Array(10);
  new DataView(random.buffer).setUint16(8, tail);
  return composeId('eml', from + minutes * minute, random);
}

/** Of every third item. */
const isKept = ({ sk }: Item): boolean => Number.parseInt(sk.slice(-2), 16) % 3 === 0;

const lists = {
  listPage,
  listEntries,
  some: (input: ListInput) => listFiltered(input, isKept),
  'all or few': (input: ListInput) => listFiltered(input, isKept, 'all or few'),
  most: (input: ListInput) => listFiltered(input, isKept, 'most'),
} as const;

/** All pages of a list of emails: their ids, and where the next one begins. */
async function pagesOf(
  workspaceId: WorkspaceId,
  list: (input: ListInput) => Promise<Page<Item>>,
  how: Pick<ListInput, 'order' | 'limit' | 'range' | 'after'>,
) {
  const pages: { ids: string[]; next: string | null }[] = [];
  let { after } = how;
  do {
    const { items, next } = await list({ ...how, pk: keys.emails(workspaceId), after });
    pages.push({ ids: items.map(({ sk }) => sk), next });
    after = next;
  } while (after !== null);
  return pages;
}

async function store(workspaceId: WorkspaceId, ids: readonly EmailId[], more: object = {}): Promise<void> {
  await putMany(ids.map((id) => ({ ...keys.emailKey(workspaceId, id), ...more })));
}

const someId = fc
  .tuple(fc.integer({ min: -3, max: 5 }), fc.integer({ min: 0, max: 0xffff }))
  .map(([minutes, tail]) => idAt(minutes, tail));

describe('a list in several partitions', () => {
  it('has the same pages as in one: in either order, of any size, filtered, and in a range', async () => {
    const property = fc.asyncProperty(
      fc.uniqueArray(someId, { maxLength: 30 }),
      fc.record({
        order: fc.constantFrom<Order>('oldest first', 'newest first'),
        limit: fc.integer({ min: 1, max: 12 }),
        after: fc.option(someId),
      }),
      fc.record({
        after: fc.option(someId, { nil: undefined }),
        before: fc.option(someId, { nil: undefined }),
      }),
      fc.constantFrom(...Object.values(lists)),
      async (ids, how, range, list) => {
        const { plain, wide } = twoWorkspaces();
        await Promise.all([store(plain, ids), store(wide, ids)]);
        const given = { ...how, range };
        expect(await pagesOf(wide, list, given)).toEqual(await pagesOf(plain, list, given));
      },
    );
    await fc.assert(property, randomCases(15));
  });

  it('has each item once where a filter reads all that one request may, and one more', async () => {
    const { plain, wide } = twoWorkspaces();
    const ids = Array.from({ length: 2001 }, (_, at) => idAt(at - 150, (at * 7919) % 0x10000));
    await Promise.all([store(plain, ids), store(wide, ids)]);
    for (const order of ['newest first', 'oldest first'] as const) {
      const how = { order, limit: 100, after: null };
      const none = (input: ListInput) => listFiltered(input, () => false);
      const pages = await pagesOf(wide, none, how);
      expect(pages).toEqual(await pagesOf(plain, none, how));
      expect(pages.map((page) => [page.ids, page.next !== null])).toEqual([
        [[], true],
        [[], false],
      ]);
      expect(await pagesOf(wide, lists.some, how)).toEqual(await pagesOf(plain, lists.some, how));
    }
  });

  it('has each item once where queries end at 1 MB', async () => {
    const { wide } = twoWorkspaces();
    const ids = Array.from({ length: 40 }, (_, at) => idAt(at - 8, at * 3));
    await store(wide, ids, { text: 'x'.repeat(200_000) });
    for (const order of ['newest first', 'oldest first'] as const) {
      const pages = await pagesOf(wide, listPage, { order, limit: 40, after: null });
      const expected = ids.map((id): string => id).toSorted();
      expect(pages.flatMap((page) => page.ids)).toEqual(
        order === 'newest first' ? expected.toReversed() : expected,
      );
    }
  });

  it('is in the partition that it was in before the time since when, and in the others from then on', () => {
    const { wide, plain } = twoWorkspaces();
    const partition = (at: number, tail: number) => keys.emailKey(wide, idAt(at, tail)).pk;
    expect(keys.emails(plain)).toHaveLength(1);
    expect(keys.emails(wide)).toHaveLength(1 + keys.spreadPartitions);
    for (let tail = 0; tail < 32; tail++) {
      expect(partition(-1, tail)).toBe(`W#${wide}#E`);
      expect(partition(0, tail)).toBe(`W#${wide}#SPREAD#${tail % 8}#E`);
      expect(keys.emailKey(plain, idAt(0, tail)).pk).toBe(`W#${plain}#E`);
    }
  });

  it('shares the load evenly', () => {
    const { wide } = twoWorkspaces();
    const used = Array.from({ length: 800 }, () => keys.emailKey(wide, newId('eml')));
    const later = used.map(({ sk }) => keys.emailKey(wide, `eml_fff${sk.slice(7)}` as EmailId).pk);
    const sizes = Object.values(Object.groupBy(later, (pk) => pk)).map((of) => of?.length ?? 0);
    expect(sizes).toHaveLength(keys.spreadPartitions);
    // Twice the average is ten standard deviations above it.
    expect(Math.max(...sizes)).toBeLessThan((2 * later.length) / keys.spreadPartitions);
  });
});

describe('a workspace that is spread', () => {
  const ids = Array.from({ length: 60 }, (_, at) => idAt(Math.floor(at / 2) - 8, at * 5));

  async function filled() {
    const both = twoWorkspaces();
    for (const workspaceId of Object.values(both)) {
      for (const [at, id] of ids.entries()) {
        const head = storedHead({ id, status: at % 3 === 0 ? 'queued' : 'received' });
        await commit(workspaceId, [...createEmail(workspaceId, head), ...threadOf(workspaceId, head)]);
      }
    }
    return both;
  }

  it('is searched as one that is not, up to the same bound, and its open emails are found after a restore', async () => {
    const { plain, wide } = await filled();
    const range = {
      after: composeId('thr', 0, new Uint8Array(10)),
      before: composeId('thr', 2 ** 48 - 1, new Uint8Array(10).fill(0xff)),
    };
    const visited = async (workspaceId: WorkspaceId, max: number) => {
      const found: string[] = [];
      await visitThreads(workspaceId, range, max, ({ id }) => found.push(id));
      return found;
    };
    for (const max of [1, 25, 59, 60, 61])
      expect(await visited(wide, max)).toEqual(await visited(plain, max));
    const queued = await findEmailsInStatus(plain, ['queued'], 1000);
    expect(queued).toHaveLength(20);
    expect(await findEmailsInStatus(wide, ['queued'], 1000)).toEqual(queued);
    const open: EmailId[] = [];
    for await (const found of scanUncertain(now())) {
      if ('head' in found && found.workspaceId === wide) open.push(found.head.id);
    }
    expect(open.toSorted()).toEqual(queued.map(({ id }) => id).toSorted());
  });

  it('is found by the doctor where its entry in the setting is not as it was', async () => {
    const { id } = await workspace();
    const others = (await findMisplaced()).filter((one) => one !== id);
    const misplaced = async () => (await findMisplaced()).filter((one) => !others.includes(one));
    await store(id, [idAt(-1, 0)]);
    expect(await misplaced()).toEqual([]);
    spread(id, from);
    const items = [-2, ...Array.from({ length: 16 }, (_, at) => at)].map((at) => idAt(at, at & 0xff));
    await store(id, items);
    expect(await misplaced()).toEqual([]);
    for (const other of [from - 90_000, from + minute, null]) {
      spread(id, other);
      expect(await misplaced(), String(other)).toEqual([id]);
    }
    spread(id, from);
    expect(await misplaced()).toEqual([]);
    // The doctor of other tests has no such setting.
    await removeAll([idAt(-1, 0), ...items].map((item) => keys.emailKey(id, item)));
  });

  it('finds canceled drafts of a thread among its emails', async () => {
    const { wide } = twoWorkspaces();
    const heads = [idAt(-1, 1), idAt(1, 1), idAt(1, 2)].map((id) =>
      storedHead({ id, threadId: newId('thr') }),
    );
    const threadId = newId('thr');
    for (const head of heads) {
      await commit(wide, createEmail(wide, head));
      await put({ ...keys.endedDraftKey(wide, threadId, head.id) });
    }
    expect((await listEndedDrafts(wide, threadId)).map(({ id }) => id)).toEqual(heads.map(({ id }) => id));
  });
});
