/** Descriptions that domains have in both versions. */

/** Of the fields of a record, in both versions. */
export const recordTexts = {
  type: 'DNS record type to publish.',
  name: 'Full domain name of the record, without a final dot.',
  value: 'Content of the record, without the quotation marks of a zone file.',
  state: '`pending` before the first check; `missing`: the last check did not find it with this value.',
};

export const providedText =
  'Whether the deployment gave the domain to the workspace; such a domain cannot be deleted.';
