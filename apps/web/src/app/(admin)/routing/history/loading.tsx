import { PageHead } from '../../../../components/page-head.tsx';
import { RoutingSkeleton } from '../_components/routing-skeleton.tsx';

export default function Loading() {
  return (
    <>
      <PageHead title="History of rules" />
      <RoutingSkeleton />
    </>
  );
}
