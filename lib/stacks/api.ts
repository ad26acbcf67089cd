/** The HTTP API and its functions, derived from the contracts. */
import { CfnOutput, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { CfnApi, CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnPermission, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type PublicFunction, routesOf } from '../../functions/public.ts';
import { type ApiRoute, apiBody } from '../constructs/api-body.ts';
import { apiShare } from '../constructs/concurrency.ts';
import { addApiDomain, addLinkDomain } from '../constructs/custom-domain.ts';
import { FunctionGroup, type FunctionSpec } from '../constructs/function-group.ts';
import { type GrantTargets, grantsOfOperation, statementsOf } from '../constructs/grants.ts';
import type { Contract } from '../http/contract.ts';
import type { Settings } from '../settings.ts';
import { operationDefaults } from './operation-defaults.ts';

/** Fields of the access log; `requestId` is the `request_id` of log events and responses. */
const accessLogFields = {
  requestId: '$context.requestId',
  time: '$context.requestTimeEpoch',
  route: '$context.routeKey',
  status: '$context.status',
  ip: '$context.identity.sourceIp',
  userAgent: '$context.identity.userAgent',
  ms: '$context.responseLatency',
  functionMs: '$context.integrationLatency',
  bytes: '$context.responseLength',
  error: '$context.error.message',
  functionError: '$context.integrationErrorMessage',
};

export interface ApiStackProps extends StackProps {
  readonly title: string;
  readonly hosts: Pick<
    Settings,
    'apiBaseUrl' | 'apiDomain' | 'apiCertificateArn' | 'apiHostedZoneId' | 'linkDomains' | 'standbyOf'
  >;
  readonly region: string;
  /** Concurrent executions of the account. */
  readonly lambdaConcurrency: number;
  readonly operations: readonly Contract[];
  readonly publicFunctions: readonly PublicFunction[];
  readonly targets: GrantTargets;
  readonly environment: Readonly<Record<string, string>>;
  readonly code: string;
  /** Folders of functions with their own code. */
  readonly ownCode: { readonly site: string; readonly console: string };
}

export class ApiStack extends Stack {
  readonly functions: FunctionGroup;
  readonly apiId: string;
  readonly #props: ApiStackProps;

  constructor(scope: Construct, id: string, props: ApiStackProps) {
    super(scope, id, props);
    this.#props = props;
    const { names } = props.targets;
    const logGroupName = names.logGroup('api');
    this.functions = new FunctionGroup(this, 'Functions', {
      code: props.code,
      environment: props.environment,
      logGroupName,
      logGroupArn: names.arn('logs', `log-group:${logGroupName}`),
    });
    const { routes, fallbackArn, functions } = this.#routes();
    const api = new CfnApi(this, 'Api', {
      body: apiBody({
        title: props.title,
        region: props.region,
        routes,
        fallbackArn,
      }),
    });
    for (const apiFunction of functions) this.#allowGateway(api, apiFunction);
    this.apiId = api.ref;
    const stage = this.#stage(api);
    const { hosts } = props;
    if (hosts.apiDomain) addApiDomain(this, hosts, { api, stage });
    for (const domain of hosts.linkDomains) addLinkDomain(this, domain, { api, stage });
    const value = hosts.apiBaseUrl || api.attrApiEndpoint;
    new CfnOutput(this, 'ApiUrl', { value, description: 'Base URL of the API' });
  }

  #routes(): { routes: ApiRoute[]; fallbackArn: string; functions: LambdaFunction[] } {
    const { names } = this.#props.targets;
    const functions: LambdaFunction[] = [];
    const add = (spec: FunctionSpec): string => {
      const added = this.functions.add(spec);
      functions.push(added);
      return added.functionArn;
    };
    const routes: ApiRoute[] = this.#props.operations.map((contract) => ({
      method: contract.method,
      path: contract.path,
      functionArn: add({
        ...operationDefaults,
        ...contract,
        functionName: names.apiFunction(contract.id),
        statements: statementsOf(grantsOfOperation(contract), this.#props.targets),
      }),
    }));
    let fallbackArn: string | undefined;
    for (const spec of this.#props.publicFunctions) {
      const functionArn = add({
        ...spec,
        ...(spec.hasOwnCode && { code: this.#props.ownCode[spec.hasOwnCode] }),
        functionName: names.apiFunction(spec.id),
        statements: statementsOf(spec.access, this.#props.targets),
      });
      routes.push(...routesOf(spec).map((route) => ({ ...route, functionArn })));
      if (!spec.route) fallbackArn = functionArn;
    }
    if (!fallbackArn) throw new Error('no public function has the route $default');
    return { routes, fallbackArn, functions };
  }

  /**
   * Lets this API invoke a function. A permission per function instead of a role for the gateway: a trust policy cannot be limited to this
   * account, because API Gateway sends no `aws:SourceAccount` when it assumes a role.
   */
  #allowGateway(api: CfnApi, apiFunction: LambdaFunction): void {
    const { names } = this.#props.targets;
    new CfnPermission(apiFunction, 'Gateway', {
      action: 'lambda:InvokeFunction',
      functionName: apiFunction.functionArn,
      principal: 'apigateway.amazonaws.com',
      sourceArn: names.arn('execute-api', `${api.ref}/*/*`),
    });
  }

  #stage(api: CfnApi): CfnStage {
    const share = apiShare(this.#props.lambdaConcurrency);
    const accessLogs = new LogGroup(this, 'AccessLogs', {
      // This prefix keeps the resource policy of CloudWatch Logs small ("Enable logging from AWS services").
      logGroupName: `/aws/vendedlogs${this.#props.targets.names.logGroup('api')}-access`,
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    return new CfnStage(this, 'Stage', {
      apiId: api.ref,
      stageName: '$default',
      autoDeploy: true,
      accessLogSettings: { destinationArn: accessLogs.logGroupArn, format: JSON.stringify(accessLogFields) },
      // Above the ceiling of the functions, whose 429 has a problem body and `Retry-After`.
      defaultRouteSettings: {
        throttlingBurstLimit: share.burst,
        throttlingRateLimit: share.requestsPerSecond,
      },
    });
  }
}
