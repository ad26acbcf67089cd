/**
 * Pages that tell customers of our customers what does not work, what they can do and where to go. The developer's cause is in
 * the log; the code and the request id are at the end, for whoever is asked for help.
 */
import type { ProblemCode } from '../../core/problems.ts';
import { escapeHtml } from '../../mail/html/escape-html.ts';
import type { PublicResponse } from '../serve-public.ts';
import { fillHtml, mailLink, ownText } from './fill.ts';
import type { PageLanguage } from './languages.ts';
import { htmlPage } from './page.ts';
import { connectSentences } from './sentences/connect.ts';
import { problemSentences } from './sentences/problems.ts';

/** What the page is about. */
export type PageSubject = 'connection' | 'unsubscribe link' | 'link of an email' | 'page';

/** Who is known to be asked, and where the person may go. */
export interface PageFacts {
  /** Of the OAuth app; null: unknown. */
  readonly name: string | null;
  readonly supportEmail: string | null;
  /** A checked return URL. */
  readonly backUrl: string | null;
  /** Where the person can start again; null: nowhere that would help. */
  readonly againUrl: string | null;
}

export const noFacts: PageFacts = { name: null, supportEmail: null, backUrl: null, againUrl: null };

/** What becomes of the connection that a person wanted. */
interface Told {
  readonly title: string;
  /** Plain text, each a paragraph. */
  readonly paragraphs: readonly string[];
  /** Whether starting again can help. */
  readonly isRepeatable: boolean;
}

export interface ProblemOfPage {
  readonly subject: PageSubject;
  readonly code: ProblemCode | 'denied';
  /** Of the response. */
  readonly status: number;
  readonly language: PageLanguage;
  readonly requestId: string;
  readonly facts: PageFacts;
}

/** The page of a problem, or of a consent that was denied. */
export function problemPage(problem: ProblemOfPage): PublicResponse {
  const { language, status } = problem;
  const { title, paragraphs, isRepeatable } = toldOf(problem);
  const { againUrl, name } = problem.facts;
  return htmlPage(status, {
    language,
    title,
    above: name === null ? '' : `<p class="kicker">${ownText(name)}</p>`,
    body:
      paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('') +
      waysHtml(problem, isRepeatable ? againUrl : null) +
      supportHtml(problem),
  });
}

function toldOf(problem: ProblemOfPage): Told {
  const { code, language, status, subject } = problem;
  const words = problemSentences[language];
  const link = { title: words.linkTitle, isRepeatable: false };
  if (subject === 'connection') return toldOfConnection(problem);
  if (status === 429) return { ...failed(language), paragraphs: [words.busy, words.later] };
  if (status >= 500) return failed(language);
  if (subject === 'unsubscribe link') return { ...link, paragraphs: [words.link, words.unsubscribeLink] };
  if (subject === 'link of an email') return { ...link, paragraphs: [words.link, words.linkOfEmail] };
  const isMissing = code === 'not_found' || code === 'method_not_allowed';
  return isMissing
    ? { title: words.missingTitle, paragraphs: [words.missing], isRepeatable: false }
    : failed(language);
}

function failed(language: PageLanguage): Told {
  const { failed, failedTitle, later } = problemSentences[language];
  return { title: failedTitle, paragraphs: [failed, later], isRepeatable: true };
}

function toldOfConnection({ code, language, status }: ProblemOfPage): Told {
  const words = problemSentences[language];
  const { failedTitle: title, ...own } = connectSentences[language];
  const told = (paragraphs: readonly string[], isRepeatable = true): Told => ({
    title,
    paragraphs,
    isRepeatable,
  });
  switch (code) {
    case 'denied':
      return told([own.denied, own.unchanged]);
    case 'expired_state':
      return told([own.expired]);
    case 'invalid_tenant':
      return told([own.organization]);
    case 'mailbox_space_conflict':
    case 'mailbox_account_conflict':
      return told([own.taken], false);
    case 'limit_reached':
      return told([own.full], false);
    case 'mailbox_inactive':
      return told([words.later]);
    case 'rate_limited':
    case 'provider_error':
      return told([own.provider, words.later]);
    case 'too_many_requests':
      return told([words.busy, words.later]);
    default:
      if (status >= 500 || code === 'internal_error') return told([words.failed, words.later]);
      return { title: words.linkTitle, paragraphs: [words.link, own.link], isRepeatable: false };
  }
}

/** Links: to start again, and back to the app. */
function waysHtml({ facts: { backUrl, name }, language }: ProblemOfPage, againUrl: string | null): string {
  const words = problemSentences[language];
  const again =
    againUrl === null ? '' : `<a class="go" href="${escapeHtml(againUrl)}">${escapeHtml(words.again)}</a>`;
  if (backUrl === null) return again;
  const where = ownText(name ?? new URL(backUrl).host);
  const rank = againUrl === null ? 'go' : 'go second';
  return `${again}<a class="${rank}" href="${escapeHtml(backUrl)}">${fillHtml(words.back, { name: where })}</a>`;
}

function supportHtml({ code, facts: { supportEmail }, language, requestId }: ProblemOfPage): string {
  const words = problemSentences[language];
  const questions =
    supportEmail === null
      ? ''
      : `<p class="soft">${fillHtml(words.questions, { address: mailLink(supportEmail) })}</p>`;
  const row = (label: string, value: string) =>
    `${escapeHtml(label)}: <code dir="ltr">${escapeHtml(value)}</code>`;
  const rows = [...(code === 'denied' ? [] : [row(words.code, code)]), row(words.reference, requestId)];
  return `${questions}<p class="facts">${rows.join('<br>')}</p>`;
}
