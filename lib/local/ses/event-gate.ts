/** Holds, repeats and reorders the events of a region on a test's request. */
import { createGate, type Gate } from '../gate.ts';

export interface EventGate extends Pick<Gate<never>, 'hold' | 'release'> {
  publish(topicArn: string, message: string, sourceArn: string): void;
  held(): readonly string[];
}

export function createEventGate(
  publish: (topicArn: string, message: string, sourceArn: string) => void,
): EventGate {
  const { pass, hold, release, held } = createGate((event: Parameters<typeof publish>) => publish(...event));
  return {
    publish: (...event) => pass(event),
    hold,
    release,
    held: () => held().map(([, message]) => message),
  };
}
