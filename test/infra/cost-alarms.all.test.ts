import { describe, expect, it } from 'vitest';
import { InvalidSettings, type SettingsInput, settingsOf } from '../../lib/settings.ts';
import { account, templatesOf } from './templates.ts';

const resourcesOf = (given: SettingsInput) => templatesOf(settingsOf({ account, ...given }));
const alarmEmail = 'ops@example.com';

describe('alarms about costs', () => {
  it('are off by default', () => {
    const { of } = resourcesOf({ alarmEmail });
    expect(
      ['AWS::Budgets::Budget', 'AWS::CE::AnomalyMonitor', 'AWS::CE::AnomalySubscription'].flatMap(of),
    ).toEqual([]);
  });

  it('mail about a budget at 80 %, at 100 %, and when the month is forecast to exceed it', () => {
    const [budget] = resourcesOf({ alarmEmail, monthlyBudgetUsd: 250 }).of('AWS::Budgets::Budget');
    expect(budget?.properties.Budget.BudgetLimit).toEqual({ Amount: 250, Unit: 'USD' });
    const notified = budget?.properties.NotificationsWithSubscribers;
    expect(notified.map(({ Notification }: { Notification: object }) => Object.values(Notification))).toEqual(
      [
        ['GREATER_THAN', 'ACTUAL', 80],
        ['GREATER_THAN', 'ACTUAL', 100],
        ['GREATER_THAN', 'FORECASTED', 100],
      ],
    );
    expect(notified[0].Subscribers).toEqual([{ Address: alarmEmail, SubscriptionType: 'EMAIL' }]);
  });

  it('watch the services with the monitor of the account, or one of their own', () => {
    const monitor = `arn:aws:ce::${account}:anomalymonitor/0b8ee0ea-0f4f-4b8e-9e6f-0123456789ab`;
    const known = resourcesOf({ alarmEmail, costAnomalyUsd: 20, costMonitorArn: monitor });
    expect(known.of('AWS::CE::AnomalyMonitor')).toEqual([]);
    const [subscription] = known.of('AWS::CE::AnomalySubscription');
    expect(subscription?.properties).toMatchObject({ MonitorArnList: [monitor], Frequency: 'DAILY' });
    expect(subscription?.properties.ThresholdExpression).toContain('"20"');
    const made = resourcesOf({ alarmEmail, costAnomalyUsd: 20 });
    expect(made.of('AWS::CE::AnomalyMonitor')[0]?.properties.MonitorDimension).toBe('SERVICE');
  });

  it.each([{ monthlyBudgetUsd: 1 }, { costAnomalyUsd: 1 }])('need an address: %o', (given) => {
    expect(() => settingsOf(given)).toThrow(InvalidSettings);
  });
});

describe('the canary', () => {
  const clocksOf = ({ of }: ReturnType<typeof resourcesOf>) =>
    of('AWS::Scheduler::Schedule').filter(({ logicalId }) => logicalId.startsWith('Clockcanary'));
  const canaryOf = (given: SettingsInput) => {
    const resources = resourcesOf(given);
    const alarms = resources
      .of('AWS::CloudWatch::Alarm')
      .filter(({ logicalId }) => logicalId.includes('CanaryMissed'));
    return [
      ...clocksOf(resources).map(({ properties }) => properties.ScheduleExpression),
      ...alarms.map(({ properties }) => [properties.Period, properties.EvaluationPeriods]),
    ];
  };

  it('runs where there is a provided domain, as often as the setting says, with an alarm on two misses', () => {
    const providedDomain = 'mail.example.com';
    expect(canaryOf({ providedDomain })).toEqual(['rate(10 minutes)', [600, 2]]);
    expect(canaryOf({ providedDomain, canaryMinutes: 1 })).toEqual(['rate(1 minute)', [60, 2]]);
    expect(canaryOf({ providedDomain, canaryMinutes: 0 })).toEqual([]);
    expect(canaryOf({})).toEqual([]);
  });

  it('is told the URL of the API, which is that of API Gateway where the API has no host of its own', () => {
    const inputOf = (given: SettingsInput) => {
      const resources = resourcesOf({ providedDomain: 'mail.example.com', ...given });
      return clocksOf(resources).map(({ properties }) => (properties.Target as { Input: unknown }).Input);
    };
    const [byDefault] = inputOf({});
    expect(byDefault).toEqual({
      'Fn::Join': ['', ['{"apiUrl":"', { 'Fn::GetAtt': ['Api', 'ApiEndpoint'] }, '"}']],
    });
    const own = { apiDomain: 'api.example.com', apiHostedZoneId: 'Z0123456789ABCDEFGHIJ' };
    expect(inputOf(own)).toEqual(['{"apiUrl":"https://api.example.com"}']);
  });
});
