/** What was sent and received, by day: as charts, and as a table. */
import type { DayUsage } from 'parley-client';
import { useState } from 'react';
import { parley } from '../../api/parley.ts';
import { useApi } from '../../api/queries.ts';
import { Select } from '../../kit/field.tsx';
import { Page } from '../../kit/page.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';
import { Loading } from '../../kit/progress.tsx';
import { Chart, type Series } from './chart.tsx';
import { SettingsTabs } from './settings-tabs.tsx';

type Kind = Exclude<keyof DayUsage, 'day'>;

const charts: readonly {
  readonly title: string;
  readonly series: readonly (Series & { readonly kind: Kind })[];
}[] = [
  {
    title: 'Sent and delivered',
    series: [
      { kind: 'sent', label: 'Sent', color: '--accent' },
      { kind: 'delivered', label: 'Delivered', color: '--good' },
    ],
  },
  { title: 'Received', series: [{ kind: 'received', label: 'Received', color: '--accent' }] },
  {
    title: 'Bounced, reported as spam, not sent',
    series: [
      { kind: 'bounced', label: 'Bounced', color: '--bad' },
      { kind: 'complained', label: 'Reported as spam', color: '--warn' },
      { kind: 'failed', label: 'Not sent', color: '--key' },
    ],
  },
];

const kinds = charts.flatMap(({ series }) => series);

const sumOf = (days: readonly DayUsage[], kind: Kind): number =>
  days.reduce((sum, day) => sum + day[kind], 0);

export function UsagePage() {
  const [days, setDays] = useState('30');
  const usage = useApi(['usage', days], () => parley.usage.retrieve({ days: Number(days) }), {
    refetchMs: 30_000,
  });
  const data = usage.data?.data ?? [];
  return (
    <Page
      title="Usage"
      lead="Emails and what became of them, by day in UTC."
      actions={
        <Select
          label="Time"
          hideLabel
          value={days}
          onChange={(event) => setDays(event.target.value)}
          choices={['7', '30', '90'].map((value) => ({ value, label: `Last ${value} days` }))}
        />
      }
    >
      <SettingsTabs />
      <ProblemNotice error={usage.error} />
      {usage.isPending && <Loading />}
      {data.length > 0 && (
        <>
          <dl className="sums">
            {kinds.map(({ kind, label }) => (
              <div key={kind}>
                <dt>{label}</dt>
                <dd>{sumOf(data, kind).toLocaleString()}</dd>
              </div>
            ))}
          </dl>
          <div className="charts">
            {charts.map(({ title, series }) => (
              <Chart
                key={title}
                title={title}
                days={data.map(({ day }) => day)}
                series={series}
                values={series.map(({ kind }) => data.map((day) => day[kind]))}
              />
            ))}
          </div>
          <details className="as-table">
            <summary>The same as a table</summary>
            <UsageTable days={data.toReversed()} />
          </details>
        </>
      )}
    </Page>
  );
}

function UsageTable({ days }: { readonly days: readonly DayUsage[] }) {
  return (
    <div className="table">
      <table>
        <caption className="hidden">Usage by day, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {kinds.map(({ kind, label }) => (
              <th key={kind} scope="col" className="number">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day.day}>
              <th scope="row" className="nowrap">
                {day.day}
              </th>
              {kinds.map(({ kind }) => (
                <td key={kind} className="number">
                  {day[kind].toLocaleString()}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
