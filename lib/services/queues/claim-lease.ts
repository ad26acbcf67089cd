/** The beginning of a session: a queue message takes the lease of what it names, or leaves the work to who holds it. */

interface LeasedState {
  readonly lease: { readonly token: string; readonly until: number } | null;
  /** The holder of the lease is to look again before it ends. */
  readonly again: boolean;
}

interface LeasePorts<S> {
  now(): number;
  /** null: what the message names is gone. */
  findState(): Promise<S | null>;
  /** False where the holder has it no longer. */
  askAgain(token: string): Promise<boolean>;
  /** null: another worker has the lease. */
  acquireLease(token: string): Promise<S | null>;
}

const triesMax = 5;

/**
 * The state with the lease taken; null where nothing is left to do for this message.
 *
 * @param token identifies the message across its deliveries by SQS
 * @param isNothingToDo of a state without a holder
 * @throws Error where an earlier delivery of this message died with the lease, which has not expired: to be repeated
 */
export async function claimLease<S extends LeasedState>(
  ports: LeasePorts<S>,
  token: string,
  isNothingToDo: (state: S) => boolean | Promise<boolean>,
): Promise<S | null> {
  for (let tries = 0; tries < triesMax; tries++) {
    const state = await ports.findState();
    if (!state) return null;
    if (state.lease && state.lease.until > ports.now()) {
      // Only this message remembers the work of a worker that died.
      if (state.lease.token === token) throw new Error('the lease of this message has not expired');
      if (state.again || (await ports.askAgain(state.lease.token))) return null;
    } else if (await isNothingToDo(state)) {
      return null;
    } else {
      const taken = await ports.acquireLease(token);
      if (taken) return taken;
    }
  }
  throw new Error('the lease changed hands at every try');
}
