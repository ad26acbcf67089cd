/**
 * Recursive-loop detection: the trace header of an invocation counts how often each function was invoked in the chain of requests; the SDK passes it on
 * ("Use Lambda recursive loop detection to prevent infinite loops", AWS Lambda Developer Guide; "Tracing header", AWS X-Ray Developer Guide).
 */
import { createHash, randomBytes } from 'node:crypto';

/** Invocations of a function in one chain; Lambda drops the next one. AWS says "approximately 16". */
export const chainInvocationsMax = 16;

/**
 * The trace header of an invocation; null where Lambda drops it.
 *
 * @param received trace headers of the messages of its event. AWS does not say how those of a batch are joined: the highest count of each function counts here.
 */
export function traceOf(functionArn: string, received: readonly string[]): string | null {
  const invoked = new Map<string, number>();
  for (const [name, times] of received.flatMap(lineageOf)) {
    invoked.set(name, Math.max(invoked.get(name) ?? 0, times));
  }
  const own = nameOf(functionArn);
  const before = invoked.get(own);
  // The count of a function is 0 after its first invocation.
  const count = before === undefined ? 0 : before + 1;
  if (count >= chainInvocationsMax) return null;
  invoked.set(own, count);
  const lineage = [...invoked].map((entry) => entry.join(':')).join('|');
  return `Root=${newRoot()};Parent=${randomBytes(8).toString('hex')};Sampled=0;Lineage=${lineage}`;
}

/** `Lineage=a87bd80c:1|68fd508a:5`. */
function lineageOf(header: string): [name: string, times: number][] {
  const lineage = /(?:^|;)Lineage=([^;]*)/.exec(header)?.[1] ?? '';
  return lineage.split('|').flatMap((entry) => {
    const [, name, times] = /^([0-9a-f]{8}):(\d+)$/.exec(entry) ?? [];
    return name === undefined ? [] : [[name, Number(times)]];
  });
}

const nameOf = (arn: string): string => createHash('sha256').update(arn).digest('hex').slice(0, 8);

function newRoot(): string {
  return `1-${randomBytes(4).toString('hex')}-${randomBytes(12).toString('hex')}`;
}
