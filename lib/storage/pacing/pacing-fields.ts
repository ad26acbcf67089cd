/** Fields that the items of pacing share. */
import { type HeldPosition, parsePosition } from '../../core/pacing/held.ts';
import { type QueueMessage, queueMessageSchema } from '../../core/queue-messages.ts';
import { type Field, fail, text } from '../table/codec.ts';

export const positionField: Field<HeldPosition> = {
  read: (stored) => parsePosition(text.read(stored)) ?? fail('a position'),
  write: (value) => value,
};

/** The queue message that lets an email go on. */
export const messageField: Field<QueueMessage> = {
  read: (stored) => queueMessageSchema.parse(stored),
  write: (value) => value,
};
