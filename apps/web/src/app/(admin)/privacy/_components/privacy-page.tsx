'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { PageHead } from '#/components/page/page-head.tsx';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { groupDecimal } from '#/format/amounts.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan, useCanHere } from '#/trpc/use-can.ts';
import { CustomerSection } from './customer-section.tsx';
import { describeSource, inDays, RETENTION_NAMES, type RetentionRow } from './retention-words.ts';

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

const ChangeDialog = dynamic(() => import('./retention-dialog.tsx').then((module) => module.ChangeDialog));

const COLUMNS = [
  { title: 'Data' },
  { title: 'Kept', number: true },
  { title: 'Set by' },
  { title: 'Change' },
  { title: 'Last run' },
  { title: 'Removed by last run', number: true },
  { title: 'Removed in total', number: true },
];

/** Every kind of data with its setting, and what the last run removed. */
export function RetentionTable({ merchantId, kinds }: { merchantId: string | null; kinds: readonly RetentionRow[] }) {
  const mayChange = useCan()('retention:change', merchantId);
  const [changing, setChanging] = useState<RetentionRow | null>(null);
  return (
    <>
      <PlainTable label="Retention settings" columns={COLUMNS}>
        <tbody {...roles.group}>
          {kinds.map((row) => (
            <tr key={row.kind} {...roles.row}>
              <td {...roles.cell} className="font-medium">
                {RETENTION_NAMES[row.kind]}
              </td>
              <td {...numberCell('Kept')}>{inDays(row.days)}</td>
              <td {...textCell('Set by')}>{describeSource(row)}</td>
              <td {...textCell('Change')}>
                {mayChange && row.minDays < row.maxDays && (
                  <Button aria-label={`Change ${RETENTION_NAMES[row.kind]}`} onClick={() => setChanging(row)}>
                    Change
                  </Button>
                )}
              </td>
              <td {...textCell('Last run')}>{row.lastRunAt === null ? 'Not yet' : <Moment value={row.lastRunAt} />}</td>
              <td {...numberCell('Removed by last run')}>{groupDecimal(BigInt(row.removedLastRun))}</td>
              <td {...numberCell('Removed in total')}>{groupDecimal(BigInt(row.removedInAll))}</td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {changing !== null && <ChangeDialog merchantId={merchantId} row={changing} onClose={() => setChanging(null)} />}
    </>
  );
}
