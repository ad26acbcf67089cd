/** Where content of emails is stored, and how it is read (docs/decisions/0021-content-in-the-bucket.md). */
import { describe, expect, it } from 'vitest';
import { newId } from '../../../lib/adapters/ids.ts';
import { findObject } from '../../../lib/adapters/objects.ts';
import { contentObject, loadContent, storeContent } from '../../../lib/storage/emails/email-content.ts';
import { contentKey } from '../../../lib/storage/table/keys.ts';
import { get } from '../../../lib/storage/table/reads.ts';
import { mailOf5Kb } from '../../support/conversation.ts';
import { incompressible } from '../../support/incompressible.ts';
import { storedContent } from '../../support/stored-mail.ts';
import { workspace } from '../../support/workspace.ts';

const prose = mailOf5Kb('desk@example.test').text;

describe('content of an email', () => {
  it.each([
    ['a line', 'Hello', 'table'],
    ['5 KB of prose', prose, 'table'],
    ['the largest text that is compressed', 'é'.repeat(31_000), 'table'],
    ['text that compression leaves as it is', incompressible(6000), 'bucket'],
    ['more than 64 KB', 'x'.repeat(70_000), 'bucket'],
  ])('is read as it was stored: %s', async (_, text, place) => {
    const { id: workspaceId } = await workspace();
    const id = newId('eml');
    const content = storedContent(text);
    await storeContent(workspaceId, id, content);
    const item = await get(contentKey(workspaceId, id));
    expect(item !== null).toBe(place === 'table');
    expect(await loadContent(workspaceId, id, item)).toEqual(content);
    expect((await findObject(contentObject(workspaceId, id))) !== null).toBe(place === 'bucket');
  });

  it('is stored without what it lacks', async () => {
    const { id: workspaceId } = await workspace();
    const id = newId('eml');
    await storeContent(workspaceId, id, storedContent('Hello'));
    const item = await get(contentKey(workspaceId, id));
    expect(Object.keys(JSON.parse(String(item?.json))).toSorted()).toEqual(['text']);
  });
});
