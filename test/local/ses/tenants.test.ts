import { expect, it } from 'vitest';
import { createTenants } from '../../../lib/local/ses/tenants.ts';
import { journalFile } from '../../support/journal.ts';

const arnOf = (resource: string) => `arn:aws:ses:eu-central-1:123456789012:${resource}`;
const identity = arnOf('identity/acme.test');
const set = arnOf('configuration-set/set');

const open = () => createTenants(arnOf, () => 0);

it('a tenant sends with associated resources only', () => {
  const tenants = open();
  tenants.create('wks_1');
  tenants.associate('wks_1', identity);
  expect(() => tenants.check('wks_1', [identity, set])).toThrow('is not associated with');
  tenants.associate('wks_1', set);
  tenants.check('wks_1', [identity, set]);
  tenants.dissociate('wks_1', identity);
  expect(() => tenants.check('wks_1', [identity, set])).toThrow('is not associated with');
});

it('a tenant sends nothing while it is paused, and others do', () => {
  const tenants = open();
  for (const name of ['one', 'two']) {
    tenants.create(name);
    tenants.associate(name, identity);
  }
  tenants.pause('one', true);
  expect(() => tenants.check('one', [identity])).toThrow('Sending is paused');
  tenants.check('two', [identity]);
  tenants.pause('one', false);
  tenants.check('one', [identity]);
});

it('a resource lists its tenants by name until they are removed', () => {
  const tenants = open();
  for (const name of ['b', 'a']) {
    tenants.create(name);
    tenants.associate(name, identity);
  }
  expect(tenants.ofResource(identity).map(({ name }) => name)).toEqual(['a', 'b']);
  tenants.remove('a');
  expect(tenants.ofResource(identity).map(({ name }) => name)).toEqual(['b']);
  expect(() => tenants.get('a')).toThrow('does not exist');
  expect(() => tenants.create('b')).toThrow('already exists');
});

it('a tenant survives a restart with its resources', () => {
  const { open: openJournal } = journalFile();
  const start = () => createTenants(arnOf, () => 0, openJournal().map('tenants'));
  const tenants = start();
  tenants.create('wks_1');
  tenants.associate('wks_1', identity);
  start().check('wks_1', [identity]);
});
