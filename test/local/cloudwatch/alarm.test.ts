import { describe, expect, it } from 'vitest';
import { type AlarmState, readAlarm, stateOf } from '../../../lib/local/cloudwatch/alarm.ts';
import { evaluateMath } from '../../../lib/local/cloudwatch/metric-math.ts';
import { createMetricStore } from '../../../lib/local/cloudwatch/metric-store.ts';

const metric = { namespace: 'n', name: 'm' };

/** The states of an alarm on values of successive minutes; null: none. */
function statesOn(values: readonly (number | null)[], properties: object): AlarmState[] {
  const alarm = readAlarm({
    region: 'r',
    logicalId: 'AlarmsOne12345678',
    properties: {
      ...{ AlarmDescription: 'd', Namespace: 'n', MetricName: 'm', Statistic: 'Sum', Period: 60 },
      ...{ ComparisonOperator: 'GreaterThanOrEqualToThreshold', Threshold: 5, EvaluationPeriods: 1 },
      ...properties,
    },
  });
  const store = createMetricStore('r');
  store.record();
  let state: AlarmState = 'INSUFFICIENT_DATA';
  return values.map((value) => {
    if (value !== null) store.put({ ...metric, value });
    store.endMinute();
    state = stateOf(alarm, store, state);
    return state;
  });
}

const [ok, alarm] = ['OK', 'ALARM'] as const;

describe('an alarm', () => {
  it('fires when all of its periods breach, and clears with the first that does not', () => {
    const values = [5, 6, 7, 4, 9];
    expect(statesOn(values, { EvaluationPeriods: 3, TreatMissingData: 'notBreaching' })).toEqual([
      ok,
      ok,
      alarm,
      ok,
      ok,
    ]);
    expect(statesOn(values, { EvaluationPeriods: 3, DatapointsToAlarm: 2 })).toEqual([
      ok,
      alarm,
      alarm,
      alarm,
      alarm,
    ]);
  });

  it.each([
    ['notBreaching', [ok, alarm, ok]],
    ['breaching', [alarm, alarm, alarm]],
    ['ignore', ['INSUFFICIENT_DATA', alarm, alarm]],
    ['missing', ['INSUFFICIENT_DATA', alarm, 'INSUFFICIENT_DATA']],
  ])('treats missing data as %s', (TreatMissingData, states) => {
    expect(statesOn([null, 5, null], { TreatMissingData })).toEqual(states);
  });

  it('compares the sum, the maximum, the average or a percentile of a period', () => {
    const store = createMetricStore('r');
    store.record();
    for (const value of [1, 2, 9]) store.put({ ...metric, value });
    store.endMinute();
    const valueBy = (properties: object) =>
      readAlarm({
        region: 'r',
        logicalId: 'AlarmsOne12345678',
        properties: {
          ...{ AlarmDescription: 'd', Namespace: 'n', MetricName: 'm', Period: 60, EvaluationPeriods: 1 },
          ...{ ComparisonOperator: 'LessThanThreshold', Threshold: 1, ...properties },
        },
      }).value(store, 0);
    expect(['Sum', 'Maximum', 'Average'].map((Statistic) => valueBy({ Statistic }))).toEqual([12, 9, 4]);
    expect(['p50', 'p99'].map((ExtendedStatistic) => valueBy({ ExtendedStatistic }))).toEqual([2, 9]);
  });
});

describe('metric math', () => {
  const values: Readonly<Record<string, number | null>> = { a: 2, b: 6, none: null };
  it.each([
    ['a + b * 2', 14],
    ['(a + b) / 4 - 1', 1],
    ['FILL(none, 0) + a', 2],
    ['none + a', null],
    ['a / (b - 6)', null],
  ])('%s', (expression, value) => {
    expect(evaluateMath(expression, (id) => values[id] ?? null)).toBe(value);
  });

  it.each(['a b', 'SUM(a)', '(a', 'a +', '"a"'])('refuses %s', (expression) => {
    expect(() => evaluateMath(expression, () => 1)).toThrow();
  });
});
