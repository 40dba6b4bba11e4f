import type { Metadata } from 'next';
import { notFound, redirect } from 'next/navigation';
import { hrefIn, loadScope } from '#/scope/scope.ts';
import { failureCode } from '#/server/failure-code.ts';
import type { PageQuery } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { CustomerPage } from './_components/customer-page.tsx';
import { loadCustomerPage } from './match.ts';

/** Without personal data: titles are kept in the browser's history. */
export const metadata: Metadata = { title: 'Customer' };

export default async function Page({
  params,
  searchParams,
}: {
  params: Promise<{ paymentId: string }>;
  searchParams: PageQuery;
}) {
  const { paymentId } = await params;
  const [scope, { by }] = await Promise.all([loadScope(searchParams), loadCustomerPage(searchParams)]);
  const queries = pageQueries();
  const customer = await queries
    .fetchQuery(serverTrpc().customers.byPayment.queryOptions({ paymentId, match: by }))
    .catch((error: unknown) => {
      if (failureCode(error) === 'NOT_FOUND') notFound();
      throw error;
    });
  // The mode band shows the customer's mode.
  if (scope.mode !== customer.mode) {
    const query = by === 'any' ? {} : { by };
    redirect(hrefIn({ mode: customer.mode, merchantId: scope.merchant }, `/customers/${paymentId}`, query));
  }
  return (
    <Prefetched>
      <CustomerPage paymentId={paymentId} />
    </Prefetched>
  );
}
