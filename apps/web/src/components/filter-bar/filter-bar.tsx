import { type ReactNode, useId } from 'react';
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

/** A native field among filters: its name is shown in it, before the value. The name labels the element with the given id. */
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

/** The class of a filter, by whether it is set. */
export const filterClass = classes.filter;

/** The style of the text of an active filter. */
export const filterValueClass = classes.value;
