/** What went through the gateway: the last calls, and whoever wants to hear of each. */

/** One SDK call, after it was answered. */
export interface RecordedCall {
  /** Local clock, Unix milliseconds. */
  readonly at: number;
  readonly principal: string;
  readonly service: string;
  readonly action: string;
  /** The resource of the first permission the call needed; empty when it never came that far. */
  readonly resource: string;
  /** On the clock of `performance.now()`. */
  readonly startedAt: number;
  /** Time from the request's last byte to the answer. */
  readonly ms: number;
  /** HTTP status; 0 when the connection was broken on purpose. */
  readonly status: number;
  /** Capacity units (DynamoDB, while metering). */
  readonly capacity?: number;
  /** Items that a read looked at: found, missing, or dropped by a filter (DynamoDB, while metering). */
  readonly items?: number;
}

export interface Recorder {
  /** While true, DynamoDB is asked what each call consumed. */
  metering: boolean;
  note(call: RecordedCall): void;
  /** Oldest first. */
  calls(): readonly RecordedCall[];
  clear(): void;
  /** Returns a function that ends the subscription. */
  subscribe(listener: (call: RecordedCall) => void): () => void;
}

/** @param size how many calls are kept */
export function createRecorder(size = 10_000): Recorder {
  let ring: RecordedCall[] = [];
  const listeners = new Set<(call: RecordedCall) => void>();
  return {
    metering: false,
    note(call) {
      ring.push(call);
      // Cut in strides: shifting at every call would copy the ring each time.
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
