/** Background tasks: expired drafts and blocked mail, rechecks of domains, notices and sign-in links to members, revocations, mail that is older than it is kept, what deleted mail has left, teardowns of deleted spaces and erased workspaces. */
import { parseQueueMessageOf } from '../../lib/core/queue-messages.ts';
import { mailLinks } from '../../lib/services/console/mail-links.ts';
import { checkInBackground } from '../../lib/services/domains/check-domain.ts';
import { revokeMailbox } from '../../lib/services/mailboxes/disconnect.ts';
import { reportOutage } from '../../lib/services/notices/report-outage.ts';
import { reportSuspension } from '../../lib/services/notices/report-suspension.ts';
import { consume } from '../../lib/services/queues/consume.ts';
import { expireBlocked } from '../../lib/services/receiving/expire-blocked.ts';
import { expireMail } from '../../lib/services/retention/expire-mail.ts';
import { expireDraft } from '../../lib/services/sending/end-draft.ts';
import { continueTeardown } from '../../lib/services/teardown/continue-teardown.ts';
import { eraseMail } from '../../lib/services/teardown/erase-mail.ts';

export const handler = consume(async (body) => {
  const message = parseQueueMessageOf(
    [
      'expire-draft',
      'expire-blocked-email',
      'check-domain',
      'report-outage',
      'report-suspension',
      'mail-links',
      'delete-space',
      'erase-workspace',
      'erase-mail',
      'expire-mail',
      'revoke-mailbox',
    ],
    body,
  );
  switch (message.kind) {
    case 'expire-draft':
      return await expireDraft(message);
    case 'expire-blocked-email':
      return await expireBlocked(message);
    case 'check-domain':
      return await checkInBackground(message);
    case 'report-outage':
      return await reportOutage(message);
    case 'report-suspension':
      return await reportSuspension(message);
    case 'mail-links':
      return await mailLinks(message);
    case 'delete-space':
    case 'erase-workspace':
      return await continueTeardown(message);
    case 'erase-mail':
      return await eraseMail(message);
    case 'expire-mail':
      return await expireMail(message);
    case 'revoke-mailbox':
      return await revokeMailbox(message);
  }
});
