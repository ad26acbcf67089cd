/** The recorder of this worker's cloud, for tests that look at the calls of AWS's APIs on the wire. */
import type { Recorder } from '../../lib/local/aws/recorder.ts';

/** On the global object, because Vitest loads set-up files again for each file. */
const holder = globalThis as { [key: symbol]: Recorder | undefined };
const key = Symbol.for('parley.test.recorder');

export function shareRecorder(recorder: Recorder): void {
  holder[key] = recorder;
}

export function sharedRecorder(): Recorder {
  const recorder = holder[key];
  if (!recorder) throw new Error('tests of this folder have no cloud; see vitest.config.ts');
  return recorder;
}
