import type { Metadata } from 'next';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { ExplorerPage } from './_components/explorer-page.tsx';

export const metadata: Metadata = { title: 'Finance explorer' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  await requireScope('/developers/graphql', searchParams);
  return <ExplorerPage />;
}
