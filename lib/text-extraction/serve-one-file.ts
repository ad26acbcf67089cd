/** The child's end of the channel to `run-in-process.ts`: gets one file, sends one message, exits. */
import { type ExtractedText, withoutText } from '../core/text-extraction.ts';
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
}

/** Sends what `extract` makes of the file that the parent sends, also when a stray callback of it throws. */
export function serveOneFile(
  extract: (file: SourceFile, onFault: (error: unknown) => void) => Promise<ExtractedText>,
): void {
  const faults: ReaderFault[] = [];
  const onFault = (error: unknown) => faults.push(describeFault(error));
  const finish = (extracted: ExtractedText) =>
    process.send?.({ extracted, faults } satisfies ChildResult, () => process.exit());

  process.once('uncaughtException', (error) => {
    onFault(error);
    finish(withoutText('failed', damagedWarning));
  });
  process.once('message', async (file) => finish(await extract(file as SourceFile, onFault)));
}

function describeFault(error: unknown): ReaderFault {
  const { name, stack = '' } = error instanceof Error ? error : new Error('no error');
  const frames = stack.match(/^\s+at .+$/gm) ?? [];
  return { name, frames: frames.slice(0, 5) };
}
