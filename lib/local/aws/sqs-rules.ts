/** Validation of messages with SQS's error texts, and the MD5 digests that clients verify. */
import { createHash } from 'node:crypto';
import { AwsError } from './service.ts';
import type { MessageAttribute, MessageInput, QueueSettings } from './sqs-types.ts';

/** Body and attributes together (SQS quotas). */
export const messageBytesMax = 1024 * 1024;
const delaySecondsMax = 900;
const visibilitySecondsMax = 43_200;
const attributesMax = 10;

/** @throws AwsError for an invalid message */
export function checkMessage(queue: QueueSettings, input: MessageInput): void {
  const { delaySeconds, groupId, deduplicationId } = input;
  const misplaced = 'The request include parameter that is not valid for this queue type';
  if (input.body === '') throw missing('MessageBody');
  // SQS accepts XML 1.0 characters only (SQS API reference, "SendMessage").
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the characters to reject
  if (/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(input.body)) {
    throw new AwsError('InvalidMessageContents', 'The message contains characters outside the allowed set.');
  }
  if (messageBytes(input) > messageBytesMax) {
    throw new AwsError(
      'InvalidParameterValue',
      `One or more parameters are invalid. Reason: Message must be shorter than ${messageBytesMax} bytes.`,
    );
  }
  if (Object.keys(input.attributes ?? {}).length > attributesMax) {
    throw invalid('MessageAttributes', '', `Number of message attributes exceeds ${attributesMax}.`);
  }
  if (delaySeconds !== undefined) {
    if (queue.fifo) throw invalid('DelaySeconds', delaySeconds, misplaced);
    if (!(Number.isInteger(delaySeconds) && delaySeconds >= 0 && delaySeconds <= delaySecondsMax)) {
      throw invalid('DelaySeconds', delaySeconds, `DelaySeconds must be >= 0 and <= ${delaySecondsMax}.`);
    }
  }
  checkToken('MessageGroupId', groupId);
  checkToken('MessageDeduplicationId', deduplicationId);
  if (!queue.fifo) {
    if (deduplicationId !== undefined) throw invalid('MessageDeduplicationId', deduplicationId, misplaced);
    return;
  }
  if (groupId === undefined) throw missing('MessageGroupId');
  if (deduplicationId === undefined && !queue.contentBasedDeduplication) {
    throw new AwsError(
      'InvalidParameterValue',
      'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
    );
  }
}

/** Message size: body and attributes. */
export function messageBytes(input: MessageInput): number {
  let bytes = Buffer.byteLength(input.body);
  for (const [name, { DataType, StringValue, BinaryValue }] of Object.entries(input.attributes ?? {})) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(DataType) + Buffer.byteLength(StringValue ?? '');
    bytes += Buffer.byteLength(BinaryValue ?? '', 'base64');
  }
  return bytes;
}

/** @throws AwsError outside 0 to 43,200 seconds */
export function checkVisibility(seconds: number): void {
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= visibilitySecondsMax) return;
  throw invalid(
    'VisibilityTimeout',
    seconds,
    `VisibilityTimeout must be >= 0 and <= ${visibilitySecondsMax}.`,
  );
}

export function invalid(parameter: string, value: unknown, reason: string): AwsError {
  return new AwsError(
    'InvalidParameterValue',
    `Value ${value} for parameter ${parameter} is invalid. Reason: ${reason}`,
  );
}

export function missing(parameter: string): AwsError {
  return new AwsError('MissingParameter', `The request must contain the parameter ${parameter}.`);
}

/** Group and deduplication ids: up to 128 printable ASCII characters. */
function checkToken(parameter: string, value: string | undefined): void {
  if (value !== undefined && !/^[\x21-\x7e]{1,128}$/.test(value)) {
    throw invalid(
      parameter,
      value,
      `${parameter} can only include alphanumeric and punctuation characters. 1 to 128 in length.`,
    );
  }
}

export function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

/** Digest of message attributes (SQS developer guide, "Calculating the MD5 message digest for message attributes"). */
export function attributesMd5(attributes: Readonly<Record<string, MessageAttribute>>): string | undefined {
  const names = Object.keys(attributes).sort();
  if (names.length === 0) return undefined;
  const hash = createHash('md5');
  const part = (bytes: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  };
  for (const name of names) {
    const { DataType = '', StringValue, BinaryValue } = attributes[name] ?? {};
    part(Buffer.from(name));
    part(Buffer.from(DataType));
    // Transport type: 1 text, 2 binary.
    hash.update(Buffer.from([BinaryValue === undefined ? 1 : 2]));
    part(BinaryValue === undefined ? Buffer.from(StringValue ?? '') : Buffer.from(BinaryValue, 'base64'));
  }
  return hash.digest('hex');
}
