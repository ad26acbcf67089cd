/** What pages about a connection show of whoever asked for it. */
import { withOutcome } from '../../core/mailboxes/return-urls.ts';
import type { Asker } from '../../services/mailboxes/connection-asker.ts';
import { noFacts, type PageFacts } from './problem.ts';

/** @param asker null: unknown */
export function connectFacts(asker: Asker | null): PageFacts {
  if (!asker) return noFacts;
  const { app, link } = asker;
  return {
    name: app?.name ?? null,
    supportEmail: app?.supportEmail ?? null,
    // Parameters of an outcome that somebody else wrote into the link are left out.
    backUrl: link.returnTo === null ? null : withOutcome(link.returnTo, {}),
    againUrl: app && `/connect/${app.slug}${searchOf(link)}`,
  };
}

function searchOf({ returnTo, ref, spaceId }: Asker['link']): string {
  const search = new URLSearchParams({
    ...(returnTo !== null && { return_to: returnTo }),
    ...(ref !== null && { ref }),
    ...(spaceId !== null && { space_id: spaceId }),
  });
  return search.size === 0 ? '' : `?${search}`;
}
