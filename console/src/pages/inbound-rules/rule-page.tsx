/** Makes or changes an inbound rule, and says what it does before. */
import type { InboundRule } from 'parley-client';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { parley } from '../../api/parley.ts';
import { useAction, useApi } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Button, ButtonLink } from '../../kit/button.tsx';
import { CopyValue } from '../../kit/copy.tsx';
import { Select, TextField } from '../../kit/field.tsx';
import { GuardedButton, ReadOnlyNote } from '../../kit/guarded.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Link } from '../../kit/link.tsx';
import { Facts, Page } from '../../kit/page.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';
import { Loading } from '../../kit/progress.tsx';
import { SafeText } from '../../kit/safe-text.tsx';
import { Time } from '../../kit/time.tsx';
import { useSettled } from '../../kit/use-settled.ts';
import { visibleText } from '../../kit/visible-text.ts';
import { RemoveRule } from './remove-rule.tsx';
import { useHasAllowRules, useSpaceNames, useSpaces } from './rule-queries.ts';
import { effectText, lossText, placeText, type RuleFacts, sendersText } from './rule-words.ts';

const back = <Link to="/inbound-rules">Inbound rules</Link>;
const changed = [['inbound-rules'], ['limits']];

const actionChoices = [
  { value: 'block', label: 'Block the sender' },
  { value: 'allow', label: 'Allow only the sender, and others with an allow rule' },
];
const actionOf = (value: string | null): InboundRule['action'] => (value === 'allow' ? 'allow' : 'block');

type Where = 'workspace' | 'space' | 'address';
const whereOf = (value: string): Where => (value === 'space' || value === 'address' ? value : 'workspace');

/** What the form has; `space` and `address` count where `where` names them. */
interface Draft {
  readonly action: InboundRule['action'];
  readonly pattern: string;
  readonly where: Where;
  readonly space: string;
  readonly address: string;
  readonly note: string;
}

const factsOf = ({ action, pattern, where, space, address }: Draft): RuleFacts => ({
  action,
  pattern: pattern.trim(),
  space_id: where === 'space' ? space : null,
  address: where === 'address' ? address.trim().toLowerCase() : null,
});

/** The address of the page fills the form in: `?action=block&pattern=eve@spam.example`. */
function draftOf(search: URLSearchParams): Draft {
  const [space, address] = [search.get('space') ?? '', search.get('address') ?? ''];
  return {
    action: actionOf(search.get('action')),
    pattern: search.get('pattern') ?? '',
    where: address ? 'address' : space ? 'space' : 'workspace',
    space,
    address,
    note: '',
  };
}

export function NewRule() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const may = useMay('full');
  const [draft, setDraft] = useState(() => draftOf(search));
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const add = useAction(
    () => parley.inboundRules.create({ ...factsOf(draft), note: draft.note.trim() || null }),
    { changed, done: 'The rule decides from the next message on' },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(undefined, { onSuccess: () => navigate('/inbound-rules') });
  };
  return (
    <Page title="Add an inbound rule" back={back}>
      <ReadOnlyNote />
      <form onSubmit={submit}>
        <TextField
          label="Sender"
          value={draft.pattern}
          onChange={({ target: { value } }) => change({ pattern: value })}
          placeholder="@spam.example"
          hint="An address, @example.com for a domain, @*.example.com for its subdomains, or anna+*@example.com for any tag."
          spellCheck={false}
          autoCapitalize="none"
          required
          maxLength={320}
        />
        <ActionField action={draft.action} onChange={(action) => change({ action })} />
        <WhereFields draft={draft} onChange={change} />
        <NoteField note={draft.note} onChange={(note) => change({ note })} />
        <Effect rule={factsOf(draft)} ruleId={null} />
        <ProblemNotice error={add.error} />
        <div className="actions form-end">
          <Button kind="primary" type="submit" isBusy={add.isPending} disabled={!may}>
            {draft.action === 'block' ? 'Block' : 'Allow'}
          </Button>
          <ButtonLink to="/inbound-rules">Cancel</ButtonLink>
        </div>
      </form>
    </Page>
  );
}

function WhereFields({
  draft: { where, space, address },
  onChange,
}: {
  readonly draft: Draft;
  readonly onChange: (part: Partial<Draft>) => void;
}) {
  const spaces = useSpaces();
  const isListed = space === '' || spaces.some(({ id }) => id === space);
  return (
    <>
      <Select
        label="Where"
        value={where}
        onChange={({ target: { value } }) => onChange({ where: whereOf(value) })}
        choices={[
          { value: 'workspace', label: 'At every address of the workspace' },
          ...(spaces.length > 0 || where === 'space' ? [{ value: 'space', label: 'In one space' }] : []),
          { value: 'address', label: 'At one address' },
        ]}
      />
      {where === 'space' && (
        <Select
          label="Space"
          value={space}
          onChange={({ target: { value } }) => onChange({ space: value })}
          choices={[
            { value: '', label: 'Choose a space' },
            ...spaces.map(({ id, name }) => ({ value: id, label: visibleText(name) })),
            ...(isListed ? [] : [{ value: space, label: visibleText(space) }]),
          ]}
          required
        />
      )}
      {where === 'address' && (
        <TextField
          label="Our address"
          type="email"
          value={address}
          onChange={({ target: { value } }) => onChange({ address: value })}
          placeholder="support@acme.dev"
          required
          maxLength={320}
        />
      )}
    </>
  );
}

function ActionField({
  action,
  isDisabled = false,
  onChange,
}: {
  readonly action: InboundRule['action'];
  readonly isDisabled?: boolean;
  readonly onChange: (action: InboundRule['action']) => void;
}) {
  return (
    <Select
      label="Action"
      value={action}
      disabled={isDisabled}
      onChange={({ target: { value } }) => onChange(actionOf(value))}
      choices={actionChoices}
    />
  );
}

function NoteField({
  note,
  isReadOnly = false,
  onChange,
}: {
  readonly note: string;
  readonly isReadOnly?: boolean;
  readonly onChange: (note: string) => void;
}) {
  return (
    <TextField
      label="Note"
      value={note}
      onChange={({ target: { value } }) => onChange(value)}
      hint="Why, for whoever reads the rule later."
      readOnly={isReadOnly}
      maxLength={1000}
    />
  );
}

/** What the rule does, said before it is made. An allow rule blocks, which its name does not say. */
function Effect({
  rule,
  ruleId,
  before,
}: {
  readonly rule: RuleFacts;
  readonly ruleId: string | null;
  /** The action that is changed. */
  readonly before?: InboundRule['action'];
}) {
  const names = useSpaceNames();
  const settled = useSettled(rule.address);
  const isAllowed = [rule.action, before].includes('allow');
  const others = useHasAllowRules({ ...rule, address: settled }, ruleId, isAllowed);
  return (
    <div className={rule.action === 'allow' ? 'notice warn' : 'notice accent'} role="status">
      <Icon name={rule.action === 'allow' ? 'alert' : 'block'} />
      <div>
        <p>{effectText(rule, names, others)}</p>
        {before === 'allow' && !others && <p>{lossText({ ...rule, action: before }, names, others)}</p>}
        <p>Blocked mail can be let in for 30 days. Mail that was received before stays.</p>
      </div>
    </div>
  );
}

export function EditRule() {
  const { ruleId = '' } = useParams();
  const rule = useApi(['inbound-rules', 'one', ruleId], () => parley.inboundRules.retrieve(ruleId));
  if (rule.isPending) return <Loading />;
  if (rule.data) return <OpenRule key={rule.data.id} rule={rule.data} />;
  return (
    <Page title="Inbound rule" back={back}>
      <ProblemNotice error={rule.error} />
    </Page>
  );
}

function OpenRule({ rule }: { readonly rule: InboundRule }) {
  const navigate = useNavigate();
  const may = useMay('full');
  const names = useSpaceNames();
  const [isRemoving, setRemoving] = useState(false);
  const [action, setAction] = useState(rule.action);
  const [note, setNote] = useState(rule.note ?? '');
  const toList = () => void navigate('/inbound-rules');
  const save = useAction(() => parley.inboundRules.update(rule.id, { action, note: note.trim() || null }), {
    changed,
    done: 'The rule is changed',
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined, { onSuccess: toList });
  };
  return (
    <Page
      title={visibleText(rule.pattern)}
      back={back}
      actions={
        <GuardedButton kind="danger" onClick={() => setRemoving(true)}>
          Delete
        </GuardedButton>
      }
    >
      <ReadOnlyNote />
      <Facts facts={factsText(rule, placeText(rule, names))} />
      <form onSubmit={submit}>
        <ActionField action={action} isDisabled={!may} onChange={setAction} />
        <NoteField note={note} isReadOnly={!may} onChange={setNote} />
        {action !== rule.action && (
          <Effect rule={{ ...rule, action }} ruleId={rule.id} before={rule.action} />
        )}
        <ProblemNotice error={save.error} />
        <div className="actions form-end">
          <Button kind="primary" type="submit" isBusy={save.isPending} disabled={!may}>
            Save
          </Button>
          <ButtonLink to="/inbound-rules">Cancel</ButtonLink>
        </div>
      </form>
      <RemoveRule
        rule={isRemoving ? rule : null}
        names={names}
        onClose={() => setRemoving(false)}
        onDone={toList}
      />
    </Page>
  );
}

const factsText = (rule: InboundRule, place: string): readonly (readonly [string, ReactNode])[] => [
  ['Sender', <SafeText key="sender" text={sendersText(rule.pattern)} />],
  ['Where', <SafeText key="where" text={place} />],
  ['Since', <Time key="since" at={rule.created_at} isAbsolute />],
  ['Id', <CopyValue key="id" text={rule.id} what="the id of the rule" />],
];
