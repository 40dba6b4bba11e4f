import { PageHead } from '../../../components/page-head.tsx';
import { AuditSkeleton } from './_components/audit-skeleton.tsx';

export default function Loading() {
  return (
    <>
      <PageHead title="Audit" />
      <AuditSkeleton />
    </>
  );
}
