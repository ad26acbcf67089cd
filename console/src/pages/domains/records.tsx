/** The DNS records of a domain as a table to copy from. */
import type { DnsRecord, DomainWithRecords } from 'parley-client';
import { Badge } from '../../kit/badge.tsx';
import { CopyButton, CopyValue } from '../../kit/copy.tsx';
import { Time } from '../../kit/time.tsx';

const purposes: Readonly<Record<DnsRecord['purpose'], string>> = {
  DKIM: 'needed to send',
  RETURN_PATH: 'bounces',
  SPF: 'sender policy',
  DMARC: 'policy for forgeries',
  INBOUND: 'needed to receive',
};

const purposeNames: Readonly<Record<DnsRecord['purpose'], string>> = {
  DKIM: 'DKIM',
  RETURN_PATH: 'Return path',
  SPF: 'SPF',
  DMARC: 'DMARC',
  INBOUND: 'Inbound',
};

/** A line of a zone file (RFC 1035, section 5). Texts are split at 255 characters. */
export function zoneLine({ type, name, value, priority, ttl }: DnsRecord): string {
  const quoted = (value.match(/.{1,255}/gs) ?? [''])
    .map((part) => `"${part.replace(/["\\]/g, '\\$&')}"`)
    .join(' ');
  const content = { TXT: quoted, MX: `${priority ?? 10} ${value}.`, CNAME: `${value}.` }[type];
  return `${name}. ${ttl} IN ${type} ${content}`;
}

export function Records({ domain }: { readonly domain: DomainWithRecords }) {
  const { records } = domain;
  return (
    <>
      <div className="table records stacks">
        <table>
          <caption className="hidden">DNS records to publish</caption>
          <thead>
            <tr>
              {['For', 'State', 'Type', 'Name', 'Value', 'Priority', 'TTL'].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {records.map((record) => (
              <Row key={record.id} record={record} />
            ))}
          </tbody>
        </table>
      </div>
      <div className="actions after-table">
        <CopyButton
          text={`${records.map(zoneLine).join('\n')}\n`}
          what="all as a zone file"
          label="Copy all as a zone file"
        />
      </div>
    </>
  );
}

function Row({ record }: { readonly record: DnsRecord }) {
  const { purpose, type, name, value, priority, ttl } = record;
  return (
    <tr>
      <th scope="row" className="nowrap">
        {purposeNames[purpose]}
        <div className="hint">{purposes[purpose]}</div>
      </th>
      <td className="nowrap" data-title="State">
        <State record={record} />
      </td>
      <td className="short" data-title="Type">
        <CopyValue text={type} what={`the type of the ${purpose} record`} />
      </td>
      <td className="wide-cell" data-title="Name">
        <CopyValue text={name} what={`the name of the ${purpose} record`} />
      </td>
      <td className="wide-cell" data-title="Value">
        <CopyValue text={value} what={`the value of the ${purpose} record`} />
      </td>
      <td className="short" data-title="Priority">
        {priority === null ? (
          '–'
        ) : (
          <CopyValue text={String(priority)} what={`the priority of the ${purpose} record`} />
        )}
      </td>
      <td className="short" data-title="TTL">
        <CopyValue text={String(ttl)} what={`the TTL of the ${purpose} record`} />
      </td>
    </tr>
  );
}

function State({ record: { state, last_checked_at: checkedAt } }: { readonly record: DnsRecord }) {
  const [tone, text] = {
    pending: ['neutral', 'Not checked'],
    verified: ['good', 'Found'],
    missing: ['bad', 'Not found'],
  }[state] as ['neutral' | 'good' | 'bad', string];
  return (
    <>
      <Badge tone={tone}>{text}</Badge>
      {checkedAt && (
        <div className="hint">
          <Time at={checkedAt} />
        </div>
      )}
    </>
  );
}
