/** The contract of a worker: its trigger, permissions and limits. The CDK app derives its resources from it. */
import type { Grant, QueueName } from '../access/access.ts';
import type { WorkerLoad } from './worker-load.ts';

export interface WorkerContract {
  /** File name under `functions/workers/`, e.g. `send-mail`. */
  readonly id: string;
  /** Description of the function, one sentence. */
  readonly summary: string;
  readonly trigger:
    | {
        readonly kind: 'queue';
        readonly queue: QueueName;
        readonly batchSize: number;
        /**
         * How long Lambda waits for a batch to fill: where nobody waits for the work, many messages share an invocation. FIFO queues have no windows
         * ("Creating and configuring an Amazon SQS event source mapping", AWS Lambda Developer Guide).
         */
        readonly batchWindowSeconds?: number;
      }
    | {
        /** New outbox items, from the stream of the table. */
        readonly kind: 'outbox';
        readonly batchSize: number;
      }
    | {
        /** The same items, gathered for a while and without retries, for what may be lost. */
        readonly kind: 'gathered-outbox';
        readonly batchSize: number;
        readonly batchWindowSeconds: number;
      }
    | {
        readonly kind: 'every';
        readonly minutes: number;
        /** Whether its event is `{"apiUrl"}`, the base URL of the API without a trailing slash. */
        readonly isToldApi?: boolean;
      }
    /** Every route of the WebSocket API. */
    | { readonly kind: 'socket' };
  /** Absent: the worker runs by the clock, one execution at a time, or for clients as the API does. */
  readonly load?: WorkerLoad;
  readonly access: readonly Grant[];
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  /** Maximum receives before the dead-letter queue (queue triggers), default 10. */
  readonly receivesMax?: number;
}
