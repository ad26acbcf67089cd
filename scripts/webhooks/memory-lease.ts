/** The dispatch state of one endpoint with its lease, in memory. */
import { type DispatchState, newDispatchState, session } from '../../lib/core/webhooks/dispatch.ts';

export interface LeaseItem {
  state: DispatchState;
  /** Called after each change of the state. */
  changed: () => void;
}

export function newLeaseItem(): LeaseItem {
  return {
    state: newDispatchState,
    changed: () => {},
  };
}

/** The calls of the table on the state; each takes effect at once. */
export function leaseCalls(item: LeaseItem) {
  const change = (given: Partial<DispatchState>): DispatchState => {
    item.state = { ...item.state, ...given };
    item.changed();
    return item.state;
  };
  /** @returns false: the lease is lost */
  const changeUnder = (token: string, given: Partial<DispatchState>): boolean => {
    if (item.state.lease?.token !== token) return false;
    change(given);
    return true;
  };
  return {
    acquire(token: string, nowMs: number): DispatchState | null {
      const { lease, sessions } = item.state;
      if (lease && lease.until > nowMs) return null;
      const taken = { token, until: nowMs + session.leaseMs };
      return change({ again: false, sessions: sessions + 1, calledUntil: null, lease: taken });
    },
    noteCall(sessions: number, untilMs: number): void {
      if (item.state.sessions === sessions) change({ calledUntil: untilMs });
    },
    askAgain: (token: string): boolean => changeUnder(token, { again: true }),
    clearAgain: (token: string): boolean => changeUnder(token, { again: false }),
    release(
      token: string,
      { health, wakeAt }: Pick<DispatchState, 'health' | 'wakeAt'>,
      isHandedOver: boolean,
    ): boolean {
      if (item.state.again && !isHandedOver) return false;
      return changeUnder(token, { lease: null, again: false, wakeAt, health });
    },
  };
}
