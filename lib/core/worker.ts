/** What a consumer of a queue, the table's stream or a clock is, as data. The CDK app derives everything from it. */
import type { Grant, QueueName } from './access.ts';

export interface WorkerContract {
  /** File name under `functions/workers/`, e.g. `send-mail`. */
  readonly id: string;
  /** One sentence for people who read the console. */
  readonly summary: string;
  readonly trigger:
    | {
        readonly kind: 'queue';
        readonly queue: QueueName;
        readonly batchSize: number;
        /** Most concurrent invocations; absent: as many as Lambda gives. */
        readonly concurrency?: number;
      }
    | {
        /** New items whose `pk` matches `#OUT#`, i.e. the outbox. */
        readonly kind: 'outbox';
        readonly batchSize: number;
      }
    | { readonly kind: 'every'; readonly minutes: number };
  readonly access: readonly Grant[];
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  /** Maximum receives before the dead-letter queue (queue triggers), default 10. */
  readonly receivesMax?: number;
}
