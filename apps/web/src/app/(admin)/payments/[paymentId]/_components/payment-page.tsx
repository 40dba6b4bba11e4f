'use client';

import { useEffect, useState } from 'react';
import { PaymentDetail } from '#/app/(admin)/payments/_components/detail/payment-detail.tsx';
import { lastListHref } from '#/app/(admin)/payments/last-list.ts';
import { BackLink } from '#/components/page/page-head.tsx';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';

/** One payment with the whole width to itself. */
export function PaymentPage({ paymentId }: { paymentId: string }) {
  const scope = useScope();
  const [list, setList] = useState(hrefIn(scope, '/payments', { payment: paymentId }));
  useEffect(() => setList((whole) => lastListHref(scope, paymentId) ?? whole), [scope, paymentId]);
  return (
    <>
      <BackLink href={list}>Payments</BackLink>
      <PaymentDetail paymentId={paymentId} asPage />
    </>
  );
}
