import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { missingJava } from '../../../lib/local/aws/dynamodb-local.ts';
import { dynoxideFile, dynoxideProgram } from '../../../lib/local/aws/dynoxide.ts';
import { engineCredentials, engineRegion, startTableEngine } from '../../../lib/local/aws/table-engine.ts';

afterEach(() => void vi.unstubAllEnvs());

const engineVariable = 'PARLEY_TABLE_ENGINE';
const engines = [
  { name: 'dynoxide', isAbsent: dynoxideProgram() === null },
  { name: 'dynamodb-local', isAbsent: missingJava() !== null },
];

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-engine-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** The tables of an engine that runs while `work` does. */
async function tablesAfter(
  directory: string | undefined,
  work: (client: DynamoDBClient) => Promise<unknown> = async () => {},
) {
  const { url, close } = await startTableEngine({ directory });
  const client = new DynamoDBClient({ endpoint: url, region: engineRegion, credentials: engineCredentials });
  await work(client);
  const { TableNames } = await client.send(new ListTablesCommand({}));
  client.destroy();
  await close();
  return TableNames;
}

const createTable = (client: DynamoDBClient) =>
  client.send(
    new CreateTableCommand({
      TableName: 'mail',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    }),
  );

describe.each(engines)('startTableEngine with $name', ({ name, isAbsent }) => {
  it.skipIf(isAbsent)('keeps its tables between runs when it has a folder', async () => {
    vi.stubEnv(engineVariable, name);
    const directory = newFolder();
    await tablesAfter(directory, createTable);
    expect(await tablesAfter(directory)).toEqual(['mail']);
  });

  it.skipIf(isAbsent)('has tables of its own when it has no folder', async () => {
    vi.stubEnv(engineVariable, name);
    expect(await tablesAfter(undefined, createTable)).toEqual(['mail']);
    expect(await tablesAfter(undefined)).toEqual([]);
  });

  it.skipIf(isAbsent)('refuses a folder when another engine has written it', async () => {
    vi.stubEnv(engineVariable, name);
    const directory = newFolder();
    writeFileSync(join(directory, 'other.db'), '');
    await expect(startTableEngine({ directory })).rejects.toThrow(
      `tables of another engine than ${name} (other.db)`,
    );
  });

  it.skipIf(isAbsent)('ends when its parent is killed', async () => {
    const module = new URL('../../../lib/local/aws/table-engine.ts', import.meta.url).href;
    const program = `const { startTableEngine } = await import('${module}');
      console.log((await startTableEngine()).url);
      setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
      env: { ...process.env, [engineVariable]: name },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [url] = await once(parent.stdout, 'data');
    parent.kill('SIGKILL');
    await vi.waitFor(() => expect(isRefused(String(url).trim())).resolves.toBe(true), { timeout: 60_000 });
  });

  it.skipIf(isAbsent)('closes in a process that waits for nothing else', async () => {
    const module = new URL('../../../lib/local/aws/table-engine.ts', import.meta.url).href;
    const program = `
    const { startTableEngine } = await import('${module}');
    const { close } = await startTableEngine();
    await close();
  `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      env: { ...process.env, [engineVariable]: name },
      stdio: 'ignore',
    });
    // 13: a top-level await was not settled.
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

function isRefused(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.once('error', () => resolve(true));
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
  });
}

describe('startTableEngine', () => {
  it('names the engines when the environment asks for another', async () => {
    vi.stubEnv(engineVariable, 'sqlite');
    await expect(startTableEngine()).rejects.toThrow(
      'PARLEY_TABLE_ENGINE is sqlite; use dynoxide or dynamodb-local or moto.',
    );
  });

  it.skipIf(dynoxideProgram() === null)(
    'finds the last stream record by an index when dynoxide writes',
    async () => {
      vi.stubEnv(engineVariable, 'dynoxide');
      const directory = newFolder();
      await tablesAfter(directory, createTable);
      const database = new DatabaseSync(join(directory, dynoxideFile));
      onTestFinished(() => database.close());
      // The query of dynoxide 1.2.1 before each write to a table with a stream.
      const query =
        'SELECT COALESCE(MAX(CAST(sequence_number AS INTEGER)), 0) + 1 FROM _stream_records WHERE table_name = ?1';
      expect(database.prepare(`EXPLAIN QUERY PLAN ${query}`).all('mail')).toMatchObject([
        { detail: expect.stringMatching(/^SEARCH .* USING .*INDEX stream_order/) },
      ]);
    },
  );
});
