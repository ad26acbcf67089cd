/** The operator's commands for the members of workspaces. */
import { Refused, UsageError } from '../../clients/cli/src/terminal/exit.ts';
import { type Member, memberRoles } from '../../lib/core/workspaces/workspace.ts';
import { normalizeAddress } from '../../lib/mail/addresses/addresses.ts';
import { quoted } from '../operator/values.ts';
import { type AdminCommand, neverAudited, onWorkspace } from './command.ts';

const services = () => import('../../lib/services/workspaces/workspaces.ts');

const email = { type: 'string', demandOption: true, describe: 'email address of the member' } as const;
const role = { choices: memberRoles, describe: 'owners and admins get outage mail' } as const;
const outageMail = {
  choices: ['on', 'off'],
  describe: 'mail about webhook endpoints that nothing gets through to',
} as const;

export const memberCommands: Readonly<Record<string, AdminCommand>> = {
  'member add': onWorkspace({
    summary: 'Adds a member to a workspace.',
    options: { email, role: { ...role, default: 'member' }, 'outage-mail': { ...outageMail, default: 'on' } },
    examples: [
      ['member add --workspace acme --email owner@acme.dev --role owner', 'an owner, who gets outage mail'],
      [
        'member add --workspace acme --email dev@acme.dev --role admin --outage-mail off',
        'an admin, who gets none',
      ],
    ],
    prepare: (values) => {
      const member: Member = {
        email: readAddress(values.email),
        role: values.role,
        outageMail: values['outage-mail'] === 'on',
      };
      return async ({ id, slug }) => {
        const { addMember } = await services();
        if (!(await addMember(id, member))) {
          throw new Refused(`${member.email} is a member of "${slug}" already.`, 'Use member update.');
        }
        return shown(member);
      };
    },
  }),
  'member update': onWorkspace({
    summary: 'Changes the role of a member, or whether it gets outage mail.',
    details: 'What is not given stays.',
    options: { email, role, 'outage-mail': outageMail },
    examples: [
      ['member update --workspace acme --email dev@acme.dev --role owner', 'makes an owner'],
      ['member update --workspace acme --email dev@acme.dev --outage-mail off', 'ends the outage mail'],
    ],
    prepare: (values) => {
      const address = readAddress(values.email);
      const notices = values['outage-mail'];
      const change = {
        role: values.role,
        outageMail: notices === undefined ? undefined : notices === 'on',
      };
      if (change.role === undefined && change.outageMail === undefined) {
        throw new UsageError('Give --role, --outage-mail or both.');
      }
      return async ({ id, slug }) => {
        const { updateMember } = await services();
        const member = await updateMember(id, address, change);
        if (!member) throw noMember(address, slug);
        return shown(member);
      };
    },
  }),
  'member remove': onWorkspace({
    summary: 'Removes a member from a workspace.',
    options: { email },
    examples: [['member remove --workspace acme --email dev@acme.dev', 'ends the membership']],
    prepare: (values) => {
      const address = readAddress(values.email);
      return async ({ id, slug }) => {
        const { removeMember } = await services();
        if (!(await removeMember(id, address))) throw noMember(address, slug);
        return { email: address, removed: true };
      };
    },
  }),
  'member list': onWorkspace({
    summary: 'Lists the members of a workspace, by email address.',
    options: {},
    examples: [['member list --workspace acme', 'all members']],
    isAudited: neverAudited,
    prepare:
      () =>
      async ({ id }) => {
        const { listMembers } = await services();
        return (await listMembers(id)).map(shown);
      },
  }),
};

const noMember = (address: string, slug: string) =>
  new Refused(`${address} is no member of "${slug}".`, 'member list shows all of them.');

function readAddress(text: string): string {
  const found = normalizeAddress(text);
  if (!found) throw new UsageError(`--email: ${quoted(text)} is no email address.`);
  return found;
}

function shown({ email: address, role: of, outageMail: isOn }: Member) {
  return { email: address, role: of, outage_mail: isOn };
}
