/** One message: who wrote what, its files, what became of it. */
import type { FullEmail, Segment, Signal } from 'parley-client';
import { useState } from 'react';
import { cancelEmail } from '../../api/drafts.ts';
import { parley } from '../../api/parley.ts';
import { useAction, useApi } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { markedLine } from '../../kit/hidden-characters.ts';
import { Icon } from '../../kit/icon.tsx';
import { Link } from '../../kit/link.tsx';
import { MarkedText } from '../../kit/marked-text.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';
import { absoluteText, Time } from '../../kit/time.tsx';
import { CancellationText } from './cancellation.tsx';
import { Files } from './files.tsx';
import { HiddenText } from './hidden-text.tsx';
import { MailFrame } from './mail-frame.tsx';
import { MessageDetails } from './message-details.tsx';
import { RemoveMessage } from './remove.tsx';
import { Reschedule } from './reschedule.tsx';
import { listOf, nameOf, statusTone, troubleOf, writtenText } from './words.ts';

export function Message({
  email,
  isOpen: isOpenAtFirst,
  isOnly,
}: {
  readonly email: FullEmail;
  readonly isOpen: boolean;
  /** It is the only one of its conversation. */
  readonly isOnly: boolean;
}) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const at = email.scheduled_at ?? email.sent_at ?? email.created_at;
  return (
    // No landmark: two messages of one author have the same name.
    <article className={`message ${email.direction}`} aria-label={`Message of ${nameOf(email)}`}>
      <button type="button" className="message-head" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span className="message-author">{nameOf(email)}</span>
        {!isOpen && <span className="message-snippet">{snippetOf(email)}</span>}
        <StateBadges email={email} />
        <Time at={at} />
      </button>
      {isOpen && (
        <div className="message-body">
          <p className="message-to soft">
            {markedLine(email.from.address)} to {listOf(email.to)}
            {email.cc.length > 0 && `, copies to ${listOf(email.cc)}`}
            {email.bcc.length > 0 && `, hidden copies to ${listOf(email.bcc)}`}
          </p>
          <Trouble email={email} />
          <Signals email={email} />
          <Pending email={email} />
          {email.cancellation && (
            <div className="notice accent">
              <Icon name="block" />
              <p>
                <CancellationText cancellation={email.cancellation} />
              </p>
            </div>
          )}
          <Body email={email} />
          <HiddenText email={email} />
          <Files emailId={email.id} files={email.attachments} />
          <MessageDetails email={email} />
          <div className="view-switch">
            <RemoveMessage email={email} isOnly={isOnly} />
          </div>
        </div>
      )}
    </article>
  );
}

/** What is read of a text for its first line. */
const snippetSource = 1_000;

const snippetOf = (email: FullEmail): string =>
  markedLine(writtenText(email).slice(0, snippetSource)).slice(0, 200);

function StateBadges({ email }: { readonly email: FullEmail }) {
  const { category, direction, status } = email;
  return (
    <>
      {direction === 'outbound' && <Badge tone={statusTone[status] ?? 'neutral'}>{status}</Badge>}
      {category && category !== 'human' && <Badge tone="warn">{category.replaceAll('_', ' ')}</Badge>}
    </>
  );
}

/** Why somebody did not get it. */
function Trouble({ email }: { readonly email: FullEmail }) {
  const isOver = email.status === 'delivered';
  const troubles = email.events.filter(({ type }) => !(isOver && type === 'delayed')).map(troubleOf);
  const shown = [...new Set(troubles)].filter((text) => text !== null);
  if (shown.length === 0) return null;
  const isFatal = ['bounced', 'complained', 'failed'].includes(email.status);
  return (
    <div className={isFatal ? 'notice bad' : 'notice warn'}>
      <Icon name="alert" />
      <div>
        {shown.map((text) => (
          <p key={text}>{text}</p>
        ))}
        {['bounced', 'complained'].includes(email.status) && <Suppressed email={email} />}
      </div>
    </div>
  );
}

/** Whether the recipients get further mail. */
function Suppressed({ email }: { readonly email: FullEmail }) {
  const [address = ''] =
    email.events.find(({ type }) => ['bounced', 'complained'].includes(type))?.recipients ?? email.to;
  const { data } = useApi(['suppressions', 'of', address], () =>
    parley.suppressions.list({ address, limit: 100 }),
  );
  const found = data?.items.find((one) => one.address.toLowerCase() === address.toLowerCase());
  if (!data) return null;
  if (!found) return <p>The address is on no suppression list: later mail is tried again.</p>;
  return (
    <p>
      {address} is suppressed since <Time at={found.created_at} />, so that it gets no further mail.{' '}
      <Link to={`/suppressions?address=${encodeURIComponent(address)}`}>See the suppression</Link>
    </p>
  );
}

const places: Readonly<Record<Signal['place'], string>> = {
  from: 'in From',
  reply_to: 'in Reply-To',
  subject: 'in the subject',
  text: 'in the text',
  html: 'in the html',
  hidden_text: 'in the hidden text',
};

/** Evidence about a received message, where the service found some. */
function Signals({ email }: { readonly email: FullEmail }) {
  const { signals } = email;
  const { spf, dkim, dmarc, spam, virus } = email.verdicts;
  const failed = Object.entries({
    SPF: spf,
    DKIM: dkim,
    DMARC: dmarc,
    'the spam filter': spam,
    'the virus scanner': virus,
  })
    .filter(([, verdict]) => verdict === 'FAIL')
    .map(([name]) => name);
  if (signals.length === 0 && failed.length === 0) return null;
  // Most mail of strangers is a first contact: no reason for alarm.
  const isAlarm = failed.length > 0 || signals.some(({ code }) => code !== 'first_contact');
  return (
    <div className={isAlarm ? 'notice warn' : 'notice accent'}>
      <Icon name="alert" />
      <div>
        {failed.length > 0 && (
          <p>The message failed {failed.join(', ')}: its author may not be who it says.</p>
        )}
        {signals.map(({ code, detail, place }) => (
          <p key={`${code} ${place} ${detail}`}>
            <strong>{code.replaceAll('_', ' ')}</strong> {places[place] ?? place}: {markedLine(detail)}
          </p>
        ))}
      </div>
    </div>
  );
}

/** Scheduled mail can be moved or canceled. */
function Pending({ email }: { readonly email: FullEmail }) {
  const mayWrite = useMay('sending');
  const [isMoving, setMoving] = useState(false);
  const cancel = useAction(() => cancelEmail(email.id), {
    changed: [['threads'], ['emails']],
    done: 'Canceled. It will not be sent.',
  });
  if (email.status !== 'scheduled' || !email.scheduled_at) return null;
  return (
    <div className="notice accent">
      <Icon name="clock" />
      <div>
        <p>
          Leaves {absoluteText(email.scheduled_at)}
          {email.cancel_on_reply && ', unless a person answers first'}.
        </p>
        {mayWrite && (
          <div className="actions">
            <Button small onClick={() => setMoving(true)}>
              Change the time
            </Button>
            <Button small kind="danger" onClick={() => cancel.mutate(undefined)} isBusy={cancel.isPending}>
              Cancel sending
            </Button>
          </div>
        )}
        <ProblemNotice error={cancel.error} />
        {isMoving && <Reschedule email={email} onClose={() => setMoving(false)} />}
      </div>
    </div>
  );
}

function Body({ email }: { readonly email: FullEmail }) {
  const [view, setView] = useState<'text' | 'html'>('text');
  return (
    <>
      {view === 'text' ? <TextBody email={email} /> : <MailFrame email={email} />}
      {email.html !== null && (
        <div className="view-switch">
          <Button
            small
            kind="quiet"
            aria-pressed={view === 'html'}
            onClick={() => setView(view === 'text' ? 'html' : 'text')}
          >
            {view === 'text' ? 'Show as designed' : 'Show as text'}
          </Button>
        </div>
      )}
    </>
  );
}

const foldNames: Readonly<Record<Segment['kind'], string>> = {
  written: 'Text',
  quoted: 'Quoted text',
  signature: 'Signature',
};

function TextBody({ email }: { readonly email: FullEmail }) {
  if (email.segments.length === 0) {
    const text = writtenText(email);
    return (
      <div className="message-text">
        {text ? <MarkedText text={text} /> : <span className="soft">No text.</span>}
      </div>
    );
  }
  return (
    <>
      {email.segments.map((segment, at) =>
        segment.kind === 'written' ? (
          <div key={`${at} written`} className="message-text">
            <MarkedText text={segment.text.trim()} />
          </div>
        ) : (
          <details key={`${at} ${segment.kind}`} className="fold">
            <summary>{foldNames[segment.kind]}</summary>
            <div className="message-text soft">
              <MarkedText text={segment.text.trim()} />
            </div>
          </details>
        ),
      )}
    </>
  );
}
