'use client';

import { AGES, type Age } from '#/app/(admin)/reconciliation/filters.ts';
import { formatDecimal } from '#/format/amounts.ts';
import type { AgeGroup } from '../use-reconciliation.ts';
import classes from './age-summary.module.css';

const LABELS: Readonly<Record<Age, string>> = {
  '0-2': 'Up to 2 days',
  '3-7': '3 to 7 days',
  '8-30': '8 to 30 days',
  '31-': 'Over 30 days',
};

/** Discrepancies by age: how many, their amount, how many have no owner. Each age filters the list. */
export function AgeSummary({
  groups,
  age,
  onChoose,
}: {
  groups: readonly AgeGroup[];
  age: Age | null;
  onChoose: (age: Age | null) => void;
}) {
  return (
    <fieldset className="grid grid-cols-4 gap-2 min-w-0 mx-0 mt-0 mb-3 p-0 border-0 max-laptop:grid-cols-2" aria-label="Age">
      {AGES.map((each) => {
        const own = groups.filter((group) => ageOf(group) === each);
        const count = own.reduce((sum, group) => sum + group.count, 0);
        const unowned = own.reduce((sum, group) => sum + group.unowned, 0);
        return (
          <button
            key={each}
            type="button"
            className={classes.age}
            aria-pressed={age === each}
            data-old={count > 0 && each === '31-'}
            onClick={() => onChoose(age === each ? null : each)}
          >
            <span className="text-ink-quiet text-xs font-medium">{LABELS[each]}</span>
            <span className={classes.count}>{count.toLocaleString('en')}</span>
            <span className="col-span-full min-h-4 text-ink-quiet text-xs">{describeAmounts(own)}</span>
            <span className="col-span-full min-h-4 text-ink-quiet text-xs">
              {unowned > 0 && `${unowned.toLocaleString('en')} without an owner`}
            </span>
          </button>
        );
      })}
    </fieldset>
  );
}

function ageOf({ minDays, maxDays }: AgeGroup): string {
  return `${minDays}-${maxDays ?? ''}`;
}

function describeAmounts(groups: readonly AgeGroup[]): string {
  return groups.map(({ currency, amount }) => `${currency ?? ''} ${formatDecimal(currency, amount)}`.trim()).join(' · ');
}
