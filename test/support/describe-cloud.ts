/** What explains a failed test: log lines of the functions that tell of failures, and the messages that wait in queues. */
import { timestamp } from '../../lib/adapters/clock.ts';
import type { Depth, QueuedMessage } from '../../lib/local/aws/sqs-types.ts';
import type { LogLine } from '../../lib/local/logs.ts';
import { cloud } from './cloud.ts';
import { shortenLogLine } from './shorten-log-line.ts';

const linesMax = 40;
const messagesMax = 20;
const charactersMax = 1000;

/** @param since Unix milliseconds on the clock of the cloud */
export async function describeCloud(since: number): Promise<string> {
  try {
    const [lines, messages] = await Promise.all([problems(since), waitingMessages()]);
    return [
      `Failed invocations, warnings and errors of the local cloud since ${timestamp(since)}:`,
      ...(lines.length > 0 ? lines : ['none']),
      `Messages in its queues at ${timestamp()}:`,
      ...(messages.length > 0 ? messages : ['none']),
    ].join('\n');
  } catch (error) {
    return `The local cloud cannot be asked why: ${error}`;
  }
}

async function problems(since: number): Promise<string[]> {
  const { data } = await cloud().control<{ data: LogLine[] }>('GET', `/problems?since=${timestamp(since)}`);
  return first(
    linesMax,
    data.map(({ at, source, text }) => `${timestamp(at)} ${source} ${shortenLogLine(text)}`),
  );
}

/** Without those of dead-letter queues, which other files leave. */
async function waitingMessages(): Promise<string[]> {
  const queues = await cloud().control<Record<string, Depth>>('GET', '/queues');
  const names = Object.entries(queues).flatMap(([name, { visible, inFlight, delayed }]) =>
    visible + inFlight + delayed > 0 && !/dead-letters|undelivered/.test(name) ? [name] : [],
  );
  const lists = await Promise.all(
    names.map(async (name) => {
      const { data } = await cloud().control<{ data: QueuedMessage[] }>('GET', `/queues/${name}/messages`);
      return data.map(
        ({ state, sentAt, receiveCount, body }) =>
          `${name} ${state}, sent ${timestamp(sentAt)}, received ${receiveCount} times: ${body}`,
      );
    }),
  );
  return first(messagesMax, lists.flat());
}

function first(max: number, lines: readonly string[]): string[] {
  const shown = lines.slice(0, max).map((line) => line.slice(0, charactersMax));
  return lines.length > max ? [...shown, `and ${lines.length - max} more`] : shown;
}
