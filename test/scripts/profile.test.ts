import type { Profiler } from 'node:inspector';
import { describe, expect, it } from 'vitest';
import { sourcesOfLines } from '../../scripts/profile/bundle-sources.ts';
import { timesOf } from '../../scripts/profile/parts.ts';

/** A call tree: each node is its url with the samples that ended in it and its callees. */
interface Tree {
  readonly url: string;
  readonly functionName?: string;
  readonly samples?: number;
  readonly callees?: readonly Tree[];
}

/** Its profile, with samples of 10 microseconds. */
function profileOf(root: Tree): Profiler.Profile {
  const nodes: Profiler.ProfileNode[] = [];
  const samples: number[] = [];
  const add = ({ url, functionName = 'f', samples: own = 0, callees = [] }: Tree): number => {
    const id = nodes.length + 1;
    const callFrame = { functionName, scriptId: '0', url, lineNumber: 0, columnNumber: 0 };
    const node: Profiler.ProfileNode = { id, callFrame, children: [] };
    nodes.push(node);
    samples.push(...Array.from({ length: own }, () => id));
    node.children = callees.map(add);
    return id;
  };
  add(root);
  return { nodes, samples, timeDeltas: samples.map(() => 10), startTime: 0, endTime: 0 };
}

const times = (...callees: Tree[]) =>
  Object.fromEntries(timesOf(profileOf({ url: '', functionName: '(root)', callees }), ({ url }) => url));

describe('timesOf', () => {
  it('gives each part the samples that end in its sources', () => {
    expect(
      times(
        { url: '@smithy/signature-v4/dist-es/SignatureV4.js', samples: 3 },
        { url: '@smithy/core/dist-es/submodules/serde/hash-node/hash-node.js', samples: 1 },
        { url: 'lib/storage/emails.ts', samples: 2, callees: [{ url: 'zod/v4/core.js', samples: 5 }] },
        { url: 'node:_http_client', samples: 4 },
        { url: '@aws-sdk/util-dynamodb/dist-es/convertToAttr.js', samples: 2 },
        { url: '@smithy/core/dist-es/submodules/retry/middleware-retry/retryMiddleware.js', samples: 3 },
        { url: 'middy/core/index.js', samples: 1 },
      ),
    ).toEqual({
      signing: 40,
      'stores and codecs': 20,
      'schemas (zod)': 50,
      'HTTP client': 40,
      "the SDK's marshalling and schemas": 20,
      "the SDK's middleware": 30,
      'other libraries': 10,
    });
  });

  it('gives native code and what Node does for its caller to the caller', () => {
    const hashing = {
      url: 'node:crypto',
      samples: 1,
      callees: [{ url: '', functionName: 'update', samples: 2 }],
    };
    expect(times({ url: '@smithy/signature-v4/dist-es/x.js', callees: [hashing] })).toEqual({ signing: 30 });
    expect(times({ url: '', functionName: 'runMicrotasks', samples: 1 })).toEqual({
      'promises and the event loop': 10,
    });
  });

  it('leaves out waiting and the host of the thread, and keeps garbage collection apart', () => {
    expect(
      times(
        { url: '', functionName: '(idle)', samples: 9 },
        { url: '', functionName: '(program)', samples: 9 },
        { url: 'data:text/javascript,x', samples: 9 },
        { url: '', functionName: '(garbage collector)', samples: 1 },
      ),
    ).toEqual({ 'garbage collection': 10 });
  });
});

describe('sourcesOfLines', () => {
  it('finds the file above each line, below node_modules wherever that is', () => {
    const bundle = [
      'import x from "y";',
      '// ../../elsewhere/node_modules/@smithy/core/index.js',
      'var a = 1;',
      '// lib/env.ts',
      'var b = "// not a path";',
    ];
    expect(sourcesOfLines(bundle.join('\n'))).toEqual([
      '',
      '@smithy/core/index.js',
      '@smithy/core/index.js',
      'lib/env.ts',
      'lib/env.ts',
    ]);
  });
});
