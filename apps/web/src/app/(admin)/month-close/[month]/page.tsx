import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { describeMonth } from '#/format/calendar.ts';
import { failureCode } from '#/server/failure-code.ts';
import { type PageQuery, requireScope } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { MonthPage } from './_components/month-page.tsx';

const MONTH = /^20\d{2}-(0[1-9]|1[0-2])$/;

export async function generateMetadata({ params }: { params: Promise<{ month: string }> }): Promise<Metadata> {
  const { month } = await params;
  return { title: MONTH.test(month) ? describeMonth(month) : 'Month close' };
}

export default async function Page({ params, searchParams }: { params: Promise<{ month: string }>; searchParams: PageQuery }) {
  const { month } = await params;
  if (!MONTH.test(month)) notFound();
  const { mode, merchantId } = await requireScope(`/month-close/${month}`, searchParams);
  const queries = pageQueries();
  if (merchantId !== null) {
    await queries.fetchQuery(serverTrpc().monthClose.read.queryOptions({ merchantId, mode, month })).catch((error: unknown) => {
      if (['NOT_FOUND', 'BAD_REQUEST'].includes(failureCode(error) ?? '')) notFound();
      throw error;
    });
  }
  return (
    <Prefetched>
      <MonthPage month={month} />
    </Prefetched>
  );
}
