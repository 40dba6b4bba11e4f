'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { StateBadge } from '#/components/badge/state-badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { healthReasonText, OVERRIDE_LABELS, SEVERITY } from '#/copy/health.ts';
import type { Incident } from '#/copy/incident-story.ts';
import { DrainButton } from '#/overrides/drain-button.tsx';
import { type DrainedGateway, drainedGateway } from '#/overrides/drained-gateway.ts';
import { StillDrained } from '#/overrides/still-drained.tsx';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useCan, useCanForAll } from '#/trpc/use-can.ts';

const OverrideDialog = dynamic(() => import('#/overrides/override-dialog.tsx').then((module) => module.OverrideDialog));
const DrainGatewayDialog = dynamic(() =>
  import('#/overrides/drain-gateway-dialog.tsx').then((module) => module.DrainGatewayDialog),
);

const REFRESH_MS = 10_000;

type Account = RouterOutputs['health']['overview']['accounts'][number];

/** The accounts of an incident as they are now, to drain and to put back; of a closed one only those that are still drained. */
export function AccountsNow({ incident }: { incident: Incident }) {
  const trpc = useTRPC();
  const can = useCan();
  const [draining, setDraining] = useState<Account | null>(null);
  const { merchantId, mode, closedAt, closedReason, accounts } = incident;
  const enabled = accounts.length > 0 && can('health:read');
  const query = trpc.health.overview.queryOptions({ merchantId, mode }, { enabled, refetchInterval: REFRESH_MS });
  const { data } = useQuery(query);
  const now = data?.accounts.filter(({ accountId }) => accounts.some((one) => one.accountId === accountId)) ?? [];
  // An incident that another covers goes on there, and a message may still lead here.
  const listed = closedAt === null || closedReason === 'absorbed' ? now : [];
  return (
    <>
      <StillDrained accounts={now} />
      {listed.length > 0 && (
        <ul className="mb-6 border-t border-line" aria-label="Accounts now">
          {listed.map((account) => (
            <Line key={account.accountId} account={account} isNamed={merchantId === null} onDrain={setDraining} />
          ))}
        </ul>
      )}
      {incident.kind === 'correlated_outage' && <DrainGateways affected={listed} accounts={data?.accounts ?? []} mode={mode} />}
      {draining !== null && <OverrideDialog account={draining} reason="Gateway outage" onClose={() => setDraining(null)} />}
    </>
  );
}

/** Drains each gateway of a correlated outage for all merchants, for those who may act for all of them. */
function DrainGateways({
  affected,
  accounts,
  mode,
}: {
  affected: readonly Account[];
  accounts: readonly Account[];
  mode: Incident['mode'];
}) {
  const canForAll = useCanForAll();
  const [asked, setAsked] = useState<DrainedGateway | null>(null);
  if (!canForAll('override:set')) return null;
  const isDrained = ({ overrides }: Account) => overrides.some(({ gateway, action }) => gateway !== null && action === 'drain');
  const names = [...new Set(affected.filter((account) => !isDrained(account)).map(({ gateway }) => gateway))];
  const gateways = names.flatMap((name) => drainedGateway(accounts, name, mode) ?? []);
  return (
    <>
      {gateways.length > 0 && (
        <p className="flex flex-wrap gap-2 mb-6 print:hidden">
          {gateways.map((one) => (
            <Button key={one.gateway} onClick={() => setAsked(one)}>
              Drain {one.title} for all merchants
            </Button>
          ))}
        </p>
      )}
      {asked !== null && <DrainGatewayDialog of={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function Line({ account, isNamed, onDrain }: { account: Account; isNamed: boolean; onDrain: (account: Account) => void }) {
  const { label, merchantName, health, overrides } = account;
  const own = health.filter(({ judgedBy }) => judgedBy !== 'account');
  const [worst] = own.toSorted((left, right) => SEVERITY[right.state] - SEVERITY[left.state]);
  const drain = overrides.find(({ action, method }) => action !== 'force' && method === null) ?? null;
  return (
    <li className="flex flex-wrap gap-x-4 gap-y-2 items-center py-2 border-b border-line">
      {worst !== undefined && <StateBadge state={worst.state} why={worst.why} />}
      <p className="flex-1 min-w-[220px] wrap-anywhere text-sm">
        <strong className="text-base font-semibold">{label}</strong>
        {isNamed && <span className="text-ink-quiet"> {merchantName}</span>}{' '}
        {drain !== null && <span className="font-medium">{OVERRIDE_LABELS[drain.action].past}. </span>}
        {worst !== undefined && healthReasonText(worst)}
      </p>
      <DrainButton account={account} drain={drain} onDrain={() => onDrain(account)} />
    </li>
  );
}
