import type { ComponentProps, ReactNode } from 'react';
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

/** A part of a page, with an address of its own. The page draws its heading. */
export function Section({ children }: { id: string; title: string; children: ReactNode }) {
  return children;
}

/** Steps to take one after the other. */
export function Steps(props: ComponentProps<'ol'>) {
  return <ol className={classes.steps} {...props} />;
}

/** A table of the page's text, which scrolls by itself where it is too wide; each row begins with what it is about. */
export function Table({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ScrollArea label={label} className="overflow-x-auto">
      {children}
    </ScrollArea>
  );
}

export function PlainTable(props: ComponentProps<'table'>) {
  return <table className={classes.table} {...props} />;
}

export function HeadCell(props: ComponentProps<'th'>) {
  return <th scope="col" {...props} />;
}

interface TableOfRowsProps {
  readonly label: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly ReactNode[])[];
}

/** A table that is made from data. */
export function TableOfRows({ label, head, rows }: TableOfRowsProps) {
  return (
    <Table label={label}>
      <PlainTable>
        <thead>
          <tr>
            {head.map((title) => (
              <HeadCell key={title}>{title}</HeadCell>
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
      </PlainTable>
    </Table>
  );
}
