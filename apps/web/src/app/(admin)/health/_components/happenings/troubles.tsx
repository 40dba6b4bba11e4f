'use client';

import { IconAlertTriangle, IconCheck, IconHandStop } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { OUTAGE_DAYS } from '#/app/(admin)/health/span.ts';
import { Badge } from '#/components/badge/badge.tsx';
import { StateBadge } from '#/components/badge/state-badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { useNow } from '#/components/time/now.tsx';
import { FAULT_LABELS, methodTitle } from '#/copy/gateways.ts';
import { describeSharedOutage, healthReasonText, healthStateText, OVERRIDE_LABELS } from '#/copy/health.ts';
import { clockOf, describeDuration } from '#/format/moments.ts';
import { useOutage } from '#/incidents/use-attention.ts';
import { type Blindness, useBlindness } from '#/liveness/blindness.ts';
import { nameAccount } from '#/overrides/use-overrides.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { AccountOverview, HealthOverview, MethodOverview } from '../use-health.ts';

/** One sentence for each current problem that the incident banner does not name, or one that there is none. */
export function Troubles({
  overview,
  onOpen,
}: {
  overview: HealthOverview;
  onOpen: (accountId: string, method: string | null) => void;
}) {
  const scope = useScope();
  const outage = useOutage();
  const inBanner = new Set(outage?.accounts.map(({ accountId }) => accountId));
  const refused = overview.accounts.flatMap(({ accountId, label, merchantName, enabled, fault }) =>
    enabled && fault !== null ? [{ accountId, name: nameAccount({ label, merchantName }, scope), fault }] : [],
  );
  const troubled = overview.accounts
    .filter(({ accountId }) => !inBanner.has(accountId))
    .flatMap((account) => troublesOf(account).map((health) => ({ account, health })));
  const held = heldOf(overview.accounts);
  const routable = overview.accounts.filter(({ enabled }) => enabled);
  const blindness = useBlindness();
  const isWell = outage === null && troubled.length === 0 && refused.length === 0 && routable.length > 0;
  if (!isWell && overview.trouble.length + refused.length + troubled.length + held.length === 0) return null;
  return (
    <section className="mb-7 border-t border-line" aria-label="Current problems">
      <ul>
        {overview.trouble.map((trouble) => (
          <li
            key={trouble.method}
            className="flex items-start gap-2.5 py-2.25 border-b border-line text-sm leading-5.5 text-bad-ink font-medium"
          >
            <IconAlertTriangle size={16} stroke={1.8} className="flex-none mt-0.75" aria-hidden="true" />
            <span>{describeSharedOutage(trouble)}</span>
          </li>
        ))}
        {refused.map(({ accountId, name, fault }) => (
          <li key={`refused|${accountId}`} className="flex items-start gap-2.5 py-2.25 border-b border-line text-sm leading-5.5">
            <span className="flex-none min-w-23 pl-1.5">
              <Badge tone="bad" warns>
                {FAULT_LABELS[fault.kind]}
              </Badge>
            </span>
            <Link
              className="group min-w-0 text-start text-inherit no-underline"
              href={hrefIn(scope, '/gateways', { account: accountId })}
            >
              <span className="group-hover:underline group-hover:underline-offset-3">Out of rotation: {fault.sentence}</span>{' '}
              <span className="text-ink-faint">{name}</span>
            </Link>
          </li>
        ))}
        {troubled.map(({ account, health }) => (
          <li
            key={`${account.accountId}|${health.method}`}
            className="flex items-start gap-2.5 py-2.25 border-b border-line text-sm leading-5.5"
          >
            <span className="flex-none min-w-23 pl-1.5">
              <StateBadge state={health.state} why={health.why} />
            </span>
            <button
              type="button"
              className="group min-w-0 text-start text-inherit no-underline"
              onClick={() => onOpen(account.accountId, health.method)}
              title="Show the evidence"
            >
              <span className="group-hover:underline group-hover:underline-offset-3">{healthReasonText(health)}</span>{' '}
              <span className="text-ink-faint">{nameAccount(account, scope)}</span>
            </button>
          </li>
        ))}
        {isWell && (
          <li className="flex items-start gap-2.5 py-2.25 border-b border-line text-sm leading-5.5">
            <IconCheck size={16} stroke={2} className="flex-none mt-0.75 text-good-ink" aria-hidden="true" />
            {describeHealthy(routable, blindness)}
          </li>
        )}
        {held.map(({ accountId, label, merchantName, overrides }) => (
          <li key={accountId} className="flex items-start gap-2.5 py-2.25 border-b border-line text-sm leading-5.5">
            <IconHandStop size={16} stroke={1.8} className="flex-none mt-0.75 text-wait-ink" aria-hidden="true" />
            <button
              type="button"
              className="group min-w-0 text-start text-inherit no-underline"
              onClick={() => onOpen(accountId, overrides[0]?.method ?? null)}
            >
              <span className="group-hover:underline group-hover:underline-offset-3">
                {overrides.map(({ action, reason }) => `${OVERRIDE_LABELS[action].past}: ${reason}`).join(' · ')}
              </span>{' '}
              <span className="text-ink-faint">{nameAccount({ label, merchantName }, scope)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Says that accounts are healthy, with how many methods they have checkouts of; of what cannot be read, that they were. */
function describeHealthy(accounts: readonly AccountOverview[], blindness: Blindness | null): string {
  const methods = accounts.reduce((sum, { health }) => sum + health.length - 1, 0);
  const one = accounts.length === 1;
  const subject = one ? 'The account' : `All ${accounts.length} accounts`;
  const of = `(${methods} ${methods === 1 ? 'method' : 'methods'})`;
  if (blindness === null) return `${subject} ${one ? 'is' : 'are'} healthy ${of}`;
  return `${subject} ${one ? 'was' : 'were'} healthy at ${clockOf(new Date(blindness.since))} ${of}; the state now is unknown`;
}

/** Accounts with overrides; of those that a gateway's override alone concerns, one. */
function heldOf(accounts: readonly AccountOverview[]): readonly AccountOverview[] {
  const seen = new Set<string>();
  return accounts.filter(({ overrides }) => {
    const isNew = overrides.some(({ overrideId }) => !seen.has(overrideId));
    for (const { overrideId } of overrides) seen.add(overrideId);
    return isNew;
  });
}

/** Methods in trouble; the account alone where all of its methods have the same trouble. One out of rotation is listed as that. */
function troublesOf({ enabled, fault, health }: AccountOverview): readonly MethodOverview[] {
  if (!enabled || fault !== null) return [];
  const [whole, ...methods] = health;
  const own = methods.filter(({ state, judgedBy }) => state !== 'healthy' && judgedBy === 'method');
  if (own.length > 0) return own;
  return whole !== undefined && whole.state !== 'healthy' ? [whole] : [];
}

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
  const nameOf = (account: AccountOverview | undefined) => (account === undefined ? '' : nameAccount(account, scope));
  return (
    <section aria-label="Outages">
      <h2 className="mb-2 text-base font-semibold">Outages of the last {OUTAGE_DAYS} days</h2>
      {data !== undefined && outages.length === 0 && (
        <p className="py-3 text-ink-faint text-sm">No outages. An outage lasts from leaving healthy until being healthy again.</p>
      )}
      <ul className="border-t border-line [&+button]:mt-3">
        {shown.map(({ accountId, method, worst, from, to, why }) => (
          <li
            key={`${accountId}|${method}|${from.getTime()}`}
            className="grid grid-cols-[112px_minmax(0,1fr)_auto] gap-x-3 gap-y-1 py-2.5 pl-1.5 border-b border-line text-sm [&>:first-child]:justify-self-start max-phone:grid-cols-[minmax(0,1fr)_auto]"
          >
            <Badge tone={worst === 'down' ? 'bad' : 'wait'} warns={worst === 'degraded'}>
              {healthStateText({ state: worst, why })}
            </Badge>
            <div className="min-w-0 max-phone:col-span-full max-phone:row-2">
              <button
                type="button"
                className="text-inherit font-medium text-left hover:underline hover:underline-offset-3"
                onClick={() => onOpen(accountId, method)}
              >
                {nameOf(known.get(accountId))}, {method === null ? 'all methods' : methodTitle(method)}
              </button>
              <p className="text-ink-quiet wrap-anywhere">{healthReasonText({ why })}</p>
            </div>
            <p className="text-ink-faint text-xs tabular-nums text-right whitespace-nowrap">
              <Moment value={from} />
              <br />
              {to === null ? 'ongoing,' : 'for'} {describeDuration(Math.max(0, (to?.getTime() ?? now) - from.getTime()))}
            </p>
          </li>
        ))}
      </ul>
      {outages.length > SHOWN && !all && <Button onClick={() => setAll(true)}>Show all {outages.length}</Button>}
    </section>
  );
}
