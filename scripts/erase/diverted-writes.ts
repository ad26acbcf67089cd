/** Writes of the stores, put into the table of a local cloud many at a time: as stored, without what conditions and streams cost. */
import { BatchWriteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { each } from '../../lib/core/work/all-done.ts';
import { client } from '../../lib/storage/table/table-client.ts';

type Item = Readonly<Record<string, unknown>>;

/** The parts of the requests that put items. */
interface Input {
  readonly Item?: Item;
  readonly RequestItems?: Readonly<
    Record<string, readonly { readonly PutRequest?: { readonly Item: Item } }[]>
  >;
  readonly TransactItems?: readonly { readonly Put?: { readonly Item: Item } }[];
}

const itemsPerCall = 25;
const callsAtOnce = 8;

/** Runs `flow`, whose puts in this process go into a list instead of the table. Other calls are made. */
export async function divertPuts(flow: () => Promise<unknown>): Promise<Item[]> {
  const items: Item[] = [];
  const { middlewareStack } = client();
  const name = 'divertPuts';
  middlewareStack.add(
    (next) => async (args) => {
      const found = putsOf(args.input as Input);
      if (found.length === 0) return await next(args);
      items.push(...found);
      return { output: { $metadata: {} } as never, response: undefined };
    },
    { step: 'initialize', priority: 'high', name },
  );
  try {
    await flow();
  } finally {
    middlewareStack.remove(name);
  }
  return items;
}

const putsOf = ({ Item, RequestItems = {}, TransactItems = [] }: Input): Item[] => [
  ...(Item ? [Item] : []),
  ...Object.values(RequestItems)
    .flat()
    .flatMap(({ PutRequest }) => (PutRequest ? [PutRequest.Item] : [])),
  ...TransactItems.flatMap(({ Put }) => (Put ? [Put.Item] : [])),
];

/** @param table a client of the table's engine */
export async function putItems(table: DynamoDBClient, name: string, items: readonly Item[]): Promise<void> {
  const calls = Array.from({ length: Math.ceil(items.length / itemsPerCall) }, (_, at) =>
    items.slice(at * itemsPerCall, (at + 1) * itemsPerCall),
  );
  await each(calls, callsAtOnce, async (some) => {
    const requests = some.map((item) => ({
      PutRequest: { Item: marshall(item, { removeUndefinedValues: true }) },
    }));
    const { UnprocessedItems = {} } = await table.send(
      new BatchWriteItemCommand({ RequestItems: { [name]: requests } }),
    );
    if (Object.keys(UnprocessedItems).length > 0) throw new Error('the table took only a part of a batch');
  });
}
