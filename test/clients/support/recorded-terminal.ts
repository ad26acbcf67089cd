/** A terminal without colours that keeps what is printed. */
import picocolors from 'picocolors';
import { onlyStyled } from '../../../clients/cli/src/terminal/clean.ts';
import type { Terminal } from '../../../clients/cli/src/terminal/terminal.ts';

export interface RecordedTerminal extends Terminal {
  out(): string;
  err(): string;
}

export function recordedTerminal(given: Partial<Terminal> = {}): RecordedTerminal {
  const [out, err]: [string[], string[]] = [[], []];
  return {
    print: (text) => out.push(`${onlyStyled(text)}\n`),
    note: (text) => err.push(`${onlyStyled(text)}\n`),
    colors: picocolors.createColors(false),
    noteColors: picocolors.createColors(false),
    columns: Number.POSITIVE_INFINITY,
    isInteractive: false,
    ...given,
    out: () => out.join(''),
    err: () => err.join(''),
  };
}
