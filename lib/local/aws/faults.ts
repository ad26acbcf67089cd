/** Fault injection into SDK calls and calls to mailbox providers: throttling, errors, lost responses, and functions killed around a call. */
import { randomUUID } from 'node:crypto';
import { type AwsCall, AwsError, roleOf } from './service.ts';

export const faultKinds = [
  /** Fails with the service's throttling error. */
  'throttle',
  /** Fails with `code`, `message` and `status`; default: 500 InternalFailure. */
  'error',
  /** Succeeds, but the connection breaks before the response. */
  'timeout-after',
  /** The connection breaks before the call is carried out. */
  'drop-before',
  /** The calling function is killed before the call is carried out. */
  'kill-before',
  /** The calling function is killed after the call, before the response. */
  'kill-after',
] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface FaultRule {
  /** Signing name (`sqs`) or API of a mailbox provider (`gmail`), and its action (`SendMessage`); `*` for any. */
  readonly service: string;
  readonly action: string;
  /** A role, or one thread of it (`ROLE~2`); at a mailbox provider the address of the account. */
  readonly principal?: string;
  /** Substring of the request body. */
  readonly match?: string;
  readonly kind: FaultKind;
  /** Number of calls that fail before the rule is removed; default 1. */
  readonly times?: number;
  /** Number of matching calls that pass before the first failure. */
  readonly skip?: number;
  readonly status?: number;
  readonly code?: string;
  readonly message?: string;
  /** Index of the table that a `throttle` of DynamoDB names; default: the table. */
  readonly index?: string;
  /** `Retry-After` of a mailbox provider's `throttle` or `error`. */
  readonly retryAfterSeconds?: number;
}

/** What a rule is matched against. */
export type FaultTarget = Pick<AwsCall, 'service' | 'principal' | 'body'>;

/** An active rule with its remaining counts. */
export interface FaultEntry extends FaultRule {
  readonly id: string;
  readonly times: number;
  readonly skip: number;
}

export interface Faults {
  /** Activates a rule and returns its id. */
  add(rule: FaultRule): string;
  remove(id: string): boolean;
  clear(): void;
  list(): readonly FaultEntry[];
  /** The rule that applies to a call, counted down; undefined: none. */
  consume(call: FaultTarget, action: string): FaultEntry | undefined;
  /** Sets the function that kills a function's thread by its principal. */
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
    consume(call, action) {
      const matching = entries.filter((entry) => matchesRule(entry, call, action));
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

function matchesRule(rule: FaultRule, call: FaultTarget, action: string): boolean {
  return (
    (rule.service === '*' || rule.service === call.service) &&
    (rule.action === '*' || rule.action === action) &&
    (rule.principal === undefined ||
      rule.principal === call.principal ||
      rule.principal === roleOf(call.principal)) &&
    (rule.match === undefined || call.body.includes(rule.match))
  );
}

/** Throttling error of each service, by the codes that SDK retries recognise. */
const throttlingErrors: Readonly<Record<string, readonly [code: string, message: string, status: number]>> = {
  ses: ['TooManyRequestsException', 'Maximum sending rate exceeded.', 429],
  dynamodb: ['ThrottlingException', 'Rate exceeded', 400],
  sqs: ['RequestThrottled', 'Request throttled.', 403],
  s3: ['SlowDown', 'Please reduce your request rate.', 503],
  scheduler: ['ThrottlingException', 'Rate exceeded', 429],
  'execute-api': ['LimitExceededException', 'Limit exceeded.', 429],
  kms: ['ThrottlingException', 'You have exceeded the rate at which you may call KMS.', 400],
};

/** The error of a `throttle` or `error` rule. */
export function faultError(rule: FaultRule, service: string): AwsError {
  const [code, message, status] = (rule.kind === 'throttle' && throttlingErrors[service]) || [
    'InternalFailure',
    'The request processing has failed because of an unknown error.',
    500,
  ];
  // Most modelled errors are client errors.
  return new AwsError(
    rule.code ?? code,
    rule.message ?? message,
    rule.status ?? (rule.code && rule.kind === 'error' ? 400 : status),
  );
}
