'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { Refusal } from '../page/refusal.tsx';
import { SearchField } from '../search-field/search-field.tsx';

/** The figure of a merchant that a page is about. */
type FigureOf = 'rules' | 'keys' | 'health' | 'discrepancies';

/** With fewer merchants the list is faster than typing. */
const SEARCHED_FROM = 8;

/**
 * The choice of a merchant on a page that is about one: each leads to the page, with what else its address says, and shows the one figure
 * that the page is about.
 */
export function ChooseMerchant({ path, why, figure = null }: { path: string; why: string; figure?: FigureOf | null }) {
  const trpc = useTRPC();
  const scope = useScope();
  const { mode } = scope;
  const [search, setSearch] = useState('');
  const asked = Object.fromEntries(useSearchParams());
  const { data, error } = useQuery(
    trpc.merchants.overview.queryOptions({ mode, search }, { staleTime: 30_000, placeholderData: keepPreviousData }),
  );
  const enabled = figure === 'health' || figure === 'discrepancies';
  const { data: figures } = useQuery(trpc.merchants.figures.queryOptions({ mode }, { enabled, staleTime: 30_000 }));
  const byMerchant = new Map(figures?.map((one) => [one.merchantId, one]));
  const isSearched = search !== '' || (data?.total ?? 0) > SEARCHED_FROM;
  return (
    <section className="max-w-[560px]" aria-label="Merchants">
      <p className="mb-3 text-ink-quiet text-sm">{why} Select a merchant.</p>
      <Refusal message={error?.message ?? null} />
      {data === undefined && error === null && (
        <div className="h-[200px] rounded-xl bg-ground-quiet" role="status" aria-label="Loading merchants" />
      )}
      {isSearched && (
        <div className="mb-2">
          <SearchField label="Search by name or number" placeholder="Name or number" value={search} onSearch={setSearch} />
        </div>
      )}
      {data?.merchants.length === 0 && (
        <p className="text-ink-quiet text-sm">{search === '' ? 'There is no merchant yet.' : 'No merchant matches.'}</p>
      )}
      {data !== undefined && data.merchants.length > 0 && (
        <ul className="border-t border-line" aria-label="All merchants">
          {data.merchants.map((row) => (
            <li key={row.merchantId}>
              <Link
                href={hrefIn(scope, path, { ...asked, mode, merchant: row.merchantId })}
                prefetch={false}
                className="flex items-center gap-3 min-h-10 px-1.5 border-b border-line text-ink text-sm no-underline hover:bg-ground-hover"
              >
                <span className="flex-1 min-w-0 font-medium wrap-anywhere">
                  {row.name} <span className="text-ink-faint text-xs font-normal tabular-nums">{row.merchantNumber}</span>
                </span>
                {figure !== null && (
                  <span className="text-ink-quiet text-xs tabular-nums">
                    {describeFigure(figure, row, byMerchant.get(row.merchantId))}
                  </span>
                )}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {data !== undefined && data.total > data.merchants.length && (
        <p className="mt-2 text-ink-quiet text-xs">
          {data.merchants.length} of {data.total.toLocaleString('en')} merchants: search for the others.
        </p>
      )}
    </section>
  );
}

type Row = RouterOutputs['merchants']['overview']['merchants'][number];
type Figures = RouterOutputs['merchants']['figures'][number];

/** A figure in words; empty while it is not known, or for those who may not know it. */
function describeFigure(figure: FigureOf, { ruleSetVersion, keys }: Row, figures: Figures | undefined): string {
  switch (figure) {
    case 'rules':
      return ruleSetVersion === null ? 'No rules' : `Version ${ruleSetVersion}`;
    case 'keys':
      return keys === 1 ? '1 key' : `${keys.toLocaleString('en')} keys`;
    case 'health':
      return describeHealth(figures?.health ?? null);
    case 'discrepancies': {
      const open = figures?.openDiscrepancies ?? null;
      return open === null ? '' : `${open.toLocaleString('en')} open`;
    }
    default:
      return figure satisfies never;
  }
}

function describeHealth(health: Figures['health']): string {
  if (health === null || health.all === 0) return '';
  if (health.down > 0) return `${health.down} down`;
  return health.degraded > 0 ? `${health.degraded} degraded` : 'Healthy';
}
