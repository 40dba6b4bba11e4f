'use client';

import Link from 'next/link';
import type { MouseEvent } from 'react';
import { hrefIn, type Scope } from '#/scope/scope.ts';
import type { PaymentRow } from './use-payments.ts';

/** A link to a payment: a plain click opens it beside the list, any other click opens its own page. */
export function OrderLink({
  row,
  scope,
  open,
  onOpen,
}: {
  row: PaymentRow;
  scope: Scope;
  open: boolean;
  onOpen: (paymentId: string) => void;
}) {
  function click(event: MouseEvent<HTMLAnchorElement>) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen(row.paymentId);
  }
  return (
    <Link
      href={hrefIn(scope, `/payments/${row.paymentId}`)}
      prefetch={false}
      className="row-link font-medium"
      data-payment={row.paymentId}
      aria-current={open ? 'true' : undefined}
      onClick={click}
    >
      {row.merchantOrderId}
    </Link>
  );
}
