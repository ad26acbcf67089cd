/** What a queue is made of, and what goes in and comes out. */

export interface QueueSettings {
  /** FIFO queues end in `.fifo`. */
  readonly name: string;
  readonly fifo: boolean;
  readonly visibilitySeconds: number;
  readonly delaySeconds?: number;
  readonly redrive?: { readonly dlqArn: string; readonly maxReceiveCount: number };
  readonly retentionSeconds: number;
  readonly contentBasedDeduplication?: boolean;
  /** Within what a deduplication id counts; the whole queue when absent. */
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
}

/** A message as it lies in the queue. Times are Unix milliseconds on the local clock. */
export interface QueuedMessage {
  readonly id: string;
  readonly body: string;
  readonly attributes: Readonly<Record<string, MessageAttribute>>;
  readonly groupId?: string | undefined;
  readonly deduplicationId?: string | undefined;
  readonly sequenceNumber?: string | undefined;
  readonly senderId: string;
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
  /** @throws AwsRefusal for what SQS does not take */
  send(input: MessageInput): { readonly id: string; readonly sequenceNumber?: string | undefined };
  receive(max: number, visibilitySeconds?: number): ReceivedMessage[];
  delete(receiptHandle: string): void;
  changeVisibility(receiptHandle: string, seconds: number): void;
  purge(): void;
  depth(): Depth;
  /** In the order of sending. */
  messages(): readonly QueuedMessage[];
  /** Calls `listener` after messages became receivable; returns a function that ends it. */
  onAvailable(listener: () => void): () => void;
  /** Takes over what another queue gave up on. */
  takeDead(message: QueuedMessage, sourceArn: string): void;
}
