'use client';

import { countHint, formatCount, type ListCount } from './list-end.tsx';

/** One status to show a list of, and how many rows have it. */
export interface StatusTab<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** Undefined until it is known, and where counting took too long. */
  readonly count: ListCount | undefined;
}

/** The statuses of a list with their counts; one of them, or all, is shown. */
export function StatusTabs<Value extends string>({
  label,
  tabs,
  all,
  chosen,
  onChange,
}: {
  label: string;
  tabs: readonly StatusTab<Value>[];
  all: ListCount | undefined;
  /** Several where the filter was set otherwise; none for all. */
  chosen: readonly Value[];
  /** Null for all. */
  onChange: (value: Value | null) => void;
}) {
  return (
    <fieldset
      className="flex gap-x-5 gap-y-1 min-w-0 p-0 mx-0 mt-0 mb-3 overflow-x-auto border-0 border-b border-line [scrollbar-width:none]"
      aria-label={label}
    >
      <Tab label="All" count={all} pressed={chosen.length === 0} onClick={() => onChange(null)} />
      {tabs.map((tab) => (
        <Tab
          key={tab.value}
          label={tab.label}
          count={tab.count}
          pressed={chosen.includes(tab.value)}
          onClick={() => onChange(tab.value)}
        />
      ))}
    </fieldset>
  );
}

function Tab({
  label,
  count,
  pressed,
  onClick,
}: {
  label: string;
  count: ListCount | undefined;
  pressed: boolean;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      className="underlined-tab inline-flex items-baseline gap-1.5 min-h-8.5 py-1.5 -mb-px"
      aria-pressed={pressed}
      onClick={onClick}
    >
      {label}
      <span className="min-w-[3ch] text-ink-faint text-xs tabular-nums font-normal" title={count && countHint(count)}>
        {count === undefined ? '' : formatCount(count)}
      </span>
    </button>
  );
}
