/** Mails about what the account costs, by settings: a budget of a month, and unusual costs of a service. */
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { CfnAnomalyMonitor, CfnAnomalySubscription } from 'aws-cdk-lib/aws-ce';
import type { Construct } from 'constructs';
import type { Settings } from '../settings.ts';

type CostSettings = Pick<
  Settings,
  'alarmEmail' | 'costAnomalyUsd' | 'costMonitorArn' | 'monthlyBudgetUsd' | 'prefix'
>;

/** Of the whole account: costs have no tag before somebody activates it ("Activating user-defined cost allocation tags"). */
export function addCostAlarms(scope: Construct, settings: CostSettings): void {
  if (settings.monthlyBudgetUsd > 0) addBudget(scope, settings);
  if (settings.costAnomalyUsd > 0) addAnomalies(scope, settings);
}

/** What is spent at 80 % and 100 %, and what the month is forecast to cost. */
function addBudget(scope: Construct, { alarmEmail, monthlyBudgetUsd: amount, prefix }: CostSettings): void {
  const subscribers = [{ subscriptionType: 'EMAIL', address: alarmEmail }];
  const at = (notificationType: string, threshold: number) => ({
    notification: { notificationType, threshold, comparisonOperator: 'GREATER_THAN' },
    subscribers,
  });
  new CfnBudget(scope, 'Budget', {
    budget: {
      budgetName: `${prefix} month`,
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount, unit: 'USD' },
    },
    notificationsWithSubscribers: [at('ACTUAL', 80), at('ACTUAL', 100), at('FORECASTED', 100)],
  });
}

/** An account has one monitor of AWS services ("Quotas and restrictions", AWS Cost Management User Guide). */
function addAnomalies(scope: Construct, settings: CostSettings): void {
  const monitorArn =
    settings.costMonitorArn ||
    new CfnAnomalyMonitor(scope, 'CostMonitor', {
      monitorName: `${settings.prefix} services`,
      monitorType: 'DIMENSIONAL',
      monitorDimension: 'SERVICE',
    }).attrMonitorArn;
  new CfnAnomalySubscription(scope, 'CostAnomalies', {
    subscriptionName: `${settings.prefix} unusual costs`,
    // Mail is for daily and weekly summaries; single alerts need a topic.
    frequency: 'DAILY',
    monitorArnList: [monitorArn],
    subscribers: [{ type: 'EMAIL', address: settings.alarmEmail }],
    thresholdExpression: JSON.stringify({
      Dimensions: {
        Key: 'ANOMALY_TOTAL_IMPACT_ABSOLUTE',
        MatchOptions: ['GREATER_THAN_OR_EQUAL'],
        Values: [String(settings.costAnomalyUsd)],
      },
    }),
  });
}
