/** Calls of the Gmail API, version 1, below the mailbox of a token, and what their answers have in common. */
import * as z from 'zod';
import type { ProviderFailure } from '../../../core/mailboxes/provider.ts';
import { callForJson, type HttpBounds, type ProviderRequest } from '../http.ts';

export const provider = 'Google';

/**
 * Reasons that decide before the status ("Resolve errors", Gmail API). The quotas of a project and of a user are both
 * throttling; a policy of the organization and missing permissions end the authorization.
 */
export const failures: Readonly<Record<string, ProviderFailure>> = {
  rateLimitExceeded: 'throttled',
  userRateLimitExceeded: 'throttled',
  dailyLimitExceeded: 'throttled',
  quotaExceeded: 'throttled',
  domainPolicy: 'unauthorized',
  insufficientPermissions: 'unauthorized',
  // The mailbox is switched off: "Mail service not enabled".
  failedPrecondition: 'unauthorized',
};

/** System labels of messages that are left out ("Manage labels", Gmail API). */
export const leftOut: readonly string[] = ['DRAFT', 'SPAM', 'TRASH', 'CHAT'];

export const messageRef = z.object({ id: z.string(), labelIds: z.array(z.string()).default([]) });
export const listPage = z.object({
  messages: z.array(z.object({ id: z.string(), threadId: z.string() })).default([]),
  nextPageToken: z.string().optional(),
});

type Parameters = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface GmailCalls {
  get(accessToken: string, path: string, parameters?: Parameters, bounds?: HttpBounds): Promise<unknown>;
  /** @param meanings of error codes */
  post(
    accessToken: string,
    path: string,
    body: object,
    meanings?: ProviderRequest['failures'],
  ): Promise<unknown>;
  /** Uploads content with a media type. */
  upload(
    accessToken: string,
    path: string,
    body: NonNullable<ProviderRequest['body']>,
    bounds: HttpBounds,
  ): Promise<unknown>;
}

/** @param base of the Gmail API, without a final slash */
export function gmailCalls(base: string): GmailCalls {
  const urlOf = (path: string): URL => new URL(`${base}/gmail/v1/users/me/${path}`);
  return {
    get(accessToken, path, parameters = {}, bounds) {
      const url = urlOf(path);
      for (const [name, value] of Object.entries(parameters)) {
        for (const one of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(one));
      }
      return callForJson({ provider, failures, method: 'GET', url, accessToken, ...(bounds && { bounds }) });
    },
    post: (accessToken, path, body, meanings = failures) =>
      callForJson({ provider, failures: meanings, method: 'POST', url: urlOf(path), accessToken, body }),
    upload: (accessToken, path, body, bounds) =>
      callForJson({
        provider,
        failures,
        method: 'POST',
        url: `${base}/upload/gmail/v1/users/me/${path}`,
        accessToken,
        body,
        bounds,
      }),
  };
}

/** Of a message, below the mailbox. */
export const messagePath = (id: string): string => `messages/${encodeURIComponent(id)}`;
