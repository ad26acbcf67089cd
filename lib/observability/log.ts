/** The structured logger: one JSON line per event of the catalogue, on stdout. */
import { timestamp } from '../adapters/clock.ts';
import { type FieldsOf, type LogEventName, type LoggedError, logEvents } from './log-events.ts';

/** Longest chain of causes that is logged. */
const causesMax = 5;

/**
 * Writes one log event. Lambda stores a line that is JSON already as it is, and filters it by `level` and `timestamp`
 * ("Log and monitor Node.js Lambda functions", AWS Lambda Developer Guide). `runbook` names a heading of docs/runbook.md.
 */
export function logEvent<N extends LogEventName>(name: N, fields: FieldsOf<N>): void {
  const { level, runbook } = logEvents[name];
  writeLine({ timestamp: timestamp(), level, event: name, ...fields, runbook });
}

let write = (line: string): unknown => process.stdout.write(line);

/** Sends the lines elsewhere, for command lines, whose results are on stdout. */
export function logTo(other: (line: string) => unknown): void {
  write = other;
}

/** Writes `value` as one line of JSON. */
export function writeLine(value: object): void {
  write(`${JSON.stringify(value)}\n`);
}

/** Name, message and stack of an error and of its causes, five at most. */
export function describeError(error: unknown, causesLeft = causesMax): LoggedError {
  if (!(error instanceof Error)) return { name: typeof error, message: 'thrown value is not an Error' };
  const { name, message, stack, cause } = error;
  if (cause === undefined || causesLeft === 0) return { name, message, stack };
  return { name, message, stack, cause: describeError(cause, causesLeft - 1) };
}
