'use client';

import { IconAlertTriangle } from '@tabler/icons-react';
import Link from 'next/link';
import { StateBadge } from '../components/badge/state-badge.tsx';
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
import { outageTitle } from './outage-text.ts';
import type { Outage, OutageAccount } from './use-outage.ts';
import { useSteadyOrder } from './use-steady-order.ts';

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
