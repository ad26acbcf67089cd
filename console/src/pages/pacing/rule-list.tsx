/** The pacing rules of the workspace, and how evenly limits spread. */
import type { PacingRule } from 'parley-client';
import { useState } from 'react';
import { parley } from '../../api/parley.ts';
import { useAction, useApi, useCursorList } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Badge } from '../../kit/badge.tsx';
import { ButtonLink } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/dialog.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { GuardedButton, ReadOnlyNote } from '../../kit/guarded.tsx';
import { Link } from '../../kit/link.tsx';
import { Rows } from '../../kit/list.tsx';
import { Page, Section } from '../../kit/page.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';
import { SafeText } from '../../kit/safe-text.tsx';
import { visibleText } from '../../kit/visible-text.ts';
import { PacingTabs } from './pacing-tabs.tsx';
import { matchText, ruleText } from './rule-text.ts';

export function RuleList() {
  const may = useMay('full');
  const list = useCursorList(['pacing-rules'], (cursor) => parley.pacingRules.list({ cursor, limit: 100 }));
  const [removed, setRemoved] = useState<PacingRule | null>(null);
  const add = may && (
    <div className="actions">
      <ButtonLink kind="primary" to="/pacing/rules/new?kind=hours">
        Add hours
      </ButtonLink>
      <ButtonLink to="/pacing/rules/new?kind=limit">Add a limit</ButtonLink>
    </div>
  );
  return (
    <Page title="Pacing" lead="Rules that say when mail leaves, and how much in which time." actions={add}>
      <PacingTabs />
      <ReadOnlyNote />
      <Rows
        label="Pacing rules"
        list={list}
        idOf={({ id }) => id}
        row={(rule) => <RuleRow rule={rule} onRemove={() => setRemoved(rule)} />}
        empty={
          <EmptyState
            title="All mail leaves at once"
            command={
              'curl -s "$PARLEY_BASE_URL/pacing-rules" -H "Authorization: Bearer $PARLEY_API_KEY" \\\n  --json \'{"name": "Slow start", "match": [], "kind": "limit",\n    "limit": {"scope": "to_domain", "amount": 20, "per_seconds": 3600}}\''
            }
            action={add || undefined}
          >
            Add office hours, or a limit for a slow start. What a rule holds waits here, and can be released.
          </EmptyState>
        }
      />
      <Spread />
      <RemoveRule rule={removed} onClose={() => setRemoved(null)} />
    </Page>
  );
}

function RuleRow({ rule, onRemove }: { readonly rule: PacingRule; readonly onRemove: () => void }) {
  const { id, name, kind, enabled } = rule;
  const toggle = useAction(() => parley.pacingRules.update(id, { enabled: !enabled }), {
    changed: [['pacing-rules'], ['pacing-queue']],
    done: enabled ? 'Suspended: what it held is sent' : 'The rule holds mail again',
  });
  return (
    <div className="row">
      <div className="split">
        <div>
          <div className="row-title">
            <Link to={`/pacing/rules/${id}`} data-row>
              <SafeText text={name} />
            </Link>
            <Badge tone={kind === 'hours' ? 'accent' : 'neutral'}>
              {kind === 'hours' ? 'Hours' : 'Limit'}
            </Badge>
            {!enabled && <Badge tone="warn">Suspended</Badge>}
          </div>
          <div className="row-detail">
            <span>{ruleText(rule)}</span>
            <span>for {matchText(rule)}</span>
          </div>
        </div>
        <div className="actions">
          <GuardedButton small onClick={() => toggle.mutate(undefined)} isBusy={toggle.isPending}>
            {enabled ? 'Suspend' : 'Go on'}
          </GuardedButton>
          <GuardedButton small kind="danger" aria-label={`Delete ${visibleText(name)}`} onClick={onRemove}>
            Delete
          </GuardedButton>
        </div>
      </div>
      <ProblemNotice error={toggle.error} />
    </div>
  );
}

function Spread() {
  const may = useMay('full');
  const spread = useApi(['pacing-spread'], () => parley.pacingRules.retrieveSpread());
  const [chosen, setChosen] = useState<number | null>(null);
  const save = useAction((value: number) => parley.pacingRules.updateSpread({ spread: value }), {
    changed: [['pacing-spread'], ['pacing-queue']],
    done: 'The spread is changed',
  });
  const shown = chosen ?? spread.data?.spread ?? 0;
  return (
    <Section title="Spread of limits">
      <div className="spread">
        <input
          type="range"
          aria-label="Spread in percent"
          min={0}
          max={100}
          step={5}
          value={shown}
          disabled={!may || !spread.data}
          onChange={({ target }) => setChosen(target.valueAsNumber)}
        />
        <output>{shown} %</output>
        <GuardedButton
          small
          disabled={chosen === null || chosen === spread.data?.spread}
          isBusy={save.isPending}
          onClick={() => save.mutate(shown, { onSuccess: () => setChosen(null) })}
        >
          Save
        </GuardedButton>
      </div>
      <p className="hint">
        0 %: mail of a limit leaves at even gaps. 100 %: each may be earlier or later by a whole gap, as
        people are.
      </p>
      <ProblemNotice error={spread.error ?? save.error} />
    </Section>
  );
}

function RemoveRule({ rule, onClose }: { readonly rule: PacingRule | null; readonly onClose: () => void }) {
  const remove = useAction((id: string) => parley.pacingRules.delete(id), {
    changed: [['pacing-rules'], ['pacing-queue'], ['limits']],
    done: 'The rule is deleted',
  });
  if (!rule) return null;
  const { id, name } = rule;
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete ${visibleText(name)}?`}
      loses={
        <p>
          Mail that only this rule holds is sent at once, and what was counted for it is forgotten. To keep
          the rule for later, suspend it.
        </p>
      }
      action="Delete rule"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(id, { onSuccess: onClose })}
    />
  );
}
