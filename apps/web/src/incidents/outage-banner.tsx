'use client';

import { IconAlertTriangle } from '@tabler/icons-react';
import Link from 'next/link';
import { useState } from 'react';
import { StateBadge } from '../components/badge/badge.tsx';
import { Moment } from '../components/time/moment.tsx';
import { useNow } from '../components/time/now.tsx';
import { healthReasonText, OVERRIDE_LABELS } from '../copy/health.ts';
import { describeOutcomes } from '../copy/incident-impact.ts';
import { clockOf, describeLength } from '../format/moments.ts';
import { DrainButton } from '../overrides/drain-button.tsx';
import type { DrainedAccount } from '../overrides/use-drain-end.ts';
import { hrefIn, type Scope } from '../scope/scope.ts';
import { useScope } from '../scope/use-scope.ts';
import classes from './incident-banner.module.css';
import type { Outage, OutageAccount } from './use-outage.ts';

const LISTED_MAX = 4;

/** The banner of an outage. */
export function OutageBanner({ outage, onDrain }: { outage: Outage; onDrain: (account: DrainedAccount) => void }) {
  const scope = useScope();
  const now = useNow();
  const { accounts, since, impact, isCritical, incidentIds } = outage;
  const [incidentId, ...others] = incidentIds;
  const listed = useSteadyOrder(accounts.slice(0, LISTED_MAX), ({ accountId }) => accountId);
  // Red says that payments go wrong now; what only waits for enough traffic to be healthy again does not.
  const isRecovering = accounts.every(({ state }) => state === 'probing' || state === 'healthy');
  return (
    <section className={classes.banner} data-tone={isCritical && !isRecovering ? 'bad' : 'wait'} aria-label="Incident">
      <header className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <IconAlertTriangle size={18} stroke={1.8} className="flex-none text-[var(--tone-ink)]" aria-hidden="true" />
        <p className="min-w-0 text-base" role="status">
          <strong>{outageTitle(outage)}</strong>
        </p>
        <p className="flex-1 text-ink-quiet tabular-nums whitespace-nowrap">
          Since {clockOf(since)}, for {describeLength(Math.max(0, now - since.getTime()))}
        </p>
        {incidentId !== undefined && others.length === 0 ? (
          <Link href={hrefIn(scope, `/alerts/${incidentId}`)} className="text-ink underline-offset-3">
            Incident
          </Link>
        ) : (
          <Link href={hrefIn(scope, '/alerts')} className="text-ink underline-offset-3">
            Incidents
          </Link>
        )}
      </header>
      <p className="tabular-nums">
        <span className="mr-1 font-semibold">Impact</span> <Impact impact={impact} incidentIds={incidentIds} scope={scope} />
      </p>
      <ul className="group/accounts" data-several={accounts.length > 1}>
        {listed.map((account) => (
          <Account key={account.accountId} account={account} scope={scope} onDrain={onDrain} />
        ))}
      </ul>
      {accounts.length > listed.length && (
        <Link href={hrefIn(scope, '/health')} className="text-ink underline-offset-3">
          {accounts.length - listed.length} more accounts
        </Link>
      )}
    </section>
  );
}

/** The impact in a sentence whose number of payments opens their list. */
function Impact({ impact, incidentIds, scope }: Pick<Outage, 'impact' | 'incidentIds'> & { scope: Scope }) {
  const { affected, rest } = describeOutcomes(impact);
  if (affected === null) return rest;
  return (
    <>
      <Link
        href={hrefIn(scope, '/payments', { affected: incidentIds.join(',') })}
        className="text-ink font-medium underline underline-offset-3"
      >
        {affected}
      </Link>
      {rest}
    </>
  );
}

function Account({
  account,
  scope,
  onDrain,
}: {
  account: OutageAccount;
  scope: Scope;
  onDrain: (account: DrainedAccount) => void;
}) {
  const { accountId, merchantId, merchantName, label, state, why, drain } = account;
  return (
    <li className={classes.account}>
      <StateBadge state={state} why={why} />
      <p
        className="min-w-0 wrap-anywhere group-data-[several=true]/accounts:truncate max-phone:col-span-full max-phone:row-2"
        title={healthReasonText({ why })}
      >
        <Link
          href={hrefIn(scope, '/health', { account: accountId })}
          className="text-ink font-medium no-underline hover:underline hover:underline-offset-3"
        >
          {label}
        </Link>
        {scope.merchantId === null && <span className="text-ink-quiet"> {merchantName}</span>}{' '}
        {drain !== null && (
          <span className="font-medium">
            {OVERRIDE_LABELS[drain.action].past} <Moment value={drain.since} />
            {drain.expiresAt !== null && (
              <>
                , ends <Moment value={drain.expiresAt} />
              </>
            )}
            {'. '}
          </span>
        )}
        {healthReasonText({ why })}
      </p>
      <DrainButton account={{ merchantId, merchantName, accountId, label }} drain={drain} onDrain={onDrain} />
    </li>
  );
}

const NAMED_MAX = 3;

/** The outage in a few words: `Paystack (paystack-main) is down`. */
export function outageTitle({ accounts, isCorrelated }: Pick<Outage, 'accounts' | 'isCorrelated'>): string {
  const [first, ...others] = accounts;
  if (first === undefined) return 'Gateways are in trouble';
  if (others.length === 0) return `${first.gatewayTitle} (${first.label}) ${STATES[first.state]}`;
  const gateways = [...new Set(accounts.map(({ gatewayTitle }) => gatewayTitle))];
  const named = gateways.slice(0, NAMED_MAX).join(', ');
  const names = gateways.length > NAMED_MAX ? `${named} and ${gateways.length - NAMED_MAX} more` : named;
  const state = accounts.every((account) => account.state === first.state) ? STATES_OF_SEVERAL[first.state] : 'are in trouble';
  return isCorrelated
    ? `Correlated outage: ${accounts.length} gateway accounts ${state} (${names})`
    : `${accounts.length} gateway accounts ${state} (${names})`;
}

const STATES: Record<OutageAccount['state'], string> = {
  down: 'is down',
  degraded: 'is degraded',
  probing: 'is being probed',
  healthy: 'has recovered',
};

const STATES_OF_SEVERAL: Record<OutageAccount['state'], string> = {
  down: 'are down',
  degraded: 'are degraded',
  probing: 'are being probed',
  healthy: 'have recovered',
};

/**
 * Items in the order in which they were first shown, new ones at the end: live data sorts them anew with every change of state, and a
 * button that moves under the pointer is pressed for another item.
 */
export function useSteadyOrder<Item>(items: readonly Item[], idOf: (item: Item) => string): readonly Item[] {
  const [order, setOrder] = useState<readonly string[]>([]);
  const byId = new Map(items.map((item) => [idOf(item), item]));
  const next = [...new Set([...order.filter((id) => byId.has(id)), ...byId.keys()])];
  if (next.join() !== order.join()) setOrder(next);
  return next.flatMap((id) => byId.get(id) ?? []);
}
