import { PageHead } from '../../../components/page-head.tsx';
import { PaymentsSkeleton } from '../payments/_components/payments-skeleton.tsx';

export default function Loading() {
  return (
    <>
      <PageHead title="Refunds" />
      <PaymentsSkeleton />
    </>
  );
}
