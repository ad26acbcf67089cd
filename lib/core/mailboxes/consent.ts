/**
 * The `state` of a consent URL (RFC 6749, 10.12). It names its workspace and is signed, so that a callback finds what was
 * stored for it, and a forged one finds nothing.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type OauthAppId, parseId, type SpaceId, type WorkspaceId } from '../ids.ts';
import type { MailboxProviderName } from './mailbox.ts';

/** How long a person may take. */
export const consentMs = 15 * 60_000;

/** What a callback needs to know. */
export interface Consent {
  readonly provider: MailboxProviderName;
  /** null: a shared app. */
  readonly appId: OauthAppId | null;
  /** null: none was named, and a mailbox that is there stays in its space. */
  readonly space: { readonly id: SpaceId | null } | null;
  /** null: the outcome is shown on a page of ours. */
  readonly returnTo: string | null;
  readonly redirectUri: string;
  readonly ref: string | null;
  readonly region: string;
  readonly backfillDays: number;
  /** PKCE code verifier, sealed. */
  readonly sealedVerifier: readonly string[];
  /** Unix milliseconds. */
  readonly expiresAt: number;
}

/** Tells these tokens from those of links, which have the same secret (`lib/core/tracking/links.ts`). */
const kind = 0x81;
const idBytes = 16;
const nonceBytes = 16;
const macBytes = 16;
const stateBytes = 1 + idBytes + nonceBytes + macBytes;
const form = /^[A-Za-z0-9_-]+$/;

/** A new state. @param random 16 bytes @param secret the workspace's link secret */
export function newState(workspaceId: WorkspaceId, random: Uint8Array, secret: string): string {
  const id = Buffer.from(workspaceId.slice(workspaceId.indexOf('_') + 1), 'hex');
  const payload = Buffer.concat([Buffer.from([kind]), id, random.subarray(0, nonceBytes)]);
  return Buffer.concat([payload, macOf(payload, secret)]).toString('base64url');
}

/** The workspace that a state names, not verified: its secret verifies it. null for text that is no state. */
export function workspaceOfState(state: string): WorkspaceId | null {
  const bytes = bytesOf(state);
  return bytes && parseId('wks', `wks_${bytes.subarray(1, 1 + idBytes).toString('hex')}`);
}

/** Whether a state was made with this secret. */
export function isStateOf(state: string, secret: string): boolean {
  const bytes = bytesOf(state);
  if (!bytes) return false;
  return timingSafeEqual(bytes.subarray(-macBytes), macOf(bytes.subarray(0, -macBytes), secret));
}

function bytesOf(state: string): Buffer | null {
  if (state.length > 2 * stateBytes || !form.test(state)) return null;
  const bytes = Buffer.from(state, 'base64url');
  return bytes.length === stateBytes && bytes[0] === kind ? bytes : null;
}

function macOf(payload: Buffer, secret: string): Buffer {
  return createHmac('sha256', secret).update(payload).digest().subarray(0, macBytes);
}
