'use client';

import { useState } from 'react';
import type { ReconciliationChange, ReconciliationFilters } from '#/app/(admin)/reconciliation/filters.ts';
import { Button } from '#/components/button/button.tsx';
import { NumberField } from '#/components/number-field/number-field.tsx';
import classes from './discrepancy-filters.module.css';

/** The least and the greatest amount of a discrepancy, both inclusive. */
export function AmountFilter({
  filters,
  onChange,
}: {
  filters: Pick<ReconciliationFilters, 'least' | 'most'>;
  onChange: (change: ReconciliationChange) => void;
}) {
  const [least, setLeast] = useState(filters.least);
  const [most, setMost] = useState(filters.most);
  const problem = (text: string) => (/^\d{0,12}$/.test(text) ? null : 'must be a whole amount');
  const isValid = problem(least) === null && problem(most) === null;
  return (
    <form
      className={classes.amounts}
      onSubmit={(event) => {
        event.preventDefault();
        if (isValid) onChange({ least: least === '' ? null : least, most: most === '' ? null : most });
      }}
    >
      <NumberField label="At least" min={0} value={least} error={problem(least)} onChange={setLeast} />
      <NumberField label="At most" min={0} value={most} error={problem(most)} onChange={setMost} />
      <Button type="submit" disabled={!isValid}>
        Apply
      </Button>
    </form>
  );
}
