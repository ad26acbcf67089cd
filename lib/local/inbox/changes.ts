/** What changes in a run, as a list with positions that a page waits at the end of. */

export type Change =
  | { readonly kind: 'mail'; readonly person: string; readonly message: string }
  /** An event of SES about a mail, by SES's id. */
  | { readonly kind: 'event'; readonly message: string }
  /** A worker of the service ended: what the API shows may be another. */
  | { readonly kind: 'service' }
  /** The built-in receiver got a webhook. */
  | { readonly kind: 'webhook' };

export interface ChangePage {
  /** Ask for what follows it. */
  readonly position: number;
  readonly changes: readonly Change[];
  /** Changes between `after` and these are not known any more: read everything again. */
  readonly missed: boolean;
}

export interface Changes {
  add(change: Change): void;
  /** The changes after a position; waits for the first one. */
  after(position: number | null): Promise<ChangePage>;
  /** Ends all waiting. */
  close(): void;
}

const keptMax = 1_000;
const waitMsDefault = 25_000;
/** Changes within this time are told together. */
const gatherMsDefault = 50;

export function createChanges({ waitMs = waitMsDefault, gatherMs = gatherMsDefault } = {}): Changes {
  let kept: Change[] = [];
  let position = 0;
  let isClosed = false;
  const waiting = new Set<() => void>();

  const wakeAll = () => {
    for (const wake of waiting) wake();
    waiting.clear();
  };

  const pageAfter = (after: number): ChangePage => {
    const first = position - kept.length;
    const missed = after < first || after > position;
    return { position, changes: missed ? kept : kept.slice(after - first), missed };
  };

  const nextChange = () =>
    new Promise<void>((resolve) => {
      const end = setTimeout(() => {
        waiting.delete(wake);
        resolve();
      }, waitMs);
      end.unref();
      const wake = () => {
        clearTimeout(end);
        setTimeout(resolve, gatherMs);
      };
      waiting.add(wake);
    });

  return {
    add(change) {
      kept.push(change);
      position += 1;
      if (kept.length > keptMax) kept = kept.slice(-keptMax / 2);
      wakeAll();
    },
    async after(after) {
      if (after === null) return { position, changes: [], missed: false };
      if (after === position && !isClosed) await nextChange();
      return pageAfter(after);
    },
    close() {
      isClosed = true;
      wakeAll();
    },
  };
}
