/** Whether SES lets the account send, what it charges, and what it does to mail on its own, in each mail region. */
import {
  GetAccountCommand,
  type GetAccountCommandOutput,
  type PricingPlan,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import { clientConfig, sesManagement } from '../../lib/adapters/aws-clients.ts';
import { type Check, type Finding, failure, ofEachRegion, ok, warning } from './check.ts';

/** Below this share of the quota a day may not last. */
const quotaLeftMin = 0.2;

/** "Managing your Amazon SES sending limits", "GetAccount" (Amazon SES API v2 Reference). */
export const sendingAccount: Check = {
  title: 'SES account',
  needs: 'account',
  managesSes: true,
  examine: (examined) =>
    ofEachRegion(examined, async (region) => {
      const client = new SESv2Client({ region, ...clientConfig(sesManagement) });
      const account = await client.send(new GetAccountCommand({}));
      client.destroy();
      const {
        Max24HourSend: max = 0,
        MaxSendRate: rate = 0,
        SentLast24Hours: sent = 0,
      } = account.SendQuota ?? {};
      return [
        access(region, account.ProductionAccessEnabled === true),
        status(region, account.SendingEnabled !== false, account.EnforcementStatus ?? 'HEALTHY'),
        quota(region, { max, rate, sent }),
        plan(region, account.PricingAttributes?.CurrentPlan ?? 'NONE'),
        ...interference(region, account),
      ];
    }),
};

function access(region: string, hasAccess: boolean): Finding {
  if (hasAccess) return ok(`SES in ${region} has production access.`);
  return failure(
    `SES in ${region} is in the sandbox: it sends to verified addresses only, at most 200 emails a day.`,
    'Request production access in the SES console of the region ("Request production access").',
  );
}

function status(region: string, isEnabled: boolean, enforcement: string): Finding {
  if (isEnabled && enforcement === 'HEALTHY') return ok(`SES in ${region} is healthy and sends.`);
  const todo = 'Read the reason in the SES console under "Account dashboard" and answer it there.';
  if (!isEnabled || enforcement === 'SHUTDOWN') return failure(`SES in ${region} has stopped sending.`, todo);
  return warning(`SES in ${region} is under review (${enforcement}).`, todo);
}

function quota(region: string, { max, rate, sent }: { max: number; rate: number; sent: number }): Finding {
  // -1: no limit.
  const left = max < 0 ? 1 : (max - sent) / Math.max(max, 1);
  const found = `SES in ${region} allows ${rate} emails a second and ${max < 0 ? 'any number' : max} a day, ${sent} of them are used.`;
  return left >= quotaLeftMin
    ? ok(found)
    : warning(found, 'Request a higher sending quota; mail above it waits until the next day.');
}

/** A new account has the plan `ESSENTIALS` ("Pricing plans", Amazon SES Developer Guide). */
export function plan(region: string, current: PricingPlan): Finding {
  if (current === 'NONE') return ok(`SES in ${region} charges by use, without a pricing plan.`);
  return warning(
    `SES in ${region} has the pricing plan ${current}, in which each email costs more than without one.`,
    `Choose by "Amazon SES pricing"; aws sesv2 put-account-pricing-attributes --region ${region} --plan NONE ends it.`,
  );
}

/**
 * Settings of the account that reach mail of our configuration set, which asks for neither: "TrackingConfigurationOverrides" and
 * "SuppressionAttributes" (Amazon SES API v2 Reference).
 */
export function interference(
  region: string,
  {
    VdmAttributes,
    SuppressionAttributes,
  }: Pick<GetAccountCommandOutput, 'VdmAttributes' | 'SuppressionAttributes'>,
): readonly Finding[] {
  const tracks = VdmAttributes?.DashboardAttributes?.EngagementMetrics === 'ENABLED';
  const validates =
    SuppressionAttributes?.ValidationAttributes?.ConditionThreshold?.ConditionThresholdEnabled === 'ENABLED';
  if (!(tracks || validates)) return [ok(`SES in ${region} neither tracks nor suppresses mail on its own.`)];
  return [
    ...(tracks
      ? [
          warning(
            `SES in ${region} tracks engagement: it rewrites links and adds a pixel, also where an email asks for none.`,
            'Turn "Engagement tracking" off under "Virtual Deliverability Manager" in the SES console.',
          ),
        ]
      : []),
    ...(validates
      ? [
          warning(
            `SES in ${region} validates addresses: it drops mail to those that it believes wrong.`,
            'Turn "Auto Validation" off in the SES console.',
          ),
        ]
      : []),
  ];
}
