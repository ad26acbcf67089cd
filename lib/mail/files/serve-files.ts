/** The child's end of the channel to `run-in-process.ts`: one message for each file that it gets, one after the other. */
import { type ExtractedText, withoutText } from './extracted-text.ts';
import { damagedWarning, type SourceFile } from './reader.ts';

/** An unexpected error of a reader, without its message, which may quote the file. */
export interface ReaderFault {
  readonly name: string;
  /** The first five frames of its stack. */
  readonly frames: readonly string[];
}

export interface ChildResult {
  readonly extracted: ExtractedText;
  /** Unexpected errors of the reader. */
  readonly faults: readonly ReaderFault[];
  /** Memory of the process after the file. */
  readonly memoryBytes: number;
}

/** Answers each file that the parent sends with what `extract` makes of it. A stray error of a callback ends the process. */
export function serveFiles(
  extract: (file: SourceFile, onFault: (error: unknown) => void) => Promise<ExtractedText>,
): void {
  let faults: ReaderFault[] = [];
  const onFault = (error: unknown) => faults.push(describeFault(error));
  const send = (extracted: ExtractedText, then: () => void = () => {}) => {
    const result: ChildResult = { extracted, faults, memoryBytes: process.memoryUsage.rss() };
    process.send?.(result, then);
  };

  process.once('uncaughtException', (error) => {
    onFault(error);
    send(withoutText('failed', damagedWarning), () => process.exit(1));
  });
  process.on('message', async (file) => {
    faults = [];
    send(await extract(file as SourceFile, onFault));
  });
}

function describeFault(error: unknown): ReaderFault {
  const { name, stack = '' } = error instanceof Error ? error : new Error('no error');
  const frames = stack.match(/^\s+at .+$/gm) ?? [];
  return { name, frames: frames.slice(0, 5) };
}
