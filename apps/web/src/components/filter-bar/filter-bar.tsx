'use client';

import { IconChevronDown } from '@tabler/icons-react';
import { type ComponentProps, lazy, type ReactNode, Suspense } from 'react';
import { Popup } from '../popup/popup.tsx';
import type { PeriodChoices as Choices } from './period-choices.tsx';

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
export const filterClass =
  'bar-control max-w-[280px] data-[set=true]:border-accent data-[set=true]:text-ink aria-pressed:bg-accent-soft aria-pressed:text-accent-ink max-phone:flex-auto max-phone:max-w-full max-phone:justify-between';

/** The style of the text of an active filter. */
export const filterValueClass = 'text-accent-ink font-medium truncate';

/** A filter that opens: its name, what it is set to, and the choices, which may be loaded when it is opened. */
export function FilterMenu({
  label,
  value,
  width,
  children,
}: {
  label: string;
  value: string;
  width?: number;
  children: ReactNode;
}) {
  const face = (
    <>
      {label}
      {value !== '' && <strong className="text-accent-ink font-medium truncate">{value}</strong>}
      <IconChevronDown size={14} stroke={1.7} className="flex-none" aria-hidden="true" />
    </>
  );
  return (
    <Popup
      label={label}
      align="start"
      {...(width !== undefined && { width })}
      button={{ className: filterClass, 'data-set': value !== '', children: face }}
      content={() => (
        <Suspense
          fallback={<div className="w-44 h-35 rounded-sm bg-ground-quiet" role="status" aria-label="Loading the choices" />}
        >
          {children}
        </Suspense>
      )}
    />
  );
}

// With the calendar, it loads when its menu is opened.
const PeriodChoices = lazy(() => import('./period-choices.tsx').then((module) => ({ default: module.PeriodChoices })));

/** Days to choose, both ends inclusive: a period by its name, which moves on with the calendar, or fixed days. */
export function PeriodFilter(props: ComponentProps<typeof Choices>) {
  return (
    <Suspense
      fallback={<div className="w-[290px] h-[320px] rounded-sm bg-ground-quiet" role="status" aria-label="Loading the choices" />}
    >
      <PeriodChoices {...props} />
    </Suspense>
  );
}
