'use client';

import { IconAlertTriangle } from '@tabler/icons-react';
import Link from 'next/link';
import { Badge } from '../components/badge/badge.tsx';
import { Moment } from '../components/time/moment.tsx';
import { useNow } from '../components/time/now.tsx';
import { HEALTH_LABELS, healthReasonText, OVERRIDE_LABELS } from '../copy/health.ts';
import { clockOf, describeLength } from '../format/moments.ts';
import { DrainButton } from '../overrides/drain-button.tsx';
import type { DrainedAccount } from '../overrides/use-drain.ts';
import { hrefIn, type Scope } from '../scope/scope.ts';
import { useScope } from '../scope/use-scope.ts';
import classes from './incident-banner.module.css';
import { outageImpact, outageTitle } from './outage-text.ts';
import type { Outage, OutageAccount } from './use-outage.ts';
import { useSteadyOrder } from './use-steady-order.ts';

const LISTED_MAX = 4;

/** The banner of an outage. */
export function OutageBanner({ outage, onDrain }: { outage: Outage; onDrain: (account: DrainedAccount) => void }) {
  const scope = useScope();
  const now = useNow();
  const { accounts, since, impact, isCritical } = outage;
  const listed = useSteadyOrder(accounts.slice(0, LISTED_MAX), ({ accountId }) => accountId);
  // Red says that payments go wrong now; what only waits for enough traffic to be healthy again does not.
  const isRecovering = accounts.every(({ state }) => state === 'probing' || state === 'healthy');
  return (
    <section className={classes.banner} data-tone={isCritical && !isRecovering ? 'bad' : 'wait'} aria-label="Incident">
      <header className={classes.head}>
        <IconAlertTriangle size={18} stroke={1.8} className={classes.glyph} aria-hidden="true" />
        <p className={classes.title} role="status">
          <strong>{outageTitle(outage)}</strong>
        </p>
        <p className={classes.since}>
          Since {clockOf(since)}, for {describeLength(Math.max(0, now - since.getTime()))}
        </p>
        <Link href={hrefIn(scope, '/alerts')} className={classes.link}>
          Alerts
        </Link>
      </header>
      <p className={classes.impact}>
        <span className={classes.name}>Impact</span> {outageImpact(impact)}
      </p>
      <ul className={classes.accounts} data-several={accounts.length > 1}>
        {listed.map((account) => (
          <Account key={account.accountId} account={account} scope={scope} onDrain={onDrain} />
        ))}
      </ul>
      {accounts.length > listed.length && (
        <Link href={hrefIn(scope, '/health')} className={classes.link}>
          {accounts.length - listed.length} more accounts
        </Link>
      )}
    </section>
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
  const { word, tone } = HEALTH_LABELS[state];
  return (
    <li className={classes.account}>
      <Badge tone={tone} warns={state === 'degraded'}>
        {word}
      </Badge>
      <p className={classes.why} title={healthReasonText({ why })}>
        <Link href={hrefIn(scope, '/health', { account: accountId })} className={classes.label}>
          {label}
        </Link>
        {scope.merchantId === null && <span className={classes.quiet}> {merchantName}</span>}{' '}
        {drain !== null && (
          <span className={classes.drained}>
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
