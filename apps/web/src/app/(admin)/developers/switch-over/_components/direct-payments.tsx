'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { roles } from '#/components/list/table-roles.ts';
import { Refusal } from '#/components/page/refusal.tsx';
import { numberCell, PlainTable } from '#/components/plain-table/plain-table.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { gatewayTitle } from '#/copy/gateways.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';

const REPORTED = 'By webhooks';
const STATEMENTS = 'On statements';

/** Payments that reached gateway accounts in the last 7 days without coming through here. */
export function DirectPayments() {
  const trpc = useTRPC();
  const scope = useScope();
  const { data, error } = useQuery(trpc.switchOver.direct.queryOptions(scope, { refetchInterval: 60_000 }));
  const severalMerchants = scope.merchantId === null;
  const direct = data?.filter(({ reported, onStatements }) => reported > 0 || onStatements > 0) ?? [];
  return (
    <section className="max-w-[1120px] mb-10">
      <h2 className="mb-2 text-lg font-semibold">What still arrives directly</h2>
      <p className="max-w-[720px] mb-4 text-ink-quiet text-sm">
        Payments of the last 7 days that the gateways report and that did not come through here: webhooks with a reference that is
        none of ours, and lines of statements that are missing here. When both are zero, everything has been switched over.
      </p>
      <Refusal message={data === undefined && error !== null ? error.message : null} />
      {data === undefined && error === null && (
        <div className="h-[120px] rounded-sm bg-ground-quiet" role="status" aria-label="Loading accounts" />
      )}
      {data !== undefined && data.length === 0 && (
        <p className="max-w-[720px] mb-4 text-ink-quiet text-sm">
          No gateway account yet. <Link href={hrefIn(scope, '/gateways', { do: 'connect' })}>Connect one</Link> first.
        </p>
      )}
      {data !== undefined && data.length > 0 && direct.length === 0 && (
        <p className="text-ink text-sm">
          Nothing arrived directly at {data.length === 1 ? 'the account' : `the ${data.length} accounts`}.
        </p>
      )}
      {direct.length > 0 && (
        <PlainTable
          label="Payments that arrive directly, by gateway account"
          cards={3}
          columns={[
            { title: 'Account' },
            { title: REPORTED, number: true },
            { title: STATEMENTS, number: true },
            { title: 'Last reported' },
          ]}
        >
          <tbody {...roles.group}>
            {direct.map((account) => (
              <tr key={account.accountId} {...roles.row}>
                <th scope="row" {...roles.rowHeader}>
                  {gatewayTitle(account.gateway)} <span className="text-ink-quiet font-normal">{account.label}</span>
                  {severalMerchants && <span className="text-ink-quiet font-normal">, {account.merchantName}</span>}
                </th>
                <td {...numberCell(REPORTED)}>
                  {account.reported === 0 ? (
                    '0'
                  ) : (
                    <Link href={hrefIn(scope, '/gateways', { account: account.accountId })}>
                      {account.reported.toLocaleString('en')}
                    </Link>
                  )}
                </td>
                <td {...numberCell(STATEMENTS)}>
                  {account.onStatements === 0 ? (
                    '0'
                  ) : (
                    <Link
                      href={hrefIn(scope, '/reconciliation', {
                        account: account.accountId,
                        state: 'all',
                        kind: 'MISSING_HERE',
                      })}
                    >
                      {account.onStatements.toLocaleString('en')}
                    </Link>
                  )}
                </td>
                <td data-name="Last reported" {...roles.cell}>
                  {account.lastReportedAt === null ? '–' : <Moment value={account.lastReportedAt} />}
                </td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
    </section>
  );
}
