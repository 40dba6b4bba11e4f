'use client';

import { SHARE_FROM } from '@switchyard/routing';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { ScrollArea } from '#/components/scroll-area/scroll-area.tsx';
import { PanelPart } from '#/components/side-panel/side-panel.tsx';
import { methodTitle } from '#/copy/gateways.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import type { AccountOverview } from '../use-health.ts';

type Budget = RouterOutputs['health']['errorBudgets'][number];

const REFRESH_MS = 60_000;

/** How much of the failures that the target allows in 30 days an account and its methods have used. */
export function ErrorBudget({ account: { accountId, merchantId } }: { account: AccountOverview }) {
  const trpc = useTRPC();
  const scope = useScope();
  const { data } = useQuery(trpc.health.errorBudgets.queryOptions({ ...scope, accountId }, { refetchInterval: REFRESH_MS }));
  const [first] = data ?? [];
  return (
    <PanelPart title="Error budget">
      {data?.length === 0 && <p className="mt-2 text-ink-faint text-xs">No checkouts in 30 days, so no budget is used.</p>}
      {first !== undefined && (
        <>
          <ScrollArea className="w-full" label="Error budget by method">
            <table className="figures-table whitespace-nowrap [--between:12px] [--row:32px] [&_thead_th]:h-6.5">
              <thead>
                <tr>
                  <th scope="col">30 days</th>
                  <th scope="col">Failed, of checkouts</th>
                  <th scope="col">Allowed</th>
                  <th scope="col">Used</th>
                  <th scope="col">Burn rate</th>
                </tr>
              </thead>
              <tbody>
                {data?.map((budget) => (
                  <Row key={budget.method ?? 'all'} budget={budget} />
                ))}
              </tbody>
            </table>
          </ScrollArea>
          <p className="mt-2 text-ink-faint text-xs">
            Target {percent(first.target)} of checkouts opened: used is failed ÷ ({percent(1 - first.target)} of all checkouts of
            30 days), and burn rate is the share that failed in the last hour ÷ {percent(1 - first.target)}, so that at 1× the
            budget lasts 30 days. <Link href={hrefIn({ ...scope, merchantId }, '/health/thresholds')}>Change the target</Link>
          </p>
        </>
      )}
    </PanelPart>
  );
}

const TONES = 'data-[tone=bad]:text-bad-ink data-[tone=bad]:font-semibold data-[tone=wait]:text-wait-ink';

function Row({ budget: { method, opened, failed, allowed, used, burnRate } }: { budget: Budget }) {
  return (
    <tr>
      <th scope="row">{method === null ? 'All methods' : methodTitle(method)}</th>
      <td>
        {failed.toLocaleString('en')} of {opened.toLocaleString('en')}
      </td>
      <td>{allowed < 10 ? allowed.toFixed(1) : Math.floor(allowed).toLocaleString('en')}</td>
      <td className={TONES} data-tone={used >= 1 ? 'bad' : used >= 0.75 ? 'wait' : 'plain'}>
        <span
          className="inline-block w-12 h-1.5 mr-2 overflow-hidden rounded-[3px] bg-ground-hover align-middle [&_span]:block [&_span]:h-full [&_span]:bg-current"
          aria-hidden="true"
        >
          <span style={{ width: `${Math.min(1, used) * 100}%` }} />
        </span>
        {opened < SHARE_FROM ? '–' : percent(used, 0)}
        {used > 1 && <span className="sr-only"> (overspent)</span>}
      </td>
      <td className={TONES} data-tone={(burnRate ?? 0) > 1 ? 'bad' : 'plain'}>
        {burnRate === null ? '–' : `${burnRate.toFixed(1)}×`}
      </td>
    </tr>
  );
}

/** `99.5%`; whole where `digits` is 0. */
function percent(share: number, digits = 2): string {
  return `${(share * 100).toLocaleString('en', { maximumFractionDigits: digits })}%`;
}
