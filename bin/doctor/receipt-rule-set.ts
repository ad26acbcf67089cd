/** Whether the active receipt rule set of each mail region is that of the deployment. */
import { activeRuleSet } from '../../lib/adapters/receipt-rule-sets.ts';
import { type Check, failure, ofEachRegion, ok } from './check.ts';

export const receiptRuleSet: Check = {
  title: 'Receipt rule set',
  needs: 'account',
  managesSes: true,
  examine: (examined) =>
    ofEachRegion(examined, async (region) => {
      const active = await activeRuleSet(region);
      const own = examined.deployment?.names.receiptRuleSet ?? null;
      if (own === null) {
        if (active === null) return [ok(`No receipt rule set is active in ${region}.`)];
        return [
          failure(
            `The receipt rule set "${active}" is active in ${region}; the deployment will replace it.`,
            'Use another account or region, or accept that the other rule set stops receiving.',
          ),
        ];
      }
      if (active === own) return [ok(`The receipt rule set "${own}" is active in ${region}.`)];
      return [
        failure(
          active === null
            ? `No receipt rule set is active in ${region}: SES refuses all received mail.`
            : `The receipt rule set "${active}" is active in ${region} instead of "${own}": received mail does not arrive here.`,
          `Activate "${own}" in the SES console under "Email receiving", or run aws ses set-active-receipt-rule-set --region ${region} --rule-set-name ${own}.`,
        ),
      ];
    }),
};
