/** Growth cases of `lib/core` outside of mail and quoting. */

import {
  isInNetworks,
  isNetwork,
  parseNetwork,
  subscriberNetwork,
} from '../../lib/core/access/ip-networks.ts';
import {
  composeToken,
  cookieName,
  isFromConsole,
  sessionCookie,
  tokenInCookies,
  tokenSubject,
} from '../../lib/core/access/session.ts';
import { contentDisposition, servedType } from '../../lib/core/attachments/download.ts';
import { coveringNames } from '../../lib/core/domains/covering-names.ts';
import {
  hostKey,
  isDmarcPolicy,
  isSpfPolicy,
  parseTags,
  recordState,
} from '../../lib/core/domains/dns-check.ts';
import { parseDomainName } from '../../lib/core/domains/name.ts';
import { isReturnPathOf, isUnder, parentName } from '../../lib/core/domains/reserved.ts';
import { isSpecialUse } from '../../lib/core/domains/special-use.ts';
import { historyEntryId, noVerdicts, parseHistoryEntryId } from '../../lib/core/emails/email.ts';
import { bytesInResponse, endWithin, fitEmail, newestThatFit } from '../../lib/core/emails/response-size.ts';
import { composeId, idTime, type PacingRuleId, parseId } from '../../lib/core/ids.ts';
import { composeTicket, workspaceOfTicket } from '../../lib/core/live/connection.ts';
import { isStateOf, workspaceOfState } from '../../lib/core/mailboxes/consent.ts';
import { leastMessageBytes } from '../../lib/core/mailboxes/message-size.ts';
import * as own from '../../lib/core/mailboxes/own-message.ts';
import { addressOfGooglePush, microsoftNotifications } from '../../lib/core/mailboxes/push.ts';
import {
  isRegistered,
  parseReturnUrl,
  returnUrlIssue,
  withOutcome,
} from '../../lib/core/mailboxes/return-urls.ts';
import { providerVerdicts } from '../../lib/core/mailboxes/verdicts.ts';
import { nodeIn, parsePosition, rootNode } from '../../lib/core/pacing/held.ts';
import { isTimezone } from '../../lib/core/pacing/hours.ts';
import { matchingRules, type PacingRule, scopeValues } from '../../lib/core/pacing/rule.ts';
import {
  blockedEmailId,
  canonicalPattern,
  patternsOf,
  tiersOf,
} from '../../lib/core/receiving/inbound-rules.ts';
import { suppressedText } from '../../lib/core/suppressions/suppression.ts';
import { emailMatcher, threadMatcher } from '../../lib/core/threads/search.ts';
import {
  addCorrespondence,
  listsWithEntries,
  mergeMailboxes,
  noCorrespondence,
  type Thread,
} from '../../lib/core/threads/thread.ts';
import { foundThread, searchMatcher } from '../../lib/core/threads/thread-search.ts';
import { threadWithOnly } from '../../lib/core/threads/without-emails.ts';
import { isBot } from '../../lib/core/tracking/engagement.ts';
import { claimedWorkspace, openLink, sealLink } from '../../lib/core/tracking/links.ts';
import { cutHeaders, cutText } from '../../lib/core/webhooks/included.ts';
import { isLoopbackAddress, isPublicAddress, webhookUrl } from '../../lib/core/webhooks/public-address.ts';
import { parseRetryAfter } from '../../lib/core/webhooks/retry-after.ts';
import { hmacOf, signBody, verifySignature } from '../../lib/core/webhooks/signature.ts';
import { memberId } from '../../lib/core/workspaces/workspace.ts';
import { escapeHtml } from '../../lib/mail/html/escape-html.ts';
import { fieldLimits } from '../../lib/mail/message/field-limits.ts';
import { textOfRtf } from '../../lib/mail/text/rtf.ts';
import { candidateIds, inReplyToIds, referenceIds } from '../../lib/mail/threading/cited-ids.ts';
import { chooseThread, missingParents } from '../../lib/mail/threading/join.ts';
import { mergeParticipants } from '../../lib/mail/threading/participants.ts';
import {
  ownAmong,
  ownKeys,
  recipientsOfReceived,
  recipientsOfSent,
} from '../../lib/mail/threading/reply-recipients.ts';
import { trustedReplyTo } from '../../lib/mail/threading/reply-to.ts';
import * as subjects from '../../lib/mail/threading/subject.ts';

import {
  emailId,
  type GrowthCases,
  noText,
  ofOurs,
  onePass,
  people,
  person,
  threadId,
  words,
  workspaceId,
} from './cases.ts';

const incoming = (text: string) => ({
  spaceId: null,
  inReplyTo: words(text),
  references: words(text),
  subject: `Re: ${text}`,
  // As many as a message may have.
  participants: words(text).slice(0, fieldLimits.addresses),
  mailbox: text,
  mailboxes: [text],
  receivedAtMs: 0,
});
const headOf = (text: string) => ({
  id: emailId,
  threadId,
  spaceId: null,
  status: 'received' as const,
  from: person(text),
  to: people(text),
  others: [],
  subject: text,
  snippet: text,
  category: 'human' as const,
  suppressionKey: null,
  messageId: text,
  inReplyTo: null,
  idempotencyKey: null,
  domainId: null,
  mailboxId: null,
  createdAt: 0,
  scheduledAt: null,
  sentAt: null,
  revision: 1,
  suspicious: false,
});
const pacingRuleId: PacingRuleId = composeId('pace', 0, new Uint8Array(10));
const ruleMatching = (pattern: string): PacingRule => ({
  id: pacingRuleId,
  name: 'Rule',
  enabled: true,
  spaceId: null,
  match: [{ field: 'either', pattern: `*${pattern}*` }],
  createdAt: 0,
  revision: 1,
  kind: 'limit',
  limit: { scope: 'rule', amount: 1, perSeconds: 1 },
});
const pacedMessage = (text: string) => ({ spaceId: null, from: text, to: words(text) });
const threadOf = (text: string): Thread => ({
  id: threadId,
  spaceId: null,
  subject: text,
  snippet: text,
  mailbox: text,
  otherMailboxes: [],
  correspondence: noCorrespondence,
  participants: people(text),
  messageCount: 1,
  lastMessageAt: 0,
  createdAt: 0,
  forwardOf: null,
  newestEmailId: emailId,
  activity: [],
  labels: [],
  unread: false,
  claim: null,
  version: 1,
});
const searchedThread = (text: string) => ({
  id: threadId,
  subject: text,
  participants: people(text),
  createdAt: 1,
  lastMessageAt: 1,
  correspondence: noCorrespondence,
});
const searchFor = (text: string) => ({
  createdAfter: null,
  createdBefore: null,
  lastEmailAfter: null,
  lastEmailBefore: null,
  participants: words(text),
  from: null,
  to: null,
  subject: text.slice(0, 998),
  direction: null,
  state: null,
  staleAfterDays: 7,
});

export const otherCases: GrowthCases = {
  'core/receiving/inbound-rules.ts': {
    canonicalPattern,
    patternsOf,
    tiersOf: (text) => tiersOf(null, text),
    decideByRules: noText,
    endsOfBlocked: noText,
    blockedEmailId: (text) => blockedEmailId({ workspaceId, spaceId: null }, text, [text]),
  },
  'core/mailboxes/consent.ts': {
    newState: ofOurs,
    workspaceOfState,
    isStateOf: (text) => isStateOf(text, 'secret'),
  },
  'core/mailboxes/message-size.ts': {
    leastMessageBytes: (text) => leastMessageBytes({ text, html: text, files: [] }),
  },
  'core/mailboxes/own-message.ts': {
    ownIdOfSentMessage: (text) =>
      own.ownIdOfSentMessage({
        messageId: text,
        inReplyTo: words(text),
        references: words(text),
        headers: [{ name: 'X-Google-Original-Message-ID', value: text }],
      }),
    messageIdOfChunk: ofOurs,
    chunkOfMessageId: (text) => own.chunkOfMessageId('<a@b.test>', text),
  },
  'core/mailboxes/push.ts': {
    addressOfGooglePush: (text) => [
      addressOfGooglePush(text),
      addressOfGooglePush(JSON.stringify({ message: { data: Buffer.from(text).toString('base64') } })),
    ],
    microsoftNotifications: (text) => [
      microsoftNotifications(text),
      microsoftNotifications(JSON.stringify({ value: words(text).map((clientState) => ({ clientState })) })),
    ],
  },
  'core/mailboxes/schedule.ts': { nextPollAt: ofOurs, renewAt: ofOurs, nextRetryAt: noText },
  'core/mailboxes/sync.ts': { resyncAfterGap: noText },
  'core/mailboxes/waiting-submission.ts': { submissionPosition: noText },
  'core/mailboxes/verdicts.ts': {
    providerVerdicts: (text) =>
      providerVerdicts([{ name: 'Authentication-Results', value: `x; dkim=pass header.d=${text}` }], text),
  },
  'core/mailboxes/return-urls.ts': {
    parseReturnUrl: (text) => parseReturnUrl(`https://${text}`),
    returnUrlIssue: (text) => returnUrlIssue(words(text).map((word) => `https://${word}`)),
    isRegistered: (text) => isRegistered([`https://a/${text}`], new URL('https://a/b')),
    withOutcome: (text) => withOutcome(`https://a/${text}`, { status: text }),
  },
  'mail/threading/cited-ids.ts': {
    candidateIds: (text) => candidateIds(incoming(text)),
    inReplyToIds: (text) => inReplyToIds(incoming(text)),
    referenceIds: (text) => referenceIds(incoming(text)),
  },
  'mail/threading/join.ts': {
    missingParents: (text) => missingParents(incoming(text), () => false),
    chooseThread: (text) =>
      chooseThread(incoming(text), {
        byMessageId: new Map(),
        replyToken: null,
        waiting: [{ threadId, spaceId: null, participants: words(text), mailboxes: words(text) }],
        bySubject: [],
      }),
  },
  'mail/threading/participants.ts': {
    mergeParticipants: (text) => mergeParticipants(people(text), people(text)),
  },
  'mail/threading/reply-recipients.ts': {
    ownKeys,
    ownAmong: (text) => ownAmong(new Set([text]))(text),
    recipientsOfReceived: (text) =>
      recipientsOfReceived(
        { from: person(text), replyTo: people(text), to: people(text), cc: people(text) },
        { replyAll: true, isOwn: ownAmong(new Set([text])) },
      ),
    recipientsOfSent: (text) =>
      recipientsOfSent(
        { to: people(text), cc: people(text) },
        { replyAll: true, isOwn: ownAmong(new Set([text])) },
      ),
  },
  'mail/threading/reply-to.ts': {
    trustedReplyTo: (text) =>
      trustedReplyTo(
        { from: person(text) },
        // As many as a message may have.
        {
          replyTo: people(text).slice(0, fieldLimits.addresses),
          headers: [{ name: 'From', value: text.slice(0, fieldLimits.headerValueBytes) }],
          verdicts: noVerdicts,
        },
      ),
  },
  'mail/threading/subject.ts': {
    normalizeSubject: subjects.normalizeSubject,
    hasReplyPrefix: subjects.hasReplyPrefix,
    answeredSubjects: subjects.answeredSubjects,
    isSameSubject: (text) => subjects.isSameSubject(text, text),
    isAnswerSubject: subjects.isAnswerSubject,
    replySubject: subjects.replySubject,
    forwardSubject: subjects.forwardSubject,
  },
  'core/domains/dns-check.ts': {
    hostKey,
    recordState: (text) =>
      (['DKIM', 'SPF', 'DMARC'] as const).map((purpose) =>
        recordState(
          {
            purpose,
            ttl: 3600,
            type: 'TXT',
            name: 'a.example',
            value: 'v=DKIM1; p=x',
            priority: null,
          },
          { txt: [text, `v=spf1 ${text}`, `p=${text}`] },
        ),
      ),
    parseTags,
    isSpfPolicy,
    isDmarcPolicy,
  },
  'core/domains/findings.ts': { identityFinding: ofOurs, finding: ofOurs },
  'core/domains/dns-answer.ts': {},
  'core/domains/identity-polls.ts': { pollWaitMs: noText },
  'core/domains/setup-line.ts': {
    nextSetupStep: noText,
    leastPollWaitMs: noText,
    lineFigures: noText,
  },
  'core/domains/name.ts': { parseDomainName },
  'core/domains/records.ts': {
    inboundHost: ofOurs,
    returnPathHost: ofOurs,
    expectedRecords: ofOurs,
    queriedName: ofOurs,
  },
  'core/domains/covering-names.ts': { coveringNames: (text) => coveringNames(text, `a.${text}`) },
  'core/domains/reserved.ts': {
    isUnder: (text) => isUnder(text, `a.${text}`),
    parentName,
    isReturnPathOf: (text) => isReturnPathOf(text, text),
    returnPathName: ofOurs,
  },
  'core/domains/sender-domain.ts': {},
  'core/domains/sending-domain.ts': { displayName: ofOurs, nextCheckAfter: noText, afterCheck: noText },
  'core/domains/special-use.ts': { isSpecialUse },
  'core/domains/verification.ts': { verificationOf: onePass, providedVerification: ofOurs },
  'core/work/table-busy.ts': { RecordContended: noText, TableBusy: noText },
  'core/workspaces/teardown.ts': { newTeardown: noText, teardownMessage: noText, afterPage: noText },
  'core/pacing/held.ts': {
    arrivalKey: noText,
    constraintKey: ofOurs,
    entryKey: ofOurs,
    heldPosition: ofOurs,
    nodeIn: (text) => nodeIn(rootNode, [{ ruleId: pacingRuleId, value: text }]),
    parsePosition: (text) => parsePosition(text),
    queuedAt: ofOurs,
  },
  'core/pacing/hours.ts': {
    isOpen: noText,
    isTimezone: (text) => isTimezone(text),
    nextClosing: noText,
    nextOpening: noText,
  },
  'core/pacing/project.ts': { project: noText },
  'core/pacing/rule.ts': {
    allConstraints: onePass,
    constraintsOf: onePass,
    matchingRules: (text) => matchingRules({ rules: [ruleMatching('a*b')] }, pacedMessage(text)),
    scopeValues: (text) => scopeValues('to_domain', pacedMessage(text)),
  },
  'core/pacing/slots.ts': {
    afterHandOff: noText,
    gapMs: noText,
    openAt: noText,
    projectedAt: noText,
    slotsUnder: noText,
    toleranceMs: noText,
  },
  'core/webhooks/delivery.ts': {
    deliveryIdOf: ofOurs,
    newDelivery: ofOurs,
    deadlineOf: noText,
    replayed: ofOurs,
    afterAttempt: noText,
  },
  'core/webhooks/dispatch.ts': {
    isQueued: noText,
    planUnits: noText,
    mustBringBack: noText,
    bringBackCount: noText,
    isOverdue: noText,
    shownNextAttempt: noText,
  },
  'core/notices/notice.ts': { noticeMail: ofOurs },
  'core/notices/outage-notice.ts': { outageRecipients: ofOurs, outageNotice: ofOurs },
  'core/notices/suspension-notice.ts': { suspensionRecipients: ofOurs, suspensionNotice: ofOurs },
  'core/webhooks/health.ts': {
    isClosed: noText,
    mayAttemptAt: noText,
    attemptsAtOnce: noText,
    isProved: noText,
    healthAfter: noText,
    isOutageDue: noText,
  },
  'core/webhooks/included.ts': {
    includesContent: ofOurs,
    cutText: (text) => cutText(text, text.length / 2),
    cutHeaders: (text) => cutHeaders(words(text).map((value) => ({ name: 'X', value }))),
  },
  'core/webhooks/endpoint.ts': { activeSecrets: ofOurs, rotatedSecrets: ofOurs },
  'core/webhooks/event.ts': { eventExpiry: noText, eventIdsAt: noText, spaceOf: ofOurs },
  'core/webhooks/event-types.ts': { isNewType: noText, olderType: noText },
  'core/webhooks/event-summaries.ts': {},
  'core/webhooks/public-address.ts': {
    isPublicAddress,
    isLoopbackAddress,
    webhookUrl: (text) => webhookUrl(text, { allowInsecure: false }),
    hostOf: 'takes a URL of at most 2048 characters',
  },
  'core/webhooks/retry-after.ts': { parseRetryAfter: (text) => parseRetryAfter(text, 0) },
  'core/webhooks/retry.ts': { nextAttempt: noText },
  'core/webhooks/routing.ts': {
    passesRouting: 'applies matchesPattern to each of at most 100 rules',
  },
  'core/webhooks/signature.ts': {
    signBody: (text) => signBody({ body: text, secrets: ['s'], atSeconds: 0 }),
    verifySignature: (text) => verifySignature({ header: text, body: text, secret: 's', nowSeconds: 0 }),
    webhookHeaders: ofOurs,
    userAgentOf: ofOurs,
    endpointSecretOf: ofOurs,
    hmacOf: (text) => hmacOf('a key', 'a prefix', text),
  },
  'core/webhooks/v1-format.ts': {
    isV1EventType: noText,
    v1EventNameAt: noText,
    isBuiltAtSend: noText,
    v1Headers: ofOurs,
    afterV1Attempt: noText,
  },
  'mail/text/rtf.ts': { textOfRtf: (text) => textOfRtf(`{\\rtf1 ${text}`) },
  'core/threads/search.ts': {
    emailMatcher: (text) => emailMatcher(text.slice(0, 320))(headOf(text)),
    threadMatcher: (text) => threadMatcher(text.slice(0, 320))(threadOf(text)),
  },
  'core/access/access.ts': { queueSuffix: noText, scopeAllows: noText, maySend: noText },
  'core/access/session.ts': {
    composeToken: (text) => composeToken({ workspaceId, email: text }, text),
    tokenSubject,
    cookieName,
    sessionCookie: (text) => sessionCookie('https://a.example', text),
    tokenInCookies: (text) => tokenInCookies('https://a.example', [text]),
    isFromConsole: (text) => isFromConsole('https://a.example', { 'x-console-request': text, origin: text }),
  },
  'core/live/connection.ts': {
    composeTicket: (text) => composeTicket(workspaceId, text),
    workspaceOfTicket,
    newProgress: noText,
    takesAnnounced: ofOurs,
    afterReading: ofOurs,
    recentOf: ofOurs,
    isBehind: noText,
    hasGivenUp: noText,
    isSubscribed: ofOurs,
  },
  'core/workspaces/usage.ts': { dayOf: noText, lastDays: noText, sumUsage: ofOurs, usageExpiry: noText },
  'core/workspaces/workspace.ts': { memberId },
  'core/notices/sign-in-notice.ts': { signInNotice: ofOurs },
  'core/emails/draft.ts': {
    draftExpiry: noText,
    isExpired: noText,
    canceledDraft: ofOurs,
    expiryOf: noText,
    originalOf: onePass,
  },
  // Each network of a list is one that `isNetwork` knows, and a list has few.
  'core/access/common-networks.ts': { commonNetworks: noText },
  'core/threads/without-emails.ts': {
    threadWithOnly: (text) => threadWithOnly(threadOf(text), [headOf(text)]),
  },
  'core/threads/draft-threads.ts': { threadOfDrafts: onePass },
  'core/threads/thread-search.ts': {
    searchMatcher: (text) => searchMatcher(searchFor(text), 0)(searchedThread(text)),
    foundThread: (text) => foundThread(searchedThread(text), { by: 'subject', order: 'asc' }),
    searchPage: noText,
  },
  'core/attachments/download.ts': { servedType, contentDisposition },
  'core/emails/email.ts': {
    directionOf: noText,
    historyEntryId: (text) => historyEntryId(0, text),
    parseHistoryEntryId,
    wireMessageIds: ofOurs,
    isRefusedBySes: ofOurs,
    currentStatus: noText,
    isInSubmission: noText,
    mayFollow: noText,
  },
  'core/tracking/engagement.ts': {
    isBot: (text) => isBot({ at: 0, userAgent: text, headers: { purpose: text, 'x-purpose': text } }, []),
  },
  'mail/html/escape-html.ts': { escapeHtml },
  'core/receiving/inbound-policy.ts': {
    inboundActionOf: noText,
    isFailed: noText,
  },
  'core/tracking/links.ts': {
    sealLink: (text) =>
      sealLink({ kind: 'click', workspaceId, emailId, recipient: null, target: text }, 'secret'),
    claimedWorkspace,
    openLink: (text) => openLink('click', text, 'secret'),
  },
  'core/mailboxes/provider.ts': { ProviderError: ofOurs },
  'core/work/job.ts': { LeaseLost: noText, answerTo: noText, timerAfter: noText },
  'core/problems.ts': { Problem: ofOurs, isProblemCode: onePass, invalidField: ofOurs },
  'core/queue-messages.ts': {
    parseQueueMessage: ofOurs,
    parseQueueMessageOf: ofOurs,
    parseDelayedMessage: ofOurs,
    withPrevious: noText,
    queueOf: ofOurs,
  },
  'core/emails/response-size.ts': {
    bytesInResponse,
    fitEmail: (text) =>
      fitEmail({
        to: people(text),
        cc: people(text),
        headers: words(text).map((value) => ({ name: 'X', value })),
        references: words(text),
        html: text,
        text,
        strippedHtml: text,
        strippedText: text,
        segments: [{ kind: 'written', text }],
      }),
    endWithin: (text) => endWithin(words(text), 1e6),
    newestThatFit: (text) => newestThatFit(words(text), 1e6),
  },
  'core/access/ip-networks.ts': {
    parseNetwork,
    isNetwork: (text) => isNetwork(text),
    isInNetworks: (text) => isInNetworks('192.0.2.1', words(text)),
    subscriberNetwork,
  },
  'core/access/rate-bucket.ts': {
    latestFullAt: noText,
    refillMs: noText,
    spentUnits: noText,
    waitMs: noText,
  },
  'core/access/request-budget.ts': {
    bucketsOf: noText,
    countedOneOf: noText,
    expiredLeases: noText,
    figuresOf: noText,
    halfOf: noText,
    inFlightBeside: noText,
    mayKeepLease: noText,
    OverBudget: noText,
    platformCount: noText,
    unitsOf: noText,
    unusedBudget: noText,
    verdictOn: noText,
    withoutLeases: noText,
  },
  'core/work/all-done.ts': { allDone: noText, each: noText, valuesOf: noText, resultOf: noText },
  'core/work/recent.ts': { Recent: noText },
  'core/work/retry-backoff.ts': { retryDelaySeconds: noText },
  'core/sending/send-limiter.ts': {
    askAgainAt: noText,
    isAboveSandbox: noText,
    lanesAt: noText,
    reserveAtOnce: noText,
    waitingUntil: noText,
    withWaiting: noText,
    hold: noText,
    laneWaitSeconds: noText,
    reserve: noText,
    shiftMsMax: noText,
    slotRate: noText,
    timeOfSlot: noText,
    withLimits: noText,
    withoutQuota: noText,
  },
  'core/sending/sending-guard.ts': {
    capsOf: noText,
    capWaits: noText,
    hourOf: noText,
    ratesOf: noText,
    reasonToSuspend: noText,
    warmUpEnd: noText,
  },
  'core/emails/submission.ts': { newClaim: noText },
  'core/limits.ts': { raisedBy: noText },
  'core/emails/sent-entries.ts': {
    messageIdOfAccepted: ofOurs,
    sentEntryOf: ofOurs,
    missingSentEntries: onePass,
    historyInOrder: onePass,
  },
  'core/suppressions/suppression.ts': {
    listsToCheck: ofOurs,
    blocks: noText,
    suppressedText: (text) =>
      suppressedText(
        words(text).map((address) => ({ id: composeId('sup', 0, new Uint8Array(10)), key: '*', address })),
      ),
    suppressionReasonOf: noText,
  },
  'mail/files/extracted-text.ts': { withoutText: ofOurs },
  'core/threads/thread.ts': {
    mailboxesOf: ofOurs,
    mergeMailboxes: (text) => mergeMailboxes({ mailbox: text, otherMailboxes: [] }, words(text)),
    addCorrespondence: (text) =>
      addCorrespondence(noCorrespondence, { direction: 'inbound', from: person(text), to: people(text) }),
    activityEntryAt: noText,
    moveActivityEntry: noText,
    isClaimedAt: noText,
    listsWithEntries: (text) => listsWithEntries({ labels: words(text), claim: null }),
  },
  'core/work/unknown-message.ts': { UnknownMessage: ofOurs },
  'core/work/once.ts': { once: noText },
  'core/work/worker-load.ts': { executionsAt: noText, executionSeconds: noText },
  'core/ids.ts': {
    parseId: (text) => parseId('eml', text),
    composeId: ofOurs,
    emailThatBegan: ofOurs,
    idTime,
    threadBegunBy: ofOurs,
  },
};
