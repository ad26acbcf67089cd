/** `/console/inbound-rules/blocked`: mail that rules blocked, as the event log has it, and letting it in. */
import { type EmailBlockedEvent, ParleyError } from 'parley-client';
import { useState } from 'react';
import { parley } from '../../api/parley.ts';
import { useAction } from '../../api/queries.ts';
import { Badge } from '../../kit/badge.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { GuardedButton, ReadOnlyNote } from '../../kit/guarded.tsx';
import { Link } from '../../kit/link.tsx';
import { LoadMore } from '../../kit/list.tsx';
import { Page } from '../../kit/page.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';
import { Loading } from '../../kit/progress.tsx';
import { SafeText } from '../../kit/safe-text.tsx';
import { Time } from '../../kit/time.tsx';
import { visibleText } from '../../kit/visible-text.ts';
import { useLiveEvents } from '../events/use-live-events.ts';
import { InboundTabs } from './inbound-tabs.tsx';

const blockedTypes = ['email.blocked'] as const;
/** How long the raw message is kept (docs/concepts/inbound-rules.md). */
const keptMs = 30 * 86_400_000;

/** What was let in since the page was loaded: the log does not tell it. */
const letIn = new Set<string>();

export function Blocked() {
  const log = useLiveEvents(blockedTypes, true);
  const events = log.events.filter((event) => event.type === 'email.blocked');
  return (
    <Page
      title="Blocked mail"
      lead="Mail that inbound rules kept out. It is in no conversation, and can be let in for 30 days."
    >
      <InboundTabs />
      <ReadOnlyNote />
      <ProblemNotice error={log.error} />
      {log.isLoading && <Loading />}
      {!log.isLoading && events.length === 0 && !log.hasMore && !log.error && (
        <EmptyState title="Nothing was blocked">
          Mail that a <Link to="/inbound-rules">rule</Link> blocks appears here by itself, and as the event{' '}
          <code>email.blocked</code>.
        </EmptyState>
      )}
      {events.length > 0 && (
        <ul className="rows" aria-label="Blocked mail, newest first">
          {events.map((event) => (
            <li key={event.id}>
              <BlockedRow event={event} />
            </li>
          ))}
        </ul>
      )}
      <LoadMore list={log} />
    </Page>
  );
}

function BlockedRow({ event: { data, created_at: at } }: { readonly event: EmailBlockedEvent }) {
  return (
    <div className="row">
      <div className="split">
        <div>
          <div className="row-title">
            <SafeText text={data.from} />
            <span className="soft">
              <SafeText text={data.subject || '(no subject)'} />
            </span>
          </div>
          <div className="row-detail">
            <span>
              to <SafeText text={data.to.join(', ')} />
            </span>
            <Time at={at} />
            {data.rule_id ? (
              <Link to={`/inbound-rules/${data.rule_id}`}>the rule that blocked it</Link>
            ) : (
              <span>no allow rule names the sender</span>
            )}
          </div>
        </div>
        <LetIn id={data.blocked_email_id} from={data.from} isOver={Date.parse(at) + keptMs < Date.now()} />
      </div>
    </div>
  );
}

const isGone = (error: unknown): boolean => error instanceof ParleyError && error.status === 404;

function LetIn({
  id,
  from,
  isOver,
}: {
  readonly id: string;
  readonly from: string;
  readonly isOver: boolean;
}) {
  const [isIn, setIn] = useState(letIn.has(id));
  const accept = useAction(() => parley.blockedEmails.accept(id), {
    changed: [['threads']],
    done: 'Let in: it is received within seconds. The rules stay.',
  });
  if (isIn) {
    return (
      <div className="actions">
        <Badge tone="good">Let in</Badge>
        <Link to={`/conversations?query=${encodeURIComponent(from)}`}>Find its conversation</Link>
      </div>
    );
  }
  if (isOver || isGone(accept.error)) {
    return <span className="soft">No longer kept: blocked mail is deleted after 30 days.</span>;
  }
  return (
    <>
      <GuardedButton
        small
        aria-label={`Let in the mail from ${visibleText(from)}`}
        isBusy={accept.isPending}
        onClick={() =>
          accept.mutate(undefined, {
            onSuccess: () => {
              letIn.add(id);
              setIn(true);
            },
          })
        }
      >
        Let in
      </GuardedButton>
      <ProblemNotice error={accept.error} />
    </>
  );
}
