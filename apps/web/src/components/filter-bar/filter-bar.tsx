import type { ReactNode } from 'react';
import classes from './filter-bar.module.css';

/** The filters of a list, in a line; `onClear` while any is set. */
export function FilterBar({ onClear, children }: { onClear: (() => void) | null; children: ReactNode }) {
  return (
    <search className={classes.bar}>
      {children}
      {onClear !== null && (
        <button type="button" className={classes.clear} onClick={onClear}>
          Clear
        </button>
      )}
    </search>
  );
}

/** The class of a filter, by whether it is set. */
export const filterClass = classes.filter;

/** The style of the text of an active filter. */
export const filterValueClass = classes.value;
