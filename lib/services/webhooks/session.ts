/** What a session knows: one worker at one endpoint (docs/decisions/0043-webhook-dispatch.md). */
import type { DeliveryId } from '../../core/ids.ts';
import type { Waiting } from '../../core/webhooks/dispatch.ts';
import type { Health } from '../../core/webhooks/health.ts';
import type { Lane } from '../../core/webhooks/lane.ts';
import type { DueEntry } from '../../storage/due-deliveries.ts';
import type { FoundEndpoint } from '../../storage/endpoints.ts';
import type { EndpointRef, NamedDelivery } from './dispatch-ports.ts';

export interface Session {
  readonly of: EndpointRef;
  readonly lane: Lane;
  readonly token: string;
  /** Of the sessions of the endpoint. */
  readonly number: number;
  /** The new delivery whose record may end the session; null: its release does. */
  readonly endsWith: DeliveryId | null;
  /** Nothing starts while that delivery is being recorded, and nothing follows once its record has ended the session. */
  course: 'open' | 'ending' | 'ended';
  /** No attempt starts later. */
  readonly until: number;
  health: Health;
  wakeAt: number | null;
  /** Timers in the wake index: the one that was set before, and those of this session. */
  readonly wakes: Set<number>;
  /** As last read; null: it was deleted. */
  found: FoundEndpoint | null | undefined;
  /** Deliveries that the message names, and entries that were found; none of them has started. */
  named: readonly NamedDelivery[];
  entries: readonly DueEntry[];
  /**
   * What waits, as of the state before the lease or a look that found nothing due, where this session has added nothing since: it
   * needs no further look before the release, which fails where others have asked for one. undefined: a look is needed.
   */
  waiting: Waiting | undefined;
  readonly running: Map<DeliveryId, Promise<void>>;
  /** Entries of recorded attempts, by sort key: still stored. */
  readonly over: Map<string, DueEntry>;
  /** While attempts run, no look at the entries before; Unix milliseconds. */
  looksFrom: number;
  /** A look is to follow then. */
  isLookPutOff: boolean;
  /** Errors of attempts that were not recorded. */
  readonly errors: unknown[];
}
