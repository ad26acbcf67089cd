/** Growth cases of `lib/core/domains/diagnostics`: DNS records may be written by anybody. */
import { diagnose } from '../../lib/core/domains/diagnostics/diagnose.ts';
import * as spf from '../../lib/core/domains/diagnostics/spf-policy.ts';
import * as zones from '../../lib/core/domains/diagnostics/zone.ts';
import { expectedRecords } from '../../lib/core/domains/records.ts';
import { type GrowthCases, ofOurs, ofTheParser } from './cases.ts';

const records = expectedRecords({
  name: 'a.example.test',
  wildcard: true,
  region: 'us-east-1',
  selector: 's',
  publicKeyBase64: 'MIIB',
});

/** A zone in which every name has these records. */
function zoneOf(text: string): zones.ZoneAnswers {
  const answers = zones.emptyAnswers();
  const found = <T>(...values: T[]) => ({ status: 'found' as const, values, ms: 1 });
  const txt = found(text, `v=spf1 ${text}`, `v=DMARC1; p=${text}`, `v=DKIM1; p=${text}`);
  const mx = found({ exchange: text, priority: 10 }, { exchange: 'b.test', priority: 10 });
  for (const name of [
    'a.example.test',
    'example.test',
    '_dmarc.example.test',
    ...records.map((r) => r.name),
  ]) {
    answers.TXT.set(name, txt);
    answers.MX.set(name, mx);
    answers.CNAME.set(name, { status: 'none', values: [], ms: 1 });
  }
  return answers;
}

const domain = { name: 'a.example.test', wildcard: true, records, subdomains: ['b.a.example.test'] };
const exchanges = (text: string) => text.split(/(?=a)/).map((exchange) => ({ exchange, priority: 1 }));

export const diagnosticsCases: GrowthCases = {
  'core/domains/diagnostics/diagnose.ts': { diagnose: (text) => diagnose(domain, zoneOf(text)) },
  'core/domains/diagnostics/dkim.ts': { dkimFindings: ofTheParser },
  'core/domains/diagnostics/dmarc.ts': { dmarcFindings: ofTheParser },
  'core/domains/diagnostics/domain.ts': {},
  'core/domains/diagnostics/general.ts': {
    existenceFinding: ofTheParser,
    answerFindings: ofTheParser,
    aliasFindings: ofTheParser,
  },
  'core/domains/diagnostics/inbound.ts': { inboundFindings: ofTheParser },
  'core/domains/diagnostics/presentation.ts': {
    evidenceOf: ofTheParser,
    txtEvidence: ofTheParser,
    mxEvidence: ofTheParser,
    boundedEvidence: ofTheParser,
    fixWith: ofTheParser,
    txtRecord: ofOurs,
  },
  'core/domains/diagnostics/return-path.ts': { returnPathFindings: ofTheParser },
  'core/domains/diagnostics/spf.ts': { returnPathSpfFindings: ofTheParser, domainSpfFindings: ofTheParser },
  'core/domains/diagnostics/spf-policy.ts': {
    spfPolicies: (text) => spf.spfPolicies({ status: 'found', values: text.split(' '), ms: 1 }),
    parseSpf: spf.parseSpf,
    evaluatedTerms: (text) => spf.evaluatedTerms(spf.parseSpf(text)),
    invalidTerms: (text) => spf.invalidTerms(spf.parseSpf(`v=spf1 ${text}`)),
    spfCost: (text) => spf.spfCost('a.test', `v=spf1 ${text}`, zones.readZone(zones.emptyAnswers())),
  },
  'core/domains/diagnostics/zone.ts': {
    emptyAnswers: ofOurs,
    isUnanswered: ofOurs,
    readZone: ofOurs,
    boundedTexts: (text) => zones.boundedTexts({ status: 'found', values: text.split('a'), ms: 1 }),
    boundedExchanges: (text) => zones.boundedExchanges({ status: 'found', values: exchanges(text), ms: 1 }),
  },
};
