/** Data of the API in pages: cached queries, lists over cursors, actions. */
import {
  QueryClient,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { ParleyError } from 'parley-client';
import { showToast } from '../kit/toast.tsx';

/** One per page load. The client library repeats failed requests itself. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  });
  // A session that has ended shows the sign-in page.
  client.getQueryCache().subscribe(({ query, type }) => {
    if (type !== 'updated' || query.queryKey[0] === 'session') return;
    if (isSignedOut(query.state.error)) void client.invalidateQueries({ queryKey: ['session'] });
  });
  return client;
}

const isSignedOut = (error: unknown): boolean => error instanceof ParleyError && error.status === 401;

/** A page of a list, as the client library reads it. */
interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

export interface CursorList<Item> {
  /** Of all pages that were read. */
  readonly items: readonly Item[];
  /** The first page is being read. */
  readonly isLoading: boolean;
  readonly isLoadingMore: boolean;
  readonly hasMore: boolean;
  readonly error: unknown;
  readonly loadMore: () => void;
}

/**
 * A list that is read page by page.
 *
 * @param read a page: `(cursor) => parley.threads.list({ cursor })`
 * @param refetchMs reads the shown pages again after this time; 0: never
 */
export function useCursorList<Item>(
  queryKey: QueryKey,
  read: (cursor: string | undefined) => PromiseLike<ListPage<Item>>,
  refetchMs = 0,
): CursorList<Item> {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam }) => {
      const { items, next_cursor } = await read(pageParam);
      return { items, next_cursor };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: refetchMs || false,
  });
  return {
    items: query.data?.pages.flatMap(({ items }) => items) ?? [],
    isLoading: query.isPending,
    isLoadingMore: query.isFetchingNextPage,
    hasMore: query.hasNextPage,
    error: query.error,
    loadMore: () => void query.fetchNextPage(),
  };
}

/** One thing of the API. */
export function useApi<T>(
  queryKey: QueryKey,
  read: () => PromiseLike<T>,
  options: { readonly refetchMs?: number; readonly isEnabled?: boolean } = {},
) {
  return useQuery({
    queryKey,
    queryFn: async () => await read(),
    refetchInterval: options.refetchMs ?? false,
    enabled: options.isEnabled ?? true,
  });
}

/** A change: reads the queries below `changed` again, but for what is `gone`, and says `done` to the person. */
export function useAction<Input, Output>(
  run: (input: Input) => PromiseLike<Output>,
  {
    changed = [],
    gone,
    done,
  }: {
    readonly changed?: readonly QueryKey[];
    readonly gone?: QueryKey;
    readonly done?: string | ((output: Output) => string);
  },
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input) => await run(input),
    onSuccess: async (output) => {
      if (done) showToast(typeof done === 'string' ? done : done(output));
      const isKept = ({ queryKey }: { readonly queryKey: QueryKey }) =>
        !gone?.every((part, at) => queryKey[at] === part);
      await Promise.all(changed.map((queryKey) => client.invalidateQueries({ queryKey, predicate: isKept })));
    },
  });
}
