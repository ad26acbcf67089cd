/** Findings about the MX record of the return path ("Using a custom MAIL FROM domain" in the SES guide). */
import { type Finding, type FindingId, finding } from '../findings.ts';
import type { ExpectedRecord } from '../records.ts';
import { fixWith, mxEvidence } from './presentation.ts';
import type { Zone } from './zone.ts';

const hostOfAnyRegion = /^feedback-smtp\.[a-z0-9-]+\.amazonses\.com$/;
const consequence =
  'Amazon SES then uses a return path of its own: bounces are still reported, but SPF does not align with the domain.';

/** At most one finding. */
export function returnPathFindings(record: ExpectedRecord, zone: Zone): Finding[] {
  const { status, values } = zone.mx(record.name);
  if (status === 'failed') return [];
  const only = fixWith('Publish this record, and no other MX record at its name:', record);
  const found = (id: FindingId, detail: string, fix = only): Finding[] => [
    finding(id, { detail, fix, evidence: mxEvidence(zone, record.name) }),
  ];
  const [first, ...others] = values;
  if (first === undefined) {
    const detail = `There is no MX record at ${record.name}. ${consequence}`;
    return found('return_path_missing', detail, fixWith('Publish this record:', record));
  }
  const ours = values.filter(({ exchange }) => exchange === record.value);
  if (ours.length > 0 && others.length > 0) {
    const detail = `There are ${values.length} MX records; Amazon SES accepts one only. ${consequence}`;
    return found('return_path_multiple', detail);
  }
  if (ours.length > 0) {
    return first.priority === record.priority
      ? []
      : found('return_path_wrong_priority', `The priority is ${first.priority}, and not ${record.priority}.`);
  }
  return hostOfAnyRegion.test(first.exchange)
    ? found(
        'return_path_wrong_region',
        `The record names ${first.exchange}, not the region of the domain. ${consequence}`,
      )
    : found('return_path_elsewhere', `The record names ${first.exchange.slice(0, 255)}. ${consequence}`);
}
