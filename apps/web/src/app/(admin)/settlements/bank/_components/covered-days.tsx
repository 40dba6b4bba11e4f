'use client';

import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { addDays, formatDay } from '#/format/calendar.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';

type Coverage = RouterOutputs['settlements']['bank']['read']['coverage'];
type Days = Coverage[number]['days'][number];

/** The days of each bank account that statements cover, and those between them that none does: nothing is missing on these. */
export function CoveredDays({ coverage }: { coverage: Coverage }) {
  if (coverage.length === 0) return null;
  return (
    <section aria-label="Days with statements" className="max-w-[640px] mb-5">
      <DescriptionList>
        {coverage.map(({ merchantId, bankAccount, days }) => (
          <Description key={`${merchantId} ${bankAccount}`} name={bankAccount}>
            {days.map(describeDays).join(', ')}
            {days.length > 1 && (
              <span className="block text-ink-quiet">Without a statement: {gapsOf(days).map(describeDays).join(', ')}</span>
            )}
          </Description>
        ))}
      </DescriptionList>
    </section>
  );
}

/** Days in words: `Mon 2 Nov – Fri 6 Nov`. */
export function describeDays({ from, to }: Days): string {
  return from === to ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`;
}

function gapsOf(days: readonly Days[]): Days[] {
  return days.slice(1).flatMap((next, at) => {
    const before = days[at];
    return before === undefined ? [] : [{ from: addDays(before.to, 1), to: addDays(next.from, -1) }];
  });
}
