/** Mail that pacing rules hold: why, until when, and releasing it. */
import type { PacingQueue, QueuedEmail } from 'parley-client';
import { useState } from 'react';
import { useRefetchMs } from '../../api/live.tsx';
import { parley } from '../../api/parley.ts';
import { useAction, useApi } from '../../api/queries.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { EmailLink } from '../../kit/email-link.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Checkbox } from '../../kit/field.tsx';
import { GuardedButton, ReadOnlyNote } from '../../kit/guarded.tsx';
import { type Column, Table, wholeList } from '../../kit/list.tsx';
import { Page } from '../../kit/page.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';
import { Loading } from '../../kit/progress.tsx';
import { SafeText } from '../../kit/safe-text.tsx';
import { Time } from '../../kit/time.tsx';
import { PacingTabs } from './pacing-tabs.tsx';

const shownMax = 200;
const releasedMax = 500;

export function Waiting() {
  const queue = useApi(['pacing-queue'], () => parley.pacingQueue.retrieve({ limit: shownMax }), {
    refetchMs: useRefetchMs(10_000),
  });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isReleasing, setReleasing] = useState(false);
  const waiting = queue.data?.data ?? [];
  const left = waiting.filter(({ email_id: id }) => chosen.has(id)).map(({ email_id: id }) => id);
  const toggle = (id: string) =>
    setChosen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  return (
    <Page
      title="What waits"
      lead="Mail that rules hold. Times hold if no rule changes and nothing else is released."
      actions={
        <>
          <GuardedButton
            disabled={waiting.length === 0}
            onClick={() =>
              setChosen(
                left.length > 0
                  ? new Set()
                  : new Set(waiting.slice(0, releasedMax).map((one) => one.email_id)),
              )
            }
          >
            {left.length > 0 ? 'Choose none' : 'Choose all'}
          </GuardedButton>
          <GuardedButton kind="primary" disabled={left.length === 0} onClick={() => setReleasing(true)}>
            {left.length > 0 ? `Release ${left.length}` : 'Release'}
          </GuardedButton>
        </>
      }
    >
      <PacingTabs />
      <ReadOnlyNote />
      <ProblemNotice error={queue.error} />
      {queue.isPending && <Loading />}
      {queue.data && (
        <>
          {queue.data.total > waiting.length && (
            <p className="soft">
              The oldest {waiting.length} of {queue.data.total.toLocaleString()}.
            </p>
          )}
          <Table
            label="Emails that wait, oldest first"
            list={wholeList(waiting)}
            idOf={({ email_id: id }) => id}
            columns={columnsOf(queue.data, chosen, toggle)}
            empty={
              <EmptyState title="Nothing waits">
                Mail that a rule holds is listed here, with the rule and the time when it leaves.
              </EmptyState>
            }
          />
        </>
      )}
      <Release emailIds={left} isOpen={isReleasing} onClose={() => setReleasing(false)} />
    </Page>
  );
}

function columnsOf(
  { rules }: PacingQueue,
  chosen: ReadonlySet<string>,
  onToggle: (id: string) => void,
): readonly Column<QueuedEmail>[] {
  const nameOf = (ruleId: string | null) => rules.find(({ rule_id: id }) => id === ruleId)?.name;
  return [
    {
      title: 'Email',
      cell: ({ email_id: id, subject, from, to }) => (
        <label className="checkbox choice">
          <input type="checkbox" checked={chosen.has(id)} onChange={() => onToggle(id)} />
          <span>
            <SafeText text={subject || '(no subject)'} isClipped />
            <span className="hint block">
              <SafeText text={`${from.address} → ${to.join(', ')}`} />
            </span>
          </span>
        </label>
      ),
    },
    {
      title: 'Why',
      cell: ({ held_by: { kind, rule_id: ruleId } }) =>
        kind === 'ready' ? (
          <Badge tone="good">Leaves now</Badge>
        ) : (
          <>
            <Badge tone={kind === 'hours' ? 'accent' : 'warn'}>
              {kind === 'hours' ? 'Outside of hours' : 'Limit used up'}
            </Badge>
            <div className="hint">
              <SafeText text={nameOf(ruleId) ?? ''} />
            </div>
          </>
        ),
    },
    { title: 'Leaves', cell: ({ estimated_send_at: at }) => <Time at={at} /> },
    { title: 'Since', isMinor: true, cell: ({ queued_at: at }) => <Time at={at} /> },
    {
      title: 'Conversation',
      isMinor: true,
      cell: ({ email_id: id }) => <EmailLink emailId={id}>Open</EmailLink>,
    },
  ];
}

function Release({
  emailIds,
  isOpen,
  onClose,
}: {
  readonly emailIds: readonly string[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const [counts, setCounts] = useState(true);
  const release = useAction(
    () => parley.pacingQueue.release({ email_ids: emailIds, count_toward_limits: counts }),
    {
      changed: [['pacing-queue']],
      done: ({ data }) => `${data.length} ${data.length === 1 ? 'email leaves' : 'emails leave'} now`,
    },
  );
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Release ${emailIds.length} ${emailIds.length === 1 ? 'email' : 'emails'}?`}
    >
      <p>They are sent at once, whatever the rules say. That cannot be undone.</p>
      <Checkbox
        label="Count them for the limits of their rules, so that other mail waits longer"
        checked={counts}
        onChange={(event) => setCounts(event.target.checked)}
      />
      <ProblemNotice error={release.error} />
      <footer>
        <Button onClick={onClose}>Keep them waiting</Button>
        <Button
          kind="primary"
          isBusy={release.isPending}
          onClick={() => release.mutate(undefined, { onSuccess: onClose })}
        >
          Release
        </Button>
      </footer>
    </Dialog>
  );
}
