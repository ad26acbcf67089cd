/** The types of a queue: settings, messages, operations. */

export interface QueueSettings {
  /** FIFO queues end in `.fifo`. */
  readonly name: string;
  readonly fifo: boolean;
  readonly visibilitySeconds: number;
  readonly delaySeconds?: number;
  readonly redrive?: { readonly dlqArn: string; readonly maxReceiveCount: number };
  readonly retentionSeconds: number;
  readonly contentBasedDeduplication?: boolean;
  /** Scope in which a deduplication id is unique; default: the queue. */
  readonly deduplicationScope?: 'queue' | 'messageGroup';
}

export interface MessageAttribute {
  readonly DataType: string;
  readonly StringValue?: string | undefined;
  /** Base64. */
  readonly BinaryValue?: string | undefined;
}

export interface MessageInput {
  readonly body: string;
  readonly attributes?: Readonly<Record<string, MessageAttribute>> | undefined;
  readonly groupId?: string | undefined;
  readonly deduplicationId?: string | undefined;
  readonly delaySeconds?: number | undefined;
  /** Role that sent it. */
  readonly senderId?: string | undefined;
  /** `AWSTraceHeader`. */
  readonly traceHeader?: string | undefined;
}

/** What a send returns. FIFO queues assign a sequence number. */
export interface SentMessage {
  readonly id: string;
  readonly sequenceNumber?: string | undefined;
}

/** A message in the queue. Times are Unix milliseconds on the local clock. */
export interface QueuedMessage {
  readonly id: string;
  readonly body: string;
  readonly attributes: Readonly<Record<string, MessageAttribute>>;
  readonly groupId?: string | undefined;
  readonly deduplicationId?: string | undefined;
  readonly sequenceNumber?: string | undefined;
  readonly senderId: string;
  /** Stays with the message in its dead-letter queue. */
  readonly traceHeader?: string | undefined;
  readonly sentAt: number;
  readonly receiveCount: number;
  readonly firstReceivedAt?: number | undefined;
  readonly deadLetterSourceArn?: string | undefined;
  readonly state: 'visible' | 'in flight' | 'delayed';
}

export interface ReceivedMessage extends QueuedMessage {
  readonly receiptHandle: string;
}

export interface Depth {
  readonly visible: number;
  readonly inFlight: number;
  readonly delayed: number;
}

export interface Queue {
  readonly settings: QueueSettings;
  readonly arn: string;
  /** @throws AwsError for a message that SQS rejects */
  send(input: MessageInput): SentMessage;
  receive(max: number, visibilitySeconds?: number): ReceivedMessage[];
  delete(receiptHandle: string): void;
  changeVisibility(receiptHandle: string, seconds: number): void;
  depth(): Depth;
  /** In the order of sending. */
  messages(): readonly QueuedMessage[];
  /** Calls `listener` after messages became receivable; returns a function that unsubscribes it. */
  onAvailable(listener: () => void): () => void;
  /** Receives a message of another queue under its redrive policy. */
  receiveDeadLetter(message: QueuedMessage, sourceArn: string): void;
}
