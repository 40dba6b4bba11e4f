import { Button } from '../button.tsx';
import { formatCount, type ListCount } from './list-count.ts';
import classes from './list-end.module.css';

/** The end of the rows loaded so far: how many there are in all, and a button for readers who reach the end before the next page. */
export function ListEnd({
  loaded,
  total,
  noun,
  hasMore,
  loadingMore,
  onMore,
}: {
  loaded: number;
  /** Undefined where it is not known. */
  total?: ListCount | undefined;
  /** One of the rows, and several. */
  noun: readonly [string, string];
  hasMore: boolean;
  loadingMore: boolean;
  onMore: () => void;
}) {
  const shown = loaded.toLocaleString('en');
  return (
    <p className={classes.end}>
      {hasMore ? (
        <>
          <Button onClick={onMore} busy={loadingMore}>
            Load more
          </Button>
          {total !== undefined && (
            <span>
              {shown} of {formatCount(total)} {noun[1]}
            </span>
          )}
        </>
      ) : (
        `${shown} ${loaded === 1 ? noun[0] : noun[1]}`
      )}
    </p>
  );
}
