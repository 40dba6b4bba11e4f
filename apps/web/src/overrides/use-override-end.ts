'use client';

import { useState } from 'react';
import { isPlanned } from './is-planned.ts';
import { useOverrides } from './use-overrides.ts';

interface Override {
  readonly overrideId: string;
  /** The gateway whose accounts of all merchants it concerns; null for the account. */
  readonly gateway?: string | null;
}

interface OverriddenAccount {
  readonly merchantId: string;
  readonly overrides: readonly Override[];
  readonly planned: readonly Override[];
}

/**
 * An override that a dialog asks to end, or to cancel while it is planned. Live data may bring its beginning, its expiry or another
 * person's cancelling: the dialog then says what is so, and never offers to end what has not begun.
 */
export function useOverrideEnd(account: OverriddenAccount, override: Override) {
  const { end, endGateway } = useOverrides();
  const isListed = [...account.overrides, ...account.planned].some(({ overrideId }) => overrideId === override.overrideId);
  const isPlannedNow = isPlanned(account, override);
  const [wasPlanned, setWasPlanned] = useState(isPlannedNow);
  if (isListed && wasPlanned !== isPlannedNow) setWasPlanned(isPlannedNow);
  return {
    /** True if the override has not started, or had not when it ended. */
    isPlanned: wasPlanned,
    /** It has ended, or was cancelled, by itself or by another person. */
    isOver: !isListed && !end.isPending && !endGateway.isPending,
    /** Ends or cancels it. */
    end: () => {
      const { overrideId, gateway = null } = override;
      if (gateway !== null) return endGateway.mutateAsync({ overrideId });
      return end.mutateAsync({ merchantId: account.merchantId, overrideId });
    },
  };
}
