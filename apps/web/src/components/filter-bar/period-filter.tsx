'use client';

import { type ComponentProps, lazy, Suspense } from 'react';
import type { PeriodChoices as Choices } from './period-choices.tsx';

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
