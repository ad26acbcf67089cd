/** Records the last calls through the gateway and notifies subscribers of each. */
import type { AwsCall, AwsResponse, Metered } from './service.ts';

/** A completed SDK call. */
export interface RecordedCall extends Metered {
  /** Local clock, Unix milliseconds. */
  readonly at: number;
  readonly principal: string;
  readonly service: string;
  readonly action: string;
  /** The resource of the first required permission; empty when the call failed earlier. */
  readonly resource: string;
  /** Time base of `performance.now()`, milliseconds. */
  readonly startedAt: number;
  /** Milliseconds from the last byte of the request to the response. */
  readonly ms: number;
  /** HTTP status; 0: the connection was broken by a fault. */
  readonly status: number;
}

/** A call and its response, as they are on the wire. */
export interface Exchange {
  readonly action: string;
  readonly call: AwsCall;
  readonly response: AwsResponse;
}

export interface Recorder {
  /** Whether calls to DynamoDB record capacity units. */
  metering: boolean;
  /** Is called with each call that has a response; null: none is. */
  onExchange: ((exchange: Exchange) => void) | null;
  note(call: RecordedCall): void;
  /** Oldest first. */
  calls(): readonly RecordedCall[];
  clear(): void;
  /** Returns a function that unsubscribes. */
  subscribe(listener: (call: RecordedCall) => void): () => void;
}

/** @param size number of calls kept */
export function createRecorder(size = 10_000): Recorder {
  let ring: RecordedCall[] = [];
  const listeners = new Set<(call: RecordedCall) => void>();
  return {
    metering: false,
    onExchange: null,
    note(call) {
      ring.push(call);
      // Truncates rarely: each truncation copies the list.
      if (ring.length > size * 2) ring = ring.slice(-size);
      for (const listener of listeners) listener(call);
    },
    calls: () => ring.slice(-size),
    clear() {
      ring = [];
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
