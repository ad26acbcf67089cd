/** Opens the local inbox of a run: its files, what its pages read, and the session of its browser. */

import { sessionCookie, tokenInCookies } from '../../lib/core/access/session.ts';
import { eventTypes } from '../../lib/core/webhooks/event-types.ts';
import type { InboxPages } from '../../lib/local/index.ts';
import { createSession, findSession } from '../../lib/services/console/sessions.ts';
import type { Demo } from './demo.ts';
import { firstSteps } from './first-steps.ts';

export interface InboxAddresses {
  readonly baseUrl: string;
  readonly smtpPort: number;
}

/** The page shows no key: the command reads it where only the owner of the run may. */
const keyCommand = `$(node -p 'require("./.local/ready.json").apiKey')`;

export function inboxPages(
  { baseUrl, smtpPort }: InboxAddresses,
  { workspaceId, owner, providedDomain }: Demo,
  brand: string,
): InboxPages {
  const steps = firstSteps({ baseUrl, apiKey: keyCommand, smtpPort, domain: providedDomain });
  return {
    // Loaded with the first page: a run that nobody looks at needs none of it.
    folder: async () => {
      const { consoleFolders } = await import('../../lib/constructs/console.ts');
      return consoleFolders(brand).inbox;
    },
    facts: { providedDomain, smtpPort, steps, eventTypes },
    signIn: async (cookies) => {
      const token = tokenInCookies(baseUrl, cookies);
      if (token !== null && (await findSession(token))?.workspace.id === workspaceId) return null;
      const created = await createSession(workspaceId, owner);
      return created && sessionCookie(baseUrl, created);
    },
  };
}
