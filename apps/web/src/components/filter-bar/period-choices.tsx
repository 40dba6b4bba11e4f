'use client';

import { serverNow } from '#/clock/server-clock.ts';
import { dayOf } from '#/format/moments.ts';
import { DateRangeField } from '../date-field/date-field.tsx';
import { dayNamed, PERIODS, type Period } from './period.ts';

/** Days to choose, both ends inclusive: a period by its name, which moves on with the calendar, or fixed days. */
export function PeriodChoices({
  from,
  to,
  onChange,
}: Period & { onChange: (change: { from: string | null; to: string | null }) => void }) {
  const today = dayOf(serverNow());
  const first = dayNamed(from) ?? '';
  const last = dayNamed(to) ?? '';
  return (
    <div className="grid gap-2.5 w-[290px]">
      <div className="grid gap-0.5 -mx-1 -mt-1">
        {PERIODS.map((preset) => (
          <button
            key={preset.label}
            type="button"
            className="py-1.5 px-2 rounded-sm text-ink text-sm text-left hover:bg-ground-hover aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
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
