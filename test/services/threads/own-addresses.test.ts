/** Which addresses are the workspace's own, over what the stores have of domains and mailboxes. */
import { expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import { ownAddresses } from '../../../lib/services/threads/own-addresses.ts';
import { claimItem } from '../../../lib/storage/domains/domain-claims.ts';
import { put } from '../../../lib/storage/table/table.ts';
import { api } from '../../support/api.ts';
import { connectMailbox } from '../../support/emulated-mailbox.ts';
import { storedDomain } from '../../support/stored-domain.ts';
import { workspace } from '../../support/workspace.ts';

it('ownAddresses knows verified domains and connected mailboxes in every spelling', async () => {
  const own = await workspace();
  const other = await workspace();
  const [mailbox, left] = await Promise.all([
    connectMailbox(own, 'google'),
    connectMailbox(own, 'microsoft'),
  ]);
  await api(own).delete(`/mailboxes/${left.id}`);
  const name = (label: string) => `${label}.${own.slug}.test`;
  const verifiedAt = now();
  const domains = [
    { name: name('plain'), verifiedAt },
    { name: name('wild'), wildcard: true, verifiedAt },
    { name: name('xn--bcher-kva'), verifiedAt },
    { name: name('waiting') },
    { name: name('spaced'), spaceId: newId('spc'), verifiedAt },
  ];
  for (const domain of domains) await put(claimItem(own.id, storedDomain(domain)));
  await put(claimItem(other.id, storedDomain({ name: name('foreign'), verifiedAt })));
  const { isOwn, lookUp } = ownAddresses(own.id, ['Desk@lost.test']);
  const ours = [
    'desk+vip@LOST.test',
    `ANY@${own.providedDomain.toUpperCase()}.`,
    `any+tag@${name('plain')}`,
    `any@deep.sub.${name('wild')}`,
    `any@${name('bücher')}`,
    `any@${name('spaced')}`,
    mailbox.address.toUpperCase(),
    mailbox.address.replace('@', '+news@'),
  ];
  const theirs = [
    'other@lost.test',
    `any@sub.${name('plain')}`,
    `any@${name('waiting')}`,
    `any@${name('foreign')}`,
    `any@${other.providedDomain}`,
    left.address,
    `x${mailbox.address}`,
    'MAILER-DAEMON',
    '',
  ];
  await lookUp([...ours, ...theirs]);
  expect(ours.filter((address) => !isOwn(address))).toEqual([]);
  expect(theirs.filter(isOwn)).toEqual([]);
});
