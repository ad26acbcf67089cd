import { describe, expect, it } from 'vitest';
import { changeSettings } from '../../../lib/services/workspaces/workspaces.ts';
import {
  findWorkspaceSettings,
  updateWorkspaceSettings,
} from '../../../lib/storage/workspaces/workspaces.ts';
import { workspace } from '../../support/workspace.ts';

describe('changeSettings', () => {
  it('loses no change when several are made at the same time', async () => {
    const { id } = await workspace();
    await Promise.all([
      changeSettings(id, { eventLog: false }),
      changeSettings(id, { linkDomain: 'links.acme.dev' }),
      changeSettings(id, { inboundPolicy: { spam: 'drop' } }),
      changeSettings(id, { inboundPolicy: { virus: 'drop' } }),
    ]);
    expect(await findWorkspaceSettings(id)).toMatchObject({
      eventLog: false,
      linkDomain: 'links.acme.dev',
      inboundPolicy: { spam: 'drop', virus: 'drop', dmarc: 'mark' },
    });
  });
});

describe('updateWorkspaceSettings', () => {
  it('writes nothing when the settings were changed since they were read', async () => {
    const { id } = await workspace();
    const read = await findWorkspaceSettings(id);
    expect(await updateWorkspaceSettings(id, { ...read, eventLog: false })).toBe(true);
    expect(await updateWorkspaceSettings(id, { ...read, linkDomain: 'links.acme.dev' })).toBe(false);
    expect(await findWorkspaceSettings(id)).toMatchObject({ eventLog: false, linkDomain: null });
  });
});
