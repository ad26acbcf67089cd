/** Adds or changes a pacing rule. */
import type { PacingLimit, PacingMatch, PacingRule, PacingRuleKind, PacingSchedule } from 'parley-client';
import { type FormEvent, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { parley } from '../../api/parley.ts';
import { useAction, useApi } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Button, ButtonLink } from '../../kit/button.tsx';
import { TextField } from '../../kit/field.tsx';
import { ReadOnlyNote } from '../../kit/guarded.tsx';
import { Link } from '../../kit/link.tsx';
import { Page, Section } from '../../kit/page.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';
import { Loading } from '../../kit/progress.tsx';
import { visibleText } from '../../kit/visible-text.ts';
import { LimitForm } from './limit-form.tsx';
import { MatchForm } from './match-form.tsx';
import { ScheduleForm } from './schedule-form.tsx';

const back = <Link to="/pacing">Pacing</Link>;

interface Draft {
  readonly kind: PacingRuleKind;
  readonly name: string;
  readonly match: readonly PacingMatch[];
  readonly schedule: PacingSchedule;
  readonly limit: PacingLimit;
}

const newSchedule = (): PacingSchedule => ({
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC',
  windows: [{ days: [1, 2, 3, 4, 5], start_minute: 540, end_minute: 1020 }],
});
const newLimit: PacingLimit = { scope: 'to_domain', amount: 20, per_seconds: 3_600 };

function draftOf(rule: PacingRule): Draft {
  return {
    kind: rule.kind,
    name: rule.name,
    match: rule.match,
    schedule: rule.kind === 'hours' ? rule.schedule : newSchedule(),
    limit: rule.kind === 'limit' ? rule.limit : newLimit,
  };
}

const effectOf = ({ kind, schedule, limit }: Draft) => (kind === 'hours' ? { schedule } : { limit });

export function NewRule() {
  const [search] = useSearchParams();
  const kind = search.get('kind') === 'limit' ? 'limit' : 'hours';
  const initial = {
    kind,
    name: kind === 'hours' ? 'Office hours' : 'Slow start',
    match: [],
    schedule: newSchedule(),
    limit: newLimit,
  } as const;
  return (
    <RuleForm
      title={kind === 'hours' ? 'Add hours' : 'Add a limit'}
      action="Add rule"
      initial={initial}
      save={(draft) =>
        parley.pacingRules.create({ name: draft.name, kind, match: draft.match, ...effectOf(draft) })
      }
    />
  );
}

export function EditRule() {
  const { ruleId = '' } = useParams();
  const rule = useApi(['pacing-rules', ruleId], () => parley.pacingRules.retrieve(ruleId));
  if (rule.isPending) return <Loading />;
  if (!rule.data) {
    return (
      <Page title="Rule" back={back}>
        <ProblemNotice error={rule.error} />
      </Page>
    );
  }
  return (
    <RuleForm
      title={visibleText(rule.data.name)}
      action="Save"
      initial={draftOf(rule.data)}
      save={(draft) =>
        parley.pacingRules.update(ruleId, { name: draft.name, match: draft.match, ...effectOf(draft) })
      }
    />
  );
}

function RuleForm({
  title,
  action,
  initial,
  save,
}: {
  readonly title: string;
  readonly action: string;
  readonly initial: Draft;
  readonly save: (draft: Draft) => Promise<PacingRule>;
}) {
  const navigate = useNavigate();
  const may = useMay('full');
  const [draft, setDraft] = useState(initial);
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const store = useAction(() => save(draft), {
    changed: [['pacing-rules'], ['pacing-queue'], ['limits']],
    done: 'The rule holds mail from now on',
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    store.mutate(undefined, { onSuccess: () => navigate('/pacing') });
  };
  const { kind, name, match, schedule, limit } = draft;
  const isEmpty = kind === 'hours' && schedule.windows.length === 0;
  return (
    <Page title={title} back={back}>
      <ReadOnlyNote />
      <form onSubmit={submit}>
        <TextField
          label="Name"
          value={name}
          onChange={(event) => change({ name: event.target.value })}
          hint="Shown with mail that it holds."
          required
          maxLength={120}
          readOnly={!may}
        />
        <Section title={kind === 'hours' ? 'Mail leaves in these hours' : 'How much leaves in which time'}>
          {kind === 'hours' ? (
            <ScheduleForm
              schedule={schedule}
              onChange={(next) => change({ schedule: next })}
              isDisabled={!may}
            />
          ) : (
            <LimitForm limit={limit} onChange={(next) => change({ limit: next })} isDisabled={!may} />
          )}
        </Section>
        <Section title="For which mail">
          <MatchForm match={match} onChange={(next) => change({ match: next })} isDisabled={!may} />
        </Section>
        <ProblemNotice error={store.error} />
        <div className="actions form-end">
          <Button kind="primary" type="submit" isBusy={store.isPending} disabled={!may || isEmpty}>
            {action}
          </Button>
          <ButtonLink to="/pacing">Cancel</ButtonLink>
        </div>
      </form>
    </Page>
  );
}
