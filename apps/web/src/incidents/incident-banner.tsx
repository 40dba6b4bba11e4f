'use client';

import dynamic from 'next/dynamic';
import { useOutage } from './use-outage.ts';

// Loaded in an outage only: every page that shows it would pay for it otherwise.
const OutageBanner = dynamic(() => import('./outage-banner.tsx').then((module) => module.OutageBanner));

/**
 * The outage of gateways that lasts now: since when, what it did to payments, what fallbacks caught, and draining each account. One
 * for all of them; renders nothing while there is none.
 */
export function IncidentBanner() {
  const outage = useOutage();
  return outage === null ? null : <OutageBanner outage={outage} />;
}
