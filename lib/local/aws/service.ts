/** What the emulated AWS services share: the shape of a call, of an answer, and of a refusal. */

/** One SDK call as it came over the wire, its signature header already read. */
export interface AwsCall {
  /** Access key id: names the role that calls (`local-admin` passes every policy). */
  readonly principal: string;
  /** Signing name from the credential scope: `sqs`, `s3`, `dynamodb`, `ses`, `kms`, `scheduler`. */
  readonly service: string;
  readonly region: string;
  readonly method: string;
  /** Decoded path without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The bench is counting: services that can tell what a call consumed put it into the answer. */
  readonly metered?: boolean;
  /** Whether the caller's policy allows something else, where AWS's answer depends on it. Absent: it does. */
  isAllowed?(needed: NeededPermission): boolean;
}

export interface AwsResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Capacity units consumed (DynamoDB, metered calls only); noted, not sent. */
  readonly capacity?: number;
  /** Items that a read looked at, likewise. */
  readonly items?: number;
}

/** One permission that a call needs: IAM action, resource ARN, and condition keys with their values. */
export interface NeededPermission {
  readonly action: string;
  readonly resource: string;
  readonly context?: Readonly<Record<string, readonly string[]>>;
}

/** An error as AWS would answer it; the gateway writes it in the service's own protocol. */
export class AwsError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.name = 'AwsRefusal';
    this.code = code;
    this.status = status;
  }
}

export interface AwsService {
  readonly name: string;
  /** The API action of a call, as AWS names it: `SendMessage`, `PutObject`. Unknown calls throw `AwsRefusal`. */
  action(call: AwsCall): string;
  /** What the caller's policy must allow. */
  permissions(call: AwsCall): readonly NeededPermission[];
  handle(call: AwsCall): Promise<AwsResponse>;
  /** Writes a refusal in the service's wire protocol. */
  refuse(refusal: AwsError, call: AwsCall): AwsResponse;
}

/** The clock of the local cloud: real time plus a skew that tests move. */
export interface LocalClock {
  /** Unix milliseconds. */
  now(): number;
  /** Runs `action` once the clock reads `atMs`, by waiting or by being moved. Returns a cancel function. */
  at(atMs: number, action: () => void): () => void;
  /** Moves the clock forward; timers that come due on the way fire in order, each at its own time. */
  advance(ms: number): Promise<void>;
  /** Moves the clock forward to a time; backwards is refused. */
  set(atMs: number): Promise<void>;
  /** Shared with the function threads (`lib/adapters/clock.ts`). */
  readonly skew: SharedArrayBuffer;
}

/** Every local account and region constant in one place. */
export const localAccount = '111111111111';
export const localAdmin = 'local-admin';

/** The role behind an access key id: threads of one function sign as `ROLE~1`, `ROLE~2`, … */
export function roleOf(principal: string): string {
  return principal.split('~', 1)[0] ?? principal;
}
