import { PageHead } from '../../../components/page-head.tsx';
import { TeamSkeleton } from './_components/team-skeleton.tsx';

export default function Loading() {
  return (
    <>
      <PageHead title="Team" />
      <TeamSkeleton />
    </>
  );
}
