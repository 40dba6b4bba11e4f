'use client';

import { IconAlertTriangle } from '@tabler/icons-react';
import Link from 'next/link';
import { useState } from 'react';
import { StateBadge } from '../components/badge/state-badge.tsx';
import { Button } from '../components/button/button.tsx';
import { Moment } from '../components/time/moment.tsx';
import { useNow } from '../components/time/now.tsx';
import { healthReasonText, OVERRIDE_LABELS } from '../copy/health.ts';
import { describeOutcomes } from '../copy/incident-impact.ts';
import { clockOf, describeDuration } from '../format/moments.ts';
import { DrainButton } from '../overrides/drain-button.tsx';
import type { DrainedAccount } from '../overrides/use-drain-end.ts';
import type { DrainedGateway } from '../overrides/use-overrides.ts';
import { hrefIn, type Scope } from '../scope/scope.ts';
import { useScope } from '../scope/use-scope.ts';
import { useCan } from '../trpc/use-can.ts';
import type { Outage, OutageAccount } from './use-attention.ts';

/** Gateways that are listed; of more, the others are on the health page. */
const LISTED_MAX = 3;

interface BannerActions {
  readonly onDrain: (account: DrainedAccount) => void;
  readonly onDrainGateway: (gateway: DrainedGateway) => void;
}

/** The banner of an outage: what is wrong in a sentence, what it did, and for each gateway its state and one action. */
export function OutageBanner({ outage, ...actions }: { outage: Outage } & BannerActions) {
  const scope = useScope();
  const now = useNow();
  const { accounts, since, impact, isCritical, incidentIds } = outage;
  const [incidentId, ...others] = incidentIds;
  const gateways = [...Map.groupBy(accounts, ({ gateway }) => gateway).values()];
  const listed = useSteadyOrder(gateways.slice(0, LISTED_MAX), ([first]) => first?.gateway ?? '');
  // Red says that payments go wrong now; what only waits for enough traffic to be healthy again does not.
  const isRecovering = accounts.every(({ state }) => state === 'probing' || state === 'healthy');
  const tone = isCritical && !isRecovering ? 'bad' : 'wait';
  return (
    <section
      className="side-note grid gap-2 max-w-[1440px] mb-5 py-3 px-4 border-l-4 rounded-sm leading-5 max-phone:mb-3.5 max-phone:py-2.5 max-phone:px-3"
      data-tone={tone}
      aria-label="Incident"
    >
      <header className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <IconAlertTriangle size={18} stroke={1.8} className="flex-none tone-ink" data-tone={tone} aria-hidden="true" />
        <p className="min-w-0 text-base" role="status">
          <strong>{outageTitle(outage)}</strong>
        </p>
        <p className="text-ink-quiet tabular-nums">
          since {clockOf(since)}, {describeDuration(Math.max(0, now - since.getTime()))}
        </p>
        <p className="flex-1 min-w-[200px] tabular-nums">
          <Impact impact={impact} incidentIds={incidentIds} scope={scope} />
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
      <ul>
        {listed.map((own) => (
          <OfGateway key={own[0]?.gateway} accounts={own} scope={scope} {...actions} />
        ))}
      </ul>
      {gateways.length > listed.length && (
        <Link href={hrefIn(scope, '/health')} className="text-ink underline-offset-3">
          {gateways.length - listed.length} more gateways
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

/** The accounts of one gateway, the worst first: the state and the sentence of the worst, and one action for all that the person may act on. */
function OfGateway({
  accounts,
  scope,
  onDrain,
  onDrainGateway,
}: { accounts: readonly OutageAccount[]; scope: Scope } & BannerActions) {
  const can = useCan();
  const [worst] = accounts;
  if (worst === undefined) return null;
  const { accountId, gateway, gatewayTitle, label, state, why, drain } = worst;
  const merchants = new Set(accounts.map(({ merchantId }) => merchantId)).size;
  const mayForAll = can('override:set', null);
  const drained = accounts.filter((account) => account.drain !== null);
  const isDrained = drained.length === accounts.length;
  const ofGateway = drained.find((account) => account.drain?.gateway != null) ?? null;
  return (
    <li className="grid grid-cols-[92px_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 py-1.5 border-t border-line-strong [&>:first-child]:justify-self-start max-phone:grid-cols-1 max-phone:[&_button]:w-full">
      <StateBadge state={state} why={why} />
      <p className="min-w-0 wrap-anywhere max-phone:col-span-full max-phone:row-2">
        <Link
          href={hrefIn(scope, '/health', { account: accountId })}
          className="text-ink font-medium no-underline hover:underline hover:underline-offset-3"
        >
          {accounts.length === 1 ? label : gatewayTitle}
        </Link>
        {scope.merchantId === null && (
          <span className="text-ink-quiet">
            {' '}
            {accounts.length === 1
              ? worst.merchantName
              : `${accounts.length} accounts of ${merchants === 1 ? worst.merchantName : `${merchants} merchants`}`}
          </span>
        )}{' '}
        {drain !== null && isDrained && <DrainText drain={drain} isForAll={ofGateway !== null} />}
        {drained.length > 0 && !isDrained && <span className="font-medium">{drained.length} drained. </span>}
        {healthReasonText({ why })}
      </p>
      <span className="flex flex-wrap gap-2 max-phone:col-span-full">
        {ofGateway === null && accounts.length === 1 && !(mayForAll && scope.merchantId === null && drain === null) && (
          <DrainButton account={worst} drain={drain} onDrain={onDrain} />
        )}
        {ofGateway !== null && <DrainButton account={ofGateway} drain={ofGateway.drain} onDrain={onDrain} />}
        {ofGateway === null && mayForAll && !isDrained && (
          <Button
            variant={accounts.length > 1 || scope.merchantId === null ? 'accent' : 'plain'}
            onClick={() => onDrainGateway({ gateway, title: gatewayTitle, mode: scope.mode })}
          >
            Drain {gatewayTitle} for all merchants
          </Button>
        )}
      </span>
    </li>
  );
}

function DrainText({ drain, isForAll }: { drain: NonNullable<OutageAccount['drain']>; isForAll: boolean }) {
  return (
    <span className="font-medium">
      {OVERRIDE_LABELS[drain.action].past}
      {isForAll && ' for all merchants'} <Moment value={drain.since} />
      {drain.expiresAt !== null && (
        <>
          , ends <Moment value={drain.expiresAt} tense="upcoming" />
        </>
      )}
      {'. '}
    </span>
  );
}

const NAMED_MAX = 3;

/** The outage in a few words: `Paystack (paystack-main) is down`, or `Paystack is down for 8 merchants`. */
export function outageTitle({ accounts, isCorrelated }: Pick<Outage, 'accounts' | 'isCorrelated'>): string {
  const [first, ...others] = accounts;
  if (first === undefined) return 'Gateways are in trouble';
  if (others.length === 0) return `${first.gatewayTitle} (${first.label}) ${STATES[first.state]}`;
  const gateways = [...new Set(accounts.map(({ gatewayTitle }) => gatewayTitle))];
  const merchants = new Set(accounts.map(({ merchantId }) => merchantId)).size;
  const isSame = accounts.every((account) => account.state === first.state);
  if (gateways.length === 1) {
    const whose = merchants === 1 ? `${accounts.length} accounts` : `${merchants} merchants`;
    return `${first.gatewayTitle} ${isSame ? STATES[first.state] : 'is in trouble'} for ${whose}`;
  }
  const named = gateways.slice(0, NAMED_MAX).join(', ');
  const names = gateways.length > NAMED_MAX ? `${named} and ${gateways.length - NAMED_MAX} more` : named;
  const state = isSame ? STATES_OF_SEVERAL[first.state] : 'are in trouble';
  return isCorrelated ? `Correlated outage: ${names} ${state}` : `${names} ${state}`;
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
  return next.flatMap((id) => {
    const item = byId.get(id);
    return item === undefined ? [] : [item];
  });
}
