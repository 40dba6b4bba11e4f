'use client';

import { Checkbox } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { SortableList } from '../../../../components/sortable-list/sortable-list.tsx';
import { useScope } from '../../../../scope/use-scope.ts';
import { columnsShown, PAYMENT_COLUMNS } from './columns.ts';
import classes from './list-tools.module.css';

/** The list's columns and their order. The URL holds the choice. */
export function ColumnChoices({
  columns,
  onChange,
}: {
  columns: readonly string[];
  onChange: (columns: string[] | null) => void;
}) {
  const shown = columnsShown(columns, useScope());
  const move = (from: number, to: number) => onChange(shown.toSpliced(from, 1).toSpliced(to, 0, shown[from] ?? ''));
  return (
    <div className={classes.columns}>
      <SortableList
        label="Columns shown, in their order"
        keys={shown}
        nameOf={titleOf}
        onMove={move}
        entryClassName={classes.column}
      >
        {(id, index) => (
          <>
            <Checkbox
              checked
              label={titleOf(id)}
              size="xs"
              disabled={id === 'order'}
              onChange={() => onChange(shown.filter((each) => each !== id))}
            />
            {index > 0 && (
              <button
                type="button"
                className={classes.remove}
                onClick={() => move(index, index - 1)}
                aria-label={`Move ${titleOf(id)} up`}
              >
                <IconArrowUp size={14} stroke={1.7} aria-hidden="true" />
              </button>
            )}
          </>
        )}
      </SortableList>
      <fieldset className={classes.others} aria-label="Other columns">
        {PAYMENT_COLUMNS.filter(({ id }) => !shown.includes(id)).map(({ id, title }) => (
          <Checkbox key={id} checked={false} label={title} size="xs" onChange={() => onChange([...shown, id])} />
        ))}
      </fieldset>
      {columns.length > 0 && (
        <button type="button" className={classes.usual} onClick={() => onChange(null)}>
          The usual ones
        </button>
      )}
    </div>
  );
}

function titleOf(column: string): string {
  return PAYMENT_COLUMNS.find(({ id }) => id === column)?.title ?? column;
}
