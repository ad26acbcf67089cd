/** The terminal of a program: lines to stdout and stderr, their colours and their width. Tests give their own. */
import picocolors from 'picocolors';
import { onlyStyled } from './clean.ts';

export type Colors = ReturnType<typeof picocolors.createColors>;

export interface Terminal {
  /** Prints a line, or several, to stdout: the result. Text of others goes through `cleanText` or `cleanLine` first. */
  print(text: string): void;
  /** Prints a line to stderr: errors, progress, advice. */
  note(text: string): void;
  /** Colours of stdout; they do nothing where there are none. */
  readonly colors: Colors;
  /** Colours of stderr. */
  readonly noteColors: Colors;
  /** Columns of stdout; Infinity where it is no terminal, so that nothing is cut for programs. */
  readonly columns: number;
  /** Whether a person can be asked: stdin and stderr are terminals. */
  readonly isInteractive: boolean;
}

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Whether a stream has colours (no-color.org; FORCE_COLOR as in Node). */
export function hasColors(
  stream: Stream,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  if (environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR !== undefined) return !['0', 'false'].includes(environment.FORCE_COLOR);
  return stream.isTTY === true && environment.TERM !== 'dumb';
}

/**
 * The terminal of this process.
 *
 * @param onBroken called once when nobody reads stdout any more
 */
export function processTerminal(onBroken: () => void = () => {}): Terminal {
  const { stdin, stdout, stderr, env } = process;
  let isBroken = false;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EOF') throw error;
    if (!isBroken) onBroken();
    isBroken = true;
  });
  // Nowhere to say it.
  stderr.on('error', () => {});
  return {
    print: (text) => {
      if (!isBroken) stdout.write(`${onlyStyled(text)}\n`);
    },
    note: (text) => {
      stderr.write(`${onlyStyled(text)}\n`);
    },
    colors: picocolors.createColors(hasColors(stdout, env)),
    noteColors: picocolors.createColors(hasColors(stderr, env)),
    columns: stdout.isTTY ? stdout.columns || 80 : Number.POSITIVE_INFINITY,
    isInteractive: stdin.isTTY === true && stderr.isTTY === true,
  };
}
