/** The models of AWS's APIs, as the SDK's clients have them: operations, shapes, enums, and the errors of each operation. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { NormalizedSchema } from '@smithy/core/schema';

const require = createRequire(import.meta.url);

/** Signing names, with the clients that have the operations. `secretsmanager` has none here. */
const clients: Readonly<Record<string, readonly string[]>> = {
  dynamodb: ['dynamodb'],
  'execute-api': ['apigatewaymanagementapi'],
  kms: ['kms'],
  lambda: ['lambda'],
  s3: ['s3'],
  scheduler: ['scheduler'],
  ses: ['sesv2', 'ses'],
  sns: ['sns'],
  sqs: ['sqs'],
};

export interface OperationModel {
  readonly input: NormalizedSchema;
  readonly output: NormalizedSchema;
  /** Status of a success; null: the protocol has 200 for all. */
  readonly status: number | null;
  /** Names of its errors. */
  readonly errors: ReadonlySet<string>;
  /** The shape of an error; undefined: the model has none of that name. */
  errorOf(name: string): NormalizedSchema | undefined;
  /** Values of a member of a structure; undefined: it is no enum. */
  enumOf(structure: string, member: string): ReadonlySet<string> | undefined;
}

type Operation = [kind: 9, namespace: string, name: string, traits: unknown, input: unknown, output: unknown];

const known = new Map<string, OperationModel | null>();

/** null: no client has such an operation. */
export function operationModel(service: string, action: string): OperationModel | null {
  const key = `${service} ${action}`;
  const found = known.get(key) ?? read(service, action);
  known.set(key, found);
  return found;
}

function read(service: string, action: string): OperationModel | null {
  for (const client of clients[service] ?? []) {
    const folder = dirname(require.resolve(`@aws-sdk/client-${client}/package.json`));
    const exported = require(`@aws-sdk/client-${client}`) as Readonly<Record<string, unknown>>;
    const operation = exported[`${action}$`] as Operation | undefined;
    if (operation?.[0] !== 9) continue;
    const { http } = (typeof operation[3] === 'object' ? operation[3] : {}) as {
      http?: [string, string, number];
    };
    const enums = enumsOf(folder);
    return {
      input: schemaOf(operation[4]),
      output: schemaOf(operation[5]),
      status: http?.[2] ?? null,
      errors: errorsOf(join(folder, `dist-types/commands/${action}Command.d.ts`)),
      errorOf: (name) => (exported[`${name}$`] ? schemaOf(exported[`${name}$`]) : undefined),
      enumOf: (structure, member) => enums.get(`${structure}.${member}`),
    };
  }
  return null;
}

const schemaOf = (schema: unknown): NormalizedSchema =>
  NormalizedSchema.of((typeof schema === 'function' ? schema() : schema) as never);

/** The declarations of a client's command list the errors of its operation. */
function errorsOf(file: string): ReadonlySet<string> {
  const text = readFileSync(file, 'utf8');
  return new Set(
    [...text.matchAll(/@throws \{@link (\w+)\} \((?:client|server) fault\)/g)].map(([, name = '']) => name),
  );
}

const enumsByFolder = new Map<string, ReadonlyMap<string, ReadonlySet<string>>>();

/** Schemas of the clients know strings only; the declarations say which are enums. */
function enumsOf(folder: string): ReadonlyMap<string, ReadonlySet<string>> {
  const read = enumsByFolder.get(folder);
  if (read) return read;
  const types = join(folder, 'dist-types/models');
  const text = readdirSync(types)
    .map((file) => readFileSync(join(types, file), 'utf8'))
    .join('\n');
  const values = new Map(
    [...text.matchAll(/export declare const (\w+): \{([^}]*)\};/g)].map(([, name = '', body = '']) => [
      name,
      new Set([...body.matchAll(/: "([^"]*)"/g)].map(([, value = '']) => value)),
    ]),
  );
  const enums = new Map<string, ReadonlySet<string>>();
  for (const [, structure = '', body = ''] of text.matchAll(/export interface (\w+) \{([\s\S]*?)\n\}/g)) {
    for (const [, member = '', type = ''] of body.matchAll(/^ {4}(\w+)\??: (\w+)(?:\[\])? \| undefined;/gm)) {
      const allowed = values.get(type);
      if (allowed) enums.set(`${structure}.${member}`, allowed);
    }
  }
  enumsByFolder.set(folder, enums);
  return enums;
}
