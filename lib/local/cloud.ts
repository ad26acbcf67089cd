/** The local cloud as a whole: the synthesised templates, run on emulated services. */
import { join } from 'node:path';
import { operations } from '../../functions/operations.ts';
import { environmentNames } from '../env.ts';
import { answerCheck } from './answer-check.ts';
import { type ApiOptions, answerRequest } from './api.ts';
import { assemblyFor } from './assembly.ts';
import { autoDns } from './auto-dns.ts';
import { startDynamoDbLocal } from './aws/dynamodb-local.ts';
import { type LocalClock, localAccount, localAdmin } from './aws/service.ts';
import { localSecret } from './aws/sigv4.ts';
import { createClock } from './clock.ts';
import { controlPrefix, createControl } from './control.ts';
import { type DeployedFunction, deployServices, functionsOf, routesOf, statementsByRole } from './deploy.ts';
import { createFunctions, type Functions } from './functions.ts';
import { type HttpRequest, type HttpResponse, startHttp } from './http-server.ts';
import { isAllowed, type Statement } from './iam.ts';
import { createLogRing, type LogLine, type LogRing } from './logs.ts';
import { createQuiescence } from './quiescence.ts';
import { type Closers, type LocalServices, type ServicesOptions, startServices } from './services.ts';
import { startSmtp } from './ses/smtp.ts';
import { loadDeployment } from './template.ts';
import { startTriggers } from './triggers.ts';

export interface CloudOptions {
  /** Ports; 0 or absent: free ones. */
  readonly port?: number;
  readonly smtpPort?: number;
  readonly dnsPort?: number;
  readonly brand?: string;
  /** Refuse plain http and loopback webhook receivers, as deployed; default false. */
  readonly strictWebhooks?: boolean;
  /** Where the table and objects are kept; absent: in memory. */
  readonly dataFolder?: string;
  /** A DynamoDB Local that runs already, to be shared; absent: one of its own. */
  readonly dynamoDbUrl?: string;
  /** Whether domains below `.test` get their records published as they are made; default false. */
  readonly publishesTestDomains?: boolean;
  /** Whether SES allows one management call a second, as in AWS; default true. */
  readonly limitsSesRate?: boolean;
  /** Memory of the clock (`newSkew`), where others are to live by it too; absent: of its own. */
  readonly clockSkew?: SharedArrayBuffer;
  /** Gets each line that a function writes. */
  readonly onLog?: (line: LogLine) => void;
}

export interface Cloud
  extends Pick<LocalServices, 'dns' | 'faults' | 'gateway' | 's3' | 'scheduler' | 'ses' | 'sqs'> {
  /** Of the current interface: `…/api/v2`. */
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly gatewayUrl: string;
  readonly dynamoDbUrl: string;
  readonly smtpPort: number;
  readonly dnsPort: number;
  readonly providedDomain: string;
  /** Variables with which code in this process is the deployment's administrator: `lib/env.ts` and the SDK's. */
  readonly environment: Readonly<Record<string, string>>;
  readonly clock: LocalClock;
  readonly logs: LogRing;
  /** Hears of each invocation that has ended. */
  readonly onInvocation: Functions['onEnd'];
  /**
   * Resolves when nothing is on its way any more but what waits for the clock.
   *
   * @throws StillMoving after 30 seconds
   */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export const providedDomain = 'mail.parley.test';
export const mailRegions = ['us-east-1', 'eu-central-1'] as const;
const homeRegion = mailRegions[0];
/** Stands in the templates for the local DNS server, whose port is not known yet when they are made. */
const dnsPlaceholder = 'dns.parley.test:53';
const cacheFolder = join(import.meta.dirname, '../../.local/assemblies');

/** Starts everything; `close` leaves nothing behind. */
export async function startCloud(options: CloudOptions = {}): Promise<Cloud> {
  const closers: Closers = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    return await start(options, closers, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(options: CloudOptions, closers: Closers, close: () => Promise<void>): Promise<Cloud> {
  const { dataFolder } = options;
  const { assembly, dynamoDbUrl } = await prepare(options, closers);
  const clock = createClock(options.clockSkew);
  closers.push(clock.close);
  let authorize: ServicesOptions['authorize'] = () => false;
  const services = await startServices(
    {
      clock,
      homeRegion,
      mailRegions,
      dynamoDbUrl,
      dataFolder,
      dnsPort: options.dnsPort ?? 0,
      limitsSesRate: options.limitsSesRate ?? true,
      authorize: (functionName, needed) => authorize(functionName, needed),
    },
    closers,
  );
  const { dns, faults, gateway, scheduler, s3, ses, sqs } = services;

  // The server comes first, since its port stands in URLs of the deployment.
  let answer = async (_request: HttpRequest): Promise<HttpResponse> => notUpYet;
  const http = await startHttp(options.port ?? 0, (request) => answer(request));
  closers.push(http.close);
  const apiUrl = `http://127.0.0.1:${http.port}`;
  const deployment = loadDeployment({
    directory: assembly,
    urls: { gateway: gateway.url, api: apiUrl },
    localise: (text) =>
      text
        .replace(/https:\/\/sqs\.[a-z0-9-]+\.amazonaws\.com(?=\/)/g, gateway.url)
        .replaceAll(dnsPlaceholder, `127.0.0.1:${dns.port}`),
  });
  await deployServices(deployment, services);

  const aws = {
    AWS_REGION: homeRegion,
    AWS_ENDPOINT_URL: gateway.url,
    ...(options.limitsSesRate === false && { SES_PAUSE_MS: '0' }),
  };
  const deployed = functionsOf(deployment).map((spec) => ({
    ...spec,
    environment: { ...spec.environment, ...aws },
  }));
  const statements = statementsByRole(deployment);
  authorize = authorizer(deployed, statements);
  const logs = createLogRing({ now: clock.now, ...(options.onLog && { echo: options.onLog }) });
  const functions = createFunctions({ specs: deployed, skew: clock.skew, logs });
  closers.push(functions.close);
  faults.onKill(functions.kill);

  const settling = createQuiescence({ quiet: ses.idle, report: () => JSON.stringify(sqs.depths(), null, 2) });
  functions.onEnd(settling.noteChange);
  settling.add({ busyWith: () => functions.running().join(', ') || null });
  const triggers = await startTriggers({
    deployment,
    functions,
    deployed,
    statements,
    services,
    clock,
    onSettled: settling.noteChange,
  });
  closers.push(triggers.close);
  for (const mover of triggers.movers) settling.add(mover);
  gateway.recorder.subscribe(({ service, action }) => {
    if (service === 'dynamodb' && writes.has(action)) triggers.wakeStreams();
  });
  // What a timer sets off sees the time at which it was due.
  clock.waitBetweenSteps(settling.settle);

  const smtp = await startSmtp({ port: options.smtpPort ?? 0, accepts: ses.accepts, receive: ses.receive });
  closers.push(smtp.close);

  const cloud: Cloud = {
    baseUrl: `${apiUrl}/api/v2`,
    controlUrl: `${apiUrl}${controlPrefix}`,
    gatewayUrl: gateway.url,
    dynamoDbUrl,
    smtpPort: smtp.port,
    dnsPort: dns.port,
    providedDomain,
    environment: {
      ...configurationOf(deployed),
      ...aws,
      AWS_ACCESS_KEY_ID: localAdmin,
      AWS_SECRET_ACCESS_KEY: localSecret(localAdmin),
    },
    clock: {
      ...clock,
      advance: (ms) => clock.advance(ms).then(triggers.catchUp),
      set: (atMs) => clock.set(atMs).then(triggers.catchUp),
    },
    dns,
    faults,
    gateway,
    logs,
    onInvocation: functions.onEnd,
    s3,
    scheduler,
    ses,
    sqs,
    settle: settling.settle,
    close,
  };
  const check = answerCheck(operations);
  const api: ApiOptions = {
    routes: routesOf(deployment),
    invoke: functions.invoke,
    now: clock.now,
    review: (route, given) => {
      if (options.publishesTestDomains) autoDns(dns, route, given);
      return check(route, given);
    },
  };
  const control = createControl(cloud);
  answer = (request) =>
    control.owns(request.target) ? control.answer(request) : answerRequest(request, api);
  return cloud;
}

const notUpYet: HttpResponse = {
  statusCode: 503,
  headers: { 'content-type': 'application/json', 'retry-after': '1' },
  cookies: [],
  body: Buffer.from('{"message":"Service Unavailable"}'),
};

/** Actions after which the stream has something new. */
const writes: ReadonlySet<string> = new Set([
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'BatchWriteItem',
  'TransactWriteItems',
]);

/** The assembly and the database, side by side: each takes a second or two. */
async function prepare(
  options: CloudOptions,
  closers: Closers,
): Promise<{ assembly: string; dynamoDbUrl: string }> {
  const { dataFolder } = options;
  const starting = options.dynamoDbUrl
    ? { url: options.dynamoDbUrl, close: () => {} }
    : startDynamoDbLocal({ directory: dataFolder && join(dataFolder, 'tables') });
  const assembling = assemblyFor(
    {
      account: localAccount,
      brand: options.brand ?? 'Parley',
      providedDomain,
      mailRegions: [...mailRegions],
      local: { allowInsecureWebhooks: !options.strictWebhooks, dnsServers: [dnsPlaceholder] },
    },
    { cacheFolder },
  );
  // Whatever becomes of the assembly, a database that has started must be ended.
  const [assembly] = await Promise.allSettled([assembling]);
  const dynamoDb = await starting;
  closers.push(dynamoDb.close);
  if (assembly.status === 'rejected') throw assembly.reason;
  return { assembly: assembly.value, dynamoDbUrl: dynamoDb.url };
}

/** A function signs with its own name, which stands for its role here. */
function authorizer(
  functions: readonly DeployedFunction[],
  statements: ReadonlyMap<string, readonly Statement[]>,
): ServicesOptions['authorize'] {
  const byFunction = new Map(functions.map(({ name, roleArn }) => [name, statements.get(roleArn) ?? []]));
  return (name, needed) => isAllowed(byFunction.get(name) ?? [], needed);
}

/** What `lib/env.ts` reads: the same for every function of the deployment that has it all. */
function configurationOf(functions: readonly DeployedFunction[]): Readonly<Record<string, string>> {
  const complete = functions.find(({ environment }) => environmentNames.every((name) => name in environment));
  if (!complete) throw new Error('no function has the environment that lib/env.ts reads');
  return complete.environment;
}
