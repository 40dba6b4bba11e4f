import type { ReactNode } from 'react';
import { ScrollArea } from '#/components/scroll-area/scroll-area.tsx';
import classes from './prose.module.css';

/** Something that costs money or an afternoon when it is overlooked. */
export function Note({ tone = 'info', children }: { tone?: 'info' | 'caution'; children: ReactNode }) {
  return (
    <div className={classes.note} data-tone={tone}>
      {children}
    </div>
  );
}

/** Steps to take one after the other. */
export function Steps({ children }: { children: ReactNode }) {
  return <ol className={classes.steps}>{children}</ol>;
}

interface TableProps {
  readonly label: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly ReactNode[])[];
}

/** A table; each row begins with what it is about. */
export function Table({ label, head, rows }: TableProps) {
  return (
    <ScrollArea label={label} className={classes.tableScroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            {head.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change.
            <tr key={row}>
              {cells.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: nor do the columns.
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}
