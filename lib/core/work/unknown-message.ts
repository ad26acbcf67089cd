/** A queue message that its consumer does not understand. It is retried and ends in the dead-letter queue. */
export class UnknownMessage extends Error {
  constructor(detail: string, cause?: unknown) {
    super(`unknown message: ${detail}`, { cause });
    this.name = 'UnknownMessage';
  }
}
