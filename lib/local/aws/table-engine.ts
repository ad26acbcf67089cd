/** The engine of the tables of one local cloud: chooses one and starts it. */
import { mkdirSync, readdirSync } from 'node:fs';
import { dynamoDbLocalFile, missingJava, startDynamoDbLocal } from './dynamodb-local.ts';
import { dynoxideFile, dynoxideProgram, startDynoxide } from './dynoxide.ts';
import type { TableProcess } from './table-process.ts';

/** `PARLEY_TABLE_ENGINE`; unset: dynoxide, and DynamoDB Local where there is none. */
const engineNames = ['dynoxide', 'dynamodb-local'] as const;
type EngineName = (typeof engineNames)[number];

export interface TableEngine extends TableProcess {
  readonly name: EngineName;
}

/** The message says what to install or to set. */
export class NoTableEngine extends Error {}

/** Engines do not verify signatures; DynamoDB Local has a database for each access key id and region. */
export const engineCredentials = { accessKeyId: 'local', secretAccessKey: 'local' } as const;
export const engineRegion = 'us-east-1';

/**
 * @param options.directory of the tables; default: they end with the process
 * @throws NoTableEngine
 */
export async function startTableEngine(
  options: { readonly directory?: string | undefined } = {},
): Promise<TableEngine> {
  const { directory = null } = options;
  const program = dynoxideProgram();
  const name = chooseEngine(process.env.PARLEY_TABLE_ENGINE, program !== null);
  if (directory !== null) prepareFolder(directory, name);
  const started =
    name === 'dynoxide' && program !== null
      ? await startDynoxide(program, directory)
      : await startDynamoDbLocal(directory);
  return { name, ...started };
}

function chooseEngine(wanted: string | undefined, hasDynoxide: boolean): EngineName {
  const machine = `${process.platform}-${process.arch}`;
  const absent = `dynoxide is neither installed as @dynoxide/${machine} nor on the PATH`;
  if (wanted !== undefined && !isEngineName(wanted))
    throw new NoTableEngine(`PARLEY_TABLE_ENGINE is ${wanted}; use ${engineNames.join(' or ')}.`);
  if (wanted === 'dynoxide' && !hasDynoxide) throw new NoTableEngine(`${absent}.`);
  if (hasDynoxide && wanted !== 'dynamodb-local') return 'dynoxide';
  const missing = missingJava();
  if (missing !== null)
    throw new NoTableEngine(`${hasDynoxide ? '' : `${absent}, and `}DynamoDB Local needs Java: ${missing}.`);
  if (wanted === undefined) console.warn(`Tables use DynamoDB Local on Java: ${absent}.`);
  return 'dynamodb-local';
}

function isEngineName(text: string): text is EngineName {
  return engineNames.some((each) => each === text);
}

/** Engines have files of their own: one does not see the tables of another, but the objects beside them. */
function prepareFolder(directory: string, name: EngineName): void {
  mkdirSync(directory, { recursive: true });
  const files = readdirSync(directory).filter((each) => each.endsWith('.db'));
  const own =
    name === 'dynoxide' ? dynoxideFile : dynamoDbLocalFile(engineCredentials.accessKeyId, engineRegion);
  if (files.length === 0 || files.includes(own)) return;
  throw new NoTableEngine(
    `${directory} has tables of another engine than ${name} (${files.join(', ')}); use another folder, or set PARLEY_TABLE_ENGINE.`,
  );
}
