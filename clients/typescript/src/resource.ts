/** The base of the groups of operations. */
import type { Transport } from './transport.ts';

export class Resource {
  /** @internal */
  protected readonly api: Transport;

  /** @internal */
  constructor(api: Transport) {
    this.api = api;
  }
}
