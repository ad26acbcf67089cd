/** What the dispatch of deliveries needs from the outside; a simulation has the same on virtual time (scripts/webhooks). */
import type { HttpExchange } from '../../adapters/outbound-http.ts';
import type { DeliveryId, EndpointId, WorkspaceId } from '../../core/ids.ts';
import type { DeliverWebhook } from '../../core/queue-messages.ts';
import type { Recent } from '../../core/recent.ts';
import type { AttemptOutcome, Delivery } from '../../core/webhooks/delivery.ts';
import type { DispatchState, HandOver } from '../../core/webhooks/dispatch.ts';
import type { DueEntry } from '../../storage/due-deliveries.ts';
import type { LeaseRequest } from '../../storage/endpoint-states.ts';
import type { FoundEndpoint } from '../../storage/endpoints.ts';

/** An endpoint and the workspace that it belongs to. */
export interface EndpointRef {
  readonly workspaceId: WorkspaceId;
  readonly endpointId: EndpointId;
}

/** A delivery that a message names: its id; or a new one that may not be stored yet, as it is to be stored. */
export type NamedDelivery = DeliveryId | Delivery;

/** A delivery that may be due. */
export interface DueDelivery {
  /** null: it is gone. */
  readonly delivery: Delivery | null;
  /** Whether it was stored when it was read. */
  readonly isStored: boolean;
  /** null: its event has expired. */
  readonly body: string | null;
  /** null: a message named it. */
  readonly entry: DueEntry | null;
}

/** Deliveries with their endpoint, as they were read together. */
export interface LoadedDeliveries {
  /** null: the endpoint was deleted. */
  readonly found: FoundEndpoint | null;
  /** Those that were named first, then those of the entries. */
  readonly due: readonly DueDelivery[];
}

/** How an attempt was recorded. */
export type Recorded =
  /** With the new delivery, which was not stored. */
  | 'created'
  | 'updated'
  /** It was recorded before, or the delivery was replayed: nothing was written. */
  | 'known';

type DeliveryOf = EndpointRef & { readonly delivery: Delivery };

/** What the announcement of a delivery needs. */
export interface AnnouncePorts {
  now(): number;
  /** The last hand-over of this function to each endpoint. */
  readonly handOvers: Recent<EndpointId, HandOver>;
  /** The state, without a lease that has ended. */
  findState(of: EndpointRef): Promise<DispatchState>;
  askAgain(of: EndpointRef, token: string): Promise<boolean>;
  /** Stores a new delivery. Returns it as it is stored: one that exists stays. */
  store(of: DeliveryOf): Promise<Delivery>;
  addDue(...all: readonly DeliveryOf[]): Promise<void>;
  /**
   * Notes that the session of a message in the queue is to look at the due entries. False where a session has begun since the state
   * with so many sessions was read: nothing was written.
   */
  noteCall(of: EndpointRef, sessions: number, untilMs: number): Promise<boolean>;
  /** Sends messages, of any endpoints; throws where one of them was not sent. */
  send(...messages: readonly DeliverWebhook[]): Promise<void>;
}

/** The share of a function that its attempts take, and its bounds. */
export interface FunctionShare {
  /** Attempts that run: each takes a socket. */
  running: number;
  readonly max: number;
  /** Bytes of the bodies of these attempts. */
  bodyBytes: number;
  /** No attempt begins that may exceed it. */
  readonly bodyBytesMax: number;
}

/** An attempt. */
export interface Posted {
  readonly delivery: Delivery;
  /** The stored body, then the one in the format of the endpoint. */
  readonly body: string;
  /** The time that the signature, and a body of format `v1`, show; Unix milliseconds. */
  readonly atMs: number;
}

/** What a session needs. */
export interface DispatchPorts extends AnnouncePorts {
  /** What attempts take of this function, at all endpoints. */
  readonly attempts: FunctionShare;
  pause(ms: number): Promise<void>;
  /** A number in [0, 1). */
  random(): number;

  /** Takes the lease where it is free, has ended or has expired; for the fast lane, that of a fast endpoint only. */
  acquireLease(
    of: EndpointRef,
    request: LeaseRequest,
  ): Promise<{ readonly isTaken: boolean; readonly before: DispatchState }>;
  clearAgain(of: EndpointRef, token: string): Promise<boolean>;
  releaseLease(
    of: EndpointRef,
    token: string,
    found: Pick<DispatchState, 'health' | 'wakeAt'>,
    options: { readonly isHandedOver: boolean },
  ): Promise<boolean>;
  removeState(of: EndpointRef): Promise<void>;

  listDue(
    of: EndpointRef,
    limit: number,
  ): Promise<{ readonly fresh: readonly DueEntry[]; readonly retries: readonly DueEntry[] }>;
  removeDue(...entries: readonly DueEntry[]): Promise<void>;
  /** Whether the entry is the one that the pending delivery has. */
  isEntryOf(entry: DueEntry, of: DeliveryOf): boolean;
  load(
    of: EndpointRef,
    entries: readonly DueEntry[],
    named: readonly NamedDelivery[],
  ): Promise<LoadedDeliveries>;

  findEndpoint(of: EndpointRef): Promise<FoundEndpoint | null>;
  /** The body in the format of the endpoint; null: nothing is left to post. */
  bodyOf(of: EndpointRef, found: FoundEndpoint, posted: Posted): Promise<string | null>;
  post(of: EndpointRef, found: FoundEndpoint, posted: Posted): Promise<HttpExchange>;
  /**
   * Records the attempt that was due, and with it a delivery that is not stored. The record that stores it may end a session.
   *
   * @param of.endsSession the number of the session; null: it goes on
   */
  record(
    of: DeliveryOf & Pick<DueDelivery, 'isStored'> & { readonly endsSession: number | null },
    found: FoundEndpoint,
    exchange: HttpExchange | null,
    after: AttemptOutcome,
  ): Promise<Recorded>;

  /** Reports that nothing has got through to the endpoint since then. Repeated, it is reported once. */
  reportOutage(of: EndpointRef, failingSince: number): Promise<void>;
  /** Sends a message at a time, and enters the endpoint into the wake index. */
  setTimer(message: DeliverWebhook, at: number): Promise<void>;
  removeWake(of: EndpointRef, at: number): Promise<void>;
}
