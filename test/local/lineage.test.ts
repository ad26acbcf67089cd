import { describe, expect, it } from 'vitest';
import { chainInvocationsMax, traceOf } from '../../lib/local/lineage.ts';

const arnOf = (name: string) => `arn:aws:lambda:us-east-1:111111111111:function:${name}`;
const [one, other] = [arnOf('one'), arnOf('other')];

/** The headers of invocations of these functions, each caused by the one before; null where it is dropped. */
function chain(functions: readonly string[]): (string | null)[] {
  const headers: (string | null)[] = [];
  for (const arn of functions) {
    const before = headers.at(-1);
    headers.push(traceOf(arn, before ? [before] : []));
  }
  return headers;
}

const repeat = (arns: readonly string[], times: number) => Array.from({ length: times }, () => arns).flat();

describe('traceOf', () => {
  it('has the form of a trace header, and counts the function from 0', () => {
    expect(traceOf(one, [])).toMatch(
      /^Root=1-[0-9a-f]{8}-[0-9a-f]{24};Parent=[0-9a-f]{16};Sampled=0;Lineage=[0-9a-f]{8}:0$/,
    );
  });

  it('drops the 17th invocation of a function in a chain, also where another one is between them', () => {
    expect(chainInvocationsMax).toBe(16);
    const alone = chain(repeat([one], 17));
    expect(alone.slice(0, 16)).not.toContain(null);
    expect(alone[16]).toBeNull();
    const inTurn = chain(repeat([one, other], 17));
    expect(inTurn.slice(0, 32)).not.toContain(null);
    expect(inTurn[32]).toBeNull();
  });

  it('counts the longest chain of a batch, and begins a new one without a header', () => {
    const longest = chain(repeat([one], 16)).at(-1) ?? '';
    const short = traceOf(one, []) ?? '';
    expect([traceOf(one, [short, longest]), traceOf(one, [longest, short])]).toEqual([null, null]);
    expect(traceOf(other, [short, longest])).toMatch(/Lineage=\w{8}:15\|\w{8}:0$/);
    expect(traceOf(one, ['Root=1-5759e988-bd862e3fe1be46a994272793'])).toMatch(/Lineage=\w{8}:0$/);
  });
});
