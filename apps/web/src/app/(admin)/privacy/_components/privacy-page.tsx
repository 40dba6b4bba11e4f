'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { PageHead } from '#/components/page/page-head.tsx';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCanHere } from '#/trpc/use-can.ts';
import { CustomerSection } from './customer-section.tsx';
import { RetentionTable } from './retention-table.tsx';

// For all merchants alone.
const ChooseMerchant = dynamic(() =>
  import('#/components/choose-merchant/choose-merchant.tsx').then((module) => module.ChooseMerchant),
);

/** How long data is kept, and a customer's request for a copy or for erasure. */
export function PrivacyPage() {
  const trpc = useTRPC();
  const { merchantId, mode } = useScope();
  const can = useCanHere();
  const mayServe = can('customer:export') || can('customer:erase');
  const { data, error } = useQuery(trpc.privacy.retention.queryOptions({ merchantId }));
  return (
    <div className="max-w-[1180px]">
      <PageHead title="Data and privacy" />
      <section className="mb-10" aria-labelledby="retention">
        <h2 id="retention" className="mb-2 text-base font-semibold">
          How long data is kept
        </h2>
        <p className="max-w-[720px] mb-3 text-ink-quiet text-sm">
          What is older is removed once an hour. What an unfinished payment still needs stays until it is closed.
          {merchantId === null
            ? ' These settings are for all merchants that have none of their own.'
            : ' A setting here comes before that of the workspace.'}
        </p>
        {data !== undefined && <RetentionTable merchantId={merchantId} kinds={data.kinds} />}
        {data === undefined && error === null && (
          <div className="h-[340px] rounded-sm bg-ground-quiet" role="status" aria-label="Loading settings" />
        )}
        {error !== null && <p role="alert">{error.message}</p>}
        {data !== undefined && (
          <dl className="grid gap-2 max-w-[720px] mt-5 text-sm [&_dt]:font-medium [&_dd]:m-0 [&_dd]:text-ink-quiet">
            {data.kept.map(({ data: what, why }) => (
              <div key={what}>
                <dt>{what}</dt>
                <dd>Never removed by age. {why}</dd>
              </div>
            ))}
          </dl>
        )}
      </section>
      {mayServe && (
        <section className="mb-10" aria-labelledby="customer">
          <h2 id="customer" className="mb-2 text-base font-semibold">
            Export or erase a customer
          </h2>
          {merchantId === null ? (
            <ChooseMerchant path="/privacy" why="A customer belongs to one merchant, in test or in live mode." />
          ) : (
            <CustomerSection key={`${merchantId} ${mode}`} merchantId={merchantId} mode={mode} />
          )}
        </section>
      )}
    </div>
  );
}
