import { PageHead } from '../../../components/page-head.tsx';
import { HealthSkeleton } from './_components/health-skeleton.tsx';

export default function Loading() {
  return (
    <>
      <PageHead title="Health" />
      <HealthSkeleton />
    </>
  );
}
