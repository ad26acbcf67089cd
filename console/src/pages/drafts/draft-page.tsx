/** A draft: what would be sent, what was edited, approve or discard. */
import type { UseMutationResult } from '@tanstack/react-query';
import type { FullEmail } from 'parley-client';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { actorText, approveDraft, cancelEmail, type DraftFacts, draftOf } from '../../api/drafts.ts';
import { parley } from '../../api/parley.ts';
import { useAction, useApi } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/dialog.tsx';
import { markedLine } from '../../kit/hidden-characters.ts';
import { Link } from '../../kit/link.tsx';
import { HiddenNotice, MarkedText } from '../../kit/marked-text.tsx';
import { Facts, Page, Section } from '../../kit/page.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';
import { Loading } from '../../kit/progress.tsx';
import { SafeText } from '../../kit/safe-text.tsx';
import { absoluteText, Time } from '../../kit/time.tsx';
import { visibleText } from '../../kit/visible-text.ts';
import { CancellationText } from '../conversations/cancellation.tsx';
import { Files } from '../conversations/files.tsx';
import { listOf, subjectOf } from '../conversations/words.ts';
import { DesignedDraft } from './designed-draft.tsx';
import { DraftEditor } from './draft-editor.tsx';
import { EditedParts } from './edited-parts.tsx';
import { StaleNotice } from './stale-notice.tsx';

export function DraftPage() {
  const { draftId = '' } = useParams();
  const query = useApi(['drafts', 'one', draftId], () => parley.emails.retrieve(draftId));
  if (query.isPending) return <Loading />;
  const email = query.data;
  const back = <Link to="/drafts">Drafts</Link>;
  if (!email) {
    return (
      <Page title="Draft" back={back}>
        <ProblemNotice error={query.error} />
      </Page>
    );
  }
  const draft = draftOf(email);
  const status: string = email.status;
  if (status !== 'draft' || !draft) {
    return (
      <Page title={subjectOf(email.subject)} back={back}>
        {email.cancellation ? (
          <>
            <p>
              <CancellationText cancellation={email.cancellation} />
            </p>
            <div className="card draft-text message-text">
              {email.text ? <MarkedText text={email.text} /> : 'No text.'}
            </div>
          </>
        ) : (
          <p>
            This is no draft any more: it is {status}.{' '}
            <Link to={`/conversations/${email.thread_id}#${email.id}`}>See the conversation.</Link>
          </p>
        )}
      </Page>
    );
  }
  return <OpenDraft email={email} draft={draft} reload={() => void query.refetch()} />;
}

interface DraftProps {
  readonly email: FullEmail;
  readonly draft: DraftFacts;
  readonly reload: () => void;
}

/** What was shown is what is approved: the version is part of the request. */
function OpenDraft({ email, draft, reload }: DraftProps) {
  const [isEditing, setEditing] = useState(false);
  const approve = useAction(() => approveDraft(email.id, draft.version), {
    changed: [['drafts'], ['threads'], ['emails']],
    done: 'Approved: it is on its way.',
  });
  const reloadAfterRefusal = () => {
    approve.reset();
    reload();
  };
  return (
    <Page
      title={visibleText(email.subject) || '(no subject)'}
      back={<Link to="/drafts">Drafts</Link>}
      lead={
        <>
          Version {draft.version}, written by {actorText(draft.drafted_by)} <Time at={email.created_at} />
          {draft.version > 1 && `, edited by ${actorText(draft.edited_by)}`}
        </>
      }
      actions={!isEditing && <DraftActions email={email} approve={approve} onEdit={() => setEditing(true)} />}
    >
      <StaleNotice error={approve.error} reload={reloadAfterRefusal} />
      {isEditing ? (
        <DraftEditor
          email={email}
          version={draft.version}
          reload={reload}
          onClose={() => setEditing(false)}
        />
      ) : (
        <DraftText email={email} draft={draft} />
      )}
    </Page>
  );
}

interface ActionsProps {
  readonly email: FullEmail;
  readonly approve: UseMutationResult<unknown, unknown, unknown>;
  readonly onEdit: () => void;
}

function DraftActions({ email, approve, onEdit }: ActionsProps) {
  const mayWrite = useMay('sending');
  const [isDiscarding, setDiscarding] = useState(false);
  const navigate = useNavigate();
  const discard = useAction(() => cancelEmail(email.id), {
    changed: [['drafts'], ['threads'], ['emails']],
    done: 'Discarded.',
  });
  if (!mayWrite) return null;
  const toThread = () => void navigate(`/conversations/${email.thread_id}#${email.id}`);
  return (
    <>
      <Button
        kind="primary"
        onClick={() => approve.mutate(undefined, { onSuccess: toThread })}
        isBusy={approve.isPending}
      >
        {email.scheduled_at ? 'Approve and schedule' : 'Approve and send'}
      </Button>
      <Button onClick={onEdit}>Edit</Button>
      <Button kind="danger" onClick={() => setDiscarding(true)}>
        Discard
      </Button>
      <ConfirmDialog
        isOpen={isDiscarding}
        onClose={() => setDiscarding(false)}
        title="Discard this draft?"
        loses="The draft will never be sent, and cannot be edited again. It can still be read by its id; no list and no conversation has it."
        action="Discard draft"
        onConfirm={() => discard.mutate(undefined, { onSuccess: () => void navigate('/drafts') })}
        isBusy={discard.isPending}
        error={discard.error}
      />
    </>
  );
}

function DraftText({ email, draft }: Pick<DraftProps, 'email' | 'draft'>) {
  return (
    <>
      <Facts
        facts={[
          ['From', markedLine(email.from.address)],
          ['To', listOf(email.to)],
          ...(email.cc.length > 0 ? [['Copies', listOf(email.cc)] as const] : []),
          ...(email.bcc.length > 0 ? [['Hidden copies', listOf(email.bcc)] as const] : []),
          ['Subject', <SafeText key="subject" text={email.subject || '(no subject)'} />],
          ['Leaves', email.scheduled_at ? absoluteText(email.scheduled_at) : 'once it is approved'],
          ['Expires', draft.expires_at ? absoluteText(draft.expires_at) : 'never'],
          [
            'Conversation',
            <Link key="thread" to={`/conversations/${email.thread_id}`}>
              Open
            </Link>,
          ],
        ]}
      />
      {draft.original && <EditedParts original={draft.original} email={email} />}
      <Section title="What is sent">
        <HiddenNotice text={email.text ?? ''} />
        <div className="card draft-text">
          {email.text ? (
            <div className="message-text">
              <MarkedText text={email.text} />
            </div>
          ) : (
            <span className="soft">No text.</span>
          )}
        </div>
        {email.html !== null && <DesignedDraft id={email.id} html={email.html} />}
        <Files emailId={email.id} files={email.attachments} />
      </Section>
    </>
  );
}
