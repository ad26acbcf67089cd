/** Which part of a function the samples of a profile belong to. */
import type { Profiler } from 'node:inspector';

/** In the order of the page. */
export const parts = [
  'HTTP client',
  'signing',
  "the SDK's middleware",
  "the SDK's marshalling and schemas",
  'schemas (zod)',
  'stores and codecs',
  'reading and composing mail',
  'threads and quotes',
  'compression',
  'the rest of our code',
  'other libraries',
  'promises and the event loop',
  'garbage collection',
] as const;
export type Part = (typeof parts)[number];

/** The first match counts. Sources are paths in the repo, paths below `node_modules`, or Node's own modules. */
const rules: readonly (readonly [RegExp, Part | null])[] = [
  // The host of the thread, which Lambda has instead.
  [/^data:|^node:(internal\/)?(worker|inspector)/, null],
  [/@smithy\/(signature-v4|core\/.*(checksum|hash))/, 'signing'],
  [
    /@smithy\/node-http-handler|^node:(_http|https?$|net$|tls|_tls|dns|internal\/(streams|stream_base|http|dns|net|tls|js_stream))/,
    'HTTP client',
  ],
  [/^node:(stream|events$|timers$|internal\/(timers|url$|deps\/undici))/, 'HTTP client'],
  [/^lib\/adapters\/(outbound-http|objects)/, 'HTTP client'],
  [
    /^@aws-sdk\/((lib|util)-dynamodb|dynamodb-codec)|^@smithy\/core\/.*\/(protocols|schema\/schemas)\//,
    "the SDK's marshalling and schemas",
  ],
  [/^@(aws-sdk|smithy|aws)\//, "the SDK's middleware"],
  [/^zod\//, 'schemas (zod)'],
  [/^node:zlib|^lib\/storage\/compressed-text/, 'compression'],
  [/^lib\/storage\//, 'stores and codecs'],
  [/^lib\/core\/(threading|quoting)\//, 'threads and quotes'],
  [
    /^lib\/core\/(mail\/|html)|^(postal-mime|nodemailer|htmlparser2|entities|domhandler|html-to-text|chardet)\//,
    'reading and composing mail',
  ],
  [/^(lib|functions)\//, 'the rest of our code'],
  [/^node:internal\/(process|async_hooks|promise|event_target|abort)/, 'promises and the event loop'],
  [/^(?!node:)[@\w]/, 'other libraries'],
];

/** The part of a source; null: none of the function; undefined: Node's own code that works for its caller. */
function partOf(source: string): Part | null | undefined {
  return rules.find(([pattern]) => pattern.test(source))?.[1];
}

/** Where a call frame comes from: see `rules`. */
export type SourceOf = (frame: Profiler.Profile['nodes'][number]['callFrame']) => string;

/**
 * Self time by part. Idle time is left out, and so is native code that no function called: V8 cannot tell it from waiting in the threads of the
 * functions.
 *
 * @returns microseconds
 */
export function timesOf(profile: Profiler.Profile, sourceOf: SourceOf): Map<Part, number> {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(
    profile.nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id] as const)),
  );
  const known = new Map<number, Part | null>();
  const find = (id: number): Part | null => {
    const node = nodes.get(id);
    if (!node) return null;
    const { functionName, url } = node.callFrame;
    if (['(idle)', '(program)', '(root)'].includes(functionName)) return null;
    if (functionName === '(garbage collector)') return 'garbage collection';
    const part = url === '' ? undefined : partOf(sourceOf(node.callFrame));
    if (part !== undefined) return part;
    const parent = parents.get(id);
    const caller = parent === undefined ? null : partAt(parent);
    return caller ?? 'promises and the event loop';
  };
  const partAt = (id: number): Part | null => {
    const found = known.get(id);
    if (found !== undefined) return found;
    const part = find(id);
    known.set(id, part);
    return part;
  };
  const times = new Map<Part, number>();
  (profile.samples ?? []).forEach((id, at) => {
    const part = partAt(id);
    if (part !== null) times.set(part, (times.get(part) ?? 0) + (profile.timeDeltas?.[at] ?? 0));
  });
  return times;
}
