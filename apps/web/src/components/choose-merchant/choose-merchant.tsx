'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { hrefIn, type Scope } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import { Badge } from '../badge/badge.tsx';
import { roles } from '../list/table-roles.ts';
import { Refusal } from '../page/refusal.tsx';
import { numberCell, PlainTable } from '../plain-table/plain-table.tsx';

/**
 * All merchants on a page that is about one: each links to the page, and shows its rules, keys, accounts, health and open
 * discrepancies with links of their own. Keeps the rest of the URL.
 */
export function ChooseMerchant({ path, why }: { path: string; why: string }) {
  const trpc = useTRPC();
  const scope = useScope();
  const { mode } = scope;
  const asked = Object.fromEntries(useSearchParams());
  const { data, error } = useQuery(trpc.merchants.overview.queryOptions({ mode }, { staleTime: 30_000 }));
  const { data: figures } = useQuery(trpc.merchants.figures.queryOptions({ mode }, { staleTime: 30_000 }));
  const byMerchant = new Map(figures?.map((figure) => [figure.merchantId, figure]));
  return (
    <section aria-label="Merchants">
      <p className="max-w-[720px] mb-4 text-ink-quiet text-sm">{why} Select a merchant.</p>
      <Refusal message={error?.message ?? null} />
      {data === undefined && error === null && (
        <div className="h-[200px] rounded-xl bg-ground-quiet" role="status" aria-label="Loading merchants" />
      )}
      {data?.merchants.length === 0 && <p className="max-w-[720px] mb-4 text-ink-quiet text-sm">There is no merchant yet.</p>}
      {data !== undefined && data.merchants.length > 0 && (
        <PlainTable
          label="All merchants"
          cards={3}
          columns={[
            { title: 'Merchant' },
            { title: 'Rules' },
            { title: 'Health' },
            { title: 'Accounts', number: true },
            { title: 'Keys', number: true },
            { title: 'Open discrepancies', number: true },
          ]}
        >
          <tbody {...roles.group}>
            {data.merchants.map((row) => {
              const own: Scope = { mode, merchantId: row.merchantId };
              const figure = byMerchant.get(row.merchantId);
              return (
                <tr key={row.merchantId} {...roles.row}>
                  <th scope="row" {...roles.rowHeader}>
                    <Link href={hrefIn(scope, path, { ...asked, mode, merchant: row.merchantId })}>{row.name}</Link>{' '}
                    <span className="text-ink-faint text-xs font-normal tabular-nums">{row.merchantNumber}</span>
                  </th>
                  <td {...roles.cell}>
                    <Link href={hrefIn(own, '/routing')}>
                      {row.ruleSetVersion === null ? 'None' : `Version ${row.ruleSetVersion}`}
                    </Link>
                  </td>
                  <td {...roles.cell}>
                    <HealthLink health={figure?.health ?? null} href={hrefIn(own, '/health')} />
                  </td>
                  <td {...numberCell('Accounts')}>
                    <Link href={hrefIn(own, '/gateways')}>{row.accounts.toLocaleString('en')}</Link>
                  </td>
                  <td {...numberCell('Keys')}>
                    <KeysLink count={row.keys} scope={own} />
                  </td>
                  <td {...numberCell('Open discrepancies')}>
                    {figure?.openDiscrepancies == null ? (
                      '–'
                    ) : (
                      <Link href={hrefIn(own, '/reconciliation')}>{figure.openDiscrepancies.toLocaleString('en')}</Link>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </PlainTable>
      )}
      {data !== undefined && data.total > data.merchants.length && (
        <p className="max-w-[720px] mb-4 text-ink-quiet text-sm">
          {data.merchants.length} of {data.total.toLocaleString('en')} merchants: find the others by the selector above.
        </p>
      )}
    </section>
  );
}

function KeysLink({ count, scope }: { count: number; scope: Scope }) {
  const can = useCan();
  const text = count.toLocaleString('en');
  return can('key:read', scope.merchantId) ? <Link href={hrefIn(scope, '/keys')}>{text}</Link> : text;
}

function HealthLink({
  health,
  href,
}: {
  health: { readonly down: number; readonly degraded: number; readonly all: number } | null;
  href: string;
}) {
  if (health === null || health.all === 0) return '–';
  const { down, degraded } = health;
  if (down > 0) {
    return (
      <Link href={href}>
        <Badge tone="bad">{down} down</Badge>
      </Link>
    );
  }
  return (
    <Link href={href}>
      <Badge tone={degraded > 0 ? 'wait' : 'good'}>{degraded > 0 ? `${degraded} degraded` : 'Healthy'}</Badge>
    </Link>
  );
}
