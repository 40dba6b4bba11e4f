'use client';

import dynamic from 'next/dynamic';
import { useDrainConfirmation } from './use-drain-confirmation.ts';
import { useOutage } from './use-outage.ts';

// Loaded in an outage only: every page that shows it would pay for it otherwise.
const OutageBanner = dynamic(() => import('./outage-banner.tsx').then((module) => module.OutageBanner));
const DrainDialog = dynamic(() => import('../overrides/drain-dialog.tsx').then((module) => module.DrainDialog));

/**
 * The outage of gateways that lasts now: since when, what it did to payments, what fallbacks caught, and draining each account. One
 * for all of them; renders nothing while there is none.
 */
export function IncidentBanner() {
  const outage = useOutage();
  const { asked, isRecovered, ask, close } = useDrainConfirmation(outage);
  return (
    <>
      {outage !== null && <OutageBanner outage={outage} onDrain={ask} />}
      {asked !== null && <DrainDialog account={asked} reason="Gateway outage" isRecovered={isRecovered} onClose={close} />}
    </>
  );
}
