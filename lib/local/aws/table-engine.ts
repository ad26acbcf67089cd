/** The engine of the tables of one local cloud: chooses one and starts it. */
import { mkdirSync, readdirSync } from 'node:fs';
import { CannotStart, type StartWatch } from '../start-watch.ts';
import { dynamoDbLocalFile, missingJava, startDynamoDbLocal } from './dynamodb-local.ts';
import { dynoxideFile, dynoxideProgram, startDynoxide } from './dynoxide.ts';
import { hasMoto, startMoto } from './moto.ts';
import type { TableProcess } from './table-process.ts';

/** `PARLEY_TABLE_ENGINE`; unset: dynoxide, and DynamoDB Local where there is none. */
const engineNames = ['dynoxide', 'dynamodb-local', 'moto'] as const;
type EngineName = (typeof engineNames)[number];

export interface TableEngine extends TableProcess {
  readonly name: EngineName;
}

/** Engines do not verify signatures; DynamoDB Local has a database for each access key id and region. */
export const engineCredentials = { accessKeyId: 'local', secretAccessKey: 'local' } as const;
export const engineRegion = 'us-east-1';

export interface TableEngineOptions extends StartWatch {
  /** Of the tables; default: they end with the process. */
  readonly directory?: string | undefined;
}

/** @throws CannotStart; the reason of `signal` */
export async function startTableEngine(options: TableEngineOptions = {}): Promise<TableEngine> {
  return await chooseTableEngine(options).start();
}

/**
 * Chooses the engine that this machine has, and prepares its folder.
 *
 * @returns `start`: starts it
 * @throws CannotStart, whose message says what to install or to set
 */
export function chooseTableEngine(options: TableEngineOptions): { start(): Promise<TableEngine> } {
  const { directory = null, onNotice = console.warn } = options;
  const program = dynoxideProgram();
  const name = chooseName(process.env.PARLEY_TABLE_ENGINE, program !== null, onNotice);
  if (directory !== null) prepareFolder(directory, name);
  const start = () => {
    if (name === 'moto') return startMoto(options);
    return name === 'dynoxide' && program !== null
      ? startDynoxide(program, directory, options)
      : startDynamoDbLocal(directory, options);
  };
  return { start: async () => ({ name, ...(await start()) }) };
}

function chooseName(
  wanted: string | undefined,
  hasDynoxide: boolean,
  onNotice: (text: string) => void,
): EngineName {
  const machine = `${process.platform}-${process.arch}`;
  const absent = `dynoxide is neither installed as @dynoxide/${machine} nor on the PATH`;
  if (wanted !== undefined && !isEngineName(wanted))
    throw new CannotStart(`PARLEY_TABLE_ENGINE is ${wanted}; use ${engineNames.join(' or ')}.`);
  if (wanted === 'moto') {
    if (hasMoto()) return wanted;
    throw new CannotStart('PARLEY_TABLE_ENGINE is moto, and moto_server is not on the PATH.');
  }
  if (wanted === 'dynoxide' && !hasDynoxide) throw new CannotStart(`${absent}.`);
  if (hasDynoxide && wanted !== 'dynamodb-local') return 'dynoxide';
  const missing = missingJava();
  if (missing !== null)
    throw new CannotStart(`${hasDynoxide ? '' : `${absent}, and `}DynamoDB Local needs Java: ${missing}.`);
  if (wanted === undefined) onNotice(`Tables use DynamoDB Local on Java: ${absent}.`);
  return 'dynamodb-local';
}

function isEngineName(text: string): text is EngineName {
  return engineNames.some((each) => each === text);
}

/** Engines have files of their own: one does not see the tables of another, but the objects beside them. */
function prepareFolder(directory: string, name: EngineName): void {
  if (name === 'moto') throw new CannotStart('moto keeps no tables; leave out the folder.');
  mkdirSync(directory, { recursive: true });
  const files = readdirSync(directory).filter((each) => each.endsWith('.db'));
  const own =
    name === 'dynoxide' ? dynoxideFile : dynamoDbLocalFile(engineCredentials.accessKeyId, engineRegion);
  if (files.length === 0 || files.includes(own)) return;
  throw new CannotStart(
    `${directory} has tables of another engine than ${name} (${files.join(', ')}); use another folder, or set PARLEY_TABLE_ENGINE.`,
  );
}
