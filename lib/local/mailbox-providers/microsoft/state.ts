/** What the routes of the emulated Microsoft share. */
import type { ProviderState } from '../provider-state.ts';
import type { Pushes } from '../pushes.ts';
import type { GraphMailbox } from './graph-mailbox.ts';

export interface MicrosoftState extends ProviderState {
  readonly mailboxes: { of(address: string): GraphMailbox };
  /** By id, expired ones included. */
  readonly subscriptions: Map<string, Subscription>;
  readonly pushes: Pushes;
}

export interface Subscription {
  readonly id: string;
  readonly address: string;
  readonly clientId: string;
  readonly resource: string;
  readonly notificationUrl: string;
  readonly lifecycleNotificationUrl: string | null;
  readonly clientState: string | null;
  readonly expiresAt: number;
}
