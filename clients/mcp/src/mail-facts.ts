/** What a model needs to know of emails and threads. */
import type { Attachment, Email, FullEmail, Thread, Verdicts } from '../../typescript/src/index.ts';
import { limits } from './limits.ts';
import { type Facts, type Shown, Untrusted } from './result.ts';
import { oneLine, partOf, visible } from './shown-text.ts';

type Named = { readonly name: string | null; readonly address: string };

export const nameOf = ({ name, address }: Named): string =>
  oneLine(name === null ? address : `${name} <${address}>`, limits.nameCharacters * 2);

/** The first ones, and the number of the others. */
export function listed(values: readonly string[]): Shown {
  const first = values.slice(0, limits.listed).map((one) => oneLine(one, limits.nameCharacters * 2));
  return values.length > limits.listed ? [...first, `and ${values.length - limits.listed} more`] : first;
}

/** `undefined` for an empty list, which a result leaves out. */
export const listedAny = (values: readonly string[]): Shown =>
  values.length === 0 ? undefined : listed(values);

/** @param isShown whether its messages stand beside it */
export function threadFacts(thread: Thread, isShown = false): Facts {
  return {
    thread_id: thread.id,
    mailbox: thread.mailbox,
    messages: thread.message_count,
    last_message_at: thread.last_message_at,
    read: thread.read,
    ...(thread.labels.length > 0 && { labels: thread.labels.join(', ') }),
    ...(thread.claim !== null && { claimed_by: thread.claim.owner, claimed_until: thread.claim.expires_at }),
    ...(thread.space_id !== null && { space_id: thread.space_id }),
    ...(thread.forward_of !== null && { forward_of: thread.forward_of }),
    untrusted: new Untrusted({
      subject: oneLine(thread.subject, limits.subjectCharacters),
      participants: listed(thread.participants),
      newest: isShown ? undefined : oneLine(thread.snippet, limits.snippetCharacters),
    }),
  };
}

/** An email without its text. */
export function emailFacts(email: Email): Facts {
  return {
    email_id: email.id,
    thread_id: email.thread_id,
    direction: email.direction,
    status: email.status,
    created_at: email.created_at,
    ...(email.scheduled_at !== null && { scheduled_at: email.scheduled_at }),
    ...(email.status === 'draft' && email.draft !== null && { version: email.draft.version }),
    ...(email.cancel_on_reply && { cancel_on_reply: true }),
    untrusted: new Untrusted({
      from: nameOf(email.from),
      to: listed(email.to),
      subject: oneLine(email.subject, limits.subjectCharacters),
      snippet: oneLine(email.snippet, limits.snippetCharacters),
    }),
  };
}

/** What the checks of a received message say; empty where all is well. */
function warningsOf({ spam, virus, dmarc, spf, dkim, dmarc_policy: policy }: Verdicts): string[] {
  const isUnproved =
    dmarc === null && [spf, dkim].some((one) => one === 'FAIL') && ![spf, dkim].includes('PASS');
  return [
    ...(dmarc === 'FAIL' ? [`The sender may be forged: DMARC failed (policy ${policy ?? 'unknown'}).`] : []),
    ...(isUnproved ? ['The sender may be forged: neither SPF nor DKIM proves it.'] : []),
    ...(spam === 'FAIL' ? ['The spam filter takes it for spam.'] : []),
    ...(virus === 'FAIL' ? ['The virus scanner found a virus.'] : []),
  ];
}

function verdictsOf(verdicts: Verdicts): Shown {
  const given = Object.entries(verdicts).filter(([, value]) => value !== null);
  return given.length === 0 ? undefined : given.map(([name, value]) => `${name} ${value}`).join(', ');
}

export function fileFacts({ id, filename, content_type: type, size, preparation }: Attachment): Facts {
  return {
    attachment_id: id,
    bytes: size,
    text: preparation === null ? 'none' : preparation.status,
    untrusted: new Untrusted({ filename: oneLine(filename, 200), content_type: oneLine(type, 100) }),
  };
}

function canceledFacts({ cancellation }: FullEmail): Facts {
  if (!cancellation) return {};
  const { reason, by_email_id: answer } = cancellation;
  return { canceled_by: reason, ...(answer !== null && { answered_by_email: answer }) };
}

/** The facts of a message that stand beside its text. */
export function messageFacts(email: FullEmail): Facts {
  const warnings = warningsOf(email.verdicts);
  return {
    email_id: email.id,
    direction: email.direction,
    status: email.status,
    at: email.sent_at ?? email.created_at,
    ...(email.category !== null && { category: email.category }),
    ...(email.scheduled_at !== null && { scheduled_at: email.scheduled_at }),
    ...(email.status === 'draft' && email.draft !== null && { version: email.draft.version }),
    ...canceledFacts(email),
    verdicts: verdictsOf(email.verdicts),
    ...(warnings.length > 0 && { warnings }),
    ...(email.signals.length > 0 && { signals: [...new Set(email.signals.map(({ code }) => code))] }),
  };
}

/** What the signals of a message say: sentences that quote it. */
export function signalDetails({ signals }: FullEmail): Shown {
  return signals.length === 0 ? undefined : signals.map(({ detail }) => oneLine(detail, 300));
}

/** A message of a thread: the words of its author, cut to a length; quotes and signatures are told by their size. */
export function messageOfThread(email: FullEmail, charactersMax: number): Facts {
  const written = visible(email.stripped_text ?? writtenOf(email) ?? email.text ?? '');
  const { text, nextOffset } = partOf(written.text.trim(), 0, charactersMax);
  const folded = email.segments.filter(({ kind }) => kind !== 'written');
  const characters = folded.reduce((sum, segment) => sum + segment.text.length, 0);
  return {
    ...messageFacts(email),
    ...(characters > 0 && {
      folded: `${characters} characters of quotes and signatures; read_email shows them`,
    }),
    ...(nextOffset !== null && {
      cut: `after ${text.length} of ${written.text.length} characters; read_email shows the rest`,
    }),
    ...(written.hiddenCharacters > 0 && { hidden_characters_removed: written.hiddenCharacters }),
    ...(email.attachments.length > 0 && { files: email.attachments.slice(0, limits.listed).map(fileFacts) }),
    untrusted: new Untrusted({
      from: nameOf(email.from),
      to: listed(email.to),
      cc: listedAny(email.cc),
      subject: oneLine(email.subject, limits.subjectCharacters),
      signals: signalDetails(email),
      text,
    }),
  };
}

function writtenOf({ segments }: FullEmail): string | null {
  const written = segments.filter(({ kind }) => kind === 'written').map(({ text }) => text);
  return written.length === 0 ? null : written.join('\n\n');
}
