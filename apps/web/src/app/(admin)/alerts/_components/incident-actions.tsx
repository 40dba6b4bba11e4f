'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { Button } from '#/components/button/button.tsx';
import { useNow } from '#/components/time/now.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useMay } from '#/trpc/use-may.ts';
import type { Incident } from './incident.ts';

const MUTE_HOURS = 4;

/** Actions on an incident: acknowledging and muting it while it is open, and the page where it is fixed. */
export function IncidentActions({ incident }: { incident: Incident }) {
  const scope = useScope();
  const { mode, merchantId, title, action, closedAt } = incident;
  const own = { mode, merchantId: merchantId ?? scope.merchantId };
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-2 items-center justify-end card:justify-start card:pt-1">
      {closedAt === null && <IncidentButtons incident={incident} />}
      <Link href={hrefIn(own, action.path, action.query)} aria-label={`${action.label}: ${title}`}>
        {action.label}
      </Link>
    </span>
  );
}

function IncidentButtons({ incident }: { incident: Incident }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const now = useNow();
  const may = useMay();
  const options = {
    onSuccess: () => queries.invalidateQueries({ queryKey: trpc.alerts.pathKey() }),
    onError: ({ message }: { readonly message: string }) => showToast({ text: message, tone: 'bad' as const }),
  };
  const acknowledge = useMutation(trpc.alerts.acknowledge.mutationOptions(options));
  const mute = useMutation(trpc.alerts.mute.mutationOptions(options));
  const { incidentId, merchantId, title, acknowledgedAt, mutedUntil } = incident;
  const isMuted = mutedUntil !== null && mutedUntil.getTime() > now;
  if (!may('alert:acknowledge', merchantId)) return null;
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
