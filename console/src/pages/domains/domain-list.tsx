/** The domains of the workspace, and adding one. */
import type { Domain } from 'parley-client';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { parley } from '../../api/parley.ts';
import { useAction, useApi, useCursorList } from '../../api/queries.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Select, TextField } from '../../kit/field.tsx';
import { GuardedButton, ReadOnlyNote } from '../../kit/guarded.tsx';
import { RowLink, Rows } from '../../kit/list.tsx';
import { Page } from '../../kit/page.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';
import { SafeText } from '../../kit/safe-text.tsx';
import { Time } from '../../kit/time.tsx';
import { DomainState } from './domain-state.tsx';

export function DomainList() {
  const list = useCursorList(['domains'], (cursor) => parley.domains.list({ cursor, limit: 100 }));
  const [isAdding, setAdding] = useState(false);
  const add = (
    <GuardedButton kind="primary" onClick={() => setAdding(true)}>
      Add domain
    </GuardedButton>
  );
  return (
    <Page
      title="Domains"
      lead="A domain sends and receives mail once its DNS records are published."
      actions={add}
    >
      <ReadOnlyNote />
      <Rows
        label="Domains"
        list={list}
        idOf={({ id }) => id}
        row={(domain) => <DomainRow domain={domain} />}
        empty={
          <EmptyState
            title="Send from your own domain"
            command={
              'curl -s "$PARLEY_BASE_URL/domains" -H "Authorization: Bearer $PARLEY_API_KEY" \\\n  --json \'{"name": "acme.dev"}\''
            }
            action={add}
          >
            Add a domain here or by a request. You get the DNS records to publish, and the console tells which
            of them is wrong.
          </EmptyState>
        }
      />
      <AddDomain isOpen={isAdding} onClose={() => setAdding(false)} />
    </Page>
  );
}

function DomainRow({ domain }: { readonly domain: Domain }) {
  const { opens, clicks } = domain.tracking;
  return (
    <RowLink to={`/domains/${domain.id}`}>
      <div className="row-title">
        <SafeText text={domain.name} />
        <DomainState domain={domain} />
        {domain.provided && <Badge>Provided</Badge>}
      </div>
      <div className="row-detail">
        <span>{domain.region}</span>
        <span>
          added <Time at={domain.created_at} />
        </span>
        {(opens || clicks) && (
          <span>tracks {[opens && 'opens', clicks && 'clicks'].filter(Boolean).join(' and ')}</span>
        )}
      </div>
    </RowLink>
  );
}

function AddDomain({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const limits = useApi(['limits'], () => parley.limits.retrieve(), { isEnabled: isOpen });
  const regions = limits.data?.sending_rates.map(({ region }) => region) ?? [];
  const [name, setName] = useState('');
  const [region, setRegion] = useState('');
  const add = useAction(() => parley.domains.create({ name: name.trim(), ...(region && { region }) }), {
    changed: [['domains']],
    done: ({ name: added }) => `${added} is added`,
  });
  const close = () => {
    add.reset();
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(undefined, { onSuccess: ({ id }) => navigate(`/domains/${id}`) });
  };
  return (
    <Dialog isOpen={isOpen} onClose={close} title="Add a domain">
      <form onSubmit={submit}>
        <TextField
          label="Domain"
          value={name}
          onChange={(event) => setName(event.target.value)}
          placeholder="acme.dev"
          hint="A subdomain such as mail.acme.dev leaves the mail of acme.dev as it is. *.acme.dev is all subdomains."
          spellCheck={false}
          required
          maxLength={255}
        />
        {regions.length > 1 && (
          <Select
            label="Region"
            value={region}
            onChange={(event) => setRegion(event.target.value)}
            hint="Sends and receives its mail, and never changes."
            choices={[{ value: '', label: 'Default' }, ...regions.map((one) => ({ value: one, label: one }))]}
          />
        )}
        <ProblemNotice error={add.error} />
        <footer>
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={add.isPending}>
            Add domain
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
