/** What the headers of a message say about its sender: a person's mail program, a program, a list (docs/concepts/reading-mail.md). */
import type { Header } from '../message/headers.ts';

export interface HeaderSigns {
  /** The report type of a `multipart/report` (RFC 6522); null for other content. */
  readonly reportType: string | null;
  readonly hasNullReturnPath: boolean;
  readonly hasFailedRecipients: boolean;
  /** RFC 3834 5: `auto-replied` answers a message, `auto-generated` does not, `no` means a person. */
  readonly isAutoReplied: boolean;
  /** Dovecot: a refusal by a quota or a Sieve filter. */
  readonly isRejection: boolean;
  readonly isReplyMachine: boolean;
  readonly isMachineMade: boolean;
  /** `List-Unsubscribe`, `List-Id` or a campaign; a list that people write to is none. */
  readonly isBulk: boolean;
  /** `Precedence: bulk` or `junk`, which alone says little: gateways of companies write it. */
  readonly isLowPrecedence: boolean;
  /** A list that people write to. */
  readonly isDiscussion: boolean;
  /** In-Reply-To or References. */
  readonly isAnswer: boolean;
  /** Names itself as a mail program of a person. */
  readonly isPersonalProgram: boolean;
  /** Has a Message-ID or fields as mail programs of persons write them. */
  readonly isPersonalShape: boolean;
  /** Came from Exchange or Outlook, which write automatic replies in the same shape. */
  readonly isFromExchange: boolean;
  /** Sent by a service or a library for programs. People's mail goes through such services, too. */
  readonly isSentByService: boolean;
}

const personalPrograms =
  /outlook|apple mail|ip(?:hone|ad|od) mail|windows (?:live )?mail|entourage|evolution|yahoomail|ymail|zoho mail|foxmail|qqmail|coremail|yamail|mail\.ru|the bat|(?:lotus|hcl|ibm) |notes release|claws|sylpheed|becky|airmail|^spark|readdle|mailspring|em_?client|superhuman|^hey|open-xchange|roundcube|squirrel|horde|zimbra|groupwise|eudora|pegasus|^elm|pine|mutt|naver|daum|postbox|bluemail|canary|mimestream|shortwave|missive|^front|help scout|kmail|webmail|rainloop|snappymail|afterlogic|icewarp|kerio|nextcloud|sogo|gnus|mu4e|geary|balsa|fairemail|thunderbird|betterbird/;
const servicePrograms =
  /mailer|php|javamail|cdo|nail|mailx|python|perl|curl|swaks|sendmail|zendesk|freshdesk|otrs|znuny|mailchimp|sendy|mautic|drupal|wordpress|bizhub|xerox|ricoh|kyocera|canon|printer|scanner/;
/** Hosts and forms of Message-IDs that mail programs and webmail of persons write; lower case. */
const personalIds =
  /@(?:mail\.gmail\.com|mail\.yahoo\.com|[\w.]+\.mail\.yahoo\.com|icloud\.com|me\.com|proton\.me|protonmail\.com|app\.fastmail\.com|hey\.com|we\.are\.superhuman\.com|frontapp\.com|qq\.com|mail\.yandex\.ru|[\w.]+\.i\.mail\.ru|email\.android\.com|spark|[\w.-]*gmx[\w.-]*|[\w.-]*nm\.naver\.com)>?$|^<(?:trinity-|tencent_)|\.coremail\.|\.camel@|\.horde\.|-on[0-9a-f]{8}\.[0-9a-f]{8}-/;
/** Apple writes UUIDs in upper case, libraries in lower case. */
const upperCaseId = /^<[0-9A-F]{8}-(?:[0-9A-F]{4}-){3}[0-9A-F]{12}@/;
const serviceIds =
  /javamail|@[\w.-]*(?:amazonses\.com|ismtpd[\w-]*|mtasv\.net|mandrillapp\.com|shopify\.com|sparkpostmail\.com|mailjet\.com|customeriomail\.com)>?$|^<\d{9,14}\.\d{1,8}\.\d{5,20}@/;
/** Fields of services that send for programs; the others of `X-SES-` are added to all mail that SES receives. */
const serviceFields =
  /^(?:feedback-id|x-ses-outgoing|x-(?:sg|mailgun|pm|mandrill|mc|sparkpost|msys|mj|mailin|sib|kmail|klaviyo|hubspot|marketo\w*|sfmc|sfdc|mailchimp|postmark|entity-id|email-type-id)(?:-|$))/;
/** Fields of systems that report what happened in them. */
const systemFields =
  /^x-(?:auto-response-suppress|github-|gitlab-|jira-|notification|sentry-|facebook-|cron-|discourse-|phabricator-|gerrit-|bugzilla-|redmine-|trac-|jenkins-|linkedin-)/;

/** Reads the first field of each name, the others are repetitions by relays. */
export function headerSigns(headers: readonly Header[]): HeaderSigns {
  const values = new Map<string, string>();
  for (const { name, value } of headers) {
    const key = name.toLowerCase();
    if (!values.has(key)) values.set(key, value.trim());
  }
  const names = [...values.keys()];
  const has = (...wanted: string[]) => wanted.some((name) => values.has(name));
  const value = (name: string) => values.get(name)?.toLowerCase() ?? '';
  const autoSubmitted = value('auto-submitted');
  const precedence = value('precedence');
  const program = `${value('user-agent')} ${value('x-mailer')}`.trim();
  // A person's mail program is known, or names itself as User-Agent.
  const isPersonalProgram =
    personalPrograms.test(value('x-mailer')) || (has('user-agent') && !servicePrograms.test(program));
  const isFromExchange =
    has('thread-index', 'x-ms-has-attach') || /\.outlook\.com>?$/.test(value('message-id'));
  const isDiscussion = value('list-post').includes('mailto:');
  return {
    reportType: reportTypeOf(value('content-type')),
    hasNullReturnPath: value('return-path') === '<>',
    hasFailedRecipients: has('x-failed-recipients'),
    isAutoReplied: autoSubmitted.startsWith('auto-replied') || autoSubmitted.startsWith('auto-notified'),
    isRejection: /^auto-replied\s{0,3}\(rejected\)/.test(autoSubmitted),
    isReplyMachine:
      has('x-autoreply', 'x-autorespond', 'x-autoresponder', 'x-auto-reply', 'x-mail-autoreply') ||
      precedence === 'auto_reply' ||
      /^(?:yes|true|auto)/.test(value('x-autogenerated')),
    isMachineMade:
      (autoSubmitted !== '' && !autoSubmitted.startsWith('no')) ||
      names.some((name) => systemFields.test(name)),
    isBulk:
      !isDiscussion &&
      has('list-unsubscribe', 'list-id', 'list-unsubscribe-post', 'x-campaign', 'x-campaign-id'),
    isLowPrecedence: !isDiscussion && /^(?:bulk|junk)/.test(precedence),
    isDiscussion,
    isAnswer: has('in-reply-to', 'references'),
    isPersonalProgram,
    isPersonalShape:
      isFromExchange ||
      personalIds.test(value('message-id')) ||
      upperCaseId.test(values.get('message-id') ?? ''),
    isFromExchange,
    isSentByService:
      (program !== '' && !isPersonalProgram) ||
      serviceIds.test(value('message-id')) ||
      names.some((name) => serviceFields.test(name)),
  };
}

/** `delivery-status` by default. */
function reportTypeOf(contentType: string): string | null {
  if (contentType.startsWith('message/delivery-status')) return 'delivery-status';
  if (!contentType.startsWith('multipart/report')) return null;
  return /report-type\s*=\s*"?([\w-]+)/.exec(contentType)?.[1] ?? 'delivery-status';
}
