import { expect, it } from 'vitest';
import { coveringNames } from '../../../lib/core/domains/covering-names.ts';

const suffix = 'mail.parley.test';

it.each([
  ['acme.test', ['acme.test']],
  ['a.b.acme.test', ['a.b.acme.test', 'b.acme.test', 'acme.test']],
  ['localhost', []],
  ['acme.mail.parley.test', ['acme.mail.parley.test']],
  ['a.acme.mail.parley.test', ['a.acme.mail.parley.test', 'acme.mail.parley.test']],
  ['mail.parley.test', []],
  ['othermail.parley.test', ['othermail.parley.test', 'parley.test']],
  [`${'a.'.repeat(127)}test`, []],
])(
  'coveringNames of %s has the names below the provided suffix, or all of two labels and more',
  (host, names) => {
    expect(coveringNames(host, suffix)).toEqual(names);
  },
);

it('coveringNames has every name of two labels when there are no provided domains', () => {
  expect(coveringNames('acme.mail.parley.test', '')).toEqual([
    'acme.mail.parley.test',
    'mail.parley.test',
    'parley.test',
  ]);
});
