/**
 * The table refuses a request because too many came at once, or too many at once change the same record; the same request
 * succeeds later (docs/concepts/errors.md#retries).
 */
export class TableBusy extends Error {
  override name = 'TableBusy';

  constructor(cause?: unknown) {
    super('Too many requests at once use the table, or one record of it.', { cause });
  }
}

/** Others change the same record at each try; nothing was written. */
export class RecordContended extends TableBusy {
  override name = 'RecordContended';
}
