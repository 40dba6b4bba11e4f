import type { ReactNode } from 'react';
import { Button } from '../../../../components/button.tsx';
import classes from './nothing-yet.module.css';

/** A list with nothing in it: because of the filters, or because there is nothing. */
export function NothingYet({ title, onClear, children }: { title: string; onClear?: () => void; children?: ReactNode }) {
  return (
    <div className={classes.empty}>
      <h2 className={classes.title}>{title}</h2>
      {children !== undefined && <p className={classes.lead}>{children}</p>}
      {onClear !== undefined && <Button onClick={onClear}>Clear the filters</Button>}
    </div>
  );
}
