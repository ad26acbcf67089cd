/** What is wrong with a domain and why, as the diagnosis of the API tells. */
import type { DomainFinding, DomainWithRecords } from 'parley-client';
import { parley } from '../../api/parley.ts';
import { useApi } from '../../api/queries.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Command } from '../../kit/copy.tsx';
import { Section } from '../../kit/page.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';
import { Loading } from '../../kit/progress.tsx';
import { visibleText } from '../../kit/visible-text.ts';

const severities = {
  breaking: { tone: 'bad', text: 'Breaks mail' },
  risk: { tone: 'warn', text: 'Risk' },
  tip: { tone: 'accent', text: 'Tip' },
} as const;
const order = ['breaking', 'risk', 'tip'] as const;

const rank = ({ severity }: DomainFinding) => order.indexOf(severity);

export function Findings({ domain }: { readonly domain: DomainWithRecords }) {
  const query = useApi(['domains', domain.id, 'diagnosis'], () => parley.domains.diagnose(domain.id));
  const stage = domain.verified_at ? 'added' : 'adding';
  const found = (query.data?.data ?? domain.findings)
    .filter(({ when }) => when === 'both' || when === stage)
    .toSorted((a, b) => rank(a) - rank(b));
  return (
    <Section
      title="What is wrong"
      actions={
        <Button small onClick={() => void query.refetch()} isBusy={query.isFetching}>
          {query.isFetching ? 'Looking at DNS' : 'Look again'}
        </Button>
      }
    >
      <div aria-live="polite" className="stack">
        {query.isPending && found.length === 0 && <Loading label="Looking at DNS" rows={2} />}
        <ProblemNotice error={query.error} />
        {query.data && found.length === 0 && (
          <p>
            <Badge tone="good">All is well</Badge> Every record is as it should be.
          </p>
        )}
        {found.map((finding) => (
          <Finding key={`${finding.id} ${finding.purpose} ${finding.title}`} finding={finding} />
        ))}
      </div>
    </Section>
  );
}

/** The sentences of a fix, and the records that follow them in the format of a zone file. */
function partsOf(fix: string): { readonly sentences: string; readonly records: string } {
  const [sentences = '', ...records] = fix.split('\n');
  return { sentences, records: records.join('\n').trim() };
}

function Finding({ finding }: { readonly finding: DomainFinding }) {
  const { severity, title, detail, fix, evidence } = finding;
  const { sentences, records } = partsOf(fix);
  return (
    <article className={`card ${severity}`}>
      <h3>
        <Badge tone={severities[severity].tone}>{severities[severity].text}</Badge>
        {visibleText(title)}
      </h3>
      <p className="safe-text">{visibleText(detail)}</p>
      <p className="safe-text">
        <strong>What to do:</strong> {visibleText(sentences)}
      </p>
      {records && <Command text={records} what="the records" />}
      {evidence.length > 0 && (
        <details>
          <summary>What DNS answered</summary>
          <ul className="evidence">
            {evidence.map(({ name, type, result, value, priority }) => (
              <li key={`${name} ${type} ${priority} ${value}`}>
                <code>
                  {visibleText(name)} {type}
                </code>{' '}
                {value === null ? (
                  answers[result]
                ) : (
                  <code>{visibleText([priority, value].filter((part) => part !== null).join(' '))}</code>
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
    </article>
  );
}

const answers = {
  found: 'found',
  none: 'has no such record',
  nxdomain: 'does not exist',
  failed: 'got no usable answer',
} as const;
