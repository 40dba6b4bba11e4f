'use client';

import { useEffect, useState } from 'react';
import { BackLink } from '../../../../../components/back-link/back-link.tsx';
import { hrefIn } from '../../../../../scope/scope.ts';
import { useScope } from '../../../../../scope/use-scope.ts';
import { PaymentDetail } from '../../_components/payment-detail.tsx';
import { lastListHref } from '../../last-list.ts';

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
