/** The SES v2 API on the wire (REST-JSON): routes, request schemas, presentation of identities. */
import * as z from 'zod';
import { type AwsCall, AwsError, type AwsResponse } from '../aws/service.ts';
import { defaultReasons } from './account-suppression.ts';
import type { Identity, MailFromStatus } from './identities.ts';
import type { SendQuota } from './send-quota.ts';
import { sendEmailRequest } from './submission.ts';
import type { Tenant } from './tenants.ts';

const identityPath = /^\/v2\/email\/identities\/([^/]+)$/;

/** Method and path of each action. */
const routes = {
  GetAccount: ['GET', /^\/v2\/email\/account$/],
  SendEmail: ['POST', /^\/v2\/email\/outbound-emails$/],
  CreateEmailIdentity: ['POST', /^\/v2\/email\/identities$/],
  GetEmailIdentity: ['GET', identityPath],
  DeleteEmailIdentity: ['DELETE', identityPath],
  PutEmailIdentityDkimAttributes: ['PUT', /^\/v2\/email\/identities\/([^/]+)\/dkim$/],
  PutEmailIdentityDkimSigningAttributes: ['PUT', /^\/v2\/email\/identities\/([^/]+)\/dkim\/signing$/],
  PutEmailIdentityMailFromAttributes: ['PUT', /^\/v2\/email\/identities\/([^/]+)\/mail-from$/],
  PutEmailIdentityConfigurationSetAttributes: [
    'PUT',
    /^\/v2\/email\/identities\/([^/]+)\/configuration-set$/,
  ],
  CreateTenant: ['POST', /^\/v2\/email\/tenants$/],
  GetTenant: ['POST', /^\/v2\/email\/tenants\/get$/],
  DeleteTenant: ['POST', /^\/v2\/email\/tenants\/delete$/],
  CreateTenantResourceAssociation: ['POST', /^\/v2\/email\/tenants\/resources$/],
  DeleteTenantResourceAssociation: ['POST', /^\/v2\/email\/tenants\/resources\/delete$/],
  ListResourceTenants: ['POST', /^\/v2\/email\/resources\/tenants\/list$/],
} as const satisfies Record<string, readonly [string, RegExp]>;
export type SesAction = keyof typeof routes;

/** @throws AwsError `UnknownOperationException` */
export function actionOf(call: Pick<AwsCall, 'method' | 'path'>): SesAction {
  const names = Object.keys(routes) as SesAction[];
  const action = names.find((name) => {
    const [method, path] = routes[name];
    return method === call.method && path.test(call.path);
  });
  if (action !== undefined) return action;
  throw new AwsError(
    'UnknownOperationException',
    `The local SES does not know ${call.method} ${call.path}.`,
    404,
  );
}

/** The identity name in a path; empty: none. */
export function identityInPath(call: Pick<AwsCall, 'path'>): string {
  return /^\/v2\/email\/identities\/([^/]+)/.exec(call.path)?.[1] ?? '';
}

/** Bring-your-own DKIM; Easy DKIM is not modelled. */
const signingAttributes = z.strictObject({
  DomainSigningSelector: z.string(),
  DomainSigningPrivateKey: z.string(),
});
export type SigningAttributes = z.output<typeof signingAttributes>;

const tenantName = z.strictObject({ TenantName: z.string() });
const association = z.strictObject({ TenantName: z.string(), ResourceArn: z.string() });

/** Request schemas with the supported fields; others are rejected, because they would have no effect. */
export const requests = {
  SendEmail: sendEmailRequest,
  CreateEmailIdentity: z.strictObject({
    EmailIdentity: z.string(),
    DkimSigningAttributes: signingAttributes,
    ConfigurationSetName: z.string().optional(),
    Tags: z.array(z.strictObject({ Key: z.string(), Value: z.string() })).optional(),
  }),
  PutEmailIdentityDkimAttributes: z.strictObject({ SigningEnabled: z.boolean().default(false) }),
  PutEmailIdentityDkimSigningAttributes: z.strictObject({
    SigningAttributesOrigin: z.literal('EXTERNAL'),
    SigningAttributes: signingAttributes,
  }),
  PutEmailIdentityMailFromAttributes: z.strictObject({
    MailFromDomain: z.string().optional(),
    BehaviorOnMxFailure: z.enum(['USE_DEFAULT_VALUE', 'REJECT_MESSAGE']).default('USE_DEFAULT_VALUE'),
  }),
  PutEmailIdentityConfigurationSetAttributes: z.strictObject({ ConfigurationSetName: z.string().optional() }),
  CreateTenant: tenantName,
  GetTenant: tenantName,
  DeleteTenant: tenantName,
  CreateTenantResourceAssociation: association,
  DeleteTenantResourceAssociation: association,
  ListResourceTenants: z.strictObject({
    ResourceArn: z.string(),
    PageSize: z.int().min(1).max(1000).default(100),
    NextToken: z.string().optional(),
  }),
} as const;

/** @throws AwsError `BadRequestException` naming the field */
export function readBody<T extends z.ZodType>(schema: T, body: Buffer): z.output<T> {
  const parsed = schema.safeParse(readJson(body));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AwsError('BadRequestException', `${issue?.path.join('.') || 'body'}: ${issue?.message}`);
}

function readJson(body: Buffer): unknown {
  if (body.length === 0) return {};
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new AwsError('SerializationException', 'The request body is not JSON.');
  }
}

export function okResponse(body: Readonly<Record<string, unknown>> = {}): AwsResponse {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** An error in REST-JSON. */
export function errorResponse({ code, message, status }: AwsError): AwsResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', 'x-amzn-errortype': code },
    body: JSON.stringify({ message }),
  };
}

/** `DkimAttributes`; `Tokens` holds the selector of a bring-your-own key. */
export function presentDkim({ dkim, isSigning, isVerified, problem }: Identity) {
  const isUnanswered = problem === 'DNS_SERVER_ERROR' && isVerified;
  return {
    SigningEnabled: isSigning,
    Status: isUnanswered ? 'TEMPORARY_FAILURE' : verificationStatus(isVerified),
    Tokens: dkim.origin === 'EXTERNAL' ? [dkim.selector] : [],
    SigningAttributesOrigin: dkim.origin === 'EXTERNAL' ? 'EXTERNAL' : 'AWS_SES',
  };
}

/** The output of GetEmailIdentity; times in Unix seconds. */
export function presentIdentity(identity: Identity, mailFromStatus: MailFromStatus | null) {
  const { mailFrom, configurationSet, isVerified, problem, checkedAt, verifiedAt } = identity;
  return {
    IdentityType: 'DOMAIN',
    FeedbackForwardingStatus: true,
    VerifiedForSendingStatus: isVerified,
    VerificationStatus: verificationStatus(isVerified),
    DkimAttributes: presentDkim(identity),
    MailFromAttributes: {
      BehaviorOnMxFailure: mailFrom?.onMxFailure ?? 'USE_DEFAULT_VALUE',
      ...(mailFrom && { MailFromDomain: mailFrom.domain, MailFromDomainStatus: mailFromStatus }),
    },
    Policies: {},
    Tags: [],
    ...(configurationSet !== null && { ConfigurationSetName: configurationSet }),
    VerificationInfo: {
      ...(checkedAt !== null && { LastCheckedTimestamp: checkedAt / 1000 }),
      ...(verifiedAt !== null && { LastSuccessTimestamp: verifiedAt / 1000 }),
      ...(problem !== null && { ErrorType: problem }),
    },
  };
}

/** The output of GetAccount (SES API v2 reference, "GetAccount"). */
export function presentAccount(quota: ReturnType<SendQuota['report']>, isSandbox: boolean) {
  return {
    DedicatedIpAutoWarmupEnabled: false,
    EnforcementStatus: 'HEALTHY',
    PricingAttributes: { CurrentPlan: 'NONE' },
    ProductionAccessEnabled: !isSandbox,
    SendingEnabled: true,
    SendQuota: quota,
    SuppressionAttributes: { SuppressedReasons: defaultReasons },
  };
}

/** `Tenant` of GetTenant, and the output of CreateTenant; times in Unix seconds. */
export function presentTenant({ name, arn, isPaused, createdAt }: Tenant) {
  return {
    TenantName: name,
    TenantId: arn.split('/').at(-1),
    TenantArn: arn,
    CreatedTimestamp: createdAt / 1000,
    Tags: [],
    SendingStatus: isPaused ? 'DISABLED' : 'ENABLED',
  };
}

function verificationStatus(isVerified: boolean): 'SUCCESS' | 'PENDING' {
  return isVerified ? 'SUCCESS' : 'PENDING';
}
