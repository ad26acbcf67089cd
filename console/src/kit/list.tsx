/** Lists over cursors: rows that open something (arrow keys or j and k), tables, "load more". */
import { createContext, type KeyboardEvent, type MouseEvent, type ReactNode, use } from 'react';
import { useHref, useNavigate } from 'react-router';
import type { CursorList } from '../api/queries.ts';
import { Button } from './button.tsx';
import { classes } from './classes.ts';
import { ProblemNotice } from './problem-notice.tsx';
import { Loading } from './progress.tsx';

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** Moves the focus between the rows. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key];
  if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[at + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** Path of the application, before the paths of its pages. */
const Base = createContext('');

/**
 * A row of `Rows`: the whole row is a link, which `Rows` follows. A link of the router renders at each change of the address: in a
 * list of 2,500 rows, that took most of the time in which a conversation opened.
 */
export function RowLink({
  to,
  className,
  isCurrent,
  children,
}: {
  readonly to: string;
  readonly className?: string;
  readonly isCurrent?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <a
      href={use(Base) + to}
      className={classes('row', className)}
      data-row
      aria-current={isCurrent ? 'true' : undefined}
    >
      {children}
    </a>
  );
}

/** The path of a `RowLink` that a click follows in this tab; null: it is none. */
function followedPath(event: MouseEvent<HTMLElement>): string | null {
  const { target, button, altKey, ctrlKey, metaKey, shiftKey } = event;
  const link = target instanceof Element ? target.closest('a.row[data-row]') : null;
  if (event.defaultPrevented || button !== 0 || altKey || ctrlKey || metaKey || shiftKey) return null;
  return link?.getAttribute('href') ?? null;
}

/** A list of rows. `empty` is shown where there is none. */
export function Rows<Item>({
  label,
  list,
  idOf,
  row,
  empty,
}: {
  readonly label: string;
  readonly list: CursorList<Item>;
  readonly idOf: (item: Item) => string;
  readonly row: (item: Item) => ReactNode;
  readonly empty: ReactNode;
}) {
  const base = useHref('/').replace(/\/$/, '');
  const navigate = useNavigate();
  const follow = (event: MouseEvent<HTMLElement>) => {
    const path = followedPath(event);
    if (path === null) return;
    event.preventDefault();
    void navigate(path.slice(base.length));
  };
  return (
    <ListFrame list={list} empty={empty}>
      <Base value={base}>
        <ul className="rows" aria-label={label} onKeyDown={moveFocus} onClick={follow}>
          {list.items.map((item) => (
            <li key={idOf(item)}>{row(item)}</li>
          ))}
        </ul>
      </Base>
    </ListFrame>
  );
}

export interface Column<Item> {
  readonly title: string;
  /** The first column is the heading of its row. */
  readonly cell: (item: Item) => ReactNode;
  /** Left out on narrow screens. */
  readonly isMinor?: boolean;
  readonly isNumber?: boolean;
}

/** A table of a list. On narrow screens it scrolls within its frame. */
export function Table<Item>({
  label,
  list,
  idOf,
  columns,
  empty,
}: {
  readonly label: string;
  readonly list: CursorList<Item>;
  readonly idOf: (item: Item) => string;
  readonly columns: readonly Column<Item>[];
  readonly empty: ReactNode;
}) {
  const classOf = ({ isMinor, isNumber }: Column<Item>) => classes(isMinor && 'minor', isNumber && 'number');
  return (
    <ListFrame list={list} empty={empty}>
      <div className="table stacks">
        <table>
          <caption className="hidden">{label}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.title} scope="col" className={classOf(column)}>
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {list.items.map((item) => (
              <tr key={idOf(item)}>
                {columns.map((column, at) =>
                  at === 0 ? (
                    <th key={column.title} scope="row" className={classOf(column)}>
                      {column.cell(item)}
                    </th>
                  ) : (
                    <td key={column.title} className={classOf(column)} data-title={column.title}>
                      {column.cell(item)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </ListFrame>
  );
}

function ListFrame<Item>({
  list,
  empty,
  children,
}: {
  readonly list: CursorList<Item>;
  readonly empty: ReactNode;
  readonly children: ReactNode;
}) {
  if (list.isLoading) return <Loading />;
  // A page of a filtered list may be empty while there are more.
  if (list.items.length === 0 && !list.hasMore && !list.error) return empty;
  return (
    <>
      {list.items.length > 0 && children}
      <ProblemNotice error={list.error} />
      <LoadMore list={list} />
    </>
  );
}

export function LoadMore({
  list,
}: {
  readonly list: Pick<CursorList<unknown>, 'hasMore' | 'isLoadingMore' | 'loadMore'>;
}) {
  if (!list.hasMore) return null;
  return (
    <div className="load-more">
      <Button onClick={list.loadMore} isBusy={list.isLoadingMore}>
        Load more
      </Button>
    </div>
  );
}

/** A list that is whole, for `Rows` and `Table`. */
export const wholeList = <Item,>(items: readonly Item[]): CursorList<Item> => ({
  items,
  isLoading: false,
  isLoadingMore: false,
  hasMore: false,
  error: null,
  loadMore: () => {},
});
