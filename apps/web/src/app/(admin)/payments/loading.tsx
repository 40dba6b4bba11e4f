import { PageHead } from '../../../components/page-head.tsx';
import { PaymentsSkeleton } from './_components/payments-skeleton.tsx';

export default function Loading() {
  return (
    <>
      <PageHead title="Payments" />
      <PaymentsSkeleton />
    </>
  );
}
