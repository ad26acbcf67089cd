/** The operator's commands for the members of workspaces. */

import { type Member, memberRoles } from '../lib/core/workspaces/workspace.ts';
import { normalizeAddress } from '../lib/mail/addresses/addresses.ts';
import { addMember, listMembers, removeMember, updateMember } from '../lib/services/workspaces/workspaces.ts';
import { type Command, neverAudited, onWorkspace } from './command.ts';
import { oneOf, Refused, Usage } from './options.ts';

const email = { value: 'ADDRESS', required: true, help: 'the email address of the member' } as const;
const role = { value: 'ROLE', help: 'owner, admin or member; owners and admins get outage mail' } as const;
const outageMail = {
  value: 'on|off',
  help: 'mail about webhook endpoints that nothing gets through to',
} as const;

export const memberCommands: Readonly<Record<string, Command>> = {
  'member add': onWorkspace({
    summary: 'Adds a member to a workspace.',
    options: { email, role: { ...role, default: 'member' }, 'outage-mail': { ...outageMail, default: 'on' } },
    examples: [
      'member add --workspace acme --email owner@acme.dev --role owner',
      'member add --workspace acme --email dev@acme.dev --role admin --outage-mail off',
    ],
    prepare: (values) => {
      const member: Member = {
        email: readAddress(values.email),
        role: oneOf('role', values.role, memberRoles),
        outageMail: readSwitch(values['outage-mail']),
      };
      return async ({ id, slug }) => {
        if (!(await addMember(id, member))) {
          throw new Refused(`${member.email} is a member of "${slug}" already: use member update.`);
        }
        return shown(member);
      };
    },
  }),
  'member update': onWorkspace({
    summary: 'Changes the role of a member, or whether it gets outage mail. What is not given stays.',
    options: { email, role, 'outage-mail': outageMail },
    examples: [
      'member update --workspace acme --email dev@acme.dev --role owner',
      'member update --workspace acme --email dev@acme.dev --outage-mail off',
    ],
    prepare: (values) => {
      const address = readAddress(values.email);
      const notices = values['outage-mail'];
      const change = {
        role: values.role === undefined ? undefined : oneOf('role', values.role, memberRoles),
        outageMail: notices === undefined ? undefined : readSwitch(notices),
      };
      if (change.role === undefined && change.outageMail === undefined) {
        throw new Usage('Give --role, --outage-mail or both.');
      }
      return async ({ id, slug }) => {
        const member = await updateMember(id, address, change);
        if (!member) throw noMember(address, slug);
        return shown(member);
      };
    },
  }),
  'member remove': onWorkspace({
    summary: 'Removes a member from a workspace.',
    options: { email },
    examples: ['member remove --workspace acme --email dev@acme.dev'],
    prepare: (values) => {
      const address = readAddress(values.email);
      return async ({ id, slug }) => {
        if (!(await removeMember(id, address))) throw noMember(address, slug);
        return { email: address, removed: true };
      };
    },
  }),
  'member list': onWorkspace({
    summary: 'Lists the members of a workspace, by email address.',
    options: {},
    examples: ['member list --workspace acme'],
    isAudited: neverAudited,
    prepare:
      () =>
      async ({ id }) =>
        (await listMembers(id)).map(shown),
  }),
};

const noMember = (address: string, slug: string) => new Refused(`${address} is no member of "${slug}".`);

function readAddress(text: string): string {
  const found = normalizeAddress(text);
  if (!found) throw new Usage(`--email: "${text}" is no email address.`);
  return found;
}

function readSwitch(text: string): boolean {
  return oneOf('outage-mail', text, ['on', 'off'] as const) === 'on';
}

function shown({ email: address, role: of, outageMail: isOn }: Member) {
  return { email: address, role: of, outage_mail: isOn };
}
