/** The operator's command that erases a person from a workspace. */
import { UsageError } from '../../clients/cli/src/terminal/exit.ts';
import { addressKey, splitAddress } from '../../lib/mail/addresses/addresses.ts';
import type { PersonErasure, ReportErasure } from '../../lib/services/erasure/erase-person.ts';
import { progressEvery } from '../operator/progress.ts';
import { quoted } from '../operator/values.ts';
import { type AdminCommand, onWorkspace } from './command.ts';

export const personCommands: Readonly<Record<string, AdminCommand>> = {
  'person erase': onWorkspace({
    summary: 'Erases all mail from and to a person in a workspace. There is no way back.',
    details:
      'Also mail with other recipients, and mail that names the address. Nothing of it is found at once; the rest is removed ' +
      'in the background within half an hour. A run that was stopped is repeated; a second run finds nothing.',
    options: {
      address: { type: 'string', demandOption: true, describe: 'the email address of the person' },
      confirm: { type: 'string', describe: 'the address again; not with --dry-run' },
      'dry-run': { type: 'boolean', describe: 'count only what would be erased' },
    },
    // The log of the workspace is not to name whom it has forgotten.
    secrets: ['address', 'confirm'],
    examples: [
      ['person erase --workspace acme --address anna@example.com --dry-run', 'what there is of Anna'],
      ['person erase --workspace acme --address anna@example.com --confirm anna@example.com', 'erases it'],
    ],
    isAudited: ({ 'dry-run': isDryRun = false }) => !isDryRun,
    // One that was stopped has erased what it found until then.
    isAuditedFirst: true,
    prepare: ({ address, confirm, 'dry-run': isDryRun = false }) => {
      if (!isStorable(address))
        throw new UsageError(`--address: ${quoted(address)} is not an email address.`);
      const isConfirmed = confirm !== undefined && addressKey(confirm) === addressKey(address);
      if (!isDryRun && !isConfirmed) {
        throw new UsageError('--confirm must repeat the address; --dry-run counts only.');
      }
      return async ({ id, slug }) => {
        const { erasePerson } = await import('../../lib/services/erasure/erase-person.ts');
        const erasure = await erasePerson(id, address, { isDryRun }, erasureReport());
        return { workspace: slug, dry_run: isDryRun, ...shown(erasure) };
      };
    },
  }),
};

/** Longer ones are in no header line that servers take (RFC 5321 4.5.3.1.6). */
const charactersMax = 1000;

/** Received mail has addresses to which none can be sent: with letters of any script, or of any length. */
function isStorable(address: string): boolean {
  const { local, host } = splitAddress(address.trim());
  const isText = local !== '' && host !== '' && !/[\s<>,;\p{Cc}]/u.test(host) && !/[<>\p{Cc}]/u.test(local);
  return isText && address.length <= charactersMax;
}

function shown({ counts, left }: PersonErasure) {
  return {
    emails: counts.emails,
    emails_naming: counts.emailsNaming,
    scheduled: counts.scheduled,
    drafts: counts.drafts,
    threads: counts.threads,
    files: counts.files,
    raw_messages: counts.rawMessages,
    events: counts.events,
    deliveries: counts.deliveries,
    blocked_emails: counts.blockedEmails,
    suppressions: counts.suppressions,
    correspondents: counts.correspondents,
    inbound_rules: counts.inboundRules,
    audit_entries: counts.auditEntries,
    in_progress: left.inProgress,
    is_member: left.isMember,
    mailbox: left.mailbox,
  };
}

/** Records between two reports: some seconds of reading. */
const reportedRecords = 1000;

/** Prints how far an erasure is, list by list. */
function erasureReport(): ReportErasure {
  const ofLists = new Map<string, ReturnType<typeof progressEvery>>();
  return ({ list, read }) => {
    const report = ofLists.get(list) ?? progressEvery(reportedRecords);
    ofLists.set(list, report);
    report(read, () => `${list}: ${read} read`);
  };
}
