/** The dispatch state of one endpoint with its lease, in memory. */
import { type DispatchState, newDispatchState, session } from '../../lib/core/webhooks/dispatch.ts';
import type { LeaseRequest } from '../../lib/storage/endpoint-states.ts';

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
    acquire({ token, lane, endsWith, idleAfter }: LeaseRequest, nowMs: number) {
      const isOver = item.state.sessions === idleAfter;
      const before = isOver ? { ...item.state, lease: null } : item.state;
      const isHeld = before.lease !== null && before.lease.until > nowMs;
      const isTaken = !isHeld && (lane === 'slow' || before.health.lane === 'fast');
      const lease = { token, until: nowMs + session.leaseMs, endsWith };
      if (isTaken) change({ again: false, sessions: before.sessions + 1, calledUntil: null, lease });
      return { isTaken, before };
    },
    noteCall(sessions: number, untilMs: number): boolean {
      if (item.state.sessions !== sessions) return false;
      change({ calledUntil: untilMs });
      return true;
    },
    askAgain: (token: string): boolean => changeUnder(token, { again: true }),
    clearAgain: (token: string): boolean => changeUnder(token, { again: false }),
    release(
      token: string,
      { health, wakeAt }: Pick<DispatchState, 'health' | 'wakeAt'>,
      isHandedOver: boolean,
    ): boolean {
      if (item.state.again && !isHandedOver) return false;
      const left = isHandedOver ? { calledUntil: 0 } : {};
      return changeUnder(token, { lease: null, again: false, wakeAt, health, ...left });
    },
  };
}
