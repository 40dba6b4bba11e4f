import Link from 'next/link';
import { isFiltered, type ReconciliationFilters } from '#/app/(admin)/reconciliation/filters.ts';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import type { Run } from '#/copy/discrepancies.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';

/** Shown without an account that can be reconciled. */
export function NothingConnected() {
  const scope = useScope();
  return (
    <EmptyState title="No account to compare with" action={<Link href={hrefIn(scope, '/gateways')}>Connect a gateway</Link>}>
      Every night each connected account’s payments and refunds are compared with the gateway’s own list. Connect an account
      first.
    </EmptyState>
  );
}

/** Explains an empty list: ledger and statement agree, the filters exclude everything, or nothing was compared. */
export function NoDiscrepancies({ filters, runs }: { filters: ReconciliationFilters; runs: readonly Run[] }) {
  const { state } = filters;
  if (isFiltered(filters)) {
    return (
      <EmptyState title={`No ${state === 'all' ? '' : `${state} `}discrepancies match these filters`}>
        Clear a filter to see more.
      </EmptyState>
    );
  }
  const compared = runs.filter(({ comparedAt }) => comparedAt !== null).length;
  if (compared === 0) {
    return (
      <EmptyState title="No days compared yet in this period">
        A day is compared four hours after its midnight, once more after three days for what came late, and daily for a week while
        one of your payments differs. To compare one sooner, select it under “Days” and press “Compare now”.
      </EmptyState>
    );
  }
  const closed = runs.reduce((sum, run) => sum + run.closed, 0);
  return (
    <EmptyState title={`No ${state === 'all' ? '' : `${state} `}discrepancies`}>
      {compared.toLocaleString('en')} of the last days {compared === 1 ? 'was' : 'were'} compared.
      {state === 'open' &&
        closed > 0 &&
        ` ${closed.toLocaleString('en')} closed ${closed === 1 ? 'one is' : 'ones are'} under “Closed”.`}
    </EmptyState>
  );
}
