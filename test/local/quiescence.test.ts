import { describe, expect, it } from 'vitest';
import { createQuiescence, QuiescenceTimeout } from '../../lib/local/quiescence.ts';

describe('createQuiescence', () => {
  it('resolves at once without pending work', async () => {
    const settling = createQuiescence({ idle: async () => {}, report: () => '' });
    settling.add({ pendingWork: () => null });
    await expect(settling.settle(0)).resolves.toBeUndefined();
  });

  it('waits for work and its follow-up work', async () => {
    const settling = createQuiescence({ idle: async () => {}, report: () => '' });
    const done: string[] = [];
    let busy = 'first';
    settling.add({ pendingWork: () => busy || null });
    const end = (next: string) => {
      done.push(busy);
      busy = next;
      settling.noteChange();
    };
    setTimeout(() => end('second'), 5);
    setTimeout(() => end(''), 10);
    await settling.settle(2_000);
    expect(done).toEqual(['first', 'second']);
  });

  it('notices changes during the check', async () => {
    let busy = true;
    const settling = createQuiescence({
      idle: async () => {
        if (!busy) return;
        queueMicrotask(() => {
          busy = false;
          settling.noteChange();
        });
      },
      report: () => '',
    });
    settling.add({ pendingWork: () => (busy ? 'work' : null) });
    await expect(settling.settle(1_000)).resolves.toBeUndefined();
  });

  it('lists pending work when it times out', async () => {
    const settling = createQuiescence({ idle: async () => {}, report: () => 'depths' });
    settling.add({ pendingWork: () => 'one batch' });
    settling.add({ pendingWork: () => null });
    settling.add({ pendingWork: () => 'the stream' });
    await expect(settling.settle(10)).rejects.toThrow(
      new QuiescenceTimeout(
        'the local cloud is not quiescent, and nothing has changed for 0.01 s: one batch; the stream\ndepths',
      ),
    );
  });
});
