'use client';

import { dayOf } from '#/format/moments.ts';
import { DateRangeField } from '../date-field/date-field.tsx';
import { dayNamed, PERIODS, type Period } from './period.ts';
import classes from './period-filter.module.css';

/** Days to choose, both ends inclusive: a period by its name, which moves on with the calendar, or fixed days. */
export function PeriodChoices({
  from,
  to,
  onChange,
}: Period & { onChange: (change: { from: string | null; to: string | null }) => void }) {
  const today = dayOf(Date.now());
  const first = dayNamed(from) ?? '';
  const last = dayNamed(to) ?? '';
  return (
    <div className={classes.period}>
      <div className={classes.presets}>
        {PERIODS.map((preset) => (
          <button
            key={preset.label}
            type="button"
            className={classes.preset}
            aria-pressed={preset.from === from && preset.to === to}
            onClick={() => onChange({ from: preset.from, to: preset.to })}
          >
            {preset.label}
          </button>
        ))}
      </div>
      <DateRangeField
        from={first}
        to={last}
        max={today}
        onChange={(period) => onChange({ from: period.from || null, to: period.to || null })}
      />
    </div>
  );
}
