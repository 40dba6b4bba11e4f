'use client';

import { useQuery } from '@tanstack/react-query';
import { Badge } from '#/components/badge/badge.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { Refusal } from '#/components/page/refusal.tsx';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { FIGURE_LABELS, MONTH_STATES } from '#/copy/accounting.ts';
import { SETTLEMENT_DISCREPANCY_LABELS } from '#/copy/settlements.ts';
import { formatMoney } from '#/format/amounts.ts';
import { describeMonth } from '#/format/calendar.ts';
import { failureText } from '#/forms/failure-text.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';

/** The effect of a correction on discrepancies, the books and closed months. */
export type CorrectionEffect = RouterOutputs['settlements']['withdrawals']['effect'];

/** Reads what a correction would do; `hash` names the preview that it is of. */
export function useEffectOf(hash: string, read: () => Promise<CorrectionEffect>) {
  return useQuery({
    queryKey: ['correction-effect', hash],
    queryFn: read,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
}

/** The effect of a correction, in counts and sums, before it is confirmed. */
export function EffectSection({
  effect: { data, error },
}: {
  effect: { data?: CorrectionEffect | undefined; error: { readonly message: string } | null };
}) {
  return (
    <section aria-label="Effect" className="grid gap-3">
      <h2 className="text-sm font-semibold">Effect</h2>
      {error !== null && <Refusal message={failureText(error)} />}
      {data === undefined && error === null && (
        <p className="text-ink-quiet text-sm" role="status">
          Computing what it changes…
        </p>
      )}
      {data !== undefined && <Effect effect={data} />}
    </section>
  );
}

function Effect({ effect: { opened, closed, books } }: { effect: CorrectionEffect }) {
  const isFrozen = books.some(({ state }) => state !== 'open');
  const discrepancies = [
    ...closed.map((each) => ({ ...each, change: 'Closes' as const })),
    ...opened.map((each) => ({ ...each, change: 'Opens' as const })),
  ];
  return (
    <>
      {discrepancies.length === 0 ? (
        <p className="text-sm text-ink-quiet">No discrepancy opens or closes.</p>
      ) : (
        <PlainTable label="Effect on discrepancies" columns={DISCREPANCY_COLUMNS}>
          <tbody {...roles.group}>
            {discrepancies.map(({ change, kind, currency, count, amount }) => (
              <tr key={`${change} ${kind} ${currency}`} {...roles.row}>
                <td {...textCell('Change')}>{change}</td>
                <td {...textCell('Discrepancy')}>{SETTLEMENT_DISCREPANCY_LABELS[kind].word}</td>
                <td {...numberCell('Number')}>{count.toLocaleString('en')}</td>
                <td {...numberCell('Amount')}>{formatMoney(currency, amount)}</td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
      {books.length === 0 ? (
        <p className="text-sm text-ink-quiet">The books stay as they are.</p>
      ) : (
        <PlainTable label="Effect on the books" columns={BOOKS_COLUMNS}>
          <tbody {...roles.group}>
            {books.map(({ month, state, kind, currency, before, after, difference }) => (
              <tr key={`${month} ${kind} ${currency}`} {...roles.row}>
                <td {...textCell('Month')}>
                  {describeMonth(month)}{' '}
                  {state !== 'open' && <Badge tone={MONTH_STATES[state].tone ?? 'over'}>{MONTH_STATES[state].word}</Badge>}
                </td>
                <td {...textCell('Figure')}>{FIGURE_LABELS[kind].word}</td>
                <td {...numberCell('Difference')}>{formatMoney(currency, difference)}</td>
                <td {...numberCell('Entries')}>
                  {before.count.toLocaleString('en')} → {after.count.toLocaleString('en')}
                </td>
                <td {...numberCell('Before')}>{formatMoney(currency, before.amount)}</td>
                <td {...numberCell('After')}>{formatMoney(currency, after.amount)}</td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
      {isFrozen && (
        <p className="text-sm">
          A closed month keeps its figures: the differences become <strong>adjustments</strong> of it.
        </p>
      )}
    </>
  );
}

const DISCREPANCY_COLUMNS = [
  { title: 'Change' },
  { title: 'Discrepancy' },
  { title: 'Number', number: true },
  { title: 'Amount', number: true },
];

const BOOKS_COLUMNS = [
  { title: 'Month' },
  { title: 'Figure' },
  { title: 'Difference', number: true },
  { title: 'Entries', number: true },
  { title: 'Before', number: true },
  { title: 'After', number: true },
];
