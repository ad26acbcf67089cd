/** ReceiveMessage, with long polling. */
import type { LocalClock } from './service.ts';
import { checkVisibility, invalid } from './sqs-rules.ts';
import type { Queue } from './sqs-types.ts';
import { type Input, presentReceived } from './sqs-wire.ts';

const receiveMax = 10;
const waitSecondsMax = 20;

/** ReceiveMessage; long polling waits on the local clock. */
export async function receive(
  clock: Pick<LocalClock, 'now' | 'at'>,
  queue: Queue,
  input: Input<'ReceiveMessage'>,
) {
  const { MaxNumberOfMessages: max, VisibilityTimeout: visibility, WaitTimeSeconds: waitSeconds } = input;
  if (max < 1 || max > receiveMax) {
    throw invalid('MaxNumberOfMessages', max, `Must be between 1 and ${receiveMax}, if provided.`);
  }
  if (waitSeconds < 0 || waitSeconds > waitSecondsMax) {
    throw invalid('WaitTimeSeconds', waitSeconds, `Must be >= 0 and <= ${waitSecondsMax}, if provided.`);
  }
  if (visibility !== undefined) checkVisibility(visibility);
  const deadline = clock.now() + waitSeconds * 1000;
  let received = queue.receive(max, visibility);
  while (received.length === 0 && clock.now() < deadline) {
    await new Promise<void>((resolve) => {
      const stop = [queue.onAvailable(wake), clock.at(deadline, wake)];
      function wake() {
        for (const end of stop) end();
        resolve();
      }
    });
    received = queue.receive(max, visibility);
  }
  if (received.length === 0) return {};
  return { Messages: received.map((message) => presentReceived(message, input)) };
}
