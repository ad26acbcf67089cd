/** Several workers at one inbox. */

import { answerThread } from '../agent.ts';
import type { Attack, Family } from '../attack.ts';
import type { Stage } from '../stage.ts';

async function annasThread({ owner }: Stage): Promise<string> {
  return (await owner.get('/threads?limit=100')).body.data.at(-1)?.id ?? '';
}

const crowd = (count: number): string[] => Array.from({ length: count }, (_, at) => `worker-${at}`);

/** Claims with values at and beyond their limits, while a worker answers. */
const claims = (name: string, bodies: readonly object[]): Attack => ({
  name: `claims with ${name}`,
  wants: 'twice',
  strike: async (stage) => {
    const id = await annasThread(stage);
    for (const body of bodies) await stage.agent.post(`/threads/${id}/claim`, body);
  },
  workers: crowd(3),
});

export const workers: Family = {
  title: 'Several workers at one inbox',
  attacks: [
    { name: 'two workers', wants: 'twice', workers: crowd(2) },
    { name: 'twelve workers', wants: 'twice', workers: crowd(12) },
    { name: 'two workers of one name', wants: 'twice', workers: ['worker', 'worker'] },
    { name: 'four workers of one name', wants: 'twice', workers: ['w', 'w', 'w', 'w'] },
    { name: 'names that differ in case', wants: 'twice', workers: ['Worker', 'worker', 'WORKER'] },
    { name: 'names that look the same', wants: 'twice', workers: ['worker', 'wоrker', 'worker '] },
    { name: 'names with marks of URLs', wants: 'twice', workers: ['a&owner=b', 'b', 'a%26b', '../b'] },
    claims('no time', [{ owner: 'x', ttl_seconds: 0 }, { owner: 'x', ttl_seconds: -5 }, { owner: 'x' }]),
    claims('much time', [
      { owner: 'x', ttl_seconds: 1e12 },
      { owner: 'x', ttl_seconds: 3600.5 },
    ]),
    claims('no owner', [
      { ttl_seconds: 60 },
      { owner: '', ttl_seconds: 60 },
      { owner: null, ttl_seconds: 60 },
    ]),
    claims('a long owner', [{ owner: 'x'.repeat(100_000), ttl_seconds: 60 }]),
    {
      name: 'the claim of a worker taken away',
      wants: 'twice',
      workers: crowd(3),
      strike: async (stage) => {
        const path = `/threads/${await annasThread(stage)}/claim`;
        await stage.agent.post(path, { owner: 'worker-0', ttl_seconds: 60 });
        await stage.agent.delete(path);
      },
    },
    {
      name: 'a thread that is marked as unread after its answer',
      wants: 'twice',
      meanwhile: async (stage) => {
        await stage.agent.patch(`/threads/${await annasThread(stage)}`, { read: false });
        await answerThread(stage, 'second', await annasThread(stage));
      },
    },
    {
      name: 'a worker that begins again after a crash',
      wants: 'twice',
      meanwhile: async (stage) => answerThread(stage, 'worker', await annasThread(stage)),
    },
    {
      name: 'another worker after the claim has ended',
      wants: 'twice',
      later: async (stage) => stage.agent.patch(`/threads/${await annasThread(stage)}`, { read: false }),
    },
    {
      name: 'the answer of a worker whose claim has gone',
      wants: 'twice',
      meanwhile: async (stage) => {
        const id = await annasThread(stage);
        await stage.agent.post(`/threads/${id}/claim`, { owner: 'other', ttl_seconds: 60 });
        await stage.agent.post(`/threads/${id}/reply`, { text: 'Answer to: late', claim_owner: 'worker' });
        await stage.agent.post(`/threads/${id}/reply`, { text: 'Answer to: late', claim_owner: 'Other' });
      },
    },
    {
      name: 'a second question while the first is answered',
      wants: 'twice',
      workers: crowd(2),
      meanwhile: async (stage) => {
        await stage.mail({
          from: stage.anna,
          inReplyTo: stage.annaMail,
          subject: 'Re: My parcel',
          text: 'Hello?',
        });
      },
    },
    {
      name: 'a hurry of ten questions by one person',
      wants: 'twice',
      workers: crowd(3),
      strike: async (stage) => {
        for (let at = 0; at < 10; at++) await stage.mail({ text: 'Hurry up!', subject: `Hurry ${at}` });
      },
    },
    {
      name: 'labels at their limit, so that a thread is never marked',
      wants: 'twice',
      workers: crowd(2),
      strike: async (stage) =>
        stage.agent.patch(`/threads/${await annasThread(stage)}`, {
          labels: { add: Array.from({ length: 20 }, (_, at) => `label-${at}`) },
        }),
    },
  ],
};
