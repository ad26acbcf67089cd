/** The limits of the workspace, as they are used. */
import type { CountedResource, UsedBucket, WorkspaceLimits } from 'parley-client';
import type { ReactNode } from 'react';
import { parley } from '../../api/parley.ts';
import { useApi } from '../../api/queries.ts';
import { Facts, Page, Section } from '../../kit/page.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';
import { Loading, Meter } from '../../kit/progress.tsx';
import { Time } from '../../kit/time.tsx';
import { SettingsTabs } from './settings-tabs.tsx';

const reasons = {
  operator: 'the operator has suspended the workspace',
  bounces: 'too many recipients of the last 24 hours do not exist',
  complaints: 'too many recipients of the last 24 hours reported the mail as spam',
  reputation: 'Amazon SES has paused it because of its reputation',
} as const;

const resourceNames: Readonly<Record<string, string>> = {
  domains: 'Domains',
  mailboxes: 'Mailboxes',
  oauth_apps: 'OAuth apps',
  webhook_endpoints: 'Webhook endpoints',
  api_keys: 'API keys',
  spaces: 'Spaces',
  suppressions: 'Suppressions',
  pacing_rules: 'Pacing rules',
};

export function Limits() {
  const limits = useApi(['limits'], () => parley.limits.retrieve(), { refetchMs: 2_000 });
  return (
    <Page title="Limits" lead="What may be used, and how much of it is. It changes as you look.">
      <SettingsTabs />
      <ProblemNotice error={limits.error} />
      {limits.isPending && <Loading />}
      {limits.data && <Shown limits={limits.data} />}
    </Page>
  );
}

function Shown({ limits }: { readonly limits: WorkspaceLimits }) {
  const { request_budget: budget, recipients, sending_rates: rates, resources, suspension } = limits;
  return (
    <>
      {suspension && (
        <div className="problem" role="alert">
          <p>
            Sending is suspended since <Time at={suspension.since} isAbsolute />: {reasons[suspension.reason]}
            . The operator ends it.
          </p>
        </div>
      )}
      <div className="meters">
        <Bucket title="Requests" unit="units" bucket={budget.units}>
          {budget.units_per_second.toLocaleString()} refill in a second; {budget.in_flight.used} of{' '}
          {budget.in_flight.allowed.toLocaleString()} run now
        </Bucket>
        <Bucket title="Recipients an hour" unit="recipients" bucket={recipients.per_hour} />
        <Bucket title="Recipients a day" unit="recipients" bucket={recipients.per_day} />
      </div>
      {recipients.warm_up_ends_at && (
        <p className="soft">
          The caps of a new workspace double every day, until{' '}
          <Time at={recipients.warm_up_ends_at} isAbsolute />.
        </p>
      )}
      <Section title="Sending rate">
        <Facts
          facts={rates.map(({ region, recipients_per_second: rate }) => [
            region,
            `${rate.toLocaleString()} recipients a second, shared by all workspaces of the deployment`,
          ])}
        />
      </Section>
      <Section title="Numbers">
        <div className="meters">
          {resources.map((resource) => (
            <Resource key={resource.kind} resource={resource} />
          ))}
        </div>
      </Section>
    </>
  );
}

function Bucket({
  title,
  unit,
  bucket: { allowed, used, free_at: freeAt },
  children,
}: {
  readonly title: string;
  readonly unit: string;
  readonly bucket: UsedBucket;
  readonly children?: ReactNode;
}) {
  return (
    <div className="card">
      <h2>{title}</h2>
      <Meter label={title} used={used} allowed={allowed} />
      <p className="meter-text">
        <strong>{used.toLocaleString()}</strong> of {allowed.toLocaleString()} {unit} used
      </p>
      <p className="hint">
        {freeAt ? (
          <>
            all free again <Time at={freeAt} />
          </>
        ) : (
          'all free'
        )}
      </p>
      {children && <p className="hint">{children}</p>}
    </div>
  );
}

function Resource({ resource: { kind, used, allowed } }: { readonly resource: CountedResource }) {
  const name = resourceNames[kind] ?? kind;
  return (
    <div>
      <div className="split">
        <span>{name}</span>
        <span className="soft">
          {used.toLocaleString()} of {allowed.toLocaleString()}
        </span>
      </div>
      <Meter label={name} used={used} allowed={allowed} />
    </div>
  );
}
