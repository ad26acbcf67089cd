/** The table refuses a request because too many came at once; the same request succeeds later (docs/concepts/errors.md#retries). */
export class TableBusy extends Error {
  constructor(cause?: unknown) {
    super('The table throttled the request.', { cause });
    this.name = 'TableBusy';
  }
}
