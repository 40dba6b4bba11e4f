'use client';

import Link from 'next/link';
import { StatusBadge } from '#/components/badge/badge.tsx';
import { FirstPayment } from '#/components/first-payment/first-payment.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { gatewayTitle } from '#/copy/gateways.ts';
import { formatMoney } from '#/format/amounts.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import classes from './latest.module.css';

/** The newest payments, with a link to all. */
export function Latest({ page, publicUrl }: { page: RouterOutputs['payments']['list'] | undefined; publicUrl: string }) {
  const scope = useScope();
  if (page === undefined)
    return <div className="h-[320px] rounded-lg bg-ground-quiet" role="status" aria-label="Loading the latest payments" />;
  if (page.items.length === 0) return <FirstPayment publicUrl={publicUrl} mode={scope.mode} />;
  return (
    <>
      <ul className="border-t border-line">
        {page.items.map((row) => (
          <li key={row.paymentId}>
            <Link href={hrefIn(scope, `/payments/${row.paymentId}`)} prefetch={false} className={classes.row}>
              <span className="font-medium truncate">{row.merchantOrderId}</span>
              <span className="text-ink-quiet max-tablet:hidden">{gatewayTitle(row.gateway)}</span>
              <span className="tabular-nums font-medium text-end">{formatMoney(row.currency, row.amount)}</span>
              <StatusBadge status={row.displayStatus} />
              <Moment value={row.createdAt} className={classes.time} />
            </Link>
          </li>
        ))}
      </ul>
      <Link href={hrefIn(scope, '/payments')} className="inline-block mt-3 text-sm no-underline hover:underline">
        All payments
      </Link>
    </>
  );
}
