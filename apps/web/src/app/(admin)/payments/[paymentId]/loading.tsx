import { PaymentDetailSkeleton } from '../_components/payment-detail-skeleton.tsx';

export default function Loading() {
  return <PaymentDetailSkeleton asPage />;
}
