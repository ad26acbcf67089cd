/** AWS services as callers of other services: their principals and the condition keys that AWS documents for each call. */

export interface ServiceCaller {
  /** Service principal: `ses.amazonaws.com`. */
  readonly service: string;
  /** Condition keys that the service sends, without those of every request. */
  readonly context: Readonly<Record<string, readonly string[]>>;
}

/** API Gateway invoking a function through a Lambda permission (API Gateway developer guide, "Create AWS Lambda proxy integrations for HTTP APIs in API Gateway"). */
export function apiGatewayInvoking(route: {
  region: string;
  account: string;
  apiId: string;
  method: string;
  /** null: `$default`. */
  path: string | null;
}): ServiceCaller {
  const { region, account, apiId, method, path } = route;
  const resource = path === null ? '$default' : `${method === '*' ? '*' : method}${path}`;
  const sourceArn = `arn:aws:execute-api:${region}:${account}:${apiId}/$default/${resource}`;
  return { service: 'apigateway.amazonaws.com', context: { 'aws:SourceArn': [sourceArn] } };
}

/** The same of a WebSocket API, whose resource is the route key ("Control access to a WebSocket API with IAM"). */
export function socketApiInvoking(route: {
  region: string;
  account: string;
  apiId: string;
  stage: string;
  routeKey: string;
}): ServiceCaller {
  const { region, account, apiId, stage, routeKey } = route;
  const sourceArn = `arn:aws:execute-api:${region}:${account}:${apiId}/${stage}/${routeKey}`;
  return { service: 'apigateway.amazonaws.com', context: { 'aws:SourceArn': [sourceArn] } };
}

/**
 * API Gateway assuming the credentials role of an integration. No `aws:SourceAccount` and no `aws:SourceArn`: a trust policy that
 * requires them fails every request ("API Gateway does not have permission to assume the provided role").
 */
export const apiGatewayAssumingRole: ServiceCaller = { service: 'apigateway.amazonaws.com', context: {} };

/** CloudWatch Logs invoking the function of a subscription filter ("Log group-level subscription filters", Amazon CloudWatch Logs User Guide). */
export function logsInvoking(region: string, account: string, logGroup: string): ServiceCaller {
  return {
    service: 'logs.amazonaws.com',
    context: {
      'aws:SourceAccount': [account],
      'aws:SourceArn': [`arn:aws:logs:${region}:${account}:log-group:${logGroup}:*`],
    },
  };
}

/** Lambda assuming an execution role (Lambda developer guide, "Defining Lambda function permissions with an execution role"). */
export const lambdaAssumingRole: ServiceCaller = { service: 'lambda.amazonaws.com', context: {} };

/** Scheduler assuming an execution role (EventBridge Scheduler user guide, "Confused deputy prevention in EventBridge Scheduler"). */
export function schedulerAssumingRole(region: string, account: string, group: string): ServiceCaller {
  return {
    service: 'scheduler.amazonaws.com',
    context: {
      'aws:SourceAccount': [account],
      'aws:SourceArn': [`arn:aws:scheduler:${region}:${account}:schedule-group/${group}`],
    },
  };
}

/**
 * SES writing to a bucket or publishing to a topic. `sourceArn` is the receipt rule (SES developer guide, "Giving permissions to Amazon SES
 * for email receiving") or the configuration set ("Set up an Amazon SNS event destination for event publishing").
 */
export function sesActing(account: string, sourceArn: string): ServiceCaller {
  return {
    service: 'ses.amazonaws.com',
    context: { 'aws:SourceAccount': [account], 'aws:SourceArn': [sourceArn] },
  };
}

/**
 * The caller of a topic, as its KMS key sees it. The key policies for encrypted topics in the SES developer guide ("Giving permissions to Amazon SES for
 * email receiving", "Configuring Amazon SNS notifications for Amazon SES") have no condition, those for buckets have.
 */
export function usingTopicKey({ service }: ServiceCaller): ServiceCaller {
  return { service, context: {} };
}

/** Regions that are enabled by default; in others SNS uses a regional principal. */
const defaultRegions =
  /^(us-(east|west)-[12]|eu-(central|north)-1|eu-west-[123]|ap-south-1|ap-northeast-[123]|ap-southeast-[12]|ca-central-1|sa-east-1)$/;

/**
 * SNS sending to a queue (SNS developer guide, "Subscribing an Amazon SQS queue to an Amazon SNS topic"). Topics of opt-in regions use the
 * principal `sns.<region>.amazonaws.com` ("Sending Amazon SNS messages to an Amazon SQS queue or AWS Lambda function in a different Region").
 */
export function snsSending(topicArn: string): ServiceCaller {
  const region = topicArn.split(':')[3] ?? '';
  const service = defaultRegions.test(region) ? 'sns.amazonaws.com' : `sns.${region}.amazonaws.com`;
  return { service, context: { 'aws:SourceArn': [topicArn] } };
}
