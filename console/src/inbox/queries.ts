/** What the pages read of the local run. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import {
  control,
  type Mail,
  type MailRow,
  mailRoute,
  type Page,
  type Person,
  type RunFacts,
} from './control.ts';

const pageSize = 50;

/** A list in pages; `items` are those that were read so far. */
function usePages<Item>(queryKey: readonly unknown[], path: string, isEnabled = true) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) =>
      control<Page<Item>>(
        'GET',
        `${path}&limit=${pageSize}${pageParam === '' ? '' : `&before=${pageParam}`}`,
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_before: next }) => next ?? undefined,
    enabled: isEnabled,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return {
    items: query.data?.pages.flatMap(({ data }) => data) ?? [],
    total: query.data?.pages[0]?.total ?? 0,
    isLoading: query.isPending && isEnabled,
    isLoadingMore: query.isFetchingNextPage,
    hasMore: query.hasNextPage,
    error: query.error,
    loadMore: () => void query.fetchNextPage(),
  };
}

export const usePeople = (text: string) =>
  usePages<Person>(['people', text], `/people?q=${encodeURIComponent(text)}`);

export const useMails = (person: string | null) =>
  usePages<MailRow>(
    ['mails', person],
    `/people/${encodeURIComponent(person ?? '')}/messages?`,
    person !== null,
  );

export const useMail = (person: string, id: string) =>
  useQuery({
    queryKey: ['mail', person, id],
    queryFn: () => control<Mail>('GET', mailRoute(person, id)),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const useRunFacts = () =>
  useQuery({
    queryKey: ['facts'],
    queryFn: () => control<RunFacts>('GET', '/inbox'),
    staleTime: Number.POSITIVE_INFINITY,
  });
