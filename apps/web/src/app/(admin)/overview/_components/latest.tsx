'use client';

import Link from 'next/link';
import { StatusBadge } from '#/components/badge/badge.tsx';
import { FirstPayment } from '#/components/first-payment/first-payment.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { gatewayTitle } from '#/copy/gateways.ts';
import { groupDecimal } from '#/format/amounts.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import classes from './latest.module.css';

/** The newest payments, with a link to all. */
export function Latest({ page, publicUrl }: { page: RouterOutputs['payments']['list'] | undefined; publicUrl: string }) {
  const scope = useScope();
  if (page === undefined) return <div className={classes.placeholder} role="status" aria-label="Loading the latest payments" />;
  if (page.items.length === 0) return <FirstPayment publicUrl={publicUrl} mode={scope.mode} />;
  return (
    <>
      <ul className={classes.list}>
        {page.items.map((row) => (
          <li key={row.paymentId}>
            <Link href={hrefIn(scope, `/payments/${row.paymentId}`)} prefetch={false} className={classes.row}>
              <span className={classes.order}>{row.merchantOrderId}</span>
              <span className={classes.gateway}>{gatewayTitle(row.gateway)}</span>
              <span className={classes.amount}>
                {row.currency} {groupDecimal(row.amount)}
              </span>
              <StatusBadge status={row.status} refunded={row.refundedAmount} reversed={row.reversedAmount} />
              <Moment value={row.createdAt} className={classes.time} />
            </Link>
          </li>
        ))}
      </ul>
      <Link href={hrefIn(scope, '/payments')} className={classes.all}>
        All payments
      </Link>
    </>
  );
}
