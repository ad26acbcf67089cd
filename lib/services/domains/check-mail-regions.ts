/** Whether each mail region receives: SES delivers to the active receipt rule set only, and reports no change of it. */

import { activeRuleSet } from '../../adapters/receipt-rule-sets.ts';
import { allDone } from '../../core/work/all-done.ts';
import { env } from '../../env.ts';
import { count } from '../../observability/count.ts';
import { logEvent } from '../../observability/log.ts';

/** Reports each region whose active receipt rule set is not the one of this deployment. */
export async function checkMailRegions(): Promise<void> {
  await allDone(
    env().MAIL_REGIONS.map(async (region) => {
      const active = await activeRuleSet(region);
      if (active === env().RECEIPT_RULE_SET) return;
      count('ReceiptRuleSetsInactive', null);
      logEvent('inbound.rule_set_inactive', {
        region,
        cause: active === null ? 'none_active' : 'other_active',
      });
    }),
  );
}
