'use client';

import dynamic from 'next/dynamic';
import { usePathname } from 'next/navigation';
import { useState } from 'react';
import type { DrainedAccount } from '../overrides/use-drain-end.ts';
import type { DrainedGateway } from '../overrides/use-overrides.ts';
import { type Outage, useOutage } from './use-attention.ts';

// Loaded in an outage only: every page that shows it would pay for it otherwise.
const OutageBanner = dynamic(() => import('./outage-banner.tsx').then((module) => module.OutageBanner));
const OverrideDialog = dynamic(() => import('../overrides/override-dialog.tsx').then((module) => module.OverrideDialog));
const DrainGatewayDialog = dynamic(() =>
  import('../overrides/drain-gateway-dialog.tsx').then((module) => module.DrainGatewayDialog),
);

/**
 * The outage of gateways that lasts now: since when, what became of the payments that met it, and draining each gateway or account. One
 * for all of them, on every page but that of its incident; renders nothing while there is none.
 */
export function IncidentBanner() {
  const outage = useOutage();
  const pathname = usePathname();
  const { asked, isRecovered, ask, close } = useDrainConfirmation(outage);
  const [gateway, setGateway] = useState<DrainedGateway | null>(null);
  const isShown = outage !== null && !outage.incidentIds.some((incidentId) => pathname === `/alerts/${incidentId}`);
  return (
    <>
      {isShown && <OutageBanner outage={outage} onDrain={ask} onDrainGateway={setGateway} />}
      {asked !== null && <OverrideDialog account={asked} reason="Gateway outage" isRecovered={isRecovered} onClose={close} />}
      {gateway !== null && <DrainGatewayDialog of={gateway} onClose={() => setGateway(null)} />}
    </>
  );
}

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
