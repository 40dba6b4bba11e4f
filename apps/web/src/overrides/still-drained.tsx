'use client';

import { IconHandOff } from '@tabler/icons-react';
import { Button } from '../components/button/button.tsx';
import { Moment } from '../components/time/moment.tsx';
import { describeLength } from '../format/moments.ts';
import type { RouterOutputs } from '../trpc/outputs.ts';
import { useCan } from '../trpc/use-can.ts';
import { useDrainEnd } from './use-drain-end.ts';

type Account = RouterOutputs['health']['overview']['accounts'][number];
type Override = Account['overrides'][number];

/** The drains of accounts whose gateway is well again, or whose health only a checkout can show: each with one click to put back. */
export function StillDrained({ accounts }: { accounts: readonly Account[] }) {
  const drained = accounts.flatMap((account) => account.overrides.map((override) => ({ account, override }))).filter(isOver);
  // That of a gateway is one, whatever accounts it drains.
  const once = [...new Map(drained.map((one) => [one.override.overrideId, one])).values()];
  if (once.length === 0) return null;
  return (
    <ul className="mb-6 grid gap-2" aria-label="Still drained">
      {once.map(({ account, override }) => (
        <Line key={override.overrideId} account={account} override={override} />
      ))}
    </ul>
  );
}

interface LineProps {
  readonly account: Account;
  readonly override: Override;
}

function isOver({ account, override: { action, recoveredAt } }: LineProps): boolean {
  return action !== 'force' && (recoveredAt !== null || isUnproven(account));
}

/** True if nothing shows trouble any more, and status checks did not show it either. */
function isUnproven({ enabled, fault, health }: Account): boolean {
  const states = health.map(({ state }) => state);
  return enabled && fault === null && states.includes('probing') && !states.includes('down') && !states.includes('degraded');
}

function describeFor(since: Date, nowMs: number): string {
  return describeLength(Math.max(0, nowMs - since.getTime()));
}

function Line({ account, override }: LineProps) {
  const can = useCan();
  const { name, ending, endDrain } = useDrainEnd(account);
  const { gateway, recoveredAt, expiresAt, putBack } = override;
  const who = gateway === null ? name : `${account.gatewayTitle}, for all merchants`;
  const may = can('override:set', gateway === null ? account.merchantId : null);
  return (
    <li className="flex flex-wrap gap-x-4 gap-y-2 items-center py-2 px-3 border-l-3 border-good bg-good-soft text-base">
      <IconHandOff size={18} stroke={1.8} className="flex-none" aria-hidden="true" />
      <p className="flex-1 min-w-[200px] wrap-anywhere">
        <strong className="font-semibold">{recoveredAt === null ? 'Still drained' : 'Recovered, still drained'}:</strong> {who}.{' '}
        {recoveredAt === null ? (
          'Status checks were answered while its checkouts failed, so that only a checkout can show whether it works.'
        ) : (
          <>
            Healthy for <Moment value={recoveredAt} describe={describeFor} />.
          </>
        )}{' '}
        {putBack && recoveredAt !== null && 'It is put back by itself after five minutes without trouble. '}
        {expiresAt !== null && (
          <>
            The drain ends <Moment value={expiresAt} tense="upcoming" />.
          </>
        )}
      </p>
      {may && (
        <Button
          onClick={() => void endDrain(override)}
          loading={ending}
          aria-label={`Put back ${gateway === null ? name : account.gatewayTitle}`}
        >
          Put back
        </Button>
      )}
    </li>
  );
}
