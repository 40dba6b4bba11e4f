import { Button } from '../button/button.tsx';

/**
 * The end of the rows loaded so far: how many there are in all, and a button for readers who reach the end before the next page, where
 * the list is loaded page by page.
 */
export function ListEnd({
  loaded,
  total,
  noun,
  note,
  hasMore = false,
  loadingMore = false,
  onMore,
}: {
  loaded: number;
  /** Undefined where it is not known. */
  total?: ListCount | undefined;
  /** One of the rows, and several. */
  noun: readonly [string, string];
  /** Note about rows that are not listed, and how to find them. */
  note?: string | undefined;
  hasMore?: boolean;
  loadingMore?: boolean;
  onMore?: () => void;
}) {
  const shown = loaded.toLocaleString('en');
  return (
    <p className="flex flex-wrap items-center justify-center gap-3 py-5 text-ink-faint text-xs tabular-nums">
      {hasMore ? (
        <>
          <Button onClick={onMore} loading={loadingMore}>
            Load more
          </Button>
          {total !== undefined && (
            <span title={countHint(total)}>
              {shown} of {formatCount(total)} {noun[1]}
            </span>
          )}
        </>
      ) : (
        `${shown} ${loaded === 1 ? noun[0] : noun[1]}`
      )}
      {note !== undefined && <span>{note}</span>}
    </p>
  );
}

/** The number of rows of a list, counted to a limit. */
export interface ListCount {
  readonly count: number;
  /** True if there are more than were counted. */
  readonly more: boolean;
}

/** A number that is not limited; undefined while it is not known. */
export function exactly(count: number | undefined): ListCount | undefined {
  return count === undefined ? undefined : { count, more: false };
}

/** `1,234`, or `10,000+` where there are more. */
export function formatCount({ count, more }: ListCount): string {
  return `${count.toLocaleString('en')}${more ? '+' : ''}`;
}

/** Why a number is not exact; undefined where it is. */
export function countHint({ more }: ListCount): string | undefined {
  return more ? 'There are more: lists are counted up to 10,000' : undefined;
}

/** The numbers of several statuses together; undefined where one of them is not known. */
export function addCounts(counts: readonly (ListCount | undefined)[]): ListCount | undefined {
  return counts.reduce<ListCount | undefined>(
    (sum, one) =>
      sum === undefined || one === undefined ? undefined : { count: sum.count + one.count, more: sum.more || one.more },
    { count: 0, more: false },
  );
}
