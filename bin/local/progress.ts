/** The lines that tell how far a start is: one that is replaced on a terminal, one for each stage elsewhere. */

export interface Progress {
  /** Begins a stage. */
  stage(name: string): void;
  /** Prints a sentence that stays. */
  note(text: string): void;
  /** Ends the last stage; the cursor is at the beginning of an empty line. */
  end(): void;
}

export interface ProgressOptions {
  readonly write: (text: string) => void;
  /** Whether lines can be replaced. */
  readonly isTerminal: boolean;
  /** The stage that is printed already. */
  readonly shown: string;
  /** Milliseconds. */
  readonly now?: () => number;
}

const clearLine = '\r\u001b[K';
/** A stage that takes longer shows for how long. */
const shownFromMs = 2000;

export function createProgress({
  write,
  isTerminal,
  shown,
  now = () => performance.now(),
}: ProgressOptions): Progress {
  if (!isTerminal) {
    return { stage: (name) => write(`${name} …\n`), note: (text) => write(`${text}\n`), end: () => {} };
  }
  let current: { readonly name: string; readonly since: number } | null = { name: shown, since: now() };
  const draw = () => {
    if (!current) return;
    const ms = now() - current.since;
    write(`${clearLine}${current.name} …${ms < shownFromMs ? '' : ` ${Math.floor(ms / 1000)} s`}`);
  };
  // Shows that the process lives while it waits for another one.
  const ticks = setInterval(draw, 1000);
  ticks.unref();
  return {
    stage(name) {
      current = { name, since: now() };
      draw();
    },
    note(text) {
      write(`${clearLine}${text}\n`);
      draw();
    },
    end() {
      clearInterval(ticks);
      if (current) write(clearLine);
      current = null;
    },
  };
}
