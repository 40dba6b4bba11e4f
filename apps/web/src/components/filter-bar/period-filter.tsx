'use client';

import { addDays } from '../../format/calendar.ts';
import { dayOf } from '../../format/moments.ts';
import classes from './period-filter.module.css';

interface Period {
  readonly from: string;
  readonly to: string;
}

/** Days to choose, both ends inclusive. */
export function PeriodFilter({
  from,
  to,
  onChange,
}: Period & { onChange: (change: { from: string | null; to: string | null }) => void }) {
  const today = dayOf(Date.now());
  const presets: readonly (Period & { label: string })[] = [
    { label: 'Today', from: today, to: today },
    { label: 'Yesterday', from: addDays(today, -1), to: addDays(today, -1) },
    { label: 'Last 7 days', from: addDays(today, -6), to: today },
    { label: 'Last 30 days', from: addDays(today, -29), to: today },
  ];
  return (
    <div className={classes.period}>
      <div className={classes.presets}>
        {presets.map((preset) => (
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
      <label className={classes.day}>
        From
        <input
          type="date"
          value={from}
          max={to || today}
          onChange={(event) => onChange({ from: event.currentTarget.value || null, to: to || null })}
        />
      </label>
      <label className={classes.day}>
        To
        <input
          type="date"
          value={to}
          min={from}
          max={today}
          onChange={(event) => onChange({ from: from || null, to: event.currentTarget.value || null })}
        />
      </label>
    </div>
  );
}
