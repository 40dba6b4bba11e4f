'use client';

import { Checkbox } from '@mantine/core';
import { useScope } from '../../../../scope/use-scope.ts';
import { columnsShown, PAYMENT_COLUMNS } from './columns.ts';
import classes from './list-tools.module.css';

/** Which columns the list has. What is chosen stands in the address. */
export function ColumnChoices({
  columns,
  onChange,
}: {
  columns: readonly string[];
  onChange: (columns: string[] | null) => void;
}) {
  const scope = useScope();
  return (
    <>
      <Checkbox.Group aria-label="Columns" value={columnsShown(columns, scope)} onChange={onChange}>
        <div className={classes.columns}>
          {PAYMENT_COLUMNS.map(({ id, title }) => (
            <Checkbox key={id} value={id} label={title} size="xs" disabled={id === 'order'} />
          ))}
        </div>
      </Checkbox.Group>
      {columns.length > 0 && (
        <button type="button" className={classes.usual} onClick={() => onChange(null)}>
          The usual ones
        </button>
      )}
    </>
  );
}
