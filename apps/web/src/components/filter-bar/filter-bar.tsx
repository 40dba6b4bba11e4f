import type { ReactNode } from 'react';
import classes from './filter-bar.module.css';

/** The filters of a list, in a line; `onClear` while any is set. */
export function FilterBar({ onClear, children }: { onClear: (() => void) | null; children: ReactNode }) {
  return (
    <search className="flex flex-wrap gap-2 items-center mb-3">
      {children}
      {onClear !== null && (
        <button type="button" className="h-8 px-2 text-accent-ink text-sm hover:underline" onClick={onClear}>
          Clear
        </button>
      )}
    </search>
  );
}

/** The class of a filter, by whether it is set. */
export const filterClass = classes.filter;

/** The style of the text of an active filter. */
export const filterValueClass = 'text-accent-ink font-medium truncate';
