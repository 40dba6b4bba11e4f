import { PageHead } from '../../../components/page-head.tsx';
import { GatewaysSkeleton } from './_components/gateways-skeleton.tsx';

export default function Loading() {
  return (
    <>
      <PageHead title="Gateways" />
      <GatewaysSkeleton />
    </>
  );
}
