import { describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { newSender, type Sender } from './kit.ts';

interface Listing {
  readonly ids: readonly string[];
  readonly next: string | null;
}

/** Reads the next page, of two rows. */
async function read(sender: Sender, path: string, { ids, next }: Listing): Promise<Listing> {
  const { body } = await api(sender.own).get(`${path}limit=2${next === null ? '' : `&cursor=${next}`}`);
  return { ids: [...ids, ...body.data.map(({ id }) => id)], next: body.next_cursor };
}

/** Reads the first page of each path, runs `meanwhile`, and reads the lists to the end; the ids of each list. */
async function listAround(sender: Sender, paths: readonly string[], meanwhile: () => Promise<unknown>) {
  const nothing: Listing = { ids: [], next: null };
  const begun = await Promise.all(paths.map((path) => read(sender, path, nothing)));
  await meanwhile();
  return await Promise.all(
    begun.map(async (listing, at) => {
      let open = listing;
      while (open.next !== null) open = await read(sender, paths[at] ?? '', open);
      return open.ids;
    }),
  );
}

/** Five threads of one email each, oldest first. */
async function fiveThreads(sender: Sender): Promise<{ id: string; email: string }[]> {
  const threads = [];
  for (let at = 0; at < 5; at++) {
    const { id, thread_id } = await sender.send([`p${at}@${sender.own.slug}.example.test`]);
    threads.push({ id: thread_id, email: id });
  }
  await cloud().waitForQuiescence();
  return threads;
}

describe('a list', () => {
  it('of threads keeps the order of its first page when mail moves threads, unfiltered and by space or mailbox', async () => {
    const sender = await newSender({ subscribes: false });
    const threads = await fiveThreads(sender);
    const [oldest, second] = threads;
    const before = threads.map(({ id }) => id).reverse();
    const paths = [
      '/threads?',
      '/threads?space=none&',
      `/threads?mailbox=${encodeURIComponent(sender.from)}&`,
    ];
    const listed = await listAround(sender, paths, async () => {
      // Two threads of later pages move to the top, one of them twice, and a thread is created.
      for (const id of [oldest?.id, second?.id, oldest?.id])
        await api(sender.own).post(`/threads/${id}/reply`, { text: 'More' });
      await sender.send([`late@${sender.own.slug}.example.test`]);
      await cloud().waitForQuiescence();
    });
    expect(listed).toEqual(paths.map(() => before));
    const anew = await listAround(sender, paths, async () => {});
    const moved = [oldest?.id, second?.id, ...before.slice(0, 3)];
    expect(anew.map((ids) => ids.slice(1))).toEqual(paths.map(() => moved));
  });

  it('of emails neither skips nor repeats an email when mail arrives during the listing', async () => {
    const sender = await newSender({ subscribes: false });
    const threads = await fiveThreads(sender);
    const before = threads.map(({ email }) => email).reverse();
    const paths = ['/emails?', '/emails?space=none&', '/emails?direction=outbound&'];
    const listed = await listAround(sender, paths, async () => {
      for (const { id } of threads) await api(sender.own).post(`/threads/${id}/reply`, { text: 'More' });
      await cloud().waitForQuiescence();
    });
    expect(listed).toEqual(paths.map(() => before));
  });
});
