'use client';

import { Button } from '../components/button/button.tsx';
import type { OverrideAction } from '../copy/health.ts';
import { useCan } from '../trpc/use-can.ts';
import { type Drain, type DrainedAccount, useDrainEnd } from './use-drain-end.ts';

/**
 * Asks to drain all methods of an account, or ends that; renders nothing for those who may not. The dialog is the caller's: a button
 * in what live data may take away would take its dialog with it.
 */
export function DrainButton({
  account,
  drain,
  onDrain,
}: {
  account: DrainedAccount;
  /** The override that keeps payments from it now, by draining or disabling it; null while there is none. */
  drain: (Drain & { readonly action: OverrideAction }) | null;
  onDrain: (account: DrainedAccount) => void;
}) {
  const can = useCan();
  const { name, ending, endDrain } = useDrainEnd(account);
  if (!can('override:set', account.merchantId)) return null;
  if (drain === null) {
    return (
      <Button onClick={() => onDrain(account)} aria-label={`Drain ${name}`}>
        Drain
      </Button>
    );
  }
  if (drain.gateway !== null && !can('override:set', null)) return null;
  const what = drain.action === 'drain' ? 'End drain' : 'End override';
  const end = drain.gateway === null ? what : 'End drain for all merchants';
  return (
    <Button onClick={() => void endDrain(drain)} loading={ending} aria-label={`${end} of ${name}`}>
      {end}
    </Button>
  );
}
