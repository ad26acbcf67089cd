/** The functions of one stack: a role for each, and a shared code asset, environment and log group. */
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyDocument, type PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { functionName } from '../http/contract.ts';
import { logStatement } from './grants.ts';

export interface FunctionGroupProps {
  /** Folder of the function bundle. */
  readonly code: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly logGroupName: string;
  /** ARN of that log group, built from its name, so that roles do not depend on the group. */
  readonly logGroupArn: string;
}

export interface FunctionSpec {
  /** Contract id, which names the handler file in the bundle. */
  readonly id: string;
  readonly functionName: string;
  readonly summary: string;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  readonly statements: readonly PolicyStatement[];
}

export class FunctionGroup extends Construct {
  readonly logGroup: LogGroup;
  readonly #props: FunctionGroupProps;
  readonly #code: Code;

  constructor(scope: Construct, id: string, props: FunctionGroupProps) {
    super(scope, id);
    this.#props = props;
    this.#code = Code.fromAsset(props.code);
    this.logGroup = new LogGroup(this, 'Logs', {
      logGroupName: props.logGroupName,
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }

  add(spec: FunctionSpec): LambdaFunction {
    const id = logicalIdOf(spec.id);
    const role = new Role(this, `${id}Role`, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      // Inline, since a policy resource for each function counts towards the quota of the stack.
      inlinePolicies: {
        access: new PolicyDocument({
          statements: [logStatement(this.#props.logGroupArn), ...spec.statements],
          minimize: true,
        }),
      },
    });
    return new LambdaFunction(this, id, {
      functionName: spec.functionName,
      description: spec.summary,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: this.#code,
      handler: `${functionName(spec.id)}.handler`,
      role,
      timeout: Duration.seconds(spec.timeoutSeconds),
      memorySize: spec.memoryMb,
      environment: this.#props.environment,
      logGroup: this.logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      // Of invocations, Lambda logs timeouts and crashes only, which the alarms on function errors read ("Log-level filtering").
      systemLogLevelV2: SystemLogLevel.WARN,
    });
  }
}

/** `webhook-endpoints.rotate-secret` is `WebhookEndpointsRotateSecret`. */
function logicalIdOf(id: string): string {
  return id
    .split(/[.-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
