/** The operator's commands for the members of workspaces. */
import { Refused, UsageError } from '../../clients/cli/src/terminal/exit.ts';
import { memberRoles } from '../../lib/core/access/access.ts';
import { Problem } from '../../lib/core/problems.ts';
import { type MemberInput, memberId } from '../../lib/core/workspaces/workspace.ts';
import { normalizeAddress } from '../../lib/mail/addresses/addresses.ts';
import { localApi } from '../local/local-api.ts';
import { quoted } from '../operator/values.ts';
import { type AdminCommand, neverAudited, onWorkspace } from './command.ts';

const services = () => import('../../lib/services/members/members.ts');

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
      const member: MemberInput = {
        email: readAddress(values.email),
        role: values.role,
        outageMail: values['outage-mail'] === 'on',
      };
      return async ({ id, slug }) => {
        const { addMember } = await services();
        await orRefused(
          addMember(id, member, 'operator'),
          `${member.email} is a member of "${slug}" already.`,
          'Use member update.',
        );
        return { ...shown(member), sign_in: `member link --workspace ${slug} --email ${member.email}` };
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
        const { changeMember } = await services();
        const changed = changeMember(id, memberId(address), change, 'operator');
        return shown(await orRefused(changed, ...noMember(address, slug)));
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
        await orRefused(removeMember(id, memberId(address), 'operator'), ...noMember(address, slug));
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
        const { listMembersForOperator } = await services();
        return (await listMembersForOperator(id)).map(shown);
      },
  }),
  'member link': onWorkspace({
    summary: 'Prints a link that signs a member in to the console.',
    details:
      'The link works once, within 15 minutes. Give it to the member only: it is as good as a password.',
    options: {
      email,
      api: { type: 'string', describe: 'URL of the API: the output ApiUrl, where apiBaseUrl is not set' },
    },
    examples: [['member link --workspace acme --email owner@acme.dev', 'a link for the first sign-in']],
    prepare: (values) => {
      const address = readAddress(values.email);
      const given = values.api === undefined ? null : readOrigin(values.api);
      return async ({ id, slug }) => {
        const [{ listMembersForOperator }, { createLinkFor }, { env }] = await Promise.all([
          services(),
          import('../../lib/services/console/sign-in.ts'),
          import('../../lib/env.ts'),
        ]);
        const isLocal = process.env.AWS_ENDPOINT_URL !== undefined;
        const baseUrl = given ?? (env().API_BASE_URL.replace(/\/+$/, '') || (isLocal ? localApi() : ''));
        if (!baseUrl) throw new UsageError('Give the URL of the API with --api.');
        await listMembersForOperator(id);
        const link = await createLinkFor(id, address, baseUrl);
        if (!link) throw new Refused(...noMember(address, slug));
        return { email: address, url: link.url, expires_at: new Date(link.endsAt).toISOString() };
      };
    },
  }),
};

/** The origin of a URL. */
function readOrigin(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return url.origin;
  throw new UsageError(`--api: ${quoted(text)} is no URL of an API.`);
}

/** What a service refuses is told in the words of the command line. */
async function orRefused<T>(work: Promise<T>, message: string, hint: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Problem && error.code !== 'limit_reached') throw new Refused(message, hint);
    throw error;
  }
}

const noMember = (address: string, slug: string): [message: string, hint: string] => [
  `${address} is no member of "${slug}".`,
  'member list shows all of them.',
];

function readAddress(text: string): string {
  const found = normalizeAddress(text);
  if (!found) throw new UsageError(`--email: ${quoted(text)} is no email address.`);
  return found;
}

function shown({ email: address, role: of, outageMail: isOn }: MemberInput) {
  return { email: address, role: of, outage_mail: isOn };
}
