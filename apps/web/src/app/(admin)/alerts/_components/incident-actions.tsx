'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '#/components/button/button.tsx';
import { useNow } from '#/components/time/now.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { FindingLink } from '#/incidents/incident-links.tsx';
import type { Finding } from '#/incidents/use-attention.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';

const MUTE_HOURS = 4;

/** Actions on a finding: acknowledging and muting its incident while it is open, and the page where it is fixed. */
export function IncidentActions({ incident }: { incident: Finding }) {
  const { incidentId, closedAt } = incident;
  return (
    <span className="flex gap-x-3 gap-y-2 items-center justify-end whitespace-nowrap @max-[1160px]/data-table:flex-wrap card:justify-start card:pt-1">
      {incidentId !== null && closedAt === null && <IncidentButtons incident={incident} incidentId={incidentId} />}
      <FindingLink finding={incident} />
    </span>
  );
}

/** Acknowledges and mutes an open incident, for those who may. */
export function IncidentButtons({ incident, incidentId }: { incident: Finding; incidentId: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const now = useNow();
  const can = useCan();
  const options = {
    onSuccess: () =>
      Promise.all(
        [trpc.alerts, trpc.attention, trpc.incidents].map((read) => queries.invalidateQueries({ queryKey: read.pathKey() })),
      ),
    onError: ({ message }: { readonly message: string }) => showToast({ text: message, tone: 'bad' as const }),
  };
  const acknowledge = useMutation(trpc.alerts.acknowledge.mutationOptions(options));
  const mute = useMutation(trpc.alerts.mute.mutationOptions(options));
  const { merchantId, title, acknowledgedAt, mutedUntil } = incident;
  const isMuted = mutedUntil !== null && mutedUntil.getTime() > now;
  if (!can('alert:acknowledge', merchantId)) return null;
  return (
    <>
      {acknowledgedAt === null && (
        <Button
          loading={acknowledge.isPending}
          aria-label={`Acknowledge: ${title}`}
          onClick={() => acknowledge.mutate({ merchantId, incidentId })}
        >
          Acknowledge
        </Button>
      )}
      <Button
        loading={mute.isPending}
        aria-label={`${isMuted ? 'Unmute' : `Mute ${MUTE_HOURS} h`}: ${title}`}
        onClick={() => mute.mutate({ merchantId, incidentId, hours: isMuted ? 0 : MUTE_HOURS })}
      >
        {isMuted ? 'Unmute' : `Mute ${MUTE_HOURS} h`}
      </Button>
    </>
  );
}
