/** The operator's command for a single email. */
import { Refused } from '../../clients/cli/src/terminal/exit.ts';
import { timestamp } from '../../lib/adapters/clock.ts';
import { boundedText, quoted } from '../operator/values.ts';
import { type AdminCommand, neverAudited, onWorkspace } from './command.ts';

/** Longest Message-ID: a line of a message (RFC 5322, 2.1.1). */
const idMax = 998;

export const emailCommands: Readonly<Record<string, AdminCommand>> = {
  'email trace': onWorkspace({
    summary: 'Shows the way of an email: claims, SES, events, webhooks and log lines, in the order of time.',
    details:
      'Without addresses and content. The log groups keep a month. Against AWS it needs logs:FilterLogEvents.',
    options: {
      id: { type: 'string', demandOption: true, describe: 'eml_…, evt_…, a Message-ID or an SES message id' },
    },
    examples: [
      ['email trace --workspace acme --id eml_0197f6c2a4b87d1e9f3a5c6b7d8e9f01', 'by the id of the email'],
      [
        'email trace --workspace acme --id evt_0197f6c2a4b87d1e9f3a5c6b7d8e9f01 --json',
        'by an event, for a program',
      ],
    ],
    isAudited: neverAudited,
    prepare: (values) => {
      const id = boundedText('id', values.id.trim(), idMax);
      return async ({ id: workspaceId }) => {
        const { traceEmail } = await import('../../lib/services/trace/trace-email.ts');
        const steps = await traceEmail(workspaceId, id);
        if (!steps) {
          throw new Refused(
            `The workspace has no email ${quoted(id)}.`,
            'Drafts and deleted emails have no trace.',
          );
        }
        return steps.map(({ at, ...step }) => ({ at: timestamp(at), ...step }));
      };
    },
  }),
};
