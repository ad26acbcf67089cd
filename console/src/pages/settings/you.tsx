/** The person who is signed in. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../../api/queries.ts';
import { forgetSession, type Role, signOut, useSession } from '../../api/session.ts';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/dialog.tsx';
import { Facts, Page } from '../../kit/page.tsx';
import { Time } from '../../kit/time.tsx';
import { SettingsTabs } from './settings-tabs.tsx';

export const roleTexts: Readonly<Record<Role, string>> = {
  owner: 'does everything, and changes owners',
  admin: 'does everything but changing owners',
  member: 'reads and sends',
  viewer: 'reads',
};

export function You() {
  const { email, role, workspace, expires_at: until } = useSession();
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const leave = useAction(() => signOut({ everywhere: true }), {});
  const confirm = () => leave.mutate(undefined, { onSuccess: () => forgetSession(client) });
  return (
    <Page
      title="You"
      actions={
        <Button kind="danger" onClick={() => setAsking(true)}>
          Sign out everywhere
        </Button>
      }
    >
      <SettingsTabs />
      <Facts
        facts={[
          ['Signed in as', email],
          ['Role', `${role}: ${roleTexts[role]}`],
          ['Workspace', `${workspace.name} (${workspace.slug})`],
          ['This session ends', <Time key="until" at={until} isAbsolute />],
        ]}
      />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Sign out everywhere?"
        loses={
          <p>
            All your sessions of this workspace end, in every browser, this one included. A link by mail signs
            you in again. API keys are not affected.
          </p>
        }
        action="Sign out everywhere"
        isBusy={leave.isPending}
        error={leave.error}
        onConfirm={confirm}
      />
    </Page>
  );
}
