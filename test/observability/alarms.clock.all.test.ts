import { SESClient, SetActiveReceiptRuleSetCommand } from '@aws-sdk/client-ses';
import { describe, expect, it } from 'vitest';
import { now } from '../../lib/adapters/clock.ts';
import { env } from '../../lib/env.ts';
import { clearFaults, inject, newSender, untilDone } from '../faults/kit.ts';
import { templates } from '../infra/templates.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { connectMailbox, disconnectAll } from '../support/emulated-mailbox.ts';
import { matchesLogPattern } from './log-filter-patterns.ts';

interface LogLine {
  /** Clock of the cloud, Unix milliseconds. */
  readonly at: number;
  /** Name of the function. */
  readonly source: string;
  readonly text: string;
}

const groupOf = ({ source }: LogLine): string =>
  source.startsWith('parley-worker-') ? '/parley/workers' : '/parley/api';

/** Log lines since a time; other files of this cloud log before it. */
async function linesSince(startedAt: number): Promise<LogLine[]> {
  const { data } = await cloud().control<{ data: LogLine[] }>('GET', '/logs');
  return data.filter(({ at }) => at >= startedAt);
}

/** Number of lines each metric filter of the templates matches. */
function filterCounts(lines: readonly LogLine[]): Record<string, number> {
  return Object.fromEntries(
    templates()
      .of('AWS::Logs::MetricFilter')
      .map(({ properties: { LogGroupName, FilterPattern, MetricTransformations } }) => {
        const matching = lines.filter(
          (line) => groupOf(line) === LogGroupName && matchesLogPattern(FilterPattern, line.text),
        );
        return [MetricTransformations[0].MetricName, matching.length] as const;
      }),
  );
}

/** Sum of each metric that the functions publish. */
function published(lines: readonly LogLine[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { text } of lines) {
    if (!text.startsWith('{"_aws":')) continue;
    const line = JSON.parse(text);
    for (const { Namespace, Metrics } of line._aws.CloudWatchMetrics) {
      expect(Namespace).toBe('parley');
      for (const { Name } of Metrics) {
        const values: number[] = [line[Name]].flat();
        sums[Name] = (sums[Name] ?? 0) + values.reduce((sum, value) => sum + value, 0);
      }
    }
  }
  return sums;
}

/** Metrics of the namespace of the functions that alarms watch, without those of the metric filters. */
function watchedMetrics(): string[] {
  const fromFilters = templates()
    .of('AWS::Logs::MetricFilter')
    .map(({ properties }) => properties.MetricTransformations[0].MetricName);
  const metrics = templates()
    .of('AWS::CloudWatch::Alarm')
    .flatMap(({ properties: { Metrics, ...properties } }) => [
      properties,
      // Those of an expression.
      ...[Metrics ?? []].flat().flatMap(({ MetricStat }) => MetricStat?.Metric ?? []),
    ])
    .filter(({ Namespace }) => Namespace === 'parley');
  return metrics.map(({ MetricName }) => MetricName).filter((name) => !fromFilters.includes(name));
}

describe('the alarms', () => {
  it('watch what the functions log and publish when an alarm has to fire, and nothing before', async () => {
    const startedAt = now();
    const sender = await newSender();
    const send = (text: string) => sender.send(['anna@people.example.test'], { text });
    const sendMail = { kind: 'error', service: 'ses', action: 'SendEmail', match: sender.own.id } as const;
    await send('all is well');
    await cloud().waitForQuiescence();
    const linesBefore = await linesSince(startedAt);
    const before = filterCounts(linesBefore);
    expect(Object.values(before).filter((count) => count > 0)).toEqual([]);
    const watched = watchedMetrics();
    expect(watched).toEqual(expect.arrayContaining(['SubmissionsBlocked', 'MailboxSyncsFailed']));
    expect(Object.keys(published(linesBefore)).filter((name) => watched.includes(name))).toEqual([]);

    const putFault = { kind: 'error', action: 'PutItem', match: sender.own.id } as const;
    await inject({ ...putFault, worker: 'send-mail', code: 'ValidationException' });
    await send('fails in the worker');
    await cloud().waitForQuiescence();
    await inject({
      ...putFault,
      action: 'TransactWriteItems',
      principal: 'parley-api-emails-send',
      code: 'ValidationException',
    });
    const failed = await api(sender.own).post('/emails', {
      from: sender.from,
      to: 'anna@people.example.test',
      subject: 'fails in the API',
      text: 'x',
    });
    expect(failed.status).toBe(500);
    await clearFaults();

    const unverified =
      'The following identities failed the check in region US-EAST-1: anna@people.example.test';
    await inject({ ...sendMail, code: 'MessageRejected', message: unverified, status: 400 });
    await send('is refused in the sandbox');
    await cloud().waitForQuiescence();
    const tooFast = 'Maximum sending rate exceeded.';
    await inject({ ...sendMail, code: 'TooManyRequestsException', message: tooFast, status: 429 });
    await send('is throttled');
    await cloud().waitForQuiescence();
    // The throttling holds the region for seconds.
    await cloud().advance(5);
    await inject({ ...sendMail, code: 'AccountSuspendedException', message: 'suspended', status: 400 });
    await send('is blocked');
    await cloud().waitForQuiescence();
    await clearFaults();
    const listOfTraps = await newSender();
    await listOfTraps.send(Array.from({ length: 30 }, (_, at) => `trap${at}+bounce@people.example.test`));
    await cloud().waitForQuiescence();

    const ses = new SESClient({ region: env().DEFAULT_REGION });
    await ses.send(new SetActiveReceiptRuleSetCommand({}));
    await cloud().advance(6 * 60);
    await cloud().waitForQuiescence();
    await ses.send(new SetActiveReceiptRuleSetCommand({ RuleSetName: env().RECEIPT_RULE_SET }));

    const mailbox = await connectMailbox(sender.own, 'google');
    await inject({ kind: 'error', service: 'gmail', principal: mailbox.address, status: 503, times: 1000 });
    const reasonAfterSync = async () => {
      await api(sender.own).post(`/mailboxes/${mailbox.id}/sync`);
      await cloud().waitForQuiescence();
      return (await api(sender.own).get(`/mailboxes/${mailbox.id}`)).body.state_reason;
    };
    expect(await reasonAfterSync()).toBeNull();
    await cloud().advance(61 * 60);
    await cloud().waitForQuiescence();
    expect(await reasonAfterSync()).toMatch(/^Not synchronized since 20.*Z: Google answered 503/);
    await clearFaults();
    expect(await reasonAfterSync()).toBeNull();
    await disconnectAll(api(sender.own));

    // Ends the backoff of the region, which other files of this cloud would meet.
    await untilDone();
    const lines = await linesSince(startedAt);
    const after = filterCounts(lines);
    expect(Object.keys(after).length).toBeGreaterThan(2);
    expect(Object.entries(after).filter(([, count]) => count === 0)).toEqual([]);
    const sums = published(lines);
    expect(watched.filter((name) => !sums[name])).toEqual([]);
  });
});
