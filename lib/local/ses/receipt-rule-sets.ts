/** The active receipt rule set in the SES API of version 2010-12-01, which speaks the AWS query protocol. */
import { queryError, queryResponse } from '../aws/query-protocol.ts';
import { elements } from '../aws/s3-xml.ts';
import { type AwsCall, AwsError, type AwsResponse, type NeededPermission } from '../aws/service.ts';
import type { ReceiptRules } from './receipt-rules.ts';

const namespace = 'http://ses.amazonaws.com/doc/2010-12-01/';
const actions = ['DescribeActiveReceiptRuleSet', 'SetActiveReceiptRuleSet'] as const;
type QueryAction = (typeof actions)[number];

/** Whether a call is of this API: version 2 has a path for each action. */
export const isQueryCall = ({ method, path }: Pick<AwsCall, 'method' | 'path'>): boolean =>
  method === 'POST' && path === '/';

/** @throws AwsError `InvalidAction` */
export function queryActionOf(call: AwsCall): QueryAction {
  const wanted = new URLSearchParams(call.body.toString()).get('Action');
  const action = actions.find((name) => name === wanted);
  if (!action) throw new AwsError('InvalidAction', `The local SES does not know the action ${wanted}.`);
  return action;
}

/** Both actions support no resource ("Actions, resources, and condition keys for Amazon SES"). */
export const queryPermissions = (call: AwsCall): NeededPermission[] => [
  { action: `ses:${queryActionOf(call)}`, resource: '*' },
];

export function handleQueryCall(
  call: AwsCall,
  receiptRules: Pick<ReceiptRules, 'activate' | 'active'>,
): AwsResponse {
  const action = queryActionOf(call);
  switch (action) {
    case 'SetActiveReceiptRuleSet':
      receiptRules.activate(new URLSearchParams(call.body.toString()).get('RuleSetName'));
      return queryResponse(action, namespace, '');
    case 'DescribeActiveReceiptRuleSet': {
      const active = receiptRules.active();
      if (!active) return queryResponse(action, namespace, '');
      const metadata = elements({ Name: active.name, CreatedTimestamp: '2026-01-01T00:00:00.000Z' });
      const rules = active.rules.map(({ name, enabled, scanEnabled }) => {
        const rule = elements({ Name: name, Enabled: enabled, ScanEnabled: scanEnabled });
        return `<member>${rule}</member>`;
      });
      return queryResponse(
        action,
        namespace,
        `<Metadata>${metadata}</Metadata><Rules>${rules.join('')}</Rules>`,
      );
    }
  }
}

export const queryErrorResponse = (error: AwsError): AwsResponse => queryError(error, namespace);
