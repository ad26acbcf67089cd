/** Faults that tests put into SDK calls: throttling, errors, lost answers, and functions that die around a call. */
import { randomUUID } from 'node:crypto';
import { type AwsCall, AwsError, roleOf } from './service.ts';

export const faultKinds = [
  /** Refused with the service's own throttling error. */
  'throttle',
  /** Refused with `code`, `message` and `status`; 500 InternalFailure without them. */
  'error',
  /** Carried out, but the connection breaks before the answer. */
  'timeout-after',
  /** The connection breaks before anything is done. */
  'drop-before',
  /** The caller dies before anything is done. */
  'kill-before',
  /** The caller dies once it is carried out, before the answer. */
  'kill-after',
] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface FaultRule {
  /** Signing name (`sqs`) and API action (`SendMessage`); `*` for any. */
  readonly service: string;
  readonly action: string;
  /** A role, or one thread of it (`ROLE~2`). */
  readonly principal?: string;
  /** Substring of the request body. */
  readonly match?: string;
  readonly kind: FaultKind;
  /** How many calls are hit before the rule is spent; 1 when absent. */
  readonly times?: number;
  /** How many matching calls pass before the first is hit. */
  readonly skip?: number;
  readonly status?: number;
  readonly code?: string;
  readonly message?: string;
}

/** A rule in force, with what is left of it. */
export interface FaultEntry extends FaultRule {
  readonly id: string;
  readonly times: number;
  readonly skip: number;
}

export interface Faults {
  /** Puts a rule into force and returns its id. */
  add(rule: FaultRule): string;
  remove(id: string): boolean;
  clear(): void;
  list(): readonly FaultEntry[];
  /** The rule that hits this call, counted down; undefined when none does. */
  take(call: AwsCall, action: string): FaultEntry | undefined;
  /** Who ends a function's thread when a kill rule hits; gets the thread's principal. */
  onKill(kill: (principal: string) => void): void;
  kill(principal: string): void;
}

export function createFaults(): Faults {
  let entries: FaultEntry[] = [];
  let killer = (_principal: string): void => {};

  function replace(entry: FaultEntry, next: FaultEntry | null): void {
    entries = entries.flatMap((other) => (other === entry ? (next ?? []) : other));
  }

  return {
    add(rule) {
      const id = randomUUID();
      entries.push({ ...rule, id, times: rule.times ?? 1, skip: rule.skip ?? 0 });
      return id;
    },
    remove(id) {
      const before = entries.length;
      entries = entries.filter((entry) => entry.id !== id);
      return entries.length < before;
    },
    clear() {
      entries = [];
    },
    list: () => [...entries],
    take(call, action) {
      const matching = entries.filter((entry) => hits(entry, call, action));
      for (const entry of matching) {
        if (entry.skip > 0) {
          replace(entry, { ...entry, skip: entry.skip - 1 });
          continue;
        }
        replace(entry, entry.times > 1 ? { ...entry, times: entry.times - 1 } : null);
        return entry;
      }
      return undefined;
    },
    onKill(kill) {
      killer = kill;
    },
    kill: (principal) => killer(principal),
  };
}

function hits(rule: FaultRule, call: AwsCall, action: string): boolean {
  return (
    (rule.service === '*' || rule.service === call.service) &&
    (rule.action === '*' || rule.action === action) &&
    (rule.principal === undefined ||
      rule.principal === call.principal ||
      rule.principal === roleOf(call.principal)) &&
    (rule.match === undefined || call.body.includes(rule.match))
  );
}

/** How each service says that it is being asked too much (SDK retry tables know these names). */
const throttling: Readonly<Record<string, readonly [code: string, message: string, status: number]>> = {
  ses: ['TooManyRequestsException', 'Maximum sending rate exceeded.', 429],
  dynamodb: ['ThrottlingException', 'Rate exceeded', 400],
  sqs: ['RequestThrottled', 'Request throttled.', 403],
  s3: ['SlowDown', 'Please reduce your request rate.', 503],
  scheduler: ['ThrottlingException', 'Rate exceeded', 429],
  kms: ['ThrottlingException', 'You have exceeded the rate at which you may call KMS.', 400],
};

/** The refusal that a `throttle` or `error` rule answers with. */
export function refusalOf(rule: FaultRule, service: string): AwsError {
  const [code, message, status] = (rule.kind === 'throttle' && throttling[service]) || [
    'InternalFailure',
    'The request processing has failed because of an unknown error.',
    500,
  ];
  // A code of the test's own without a status is a client error, as nearly all modelled errors are.
  return new AwsError(
    rule.code ?? code,
    rule.message ?? message,
    rule.status ?? (rule.code && rule.kind === 'error' ? 400 : status),
  );
}
