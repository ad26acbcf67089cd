/** Drafts that wait for an approval. */
import type { Email } from 'parley-client';
import { actorText, draftOf, listDrafts } from '../../api/drafts.ts';
import { useRefetchMs } from '../../api/live.tsx';
import { useCursorList } from '../../api/queries.ts';
import { Badge } from '../../kit/badge.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { markedLine } from '../../kit/hidden-characters.ts';
import { RowLink, Rows } from '../../kit/list.tsx';
import { Page } from '../../kit/page.tsx';
import { Time } from '../../kit/time.tsx';
import { listOf, nameOf, subjectOf } from '../conversations/words.ts';

export function DraftList() {
  const list = useCursorList(['drafts', 'list'], listDrafts, useRefetchMs(5_000));
  return (
    <Page title="Drafts" lead="Mail that is written and not sent. Nothing leaves until somebody approves it.">
      <Rows
        label="Drafts"
        list={list}
        idOf={({ id }) => id}
        empty={<NoDrafts />}
        row={(email) => <DraftRow email={email} />}
      />
    </Page>
  );
}

function DraftRow({ email }: { readonly email: Email }) {
  const draft = draftOf(email);
  return (
    <RowLink to={`/drafts/${email.id}`} className="thread-row draft-row">
      <span className="thread-people">
        {nameOf(email)} to {listOf(email.to)}
      </span>
      <Time at={email.created_at} />
      <span className="thread-subject">{subjectOf(email.subject)}</span>
      <span className="thread-snippet">{markedLine(email.snippet)}</span>
      {draft && (
        <span className="thread-marks">
          <Badge>by {actorText(draft.drafted_by)}</Badge>
          {draft.version > 1 && <Badge tone="accent">edited</Badge>}
          {email.scheduled_at && <Badge tone="accent">scheduled</Badge>}
          {draft.expires_at && (
            <span className="soft">
              expires <Time at={draft.expires_at} />
            </span>
          )}
        </span>
      )}
    </RowLink>
  );
}

const NoDrafts = () => (
  <EmptyState
    title="No draft waits"
    command={`curl ${location.origin}/api/v2/threads/THREAD_ID/reply -H "Authorization: Bearer $PARLEY_API_KEY" -H "Content-Type: application/json" -d '{"draft":true,"text":"It arrives tomorrow."}'`}
  >
    A key of scope <code>draft</code> writes nothing else; any other key does with <code>draft: true</code>.
  </EmptyState>
);
