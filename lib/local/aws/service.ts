/** Types shared by the emulated AWS services: calls, responses, errors, permissions, clock. */
import type { ConsumedUnits, Throttled } from './dynamodb-capacity.ts';

/** A signed HTTP call to an AWS service. */
export interface AwsCall {
  /** Access key id: the caller's role (`local-admin`: allowed everything). */
  readonly principal: string;
  /** Signing name from the credential scope: `sqs`, `s3`, `dynamodb`, `ses`, `kms`, `scheduler`. */
  readonly service: string;
  readonly region: string;
  readonly method: string;
  /** Decoded path without the query; with a virtual-hosted-style bucket as its first segment. */
  readonly path: string;
  /** Path as sent. */
  readonly rawPath: string;
  readonly query: URLSearchParams;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Whether the response should report consumed capacity units. */
  readonly metered?: boolean;
  /** Whether the caller has another permission, where AWS's response depends on it. Default: yes. */
  isAllowed?(needed: NeededPermission): boolean;
}

/** What a call of DynamoDB used; all but `throttled` while metering. Recorded, not sent. */
export interface Metered {
  /** Consumed capacity units. */
  readonly capacity?: number;
  /** The same by item and index entry. */
  readonly consumed?: readonly ConsumedUnits[];
  /** Partitions without units, for which DynamoDB throttled the call. */
  readonly throttled?: readonly Throttled[];
  /** Items that a read evaluated, before filters. */
  readonly items?: number;
  /** Keys of the items that a write names: `<partition key> <sort key>`. */
  readonly keys?: readonly string[];
}

export interface AwsResponse extends Metered {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A permission: IAM action, resource ARN, and condition keys with their values. */
export interface NeededPermission {
  readonly action: string;
  readonly resource: string;
  readonly context?: Readonly<Record<string, readonly string[]>>;
}

/** An AWS API error; the gateway encodes it in the service's protocol. */
export class AwsError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.name = 'AwsError';
    this.code = code;
    this.status = status;
  }
}

export interface AwsService {
  readonly name: string;
  /** The API action of a call: `SendMessage`, `PutObject`. @throws AwsError for an unsupported one */
  action(call: AwsCall): string;
  /** The permissions that a call needs. */
  permissions(call: AwsCall): readonly NeededPermission[];
  handle(call: AwsCall): Promise<AwsResponse>;
  /** Encodes an error in the service's protocol. */
  errorResponse(error: AwsError, call: AwsCall): AwsResponse;
  /** Headers for a page of another origin; null: the page may not make the call. Default: no service but S3 has any. */
  corsHeaders?(call: AwsCall): Readonly<Record<string, string>> | null;
}

/** The clock of the local cloud: real time plus a skew that tests move. */
export interface LocalClock {
  /** Unix milliseconds. */
  now(): number;
  /** Runs `action` when the clock reaches `atMs` by itself or by a move. Returns a function that cancels it. */
  at(atMs: number, action: () => void): () => void;
  /** Moves the clock forward and fires due timers in order, each at its own time. */
  advance(ms: number): Promise<void>;
  /** Shared with the function threads (`lib/adapters/clock.ts`). */
  readonly skew: SharedArrayBuffer;
}

/** Account id of the local cloud. */
export const localAccount = '111111111111';
/** Access key id that is allowed every call. */
export const localAdmin = 'local-admin';

/** The role of an access key id: threads of one function sign as `ROLE~1`, `ROLE~2`, … */
export function roleOf(principal: string): string {
  return principal.split('~', 1)[0] ?? principal;
}
