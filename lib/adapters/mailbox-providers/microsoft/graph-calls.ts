/** Calls of Microsoft Graph, version 1.0. */
import type { ProviderFailure } from '../../../core/mailboxes/provider.ts';
import { callForJson, callProvider, type ProviderRequest } from '../http.ts';

export const provider = 'Microsoft';

/**
 * Codes that decide before the status ("Error responses and resource types" of Microsoft Graph; "Use delta query to track
 * changes", synchronization reset; "Throttling guidance").
 */
const failures: Readonly<Record<string, ProviderFailure>> = {
  syncStateNotFound: 'not_found',
  SyncStateNotFound: 'not_found',
  syncStateInvalid: 'not_found',
  SyncStateInvalid: 'not_found',
  resyncRequired: 'not_found',
  ErrorItemNotFound: 'not_found',
  ApplicationThrottled: 'throttled',
  activityLimitReached: 'throttled',
  TooManyRequests: 'throttled',
  ErrorAccessDenied: 'unauthorized',
  Authorization_RequestDenied: 'unauthorized',
  MailboxNotEnabledForRESTAPI: 'unauthorized',
};

/** Ids that stay when a message is moved, and when a draft is sent ("Get immutable identifiers for Outlook resources"). */
export const immutableIds = 'IdType="ImmutableId"';
/** Items in a page of a list. */
export const pageSize = 100;

interface GraphRequest extends Omit<ProviderRequest, 'provider' | 'failures' | 'url'> {
  /** Below the version: `me/messages`. */
  readonly path: string;
}

export interface GraphCalls {
  call(request: GraphRequest): Promise<Buffer>;
  callForJson(request: GraphRequest): Promise<unknown>;
  /** Reads JSON below the mailbox of the token. */
  get(accessToken: string, path: string): Promise<unknown>;
}

/** @param base of Microsoft Graph, without version or final slash */
export function graphCalls(base: string): GraphCalls {
  const prefer = `${immutableIds}, odata.maxpagesize=${pageSize}`;
  const whole = ({ path, ...request }: GraphRequest): ProviderRequest => ({
    ...request,
    provider,
    failures,
    url: `${base}/v1.0/${path}`,
  });
  const json = (request: GraphRequest) => callForJson(whole(request));
  return {
    call: (request) => callProvider(whole(request)),
    callForJson: json,
    get: (accessToken, path) => json({ method: 'GET', path: `me/${path}`, accessToken, headers: { prefer } }),
  };
}

/** Of a message, below the mailbox. */
export const messagePath = (id: string): string => `messages/${encodeURIComponent(id)}`;
