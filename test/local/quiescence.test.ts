import { describe, expect, it } from 'vitest';
import { createQuiescence, StillMoving } from '../../lib/local/quiescence.ts';

describe('settle', () => {
  it('resolves at once where nothing moves', async () => {
    const settling = createQuiescence({ quiet: async () => {}, report: () => '' });
    settling.add({ busyWith: () => null });
    await expect(settling.settle(0)).resolves.toBeUndefined();
  });

  it('waits for work, and for the work that follows from it', async () => {
    const settling = createQuiescence({ quiet: async () => {}, report: () => '' });
    const done: string[] = [];
    let busy = 'first';
    settling.add({ busyWith: () => busy || null });
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

  it('notices what ends while it looks', async () => {
    let busy = true;
    const settling = createQuiescence({
      quiet: async () => {
        if (!busy) return;
        queueMicrotask(() => {
          busy = false;
          settling.noteChange();
        });
      },
      report: () => '',
    });
    settling.add({ busyWith: () => (busy ? 'work' : null) });
    await expect(settling.settle(1_000)).resolves.toBeUndefined();
  });

  it('says what still moves when it gives up', async () => {
    const settling = createQuiescence({ quiet: async () => {}, report: () => 'depths' });
    settling.add({ busyWith: () => 'one batch' });
    settling.add({ busyWith: () => null });
    settling.add({ busyWith: () => 'the stream' });
    await expect(settling.settle(10)).rejects.toThrow(
      new StillMoving('the local cloud still moves after 0.01 s: one batch; the stream\ndepths'),
    );
  });
});
