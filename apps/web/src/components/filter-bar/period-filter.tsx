'use client';

import { type ComponentProps, lazy, Suspense } from 'react';
import type { PeriodChoices as Choices } from './period-choices.tsx';
import classes from './period-filter.module.css';

// With the calendar, it loads when its menu is opened.
const PeriodChoices = lazy(() => import('./period-choices.tsx').then((module) => ({ default: module.PeriodChoices })));

/** Days to choose, both ends inclusive: a period by its name, which moves on with the calendar, or fixed days. */
export function PeriodFilter(props: ComponentProps<typeof Choices>) {
  return (
    <Suspense fallback={<div className={classes.coming} role="status" aria-label="Loading the choices" />}>
      <PeriodChoices {...props} />
    </Suspense>
  );
}
