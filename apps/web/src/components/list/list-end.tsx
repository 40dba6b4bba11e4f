import { Button } from '../button/button.tsx';
import { countHint, formatCount, type ListCount } from './list-count.ts';

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
