/** The list of all operations and their groups, for the CDK app, the OpenAPI document and the fallback; no other function imports it. */
import type { Contract } from '../lib/http/contract.ts';
import { createApiKeyOperation } from './api-keys/create.contract.ts';
import { deleteApiKeyOperation } from './api-keys/delete.contract.ts';
import { listApiKeysOperation } from './api-keys/list.contract.ts';
import { createAttachmentOperation } from './attachments/create.contract.ts';
import { downloadAttachmentOperation } from './attachments/download.contract.ts';
import { downloadAttachmentTextOperation } from './attachments/download-text.contract.ts';
import { inspectAttachmentOperation } from './attachments/inspect.contract.ts';
import { acceptBlockedEmailOperation } from './blocked-emails/accept.contract.ts';
import { createDomainOperation } from './domains/create.contract.ts';
import { deleteDomainOperation } from './domains/delete.contract.ts';
import { diagnoseDomainOperation } from './domains/diagnose.contract.ts';
import { listDomainsOperation } from './domains/list.contract.ts';
import { retrieveDomainOperation } from './domains/retrieve.contract.ts';
import { updateDomainOperation } from './domains/update.contract.ts';
import { verifyDomainOperation } from './domains/verify.contract.ts';
import { approveEmailOperation } from './emails/approve.contract.ts';
import { cancelEmailOperation } from './emails/cancel.contract.ts';
import { deleteEmailOperation } from './emails/delete.contract.ts';
import { listEmailsOperation } from './emails/list.contract.ts';
import { listEmailEngagementsOperation } from './emails/list-engagements.contract.ts';
import { retrieveEmailOperation } from './emails/retrieve.contract.ts';
import { sendEmailOperation } from './emails/send.contract.ts';
import { updateEmailOperation } from './emails/update.contract.ts';
import { listEventsOperation } from './events/list.contract.ts';
import { retrieveEventOperation } from './events/retrieve.contract.ts';
import { createInboundRuleOperation } from './inbound-rules/create.contract.ts';
import { deleteInboundRuleOperation } from './inbound-rules/delete.contract.ts';
import { listInboundRulesOperation } from './inbound-rules/list.contract.ts';
import { retrieveInboundRuleOperation } from './inbound-rules/retrieve.contract.ts';
import { updateInboundRuleOperation } from './inbound-rules/update.contract.ts';
import { retrieveLimitsOperation } from './limits/retrieve.contract.ts';
import { openLiveOperation } from './live/open.contract.ts';
import { connectMailboxOperation } from './mailboxes/connect.contract.ts';
import { deleteMailboxOperation } from './mailboxes/delete.contract.ts';
import { listMailboxesOperation } from './mailboxes/list.contract.ts';
import { retrieveMailboxOperation } from './mailboxes/retrieve.contract.ts';
import { syncMailboxOperation } from './mailboxes/sync.contract.ts';
import { createMemberOperation } from './members/create.contract.ts';
import { deleteMemberOperation } from './members/delete.contract.ts';
import { listMembersOperation } from './members/list.contract.ts';
import { updateMemberOperation } from './members/update.contract.ts';
import { createOauthAppOperation } from './oauth-apps/create.contract.ts';
import { deleteOauthAppOperation } from './oauth-apps/delete.contract.ts';
import { listOauthAppsOperation } from './oauth-apps/list.contract.ts';
import { retrieveOauthAppOperation } from './oauth-apps/retrieve.contract.ts';
import { updateOauthAppOperation } from './oauth-apps/update.contract.ts';
import { releasePacingQueueOperation } from './pacing-queue/release.contract.ts';
import { retrievePacingQueueOperation } from './pacing-queue/retrieve.contract.ts';
import { createPacingRuleOperation } from './pacing-rules/create.contract.ts';
import { deletePacingRuleOperation } from './pacing-rules/delete.contract.ts';
import { listPacingRulesOperation } from './pacing-rules/list.contract.ts';
import { retrievePacingRuleOperation } from './pacing-rules/retrieve.contract.ts';
import { retrievePacingSpreadOperation } from './pacing-rules/retrieve-spread.contract.ts';
import { updatePacingRuleOperation } from './pacing-rules/update.contract.ts';
import { updatePacingSpreadOperation } from './pacing-rules/update-spread.contract.ts';
import { createSpaceOperation } from './spaces/create.contract.ts';
import { deleteSpaceOperation } from './spaces/delete.contract.ts';
import { listSpacesOperation } from './spaces/list.contract.ts';
import { retrieveSpaceOperation } from './spaces/retrieve.contract.ts';
import { updateSpaceOperation } from './spaces/update.contract.ts';
import { createSuppressionsOperation } from './suppressions/create.contract.ts';
import { deleteSuppressionOperation } from './suppressions/delete.contract.ts';
import { listSuppressionsOperation } from './suppressions/list.contract.ts';
import { retrieveSuppressionOperation } from './suppressions/retrieve.contract.ts';
import { claimThreadOperation } from './threads/claim.contract.ts';
import { deleteThreadOperation } from './threads/delete.contract.ts';
import { forwardThreadOperation } from './threads/forward.contract.ts';
import { listThreadsOperation } from './threads/list.contract.ts';
import { releaseThreadOperation } from './threads/release.contract.ts';
import { replyToThreadOperation } from './threads/reply.contract.ts';
import { retrieveThreadOperation } from './threads/retrieve.contract.ts';
import { updateThreadOperation } from './threads/update.contract.ts';
import { retrieveUsageOperation } from './usage/retrieve.contract.ts';
import { describeV1WebhooksOperation } from './v1/_meta/webhooks.contract.ts';
import { createV1DomainOperation } from './v1/domains/create.contract.ts';
import { deleteV1DomainOperation } from './v1/domains/delete.contract.ts';
import { listV1DomainsOperation } from './v1/domains/list.contract.ts';
import { retrieveV1DomainOperation } from './v1/domains/retrieve.contract.ts';
import { verifyV1DomainOperation } from './v1/domains/verify.contract.ts';
import { replyToV1EmailOperation } from './v1/emails/reply.contract.ts';
import { retrieveV1EmailOperation } from './v1/emails/retrieve.contract.ts';
import { sendV1EmailOperation } from './v1/emails/send.contract.ts';
import { sendV1DraftOperation } from './v1/emails/send-draft.contract.ts';
import { forwardV1ThreadOperation } from './v1/threads/forward.contract.ts';
import { retrieveV1ThreadOperation } from './v1/threads/retrieve.contract.ts';
import { searchV1ThreadsOperation } from './v1/threads/search.contract.ts';
import { createWebhookEndpointOperation } from './webhook-endpoints/create.contract.ts';
import { deleteWebhookEndpointOperation } from './webhook-endpoints/delete.contract.ts';
import { listWebhookEndpointsOperation } from './webhook-endpoints/list.contract.ts';
import { listWebhookDeliveriesOperation } from './webhook-endpoints/list-deliveries.contract.ts';
import { retrieveWebhookEndpointOperation } from './webhook-endpoints/retrieve.contract.ts';
import { retryWebhookDeliveriesOperation } from './webhook-endpoints/retry-deliveries.contract.ts';
import { rotateWebhookSecretOperation } from './webhook-endpoints/rotate-secret.contract.ts';
import { testWebhookEndpointOperation } from './webhook-endpoints/test.contract.ts';
import { updateWebhookEndpointOperation } from './webhook-endpoints/update.contract.ts';

export const operations: readonly Contract[] = [
  listSpacesOperation,
  createSpaceOperation,
  retrieveSpaceOperation,
  updateSpaceOperation,
  deleteSpaceOperation,
  listApiKeysOperation,
  createApiKeyOperation,
  deleteApiKeyOperation,
  listMembersOperation,
  createMemberOperation,
  updateMemberOperation,
  deleteMemberOperation,
  listEmailsOperation,
  sendEmailOperation,
  retrieveEmailOperation,
  listEmailEngagementsOperation,
  updateEmailOperation,
  approveEmailOperation,
  cancelEmailOperation,
  deleteEmailOperation,
  listThreadsOperation,
  retrieveThreadOperation,
  replyToThreadOperation,
  forwardThreadOperation,
  updateThreadOperation,
  claimThreadOperation,
  releaseThreadOperation,
  deleteThreadOperation,
  createAttachmentOperation,
  downloadAttachmentOperation,
  inspectAttachmentOperation,
  downloadAttachmentTextOperation,
  listDomainsOperation,
  createDomainOperation,
  retrieveDomainOperation,
  updateDomainOperation,
  deleteDomainOperation,
  verifyDomainOperation,
  diagnoseDomainOperation,
  listMailboxesOperation,
  connectMailboxOperation,
  retrieveMailboxOperation,
  deleteMailboxOperation,
  syncMailboxOperation,
  listOauthAppsOperation,
  createOauthAppOperation,
  retrieveOauthAppOperation,
  updateOauthAppOperation,
  deleteOauthAppOperation,
  listWebhookEndpointsOperation,
  createWebhookEndpointOperation,
  retrieveWebhookEndpointOperation,
  updateWebhookEndpointOperation,
  deleteWebhookEndpointOperation,
  rotateWebhookSecretOperation,
  testWebhookEndpointOperation,
  listWebhookDeliveriesOperation,
  retryWebhookDeliveriesOperation,
  listEventsOperation,
  retrieveEventOperation,
  openLiveOperation,
  listSuppressionsOperation,
  createSuppressionsOperation,
  retrieveSuppressionOperation,
  deleteSuppressionOperation,
  listInboundRulesOperation,
  createInboundRuleOperation,
  retrieveInboundRuleOperation,
  updateInboundRuleOperation,
  deleteInboundRuleOperation,
  acceptBlockedEmailOperation,
  listPacingRulesOperation,
  createPacingRuleOperation,
  retrievePacingSpreadOperation,
  updatePacingSpreadOperation,
  retrievePacingRuleOperation,
  updatePacingRuleOperation,
  deletePacingRuleOperation,
  retrievePacingQueueOperation,
  releasePacingQueueOperation,
  retrieveUsageOperation,
  retrieveLimitsOperation,
  sendV1EmailOperation,
  retrieveV1EmailOperation,
  replyToV1EmailOperation,
  sendV1DraftOperation,
  retrieveV1ThreadOperation,
  forwardV1ThreadOperation,
  searchV1ThreadsOperation,
  listV1DomainsOperation,
  createV1DomainOperation,
  retrieveV1DomainOperation,
  deleteV1DomainOperation,
  verifyV1DomainOperation,
  describeV1WebhooksOperation,
];

/** The groups of operations, which are the tags of the OpenAPI documents. */
export const groups: Readonly<Record<string, string>> = {
  spaces: 'Spaces group domains, mail and suppressions by customer.',
  'api-keys': 'API keys authenticate requests; each has a scope.',
  members: 'People who sign in to the console of the workspace.',
  emails: 'Emails that were sent, scheduled or received.',
  threads: 'Threads group emails into conversations.',
  attachments: 'Files of emails, as the original and as extracted text.',
  domains: 'Domains that send and receive mail, with their DNS records.',
  mailboxes: 'Mailboxes of Google and Microsoft that people have connected.',
  'oauth-apps': 'Your own clients at Google and Microsoft, through which mailboxes are connected.',
  'webhook-endpoints': 'Endpoints that receive events over HTTPS, and their deliveries.',
  events: 'The event log: what webhooks deliver, for clients that catch up.',
  live: 'Events over a WebSocket, as they enter the log.',
  suppressions: 'Addresses that sends leave out.',
  'inbound-rules': 'Rules that say whose mail is received.',
  'blocked-emails': 'Messages that inbound rules have blocked.',
  'pacing-rules': 'Rules that say when emails leave, and how many in which time.',
  'pacing-queue': 'Emails that pacing rules hold.',
  usage: 'Numbers of what the workspace sends and receives.',
  limits: 'Limits of the workspace, and how much of each is used.',
  'v1.emails': 'Emails that were sent or received, and drafts.',
  'v1.threads': 'Threads group emails into conversations.',
  'v1.domains': 'Domains that send and receive mail, with their DNS records.',
  'v1._meta': 'The schema of webhook bodies.',
};
