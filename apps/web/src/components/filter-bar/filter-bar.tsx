import { type ReactNode, useId } from 'react';
import classes from './filter-bar.module.css';

/** Everything a list can be narrowed by, in a line; `onClear` where it is narrowed. */
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

/** A native field among filters: its name stands in it, before the value. What is given the id is what it names. */
export function FilterField({
  label,
  set = false,
  children,
}: {
  label: string;
  set?: boolean;
  children: (id: string) => ReactNode;
}) {
  const id = useId();
  return (
    <span className={classes.field} data-set={set}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </span>
  );
}

/** How a filter that is on or off looks. */
export const filterClass = classes.filter;

/** How the words of what is set look. */
export const filterValueClass = classes.value;
