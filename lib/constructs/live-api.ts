/** The WebSocket API on which clients take events live: one function behind all routes. */

import { RemovalPolicy } from 'aws-cdk-lib';
import { CfnApi, CfnIntegration, CfnRoute, CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnPermission, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { liveStage, type Names } from './names.ts';

/** Fields of the access log. No query: it has the ticket. */
const accessLogFields = {
  requestId: '$context.requestId',
  time: '$context.requestTimeEpoch',
  route: '$context.routeKey',
  event: '$context.eventType',
  status: '$context.status',
  connection: '$context.connectionId',
  ip: '$context.identity.sourceIp',
  functionMs: '$context.integrationLatency',
  error: '$context.error.message',
};

/** Messages of clients, and new connections, a second. Events to clients are not among them. */
const throttling = { throttlingBurstLimit: 1000, throttlingRateLimit: 500 };

export class LiveApi extends Construct {
  /** Where clients connect. */
  readonly url: string;
  readonly api: CfnApi;
  readonly #stage: CfnStage;
  readonly #names: Names;

  constructor(scope: Construct, id: string, names: Names) {
    super(scope, id);
    this.#names = names;
    this.api = new CfnApi(this, 'Api', {
      name: names.liveApi,
      protocolType: 'WEBSOCKET',
      routeSelectionExpression: '$request.body.action',
    });
    this.url = `${this.api.attrApiEndpoint}/${liveStage}`;
    const accessLogs = new LogGroup(this, 'AccessLogs', {
      // This prefix keeps the resource policy of CloudWatch Logs small ("Enable logging from AWS services").
      logGroupName: `/aws/vendedlogs${names.logGroup('workers')}-live-access`,
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.#stage = new CfnStage(this, 'Stage', {
      apiId: this.api.ref,
      stageName: liveStage,
      autoDeploy: true,
      accessLogSettings: { destinationArn: accessLogs.logGroupArn, format: JSON.stringify(accessLogFields) },
      defaultRouteSettings: throttling,
    });
  }

  /** The ARN of the connections, for the role that sends to them. */
  get connectionsArn(): string {
    return this.#names.arn('execute-api', `${this.api.ref}/${liveStage}/*/@connections/*`);
  }

  /** Leads every route to a function. */
  leadTo(target: LambdaFunction, region: string): void {
    const integration = new CfnIntegration(this, 'Integration', {
      apiId: this.api.ref,
      integrationType: 'AWS_PROXY',
      integrationUri: `arn:aws:apigateway:${region}:lambda:path/2015-03-31/functions/${target.functionArn}/invocations`,
    });
    for (const routeKey of ['$connect', '$disconnect', '$default']) {
      const route = new CfnRoute(this, `Route ${routeKey.slice(1)}`, {
        apiId: this.api.ref,
        routeKey,
        // The function checks the ticket.
        authorizationType: 'NONE',
        target: `integrations/${integration.ref}`,
      });
      this.#stage.addResourceDependency(route);
    }
    new CfnPermission(target, 'Gateway', {
      action: 'lambda:InvokeFunction',
      functionName: target.functionArn,
      principal: 'apigateway.amazonaws.com',
      sourceArn: this.#names.arn('execute-api', `${this.api.ref}/*/*`),
    });
  }
}
