/** What the dispatch of deliveries needs from the outside; a simulation has the same on virtual time (scripts/webhooks). */
import type { HttpExchange } from '../../adapters/outbound-http.ts';
import type { EmailId } from '../../core/ids.ts';
import type { DeliverWebhook, OutboxMessage, ResumeEndpoint } from '../../core/queue-messages.ts';
import type { AttemptOutcome, Delivery } from '../../core/webhooks/delivery.ts';
import type { DispatchState } from '../../core/webhooks/dispatch.ts';
import type { EndpointRef } from '../../core/webhooks/endpoint.ts';
import type { Health } from '../../core/webhooks/health.ts';
import type { WebhookBody } from '../../core/webhooks/signature.ts';
import type { ReturnedUnits, StateChange, TakenUnits } from '../../storage/webhooks/endpoint-states.ts';
import type { FoundEndpoint } from '../../storage/webhooks/endpoints.ts';
import type { WaitingAttempt } from '../../storage/webhooks/waiting-deliveries.ts';

/** An endpoint as it was read. */
export interface Target {
  readonly of: EndpointRef;
  readonly found: FoundEndpoint;
}

/** A delivery that is to be attempted. */
export interface DueDelivery {
  readonly delivery: Delivery;
  /** Whether it was stored when it was read. */
  readonly isStored: boolean;
  /** The body of its event; null: the event has expired. */
  readonly body: string | null;
  /** The email that its event shows; null: none. */
  readonly emailId: EmailId | null;
}

/** What attempts at an endpoint are made of, as it was read together. */
export interface LoadedDeliveries {
  /** null: the endpoint was deleted. */
  readonly found: FoundEndpoint | null;
  readonly state: DispatchState;
  /** Without those whose attempt is recorded, and new ones whose event is gone. */
  readonly due: readonly DueDelivery[];
}

/** Lets deliveries wait in the table: `store`, then `addWaiting`, then `markBacklog`, which a worker that ends will see. */
export interface WaitPorts {
  /** Stores new deliveries. Returns them as they are stored: those that exist stay. */
  store(of: EndpointRef, drafts: readonly Delivery[]): Promise<readonly Delivery[]>;
  addWaiting(of: EndpointRef, deliveries: readonly Delivery[]): Promise<void>;
  /** Notes that deliveries have begun to wait, and returns the state after it. */
  markBacklog(of: EndpointRef): Promise<DispatchState>;
}

/** What the announcement of deliveries needs. */
export interface AnnouncePorts extends WaitPorts {
  now(): number;
  /** Sends messages, of any endpoints. @throws where one of them was not sent */
  send(messages: readonly (DeliverWebhook | ResumeEndpoint)[]): Promise<void>;
}

/** An attempt. */
export interface Posted {
  readonly delivery: Delivery;
  /** The stored body, then the one in the format of the endpoint. */
  readonly body: WebhookBody;
  /** The time that the signature, and a body of format `v1`, show; Unix milliseconds. */
  readonly atMs: number;
}

/** The outcome of an attempt, as it is to be recorded. */
export interface Outcome {
  /** null: no attempt was made. */
  readonly exchange: HttpExchange | null;
  readonly after: AttemptOutcome;
  /** Of the next attempt. */
  readonly messages: readonly OutboxMessage[];
}

/** What a worker needs. */
export interface DispatchPorts extends WaitPorts {
  now(): number;
  /** A number in [0, 1). */
  random(): number;
  /** Identifies a worker at an endpoint: twelve characters of `[0-9a-f]`. */
  newToken(): string;

  load(of: EndpointRef, messages: readonly DeliverWebhook[]): Promise<LoadedDeliveries>;
  findState(of: EndpointRef): Promise<DispatchState>;
  findEndpoint(of: EndpointRef): Promise<FoundEndpoint | null>;
  takeUnits(of: EndpointRef, taken: TakenUnits, messages: readonly OutboxMessage[]): Promise<StateChange>;
  returnUnits(
    of: EndpointRef,
    returned: ReturnedUnits,
    messages: readonly OutboxMessage[],
  ): Promise<StateChange>;
  clearBacklog(of: EndpointRef, before: DispatchState, health: Health | undefined): Promise<boolean>;
  /** Removes what is left of a deleted endpoint. */
  removeEndpoint(of: EndpointRef): Promise<void>;

  listWaiting(of: EndpointRef, limit: number): Promise<readonly WaitingAttempt[]>;
  removeWaiting(of: EndpointRef, attempts: readonly WaitingAttempt[]): Promise<void>;
  /** Removes entries and sends their messages, all or nothing. False where one of them is gone. */
  replaceWaiting(
    of: EndpointRef,
    attempts: readonly WaitingAttempt[],
    messages: readonly OutboxMessage[],
  ): Promise<boolean>;

  /** The body in the format of the endpoint; null: nothing is left to post. */
  bodyOf(target: Target, posted: Posted): Promise<WebhookBody | null>;
  post(target: Target, posted: Posted): Promise<HttpExchange>;
  /** Records the attempt that was due, and with it a delivery that is not stored. Where it is recorded already, nothing is written. */
  record(target: Target, due: DueDelivery, outcome: Outcome): Promise<void>;
}
