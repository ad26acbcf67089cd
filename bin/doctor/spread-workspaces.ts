/** Whether each workspace that was ever spread is in the setting `spreadWorkspaces`, as it was (docs/decisions/0088-spread-workspaces.md). */
import { env } from '../../lib/env.ts';
import { type Check, failure, ok } from './check.ts';

export const spreadWorkspaces: Check = {
  title: 'Workspaces that are spread',
  needs: 'deployment',
  async examine() {
    const { findMisplaced } = await import('../../lib/storage/workspaces/spread-check.ts');
    const misplaced = await findMisplaced();
    if (misplaced.length === 0) {
      return [ok(`Emails are where spreadWorkspaces says; it names ${env().SPREAD_WORKSPACES.size}.`)];
    }
    return misplaced.map((id) =>
      failure(
        `The workspace ${id} has emails that no list finds: its entry in spreadWorkspaces is not as it was.`,
        'Deploy with the entry that it had, or without one if it had none (docs/scaling.md#a-workspace-that-is-spread).',
      ),
    );
  },
};
