'use client';

import { IconArrowLeft } from '@tabler/icons-react';
import Link from 'next/link';
import { hrefIn } from '../../../../../scope/scope.ts';
import { useScope } from '../../../../../scope/use-scope.ts';
import { PaymentStory } from '../../_components/payment-story.tsx';
import classes from './payment-page.module.css';

/** One payment with the whole width to itself. */
export function PaymentPage({ paymentId }: { paymentId: string }) {
  const scope = useScope();
  return (
    <>
      <Link href={hrefIn(scope, '/payments', { payment: paymentId })} className={classes.back}>
        <IconArrowLeft size={16} stroke={1.7} aria-hidden="true" />
        Payments
      </Link>
      <PaymentStory paymentId={paymentId} asPage />
    </>
  );
}
