'use client';

import { BackLink } from '../../../../../components/back-link/back-link.tsx';
import { hrefIn } from '../../../../../scope/scope.ts';
import { useScope } from '../../../../../scope/use-scope.ts';
import { PaymentStory } from '../../_components/payment-story.tsx';

/** One payment with the whole width to itself. */
export function PaymentPage({ paymentId }: { paymentId: string }) {
  const scope = useScope();
  return (
    <>
      <BackLink href={hrefIn(scope, '/payments', { payment: paymentId })}>Payments</BackLink>
      <PaymentStory paymentId={paymentId} asPage />
    </>
  );
}
