'use client';

import { useState } from 'react';
import type { DrainedAccount } from '../overrides/use-drain-end.ts';
import type { Outage } from './use-outage.ts';

/**
 * The account of an outage that is asked about before it is drained. The question stays when the outage ends or lists other accounts:
 * only who asked closes it.
 */
export function useDrainConfirmation(outage: Pick<Outage, 'accounts'> | null) {
  const [asked, setAsked] = useState<DrainedAccount | null>(null);
  return {
    /** Null while nothing is asked. */
    asked,
    /** The account is in the outage no longer. */
    isRecovered: asked !== null && outage?.accounts.some(({ accountId }) => accountId === asked.accountId) !== true,
    ask: setAsked,
    close: () => setAsked(null),
  };
}
