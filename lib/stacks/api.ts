/** The HTTP API and its functions, derived from the contracts. */
import { CfnOutput, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { CfnApi, CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnPermission, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type PublicFunction, routesOf } from '../../functions/public.ts';
import { type ApiRoute, apiBody } from '../constructs/api-body.ts';
import { addClock } from '../constructs/clock.ts';
import { apiShare } from '../constructs/concurrency.ts';
import { addApiDomain, addLinkDomain } from '../constructs/custom-domain.ts';
import { FunctionGroup, type FunctionSpec } from '../constructs/function-group.ts';
import { type GrantTargets, grantsOfOperation, statementsOf } from '../constructs/grants.ts';
import { provisioned } from '../constructs/prewarm.ts';
import type { WorkerContract } from '../core/work/worker.ts';
import type { Contract } from '../http/contract.ts';
import type { Settings } from '../settings.ts';
import { operationDefaults } from './operation-defaults.ts';

/** The operation that `prewarmSendFunctions` is about. */
const sendOperation = 'emails.send';

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
  readonly settings: Settings;
  readonly region: string;
  readonly operations: readonly Contract[];
  readonly publicFunctions: readonly PublicFunction[];
  /** Of the stack of the workers, which comes before; those that are told the URL of the API have their clocks here. */
  readonly workers: readonly WorkerContract[];
  readonly targets: GrantTargets;
  readonly environment: Readonly<Record<string, string>>;
  readonly code: string;
  /** Folders of functions with their own code. */
  readonly ownCode: { readonly site: string; readonly console: string };
}

/** A function, and the ARN by which the API invokes it. */
interface Invoked {
  readonly scope: LambdaFunction;
  readonly functionArn: string;
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
    const { settings } = props;
    if (settings.apiDomain) addApiDomain(this, settings, { api, stage });
    for (const domain of settings.linkDomains) addLinkDomain(this, domain, { api, stage });
    const value = settings.apiBaseUrl || api.attrApiEndpoint;
    new CfnOutput(this, 'ApiUrl', { value, description: 'Base URL of the API' });
    this.#clocks(value);
  }

  /** The worker's stack cannot name this API, whose functions name its WebSocket API. */
  #clocks(apiUrl: string): void {
    const { settings, targets, workers } = this.#props;
    for (const { id, trigger } of workers) {
      if (trigger.kind !== 'every' || !trigger.isToldApi) continue;
      addClock(this, `Clock-${id}`, {
        functionArn: targets.names.arn('lambda', `function:${targets.names.workerFunction(id)}`),
        minutes: trigger.minutes,
        account: targets.names.account,
        isIdle: settings.standbyOf !== '' && !settings.takeOver,
        input: this.toJsonString({ apiUrl }),
      });
    }
  }

  #routes(): { routes: ApiRoute[]; fallbackArn: string; functions: Invoked[] } {
    const { names } = this.#props.targets;
    const functions: Invoked[] = [];
    const add = (spec: FunctionSpec): string => {
      const added = this.functions.add(spec);
      const functionArn = this.#invokedArn(spec, added);
      functions.push({ scope: added, functionArn });
      return functionArn;
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

  /** What the API invokes of a function: the function itself, or its alias with provisioned concurrency. */
  #invokedArn({ id }: FunctionSpec, added: LambdaFunction): string {
    const { settings, environment } = this.#props;
    const ready = settings.prewarmSendFunctions;
    if (id !== sendOperation || ready === 0) return added.functionArn;
    return provisioned(added, ready, JSON.stringify(Stack.of(this).resolve(environment)));
  }

  /**
   * Lets this API invoke a function. A permission per function instead of a role for the gateway: a trust policy cannot be limited to this
   * account, because API Gateway sends no `aws:SourceAccount` when it assumes a role.
   */
  #allowGateway(api: CfnApi, { scope, functionArn }: Invoked): void {
    const { names } = this.#props.targets;
    new CfnPermission(scope, 'Gateway', {
      action: 'lambda:InvokeFunction',
      functionName: functionArn,
      principal: 'apigateway.amazonaws.com',
      sourceArn: names.arn('execute-api', `${api.ref}/*/*`),
    });
  }

  #stage(api: CfnApi): CfnStage {
    const share = apiShare(this.#props.settings.lambdaConcurrency);
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
