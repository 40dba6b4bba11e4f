'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { OUTAGE_DAYS } from '#/app/(admin)/health/span.ts';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { useNow } from '#/components/time/now.tsx';
import { methodTitle } from '#/copy/gateways.ts';
import { healthReasonText, healthStateText } from '#/copy/health.ts';
import { describeLength } from '#/format/moments.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { AccountOverview } from '../use-health.ts';
import classes from './happenings.module.css';

const SHOWN = 8;

const GROUPED_WITHIN_MS = 120_000;

interface OutageSpan {
  readonly accountId: string;
  readonly method: string | null;
  readonly from: Date;
}

/** True if an outage of the whole account is the same as that of one method: then only the method's is shown. */
function isSame(of: OutageSpan, whole: OutageSpan): boolean {
  return (
    of.method !== null &&
    of.accountId === whole.accountId &&
    Math.abs(of.from.getTime() - whole.from.getTime()) < GROUPED_WITHIN_MS
  );
}

/** When accounts were in trouble in the last days, latest first. */
export function Outages({
  accounts,
  onOpen,
}: {
  accounts: readonly AccountOverview[];
  onOpen: (accountId: string, method: string | null) => void;
}) {
  const trpc = useTRPC();
  const scope = useScope();
  const now = useNow();
  const [all, setAll] = useState(false);
  const { data } = useQuery(
    trpc.health.states.queryOptions({ ...scope, minutes: OUTAGE_DAYS * 1_440 }, { refetchInterval: 60_000 }),
  );
  const known = new Map(accounts.map((account) => [account.accountId, account]));
  const outages = (data?.series ?? [])
    .flatMap(({ accountId, method, outages: own }) => own.map((outage) => ({ ...outage, accountId, method })))
    .filter(({ accountId }) => known.has(accountId))
    .filter((outage, _, every) => outage.method !== null || !every.some((other) => isSame(other, outage)))
    .sort((a, b) => b.from.getTime() - a.from.getTime());
  const shown = all ? outages : outages.slice(0, SHOWN);
  return (
    <section aria-label="Outages">
      <h2 className="mb-2 text-base font-semibold">Outages of the last {OUTAGE_DAYS} days</h2>
      {data !== undefined && outages.length === 0 && (
        <p className="py-3 text-ink-faint text-sm">No outages. An outage lasts from leaving healthy until being healthy again.</p>
      )}
      <ul className={classes.list}>
        {shown.map(({ accountId, method, worst, from, to, why }) => (
          <li key={`${accountId}|${method}|${from.getTime()}`} className={classes.item}>
            <Badge tone={worst === 'down' ? 'bad' : 'wait'} warns={worst === 'degraded'}>
              {healthStateText({ state: worst, why })}
            </Badge>
            <div className="min-w-0 max-phone:col-span-full max-phone:row-2">
              <button
                type="button"
                className="text-inherit font-medium text-left hover:underline hover:underline-offset-3"
                onClick={() => onOpen(accountId, method)}
              >
                {known.get(accountId)?.label}, {method === null ? 'all methods' : methodTitle(method)}
              </button>
              <p className="text-ink-quiet wrap-anywhere">{healthReasonText({ why })}</p>
            </div>
            <p className="text-ink-faint text-xs tabular-nums text-right whitespace-nowrap">
              <Moment value={from} />
              <br />
              {to === null ? 'ongoing,' : 'for'} {describeLength((to?.getTime() ?? now) - from.getTime())}
            </p>
          </li>
        ))}
      </ul>
      {outages.length > SHOWN && !all && <Button onClick={() => setAll(true)}>Show all {outages.length}</Button>}
    </section>
  );
}
