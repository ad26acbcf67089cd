/** Raw messages as SES stores them. */

/** Key prefix of raw mail. */
export const rawMailPrefix = 'inbound/';

/** The tag of a raw message that belongs to no record: the bucket expires it (`droppedMailDays`). */
export const droppedTag = { key: 'dropped', value: 'true' } as const;
