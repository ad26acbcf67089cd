/** Checks what SES does not report: the active receipt rule set, and the identity of the provided domain. */
import { allDone } from '../../lib/core/work/all-done.ts';
import { withMetrics } from '../../lib/observability/count.ts';
import { checkMailRegions } from '../../lib/services/domains/check-mail-regions.ts';
import { checkProvidedDomain } from '../../lib/services/domains/provided-domain.ts';

export async function handler(): Promise<void> {
  await withMetrics(async () => {
    await allDone([checkMailRegions(), checkProvidedDomain()]);
  });
}
