/** The local cloud: the synthesised templates, run on emulated AWS services. */
import { join } from 'node:path';
import { operations } from '../../functions/operations.ts';
import { environmentNames, flatEnvironment } from '../env.ts';
import type { SettingsInput } from '../settings.ts';
import { type AccessControl, mergePolicies } from './access-control.ts';
import { type Anomalies, noAnomalies } from './anomalies.ts';
import { handleRequest, type Route, stageBucket } from './api.ts';
import { autoDns } from './auto-dns.ts';
import { type LocalClock, localAccount, localAdmin } from './aws/service.ts';
import { localSecret } from './aws/sigv4.ts';
import { createClock, type MovableClock, newSkew } from './clock.ts';
import { type AlarmWatch, watchAlarms } from './cloudwatch/alarm-watch.ts';
import { createMetricStore, type MetricStore } from './cloudwatch/metric-store.ts';
import { startCompute } from './compute.ts';
import { controlPrefix, createControl } from './control.ts';
import { controlRoutes } from './control-routes.ts';
import {
  type DeployedFunction,
  deployServices,
  functionsOf,
  routesOf,
  socketApiOf,
  stageRateOf,
} from './deploy.ts';
import { createDeployedAccess, type Denials, type DeployedAccess } from './deployed-access.ts';
import type { Functions } from './functions.ts';
import { type HttpRequest, type HttpResponse, startHttp } from './http-server.ts';
import { createInbox, type Inbox } from './inbox/inbox.ts';
import { createPageServer, type InboxPages, type PageServer } from './inbox/pages.ts';
import { panelRoutes } from './inbox/panel-routes.ts';
import { type Journal, openJournal } from './journal.ts';
import {
  type GuardRails,
  generousLimits,
  type LimitChanges,
  type ServiceLimits,
  withLimits,
} from './limits.ts';
import { createLogRing, type LogLine, type LogRing } from './logs.ts';
import { boundariesOf, policiesOf } from './policies.ts';
import { createQuiescence } from './quiescence.ts';
import { localApiId } from './resource-names.ts';
import { responseCheck } from './response-check.ts';
import { apiGatewayAssumingRole, apiGatewayInvoking } from './service-principals.ts';
import { type Closers, type LocalServices, startServices } from './services.ts';
import { startSmtp } from './ses/smtp.ts';
import { createSocketServer } from './socket-server.ts';
import type { StartWatch } from './start-watch.ts';
import {
  dnsPlaceholder,
  homeRegion,
  mailRegions,
  prepare,
  providedDomain,
  providerPlaceholders,
  sharedAppSecrets,
} from './startup.ts';
import { type Deployment, loadDeployment } from './template.ts';
import type { Triggers } from './triggers.ts';

export interface CloudOptions extends StartWatch {
  /** Ports; default 0: free ones. */
  readonly port?: number;
  readonly smtpPort?: number;
  readonly dnsPort?: number;
  readonly googlePort?: number;
  readonly microsoftPort?: number;
  readonly brand?: string;
  /** Reject plain http and loopback webhook endpoints, as deployed; default false. */
  readonly strictWebhooks?: boolean;
  /** Folder of the table, objects and other state (docs/local-cloud.md#kept-data); default: in memory. */
  readonly dataFolder?: string;
  /** The setting `tableName`; default: none. A table of this name in `dataFolder` is adopted. */
  readonly tableName?: string;
  /** The setting `spreadWorkspaces`; default: none. */
  readonly spreadWorkspaces?: SettingsInput['spreadWorkspaces'];
  /** Whether to publish the DNS records of new domains below `.test`; default false. */
  readonly publishesTestDomains?: boolean;
  /** The setting `standbyRegion`, whose copies are not made: roles have the boundary that an operator closes; default: none. */
  readonly standbyRegion?: string;
  /** Minutes between two emails of the canary; default 0: none. */
  readonly canaryMinutes?: number;
  /** Share of the emails that have a trace; default 0: none. */
  readonly traceSampling?: number;
  /** Rates and quotas; default: `generousLimits`. */
  readonly limits?: LimitChanges;
  /** Default: `generousGuardRails`. */
  readonly guardRails?: GuardRails;
  /** Lag, repetition and rare errors; default: none. */
  readonly anomalies?: Partial<Anomalies>;
  /** Clock skew (`newSkew`) shared with other threads; default: a new one. */
  readonly clockSkew?: SharedArrayBuffer;
  /** Cloud assembly of another release, whose functions `useRelease` puts in the place of those of this one. */
  readonly otherRelease?: string;
  /** Called where a response is not as its contract describes it; default: prints it. */
  readonly onMismatch?: (detail: string) => void;
  /** Called with each log line of a function. */
  readonly onLog?: (line: LogLine) => void;
}

export interface Cloud
  extends Pick<
    LocalServices,
    | 'dns'
    | 'dynamoDb'
    | 'faults'
    | 'gateway'
    | 'mailboxProviders'
    | 'onServiceCall'
    | 's3'
    | 'scheduler'
    | 'ses'
    | 'sqs'
    | 'xray'
  > {
  /** Base URL of the API: `…/api/v2`. */
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly gatewayUrl: string;
  readonly smtpPort: number;
  readonly dnsPort: number;
  readonly providedDomain: string;
  /** Environment variables of an administrator of the deployment: those of `lib/env.ts` and of the SDK. */
  readonly environment: Readonly<Record<string, string>>;
  readonly clock: LocalClock;
  readonly logs: LogRing;
  /** The functions that both releases have. */
  readonly functionsOfBoth: readonly string[];
  /** Updates a function of both to a release, from its next invocation on; the resources stay those of this release. */
  useRelease(functionName: string, release: 'this' | 'other'): void;
  /** Calls a listener after each invocation. */
  readonly onInvocation: Functions['onEnd'];
  /** Calls a listener with the function of each throttled invocation. */
  readonly onThrottled: Functions['onThrottled'];
  readonly recursiveInvocationsDropped: Functions['recursiveInvocationsDropped'];
  /** Permissions that are taken away from roles and services. */
  readonly denials: Denials;
  /** People who sign with an access key id of their own (`localSecret`). */
  readonly principals: DeployedAccess['principals'];
  readonly throttle: Functions['throttle'];
  /** Gathers metrics and evaluates the alarms of the templates from now on. */
  watchAlarms(): AlarmWatch;
  /**
   * Waits for quiescence: no work is running or pending, except timers.
   *
   * @throws QuiescenceTimeout after 30 seconds without a change
   */
  settle(): Promise<void>;
  /** Serves the local inbox at `/` from now on. */
  openInbox(pages: InboxPages): void;
  close(): Promise<void>;
}

/** Starts a local cloud; `close` stops all of it. @throws CannotStart, InvalidSettings; the reason of `signal` */
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
  const limits = withLimits(generousLimits, options.limits);
  const { assembly, tablesUrl } = await prepare(options, limits.lambda.concurrentExecutions, closers);
  const journal = options.dataFolder ? openJournal(join(options.dataFolder, 'journal.jsonl')) : null;
  if (journal) closers.push(journal.close);
  const clock = openClock(journal, options.clockSkew);
  closers.push(clock.close);
  const deployedAccess = createDeployedAccess(journal);
  const { access, denials } = deployedAccess;
  const metrics = createMetricStore(homeRegion);
  const logs = createLogRing({ now: clock.now, ...(options.onLog && { echo: options.onLog }) });
  const quiescence = createQuiescence({
    idle: () => services.ses.idle(),
    report: () => JSON.stringify(services.sqs.depths(), null, 2),
  });
  const services: LocalServices = await startServices(
    {
      clock,
      homeRegion,
      mailRegions,
      tablesUrl,
      secrets: sharedAppSecrets(),
      dataFolder: options.dataFolder,
      journal,
      dnsPort: options.dnsPort ?? 0,
      providerPorts: { google: options.googlePort ?? 0, microsoft: options.microsoftPort ?? 0 },
      limits,
      anomalies: { ...noAnomalies, ...options.anomalies },
      metrics,
      logLines: logs.lines,
      onProgress: () => quiescence.noteChange(),
      ...deployedAccess,
      onDropped: (text) => logs.write('local-cloud', text),
    },
    closers,
  );
  const { dns, gateway, mailboxProviders, ses } = services;
  options.onStage?.('Deploying the stacks');

  // Starts before the deployment, whose URLs contain the port.
  let handle = async (_request: HttpRequest): Promise<HttpResponse> => notReadyResponse;
  const sockets = createSocketServer(services, clock, deployedAccess);
  const http = await startHttp(options.port ?? 0, (request) => handle(request), {
    upgrade: sockets.upgrade,
  });
  closers.push(http.close, sockets.close);
  const apiUrl = `http://127.0.0.1:${http.port}`;
  mailboxProviders.registerDemo(apiUrl);
  const aws = awsEnvironment(gateway.url, limits);
  const load = (folder: string) =>
    loadLocalDeployment(folder, { gateway: gateway.url, api: apiUrl }, services);
  const deployment = load(assembly);
  const other = options.otherRelease === undefined ? null : load(options.otherRelease);
  const { deployed, others } = await deploy({ deployment, other }, services, deployedAccess, aws);
  options.signal?.throwIfAborted();
  const { functions, triggers } = await startCompute(
    {
      deployment,
      deployed,
      others,
      access,
      accessOfTemplates: deployedAccess.accessOfTemplates,
      services,
      clock,
      journal,
      logs,
      metrics,
      limits: limits.lambda,
      quiescence,
    },
    closers,
  );
  deployedAccess.setInvoke(functions.invoke);
  sockets.serve(socketApiOf(deployment));
  if (services.indexLag) quiescence.add(services.indexLag);
  quiescence.add(mailboxProviders);
  clock.waitBetweenSteps(quiescence.settle);

  const inbox = createInbox({
    ...{ services, now: clock.now, apiPort: http.port, journal, onInvocation: functions.onEnd },
    brand: options.brand ?? exampleBrand,
    onNotice: (text) => logs.write('local-cloud', text),
  });
  closers.push(inbox.close);
  const smtp = await startSmtp({
    port: options.smtpPort ?? 0,
    accepts: ses.accepts,
    receive: async (mail) => {
      const result = await ses.receive(mail);
      if (result.received.length > 0) inbox.noteArrived(mail, result.refused);
      return result;
    },
  });
  closers.push(smtp.close);
  options.signal?.throwIfAborted();

  const cloud: Cloud = {
    ...services,
    baseUrl: `${apiUrl}/api/v2`,
    controlUrl: `${apiUrl}${controlPrefix}`,
    gatewayUrl: gateway.url,
    smtpPort: smtp.port,
    dnsPort: dns.port,
    providedDomain,
    environment: { ...sharedEnvironment(deployed), ...aws, ...adminCredentials },
    clock: clockWithTriggers(clock, triggers),
    logs,
    ...releasesOf({ deployed, others }, functions),
    onInvocation: functions.onEnd,
    onThrottled: functions.onThrottled,
    recursiveInvocationsDropped: functions.recursiveInvocationsDropped,
    denials,
    principals: deployedAccess.principals,
    throttle: functions.throttle,
    watchAlarms: () =>
      watchAlarms({ ...services, deployment, metrics, clock, logs, recorder: gateway.recorder }),
    settle: quiescence.settle,
    openInbox: (pages) => {
      inbox.setFacts(pages.facts);
      pageServer = createPageServer(pages, apiUrl);
    },
    close,
  };
  let pageServer: PageServer | null = null;
  const parts = {
    ...{ deployment, functions, access, inbox, metrics, pageServer: () => pageServer },
    throttlesStage: limits.apiGateway.throttlesStage,
  };
  handle = createHandler(cloud, parts, options);
  return cloud;
}

/** The default of the setting `brand`. */
const exampleBrand = 'Parley';

const adminCredentials = { AWS_ACCESS_KEY_ID: localAdmin, AWS_SECRET_ACCESS_KEY: localSecret(localAdmin) };

/** Where the SDK finds the emulators. */
function awsEnvironment(gatewayUrl: string, { ses }: ServiceLimits): Record<string, string> {
  return {
    AWS_REGION: homeRegion,
    AWS_ENDPOINT_URL: gatewayUrl,
    ...(ses.managementCallsPerSecond === Number.POSITIVE_INFINITY && { SES_PAUSE_MS: '0' }),
  };
}

/** After each move, the triggers of the time in between have fired. */
function clockWithTriggers(clock: MovableClock, triggers: Pick<Triggers, 'catchUp'>): MovableClock {
  return {
    ...clock,
    advance: (ms) => clock.advance(ms).then(triggers.catchUp),
  };
}

/** The clock, as far ahead of real time as the last run left it: what is stored must not come from the future. */
function openClock(journal: Journal | null, skew = newSkew()): MovableClock {
  const kept = journal?.map<number>('clock');
  new Float64Array(skew)[0] = kept?.get('skewMs') ?? 0;
  return createClock(skew, (skewMs) => kept?.set('skewMs', skewMs));
}

interface Deployed {
  readonly deployed: readonly DeployedFunction[];
  /** Those of the other release. */
  readonly others: readonly DeployedFunction[];
}

/** Creates the resources of the templates and returns the functions. @param environment is added to that of each function */
async function deploy(
  { deployment, other }: { readonly deployment: Deployment; readonly other: Deployment | null },
  services: LocalServices,
  { access, boundaries, setPolicies, setFunctions }: DeployedAccess,
  environment: Readonly<Record<string, string>>,
): Promise<Deployed> {
  const policies = policiesOf(deployment);
  setPolicies(other ? mergePolicies(policies, policiesOf(other)) : policies);
  const { policies: managed, boundaryOf } = boundariesOf(deployment);
  boundaries.deploy(managed, boundaryOf);
  await deployServices(deployment, services);
  services.scheduler.resume();
  const functionsIn = (of: Deployment) =>
    functionsOf(of, access).map((spec) => ({
      ...spec,
      environment: { ...spec.environment, ...environment },
    }));
  const deployed = functionsIn(deployment);
  const others = other ? functionsIn(other) : [];
  setFunctions([...deployed, ...others]);
  return { deployed, others };
}

function releasesOf(
  { deployed, others }: Deployed,
  { update }: Functions,
): Pick<Cloud, 'functionsOfBoth' | 'useRelease'> {
  const names = new Set(deployed.map(({ name }) => name));
  return {
    functionsOfBoth: others.map(({ name }) => name).filter((name) => names.has(name)),
    useRelease(functionName, release) {
      const specs = release === 'this' ? deployed : others;
      const spec = specs.find(({ name }) => name === functionName);
      if (!spec) throw new Error(`the release has no function ${functionName}`);
      update(spec);
    },
  };
}

interface HandlerParts {
  readonly inbox: Inbox;
  /** null: the inbox is not open. */
  readonly pageServer: () => PageServer | null;
  readonly deployment: Deployment;
  readonly functions: Functions;
  readonly access: AccessControl;
  readonly metrics: MetricStore;
  readonly throttlesStage: boolean;
}

/** The HTTP handler of the control routes and the API. */
function createHandler(
  cloud: Cloud,
  { deployment, functions, access, inbox, metrics, pageServer, throttlesStage }: HandlerParts,
  options: CloudOptions,
): (request: HttpRequest) => Promise<HttpResponse> {
  const check = responseCheck(operations, options.onMismatch);
  const control = createControl({ ...controlRoutes(cloud), ...panelRoutes(cloud), ...inbox.routes });
  const api = {
    routes: routesOf(deployment),
    invoke: functions.invoke,
    now: cloud.clock.now,
    ...(throttlesStage && { admits: stageBucket(stageRateOf(deployment), cloud.clock.now) }),
    mayInvoke: createGatewayAuthorizer(access),
    reviewResponse: (...[route, response]: Parameters<typeof check>) => {
      if (options.publishesTestDomains) autoDns(cloud.dns, route, response);
      // The contracts are of this release.
      return options.otherRelease === undefined ? check(route, response) : response;
    },
  };
  return async (request) => {
    if (control.owns(request.target)) return await control.handle(request);
    const page = await pageServer()?.serve(request);
    if (page) return page;
    const startedAt = cloud.clock.now();
    const response = await handleRequest(request, api);
    noteRequest(metrics, response.statusCode, cloud.clock.now() - startedAt);
    return response;
  };
}

/** "Working with metrics for HTTP APIs in API Gateway". */
function noteRequest(metrics: MetricStore, status: number, ms: number): void {
  const put = (name: string, value: number) =>
    metrics.put({ namespace: 'AWS/ApiGateway', name, dimensions: { ApiId: localApiId }, value });
  put('Latency', ms);
  put('5xx', status >= 500 ? 1 : 0);
}

/** The templates with local URLs for the hosts of AWS. */
function loadLocalDeployment(
  directory: string,
  urls: { gateway: string; api: string },
  { dns, mailboxProviders }: Pick<LocalServices, 'dns' | 'mailboxProviders'>,
): Deployment {
  return loadDeployment({
    directory,
    urls,
    localise: (text) =>
      text
        .replace(/https:\/\/sqs\.[a-z0-9-]+\.amazonaws\.com(?=\/)/g, urls.gateway)
        .replaceAll(dnsPlaceholder, `127.0.0.1:${dns.port}`)
        .replaceAll(providerPlaceholders.google, mailboxProviders.google.url)
        .replaceAll(providerPlaceholders.microsoft, mailboxProviders.microsoft.url),
  });
}

const notReadyResponse: HttpResponse = {
  statusCode: 503,
  headers: { 'content-type': 'application/json', 'retry-after': '1' },
  cookies: [],
  body: Buffer.from('{"message":"Service Unavailable"}'),
};

/** Whether API Gateway may invoke the function of a route, by its credentials role or by the function's permissions. */
function createGatewayAuthorizer(access: AccessControl): (route: Route) => boolean {
  const decisions = new Map<Route, boolean>();
  const decide = ({ credentialsArn, functionArn, method, path }: Route) => {
    const action = 'lambda:InvokeFunction';
    if (credentialsArn !== null) {
      return (
        access.mayAssume(apiGatewayAssumingRole, credentialsArn) &&
        access.roleMay(credentialsArn, { action, resource: functionArn })
      );
    }
    const route = { region: homeRegion, account: localAccount, apiId: localApiId, method, path };
    return access.serviceMay(apiGatewayInvoking(route), action, functionArn);
  };
  return (route) => {
    const decision = decisions.get(route) ?? decide(route);
    decisions.set(route, decision);
    return decision;
  };
}

/** The environment that `lib/env.ts` reads, which is the same in all functions that have it. */
function sharedEnvironment(functions: readonly DeployedFunction[]): Readonly<Record<string, string>> {
  const environments = functions.map(({ environment }) => flatEnvironment(environment));
  const complete = environments.find((environment) => environmentNames.every((name) => name in environment));
  if (!complete) throw new Error('no function has the environment that lib/env.ts reads');
  return complete;
}
