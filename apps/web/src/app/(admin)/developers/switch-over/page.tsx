import type { Metadata } from 'next';
import { publicUrl } from '#/server/public-url.ts';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { SwitchOverPage } from './_components/switch-over-page.tsx';

export const metadata: Metadata = { title: 'Switch over' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/developers/switch-over', searchParams);
  const { switchOver } = serverTrpc();
  await Promise.all([
    pageQueries().prefetchQuery(switchOver.mappings.queryOptions()),
    pageQueries().prefetchQuery(switchOver.direct.queryOptions(scope)),
  ]);
  return (
    <Prefetched>
      <SwitchOverPage publicUrl={publicUrl()} />
    </Prefetched>
  );
}
