/** A domain: its records to copy, what is wrong with it, its settings. */
import type { DomainWithRecords, UpdateDomainBody } from 'parley-client';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { parley } from '../../api/parley.ts';
import { useAction, useApi } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { CopyValue } from '../../kit/copy.tsx';
import { ConfirmDialog } from '../../kit/dialog.tsx';
import { Checkbox } from '../../kit/field.tsx';
import { GuardedButton, ReadOnlyNote } from '../../kit/guarded.tsx';
import { Link } from '../../kit/link.tsx';
import { Facts, Page, Section } from '../../kit/page.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';
import { Loading } from '../../kit/progress.tsx';
import { Time } from '../../kit/time.tsx';
import { visibleText } from '../../kit/visible-text.ts';
import { DomainState } from './domain-state.tsx';
import { Findings } from './findings.tsx';
import { Records } from './records.tsx';

const back = <Link to="/domains">Domains</Link>;

export function DomainPage() {
  const { domainId = '' } = useParams();
  const domain = useApi(['domains', domainId], () => parley.domains.retrieve(domainId), {
    // DNS is looked at in the background until the domain is verified.
    refetchMs: 10_000,
  });
  if (domain.isPending) return <Loading />;
  if (!domain.data) {
    return (
      <Page title="Domain" back={back}>
        <ProblemNotice error={domain.error} />
      </Page>
    );
  }
  return <Shown domain={domain.data} />;
}

function Shown({ domain }: { readonly domain: DomainWithRecords }) {
  const { id, records, verified_at: verifiedAt } = domain;
  const [isDeleting, setDeleting] = useState(false);
  const check = useAction(() => parley.domains.verify(id), {
    changed: [['domains']],
    done: ({ verified_at: at }) => (at ? 'The domain is verified' : 'Checked: records are missing still'),
  });
  return (
    <Page
      title={visibleText(domain.name)}
      back={back}
      lead={<DomainState domain={domain} />}
      actions={
        <>
          <GuardedButton onClick={() => check.mutate(undefined)} isBusy={check.isPending}>
            {check.isPending ? 'Asking DNS' : 'Check now'}
          </GuardedButton>
          {!domain.provided && (
            <GuardedButton kind="danger" onClick={() => setDeleting(true)}>
              Delete
            </GuardedButton>
          )}
        </>
      }
    >
      <ReadOnlyNote />
      <ProblemNotice error={check.error} />
      {records.length > 0 && (
        <Section title="DNS records">
          <p className="soft">
            Publish these where the DNS of the domain is managed.{' '}
            {verifiedAt
              ? 'They are checked again from time to time.'
              : 'The service looks for them by itself; this page shows what it finds.'}
          </p>
          <Records domain={domain} />
        </Section>
      )}
      {domain.parent_id && (
        <p>
          The records of <Link to={`/domains/${domain.parent_id}`}>its wildcard</Link> verify this domain: it
          has none of its own.
        </p>
      )}
      <Findings domain={domain} />
      <Tracking domain={domain} />
      <Section title="About">
        <Facts
          facts={[
            ['Id', <CopyValue key="id" text={id} what="the id of the domain" />],
            ['Region', domain.region],
            ['Verified', verifiedAt ? <Time key="at" at={verifiedAt} isAbsolute /> : 'Not yet'],
            ['Added', <Time key="at" at={domain.created_at} isAbsolute />],
            ...(domain.space_id
              ? [
                  [
                    'Space',
                    <CopyValue key="space" text={domain.space_id} what="the id of the space" />,
                  ] as const,
                ]
              : []),
          ]}
        />
      </Section>
      <DeleteDomain domain={domain} isOpen={isDeleting} onClose={() => setDeleting(false)} />
    </Page>
  );
}

function Tracking({ domain: { id, tracking } }: { readonly domain: DomainWithRecords }) {
  const may = useMay('full');
  const change = useAction((body: UpdateDomainBody) => parley.domains.update(id, body), {
    changed: [['domains']],
    done: 'Tracking is changed for mail from now on',
  });
  const isLocked = !may || change.isPending;
  return (
    <Section title="Tracking">
      <Checkbox
        label="Record opens: html gets an invisible picture. Many mail programs load it without anybody reading."
        checked={tracking.opens}
        disabled={isLocked}
        onChange={(event) => change.mutate({ track_opens: event.target.checked })}
      />
      <Checkbox
        label="Record clicks: links of html lead through this service."
        checked={tracking.clicks}
        disabled={isLocked}
        onChange={(event) => change.mutate({ track_clicks: event.target.checked })}
      />
      <ProblemNotice error={change.error} />
    </Section>
  );
}

function DeleteDomain({
  domain: { id, name },
  isOpen,
  onClose,
}: {
  readonly domain: DomainWithRecords;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const navigate = useNavigate();
  const remove = useAction(() => parley.domains.delete(id), {
    changed: [['domains']],
    gone: ['domains', id],
    done: `${visibleText(name)} is deleted`,
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Delete ${visibleText(name)}?`}
      loses={
        <>
          <p>
            Nothing can be sent from it any longer, mail to it is not received, and scheduled mail from it
            fails. A wildcard takes its subdomains with it.
          </p>
          <p>
            Conversations stay. Added again, the domain gets another DKIM key: its records have to be
            published anew.
          </p>
        </>
      }
      action="Delete domain"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: () => navigate('/domains') })}
    />
  );
}
