/** The receipt rule set of one region: its creation, which of its rules are in force, and the recipients that they match. */
import { AwsError } from '../aws/service.ts';
import type { ArnOf } from './arns.ts';
import type { SesConnections } from './connections.ts';
import { domainOf } from './outcomes.ts';
import { setupMessageId } from './setup-mail.ts';

export interface ReceiptRule {
  readonly name: string;
  /** Addresses, domains, or `.domain` for subdomains; absent: all recipients at verified domains. */
  readonly recipients?: readonly string[];
  readonly s3: { readonly bucket: string; readonly prefix: string; readonly topicArn: string };
  readonly scanEnabled: boolean;
  readonly enabled: boolean;
}

export interface ReceiptRuleSet {
  readonly name: string;
  readonly rules: readonly ReceiptRule[];
  readonly active: boolean;
}

/** A rule with the recipients of a message that it applies to. */
export interface MatchedRule {
  readonly rule: ReceiptRule;
  readonly arn: string;
  readonly recipients: readonly string[];
}

export interface ReceiptRules {
  /** Creates or replaces the rule set. @throws AwsError when SES may not write to a bucket or publish to a topic */
  put(ruleSet: ReceiptRuleSet): void;
  /** null: no rule set is active. */
  active(): ReceiptRuleSet | null;
  /** Activates a rule set; null: none. @throws AwsError for an unknown name */
  activate(name: string | null): void;
  /** The rules in force that match any of the recipients. All of them run: the Stop action is not emulated. */
  match(recipients: readonly string[]): MatchedRule[];
  arnOf(ruleSet: string, rule: ReceiptRule): string;
}

export function createReceiptRules(
  connections: Pick<SesConnections, 'mayPublish' | 'mayStore'>,
  arnOf: ArnOf,
): ReceiptRules {
  let ruleSet: ReceiptRuleSet | null = null;
  const active = () => (ruleSet?.active ? ruleSet : null);
  const ruleArn = (ruleSetName: string, rule: ReceiptRule) =>
    arnOf(`receipt-rule-set/${ruleSetName}:receipt-rule/${rule.name}`);

  return {
    put: (created) => {
      for (const rule of created.rules) checkRule(rule, ruleArn(created.name, rule), connections);
      ruleSet = created;
    },
    active,
    activate: (name) => {
      if (name !== null && name !== ruleSet?.name) {
        throw new AwsError('RuleSetDoesNotExist', `Rule set does not exist: ${name}`);
      }
      if (ruleSet) ruleSet = { ...ruleSet, active: name !== null };
    },
    match: (recipients) => {
      const { name = '', rules = [] } = active() ?? {};
      return rules
        .filter(({ enabled }) => enabled)
        .map((rule) => ({
          rule,
          arn: ruleArn(name, rule),
          recipients: recipients.filter((address) => matches(rule, address)),
        }))
        .filter((matched) => matched.recipients.length > 0);
    },
    arnOf: ruleArn,
  };
}

/** SES tests bucket and topic when a receipt rule is created (SES API reference, "CreateReceiptRule"). */
function checkRule(
  { s3: { bucket, prefix, topicArn } }: ReceiptRule,
  sourceArn: string,
  { mayPublish, mayStore }: Pick<SesConnections, 'mayPublish' | 'mayStore'>,
): void {
  if (!(mayStore?.(bucket, `${prefix}${setupMessageId}`, sourceArn) ?? true)) {
    throw new AwsError('InvalidS3Configuration', `Could not write to bucket: ${bucket}`);
  }
  if (!(mayPublish?.(topicArn, sourceArn) ?? true)) {
    throw new AwsError('InvalidSnsTopic', `Could not publish to SNS topic: ${topicArn}`);
  }
}

/** Recipient conditions match the envelope, case-insensitively (SES developer guide, "Email receiving concepts and use cases"). */
function matches({ recipients }: ReceiptRule, address: string): boolean {
  if (recipients === undefined || recipients.length === 0) return true;
  const domain = domainOf(address);
  return recipients.some((condition) => {
    const wanted = condition.toLowerCase();
    if (wanted.startsWith('.')) return domain.endsWith(wanted);
    return wanted.includes('@') ? wanted === address.toLowerCase() : wanted === domain;
  });
}
