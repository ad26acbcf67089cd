/** The panel: clock, faults, DNS records, queues and dead letters, SES, logs of the local run. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from '../kit/button.tsx';
import { TextField } from '../kit/field.tsx';
import { Page } from '../kit/page.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { absoluteText, Time } from '../kit/time.tsx';
import { control } from './control.ts';
import { FaultForm } from './fault-form.tsx';
import { Plain } from './plain.tsx';

interface Schedule {
  readonly name: string;
  readonly at: string;
  readonly target: string;
}

interface PanelState {
  readonly now: string;
  readonly schedules: readonly Schedule[];
  readonly schedules_count: number;
  readonly queues: readonly {
    readonly name: string;
    readonly visible: number;
    readonly inFlight: number;
    readonly delayed: number;
  }[];
  readonly dead_letters: readonly { readonly name: string; readonly visible: number }[];
  readonly regions: readonly {
    readonly region: string;
    readonly Max24HourSend: number;
    readonly MaxSendRate: number;
    readonly SentLast24Hours: number;
  }[];
  readonly refusals: readonly {
    readonly at: string;
    readonly action: string;
    readonly status: number;
    readonly resource: string;
  }[];
}

const refreshMs = 2_000;

export function PanelPage() {
  const { data, error } = useQuery({
    queryKey: ['panel'],
    queryFn: () => control<PanelState>('GET', '/panel'),
    refetchInterval: refreshMs,
  });
  return (
    <Page title="Panel" lead="What runs beneath: the emulated services, and how to disturb them." isWide>
      <ProblemNotice error={error} />
      <div className="cards">
        <Clock state={data} />
        <Ses state={data} />
        <Queues state={data} />
        <Faults />
        <Dns />
        <Problems />
      </div>
    </Page>
  );
}

export function Card({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="card">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

const steps = [
  { label: '1 minute', seconds: 60 },
  { label: '1 hour', seconds: 3_600 },
  { label: '1 day', seconds: 86_400 },
  { label: '1 week', seconds: 604_800 },
];

interface Advanced {
  readonly now: string;
  readonly due: readonly Schedule[];
  readonly due_count: number;
}

function Clock({ state }: { readonly state: PanelState | undefined }) {
  const client = useQueryClient();
  const advance = useMutation({
    mutationFn: (seconds: number) => control<Advanced>('POST', '/panel/advance', { seconds }),
    onSuccess: () => client.invalidateQueries(),
  });
  return (
    <Card title="Clock">
      <p className="big">{state ? absoluteText(state.now) : '…'}</p>
      <p className="soft">It only moves forward. What becomes due in between happens.</p>
      <div className="message-actions">
        {steps.map(({ label, seconds }) => (
          <Button
            key={label}
            small
            onClick={() => advance.mutate(seconds)}
            isBusy={advance.isPending && advance.variables === seconds}
            disabled={advance.isPending}
          >
            {label}
          </Button>
        ))}
      </div>
      <ProblemNotice error={advance.error} />
      <div role="status">
        {advance.data && (
          <>
            <p>
              {advance.data.due_count === 0
                ? 'No schedule became due.'
                : `${advance.data.due_count} ${advance.data.due_count === 1 ? 'schedule' : 'schedules'} became due:`}
            </p>
            <Schedules list={advance.data.due} />
          </>
        )}
      </div>
      <h3>Next ({state?.schedules_count ?? 0})</h3>
      <Schedules list={state?.schedules.slice(0, 8) ?? []} />
    </Card>
  );
}

function Schedules({ list }: { readonly list: readonly Schedule[] }) {
  return (
    <ul className="plain-list">
      {list.map(({ name, at, target }) => (
        <li key={name}>
          <Time at={at} isAbsolute /> <span className="soft">{target}</span>
        </li>
      ))}
    </ul>
  );
}

function Ses({ state }: { readonly state: PanelState | undefined }) {
  return (
    <Card title="SES">
      <ul className="plain-list">
        {state?.regions.map(({ region, SentLast24Hours, Max24HourSend, MaxSendRate }) => (
          <li key={region}>
            <strong>{region}</strong>: {SentLast24Hours} of {Max24HourSend.toLocaleString()} sent in 24 hours,{' '}
            {MaxSendRate.toLocaleString()} a second
          </li>
        ))}
      </ul>
      <h3>Refusals</h3>
      {state?.refusals.length === 0 && <p className="soft">None.</p>}
      <ul className="plain-list">
        {state?.refusals.map(({ at, action, status, resource }, index) => (
          <li key={index}>
            <Time at={at} /> {action} {status === 0 ? 'broken' : status}{' '}
            <bdi className="soft">{resource}</bdi>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Queues({ state }: { readonly state: PanelState | undefined }) {
  const busy =
    state?.queues.filter(({ visible, inFlight, delayed }) => visible + inFlight + delayed > 0) ?? [];
  return (
    <Card title="Queues and dead letters">
      {busy.length === 0 && <p className="soft">All queues are empty.</p>}
      <ul className="plain-list">
        {busy.map(({ name, visible, inFlight, delayed }) => (
          <li key={name}>
            <strong>{name}</strong>: {visible} waiting, {inFlight} in work, {delayed} delayed
          </li>
        ))}
      </ul>
      {state?.dead_letters.map(({ name }) => (
        <DeadLetters key={name} queue={name} />
      ))}
    </Card>
  );
}

function DeadLetters({ queue }: { readonly queue: string }) {
  const { data } = useQuery({
    queryKey: ['panel', 'dead', queue],
    queryFn: () => control<{ readonly data: readonly unknown[] }>('GET', `/queues/${queue}/messages`),
  });
  return (
    <details>
      <summary>{queue}</summary>
      <Plain
        isSmall
        label={`Messages of ${queue}`}
        text={JSON.stringify(data?.data.slice(0, 20), null, 2) ?? ''}
      />
    </details>
  );
}

interface Fault {
  readonly id: string;
  readonly service: string;
  readonly action: string;
  readonly kind: string;
  readonly times: number;
}

function Faults() {
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: ['panel', 'faults'],
    queryFn: () => control<{ readonly data: readonly Fault[] }>('GET', '/faults'),
    refetchInterval: refreshMs,
  });
  const refresh = () => client.invalidateQueries({ queryKey: ['panel', 'faults'] });
  return (
    <Card title="Faults">
      <ul className="plain-list">
        {data?.data.map(({ id, service, action, kind, times }) => (
          <li key={id}>
            {service} {action}: {kind}, {times} more{' '}
            <Button small kind="quiet" onClick={() => void control('DELETE', `/faults/${id}`).then(refresh)}>
              Remove
            </Button>
          </li>
        ))}
      </ul>
      {data?.data.length === 0 && <p className="soft">No call fails on purpose.</p>}
      <FaultForm onAdded={refresh} />
    </Card>
  );
}

interface DnsRecord {
  readonly type: string;
  readonly name: string;
  readonly value: string | readonly string[];
}

const recordsShown = 100;

function Dns() {
  const [text, setText] = useState('');
  const { data } = useQuery({
    queryKey: ['panel', 'dns'],
    queryFn: () => control<{ readonly data: readonly DnsRecord[] }>('GET', '/dns'),
  });
  const found =
    data?.data.filter(({ name, type }) => `${type} ${name}`.toLowerCase().includes(text.toLowerCase())) ?? [];
  return (
    <Card title="DNS records">
      <TextField
        label="Filter"
        hideLabel
        placeholder={`Filter ${data?.data.length ?? 0} records`}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <ul className="plain-list scrolls">
        {found.slice(0, recordsShown).map(({ type, name, value }, index) => (
          <li key={index}>
            <strong>{type}</strong> <bdi>{name}</bdi>{' '}
            <bdi className="soft value">{[value].flat().join(' ')}</bdi>
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface LogLine {
  readonly at: number;
  readonly source: string;
  readonly text: string;
}

const linesShown = 50;

function Problems() {
  const { data } = useQuery({
    queryKey: ['panel', 'problems'],
    queryFn: () => control<{ readonly data: readonly LogLine[] }>('GET', '/problems'),
    refetchInterval: refreshMs,
  });
  const newest = data?.data.slice(-linesShown).toReversed() ?? [];
  return (
    <Card title="Warnings and errors in the logs">
      {newest.length === 0 && <p className="soft">None.</p>}
      <ul className="plain-list scrolls">
        {newest.map(({ at, source, text }, index) => (
          <li key={index}>
            <Time at={new Date(at).toISOString()} /> <strong>{source}</strong>{' '}
            <code className="value">{text}</code>
          </li>
        ))}
      </ul>
    </Card>
  );
}
