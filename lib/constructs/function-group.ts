/** The functions of one stack: a role for each set of permissions, and a shared code asset, environment and log group. */
import { createHash } from 'node:crypto';
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
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
import { CfnParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import { sharedEnvironmentName } from '../env.ts';
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
  /** Folder of the code; default: that of the group. */
  readonly code?: string;
  /** Executions at the same time, kept for the function alone; default: what the account has left. */
  readonly executionsMax?: number | undefined;
}

export class FunctionGroup extends Construct {
  readonly logGroup: LogGroup;
  readonly #props: FunctionGroupProps;
  readonly #code: Code;
  readonly #environment: CfnParameter;
  readonly #roles = new Map<string, Role>();

  constructor(scope: Construct, id: string, props: FunctionGroupProps) {
    super(scope, id);
    this.#props = props;
    this.#code = Code.fromAsset(props.code);
    // In the template once instead of in each function; functions get the value and do not read the parameter.
    this.#environment = new CfnParameter(this, 'Environment', {
      type: 'String',
      value: JSON.stringify(props.environment),
      description:
        'The environment variables that the functions of the stack share. Changes here have no effect.',
    });
    this.logGroup = new LogGroup(this, 'Logs', {
      logGroupName: props.logGroupName,
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }

  add(spec: FunctionSpec): LambdaFunction {
    return new LambdaFunction(this, logicalIdOf(spec.id), {
      functionName: spec.functionName,
      description: spec.summary,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: spec.code === undefined ? this.#code : Code.fromAsset(spec.code),
      handler: `${functionName(spec.id)}.handler`,
      role: this.#roleWith(spec.statements),
      timeout: Duration.seconds(spec.timeoutSeconds),
      memorySize: spec.memoryMb,
      ...(spec.executionsMax !== undefined && { reservedConcurrentExecutions: spec.executionsMax }),
      environment: { [sharedEnvironmentName]: this.#environment.attrValue },
      logGroup: this.logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      // Of invocations, Lambda logs timeouts and crashes only, which the alarms on function errors read ("Log-level filtering").
      systemLogLevelV2: SystemLogLevel.WARN,
    });
  }

  /**
   * The role with exactly these permissions. Its id is derived from them: a function whose permissions change gets another role,
   * and the role of the functions that keep theirs stays as it is.
   */
  #roleWith(statements: readonly PolicyStatement[]): Role {
    const texts = statements.map((one) => JSON.stringify(Stack.of(this).resolve(one.toStatementJson())));
    const id = `Role${createHash('sha256').update(texts.sort().join()).digest('hex').slice(0, 12)}`;
    const known = this.#roles.get(id);
    if (known) return known;
    const role = new Role(this, id, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      // Inline, since a policy resource for each role counts towards the quota of the stack.
      inlinePolicies: {
        access: new PolicyDocument({
          statements: [logStatement(this.#props.logGroupArn), ...statements],
          minimize: true,
        }),
      },
    });
    this.#roles.set(id, role);
    return role;
  }
}

/** `webhook-endpoints.rotate-secret` is `WebhookEndpointsRotateSecret`. */
function logicalIdOf(id: string): string {
  return id
    .split(/[.-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
