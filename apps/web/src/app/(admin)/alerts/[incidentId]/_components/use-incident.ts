'use client';

import { useQuery } from '@tanstack/react-query';
import { serverNow } from '#/clock/server-clock.ts';
import type { Incident } from '#/copy/incident-story.ts';
import { viewerZone } from '#/format/zone.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';

const REFRESH_MS = 10_000;
/** Its messages are sent, and its last counts arrive, for a while after it has closed. */
const SETTLING_MS = 10 * 60_000;

/** An incident with its story, read again while it is open and for some minutes afterwards; undefined while it is not known. */
export function useIncident(incidentId: string): Incident | undefined {
  const trpc = useTRPC();
  const options = trpc.incidents.byId.queryOptions(
    { incidentId, zone: viewerZone() },
    { refetchInterval: ({ state }) => (state.data !== undefined && isSettled(state.data, serverNow()) ? false : REFRESH_MS) },
  );
  return useQuery(options).data;
}

function isSettled({ closedAt }: Pick<Incident, 'closedAt'>, now: number): boolean {
  return closedAt !== null && now - closedAt.getTime() > SETTLING_MS;
}

/** Asks for the impact of an incident on its merchant's payments; of the workspace's, on those of the page's merchant, as the banner does. */
export function useImpactInput({ incidentId, merchantId }: Pick<Incident, 'incidentId' | 'merchantId'>) {
  const scope = useScope();
  return { incidentId: incidentId ?? '', merchantId: merchantId ?? scope.merchantId };
}

/** Notes and post-mortem of an incident. */
export type IncidentWriting = RouterOutputs['incidents']['notes'];

/** The notes on an incident and its post-mortem; undefined while they are not known. */
export function useIncidentWriting(incidentId: string): IncidentWriting | undefined {
  const trpc = useTRPC();
  return useQuery(trpc.incidents.notes.queryOptions({ incidentId })).data;
}
