/** The people of the workspace, and their roles. */
import { type FormEvent, useState } from 'react';
import { useAction, useCursorList } from '../../api/queries.ts';
import { type Role, useMay, useSession } from '../../api/session.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog, Dialog } from '../../kit/dialog.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Checkbox, Select, TextField } from '../../kit/field.tsx';
import { GuardedButton, ReadOnlyNote } from '../../kit/guarded.tsx';
import { type Column, Table } from '../../kit/list.tsx';
import { Page } from '../../kit/page.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';
import { SafeText } from '../../kit/safe-text.tsx';
import { Time } from '../../kit/time.tsx';
import { visibleText } from '../../kit/visible-text.ts';
import { changeMember, createMember, deleteMember, listMembers, type Member } from './member-requests.ts';
import { SettingsTabs } from './settings-tabs.tsx';
import { roleTexts } from './you.tsx';

const roles: readonly Role[] = ['owner', 'admin', 'member', 'viewer'];

/** Only owners make and change owners. */
function useRoleChoices() {
  const { role } = useSession();
  return roles
    .filter((one) => one !== 'owner' || role === 'owner')
    .map((one) => ({ value: one, label: `${one}: ${roleTexts[one]}` }));
}

export function Members() {
  const may = useMay('full');
  const [isAdding, setAdding] = useState(false);
  return (
    <Page
      title="Members"
      lead="People who may sign in here. A link by mail signs them in."
      actions={
        <GuardedButton kind="primary" onClick={() => setAdding(true)}>
          Add a member
        </GuardedButton>
      }
    >
      <SettingsTabs />
      {may ? <MemberList /> : <ReadOnlyNote isHidden />}
      {isAdding && <AddMember onClose={() => setAdding(false)} />}
    </Page>
  );
}

function MemberList() {
  const list = useCursorList(['members'], listMembers);
  const [removed, setRemoved] = useState<Member | null>(null);
  return (
    <>
      <Table
        label="Members"
        list={list}
        idOf={({ id }) => id}
        columns={columnsOf(setRemoved)}
        empty={
          <EmptyState
            title="Nobody yet"
            command="npm run admin -- member add --workspace SLUG --email anna@acme.dev --role owner"
          >
            The operator adds the first owner.
          </EmptyState>
        }
      />
      <RemoveMember member={removed} onClose={() => setRemoved(null)} />
    </>
  );
}

function columnsOf(onRemove: (member: Member) => void): readonly Column<Member>[] {
  return [
    { title: 'Member', cell: MemberCell },
    { title: 'Role', cell: (member) => <RoleCell member={member} /> },
    {
      title: 'Added',
      isMinor: true,
      cell: ({ created_at: at }) => (at ? <Time at={at} /> : '–'),
    },
    {
      title: 'Action',
      cell: (member) => (
        <GuardedButton
          small
          kind="danger"
          aria-label={`Remove ${visibleText(member.email)}`}
          onClick={() => onRemove(member)}
        >
          Remove
        </GuardedButton>
      ),
    },
  ];
}

function MemberCell({ email, outage_mail: hasMail }: Member) {
  const { email: own } = useSession();
  return (
    <>
      <SafeText text={email} /> {email.toLowerCase() === own.toLowerCase() && <Badge>You</Badge>}
      {hasMail && <div className="hint">gets mail about failing webhooks</div>}
    </>
  );
}

function RoleCell({ member: { id, email, role } }: { readonly member: Member }) {
  const { role: own } = useSession();
  const may = useMay('full') && (role !== 'owner' || own === 'owner');
  const choices = useRoleChoices();
  const change = useAction((next: Role) => changeMember(id, { role: next }), {
    changed: [['members'], ['session']],
    done: 'The role counts from now on',
  });
  if (!may) return <Badge tone={role === 'owner' ? 'accent' : 'neutral'}>{role}</Badge>;
  return (
    <>
      <Select
        label={`Role of ${visibleText(email)}`}
        hideLabel
        value={role}
        disabled={change.isPending}
        onChange={({ target: { value } }) => change.mutate(value as Role)}
        choices={choices}
      />
      <ProblemNotice error={change.error} />
    </>
  );
}

function AddMember({ onClose }: { readonly onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [hasMail, setMail] = useState(true);
  const add = useAction(() => createMember({ email: email.trim(), role, outage_mail: hasMail }), {
    changed: [['members']],
    done: 'Added: they can ask for a link on the sign-in page',
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(undefined, { onSuccess: onClose });
  };
  return (
    <Dialog isOpen onClose={onClose} title="Add a member">
      <form onSubmit={submit}>
        <TextField
          label="Address"
          type="email"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          placeholder="anna@acme.dev"
          required
          maxLength={320}
        />
        <Select
          label="Role"
          value={role}
          onChange={({ target: { value } }) => setRole(value as Role)}
          choices={useRoleChoices()}
        />
        {(role === 'owner' || role === 'admin') && (
          <Checkbox
            label="Mail about failing webhook endpoints"
            checked={hasMail}
            onChange={(event) => setMail(event.target.checked)}
          />
        )}
        <ProblemNotice error={add.error} />
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={add.isPending}>
            Add member
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

function RemoveMember({ member, onClose }: { readonly member: Member | null; readonly onClose: () => void }) {
  const remove = useAction(deleteMember, {
    changed: [['members'], ['session']],
    done: 'The member is removed',
  });
  if (!member) return null;
  const { id, email } = member;
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Remove ${visibleText(email)}?`}
      loses={
        <p>Their sessions end at once, and links that were mailed to them no longer work. API keys stay.</p>
      }
      action="Remove member"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(id, { onSuccess: onClose })}
    />
  );
}
