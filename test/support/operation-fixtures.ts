/** Fixtures of the operations: how a valid call of each is made. The fixtures of a group are in `operations/<group>.ts`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type IdPrefix, idPrefixes } from '../../lib/core/ids.ts';
import type { Contract } from '../../lib/http/contract.ts';
import type { FilledWorkspace } from './filled-workspace.ts';

/** A workspace as fixtures use it; tests and the benchmark have an implementation each. */
export interface FixtureContext {
  /** An address of the workspace's provided domain. */
  readonly address: string;
  readonly slug: string;
  /** A URL for webhook endpoints. */
  readonly webhookUrl: string;
  /** POSTs to the API; throws unless it answers a success. */
  create(path: string, body: unknown): Promise<FixtureRecord>;
  get(path: string): Promise<FixtureRecord>;
  /** Delivers mail over SMTP. */
  receive(mail: FixtureMail): Promise<void>;
  /** Waits until no work is in progress. */
  idle(): Promise<void>;
  /** A timestamp relative to the cloud's clock. */
  inSeconds(seconds: number): string;
  /** 1, 2, 3 … */
  count(): number;
}

export interface FixtureRecord {
  readonly id: string;
  readonly thread_id: string;
  readonly message_id: string;
  /** Of `POST /mailboxes/connect`. */
  readonly url?: string;
  /** Of sends of version 1. */
  readonly emailId?: string;
  readonly data: readonly FixtureRecord[];
  readonly attachments: readonly FixtureRecord[];
}

export interface FixtureMail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly inReplyTo?: string;
  readonly attachments?: { readonly filename: string; readonly content: Buffer }[];
}

export interface Call {
  readonly params?: Readonly<Record<string, string>>;
  /** Without the question mark. */
  readonly query?: string;
  readonly body?: unknown;
}

export interface OperationFixture {
  /** A valid body; required when the operation takes one. */
  readonly body?: (context: FixtureContext) => unknown;
  /** Creates the resource to act on, when a resource of the group does not fit. */
  readonly params?: (context: FixtureContext) => Promise<Readonly<Record<string, string>>>;
  /** The operation uses up its resource, as a deletion does: each call gets a new one. */
  readonly consumes?: true;
  /** The calls to compare between a small and a large workspace, when one call with the body above is not enough. */
  readonly bounded?: readonly ((own: FilledWorkspace) => Call)[];
  /** Why the operation's cost grows with the workspace. */
  readonly unbounded?: string;
}

export interface OperationGroup {
  /** By path parameter: creates the resource and returns its id. */
  readonly resources: Readonly<Record<string, (context: FixtureContext) => Promise<string>>>;
  /** By verb: the part of the operation's id after the group. */
  readonly operations: Readonly<Record<string, OperationFixture>>;
}

const root = join(import.meta.dirname, '../..');
const splitId = ({ id }: Contract) => {
  const [verb = '', ...group] = id.split('.').reverse();
  return { verb, file: `test/support/operations/${group.reverse().join('/')}.ts` };
};

async function loadGroup(contract: Contract): Promise<OperationGroup> {
  const { file } = splitId(contract);
  if (!existsSync(join(root, file))) {
    throw new Error(`${contract.id} has no fixture: create ${file} and export \`fixtures\` from it`);
  }
  const { fixtures }: { fixtures: OperationGroup } = await import(join(root, file));
  return fixtures;
}

/** @throws Error that names the file to add the fixture to */
export async function fixtureOf(contract: Contract): Promise<OperationFixture> {
  const { verb, file } = splitId(contract);
  const fixture = (await loadGroup(contract)).operations[verb];
  if (!fixture)
    throw new Error(`${contract.id} has no fixture: add \`${verb}\` to \`operations\` in ${file}`);
  if (contract.body && !fixture.body)
    throw new Error(`the fixture of ${contract.id} has no body: see ${file}`);
  return fixture;
}

/** The names of the path parameters. */
export function paramNames({ path }: Pick<Contract, 'path'>): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** The prefix of the ids that a path parameter takes. */
export function idPrefixOf(contract: Contract, param: string): IdPrefix {
  const pattern: unknown = contract.params.shape[param]?.meta()?.pattern;
  const prefix = typeof pattern === 'string' ? /^\^([a-z]+)_/.exec(pattern)?.[1] : undefined;
  const known = Object.keys(idPrefixes).find((one): one is IdPrefix => one === prefix);
  if (!known) throw new Error(`{${param}} of ${contract.id} has no id schema`);
  return known;
}

/** A valid body, or undefined when the operation takes none. */
export async function bodyOf(contract: Contract, context: FixtureContext): Promise<unknown> {
  return (await fixtureOf(contract)).body?.(context);
}

/** Resources that were created for a workspace, by what they are for. */
const created = new WeakMap<FixtureContext, Map<string, Promise<unknown>>>();

function once<T>(context: FixtureContext, name: string, create: () => Promise<T>): Promise<T> {
  const known = created.get(context) ?? new Map<string, Promise<unknown>>();
  created.set(context, known);
  const existing = known.get(name) as Promise<T> | undefined;
  if (existing) return existing;
  const fresh = create();
  known.set(name, fresh);
  return fresh;
}

/** Creates a resource for a path parameter. */
export async function createResource(
  contract: Contract,
  param: string,
  context: FixtureContext,
): Promise<string> {
  const create = (await loadGroup(contract)).resources[param];
  if (!create) {
    throw new Error(`{${param}} has no fixture: add it to \`resources\` in ${splitId(contract).file}`);
  }
  return await create(context);
}

/** The shared resource of a workspace for a path parameter. */
export function resourceOf(contract: Contract, param: string, context: FixtureContext): Promise<string> {
  return once(context, param, () => createResource(contract, param, context));
}

/** The path parameters of a valid call. */
export async function paramsOf(
  contract: Contract,
  context: FixtureContext,
): Promise<Readonly<Record<string, string>>> {
  const { params, consumes } = await fixtureOf(contract);
  if (params) return await (consumes ? params(context) : once(context, contract.id, () => params(context)));
  const idOf = consumes ? createResource : resourceOf;
  const ids = paramNames(contract).map(async (name) => [name, await idOf(contract, name, context)] as const);
  return Object.fromEntries(await Promise.all(ids));
}

/** A valid call; creates what it acts on. */
export async function callOf(contract: Contract, context: FixtureContext): Promise<Call> {
  const params = await paramsOf(contract, context);
  const body = await bodyOf(contract, context);
  return { params, ...(body !== undefined && { body }) };
}

/** The path with its query: below `/api/v2`, or whole for version 1. */
export function targetOf(contract: Contract, { params, query }: Call): string {
  const path = contract.path.replace(/^\/api\/v2/, '').replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = params?.[name];
    if (!id) throw new Error(`a call of ${contract.id} lacks {${name}}`);
    return id;
  });
  return query ? `${path}?${query}` : path;
}
