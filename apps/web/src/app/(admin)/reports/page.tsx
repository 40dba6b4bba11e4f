import { operationHash } from '@switchyard/api/graphql-operations';
import type { Metadata } from 'next';
import { type PageQuery, requireScope } from '../../../server/require-scope.ts';
import { ReportsPage } from './_components/reports-page.tsx';

export const metadata: Metadata = { title: 'Reports' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  await requireScope('/reports', searchParams);
  return <ReportsPage operation={operationHash('volume')} />;
}
