'use client';

import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { Button } from '../../../../components/button.tsx';
import { Moment } from '../../../../components/moment.tsx';
import { useNow } from '../../../../components/now.tsx';
import { showToast } from '../../../../components/toasts/toast-store.ts';
import { hrefIn } from '../../../../scope/scope.ts';
import { useScope } from '../../../../scope/use-scope.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import type { RouterOutputs } from '../../../../trpc/outputs.ts';
import { useMay } from '../../../../trpc/use-may.ts';
import classes from './incident-item.module.css';

type Incident = RouterOutputs['alerts']['open'][number];

const MUTE_HOURS = 4;
const TONES = { info: 'wait', warning: 'wait', critical: 'bad' } as const;

/** An incident: why in one sentence, what to do, and acknowledging or muting it while it is open. */
export function IncidentItem({ incident, isLinked }: { incident: Incident; isLinked: boolean }) {
  const scope = useScope();
  const now = useNow();
  const { incidentId, merchantId, merchantName, title, why, figures, severity, kindTitle, action } = incident;
  const { since, closedAt, closedReason, acknowledgedAt, acknowledgedByName, mutedUntil } = incident;
  const isMuted = mutedUntil !== null && mutedUntil.getTime() > now;
  const Glyph = closedAt === null ? IconAlertTriangle : IconCheck;
  const own = { mode: incident.mode, merchantId: merchantId ?? scope.merchantId };
  return (
    <li
      className={classes.item}
      data-tone={closedAt === null ? TONES[severity] : 'good'}
      data-linked={isLinked}
      data-incident={incidentId}
    >
      <Glyph size={16} stroke={1.8} className={classes.glyph} aria-hidden="true" />
      <div className={classes.description}>
        <p className={classes.title}>
          <strong>{title}</strong>
          <span className={classes.kind}>
            {severity === 'critical' ? 'Critical' : 'Warning'} · {kindTitle}
          </span>
        </p>
        <p>{why}</p>
        {figures.length > 0 && (
          <dl className={classes.figures}>
            {figures.map(({ label, value }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
        <p className={classes.facts}>
          {scope.merchantId === null && merchantName !== null && `${merchantName} · `}
          Began <Moment value={since} />
          {closedAt !== null && (
            <>
              {' · '}
              {closedReason === 'absorbed' ? 'merged into another alert' : 'ended'} <Moment value={closedAt} />
            </>
          )}
          {acknowledgedAt !== null && (
            <>
              {' · '}acknowledged by {acknowledgedByName ?? 'a colleague'} <Moment value={acknowledgedAt} />
            </>
          )}
          {isMuted && closedAt === null && (
            <>
              {' · '}muted until <Moment value={mutedUntil} />
            </>
          )}
        </p>
      </div>
      <div className={classes.actions}>
        {closedAt === null && <IncidentButtons incident={incident} isMuted={isMuted} />}
        <Link href={hrefIn(own, action.path, action.query)} className={classes.act} aria-label={`${action.label}: ${title}`}>
          {action.label}
        </Link>
      </div>
    </li>
  );
}

function IncidentButtons({ incident, isMuted }: { incident: Incident; isMuted: boolean }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const may = useMay();
  const options = {
    onSuccess: () => queries.invalidateQueries({ queryKey: trpc.alerts.pathKey() }),
    onError: ({ message }: { readonly message: string }) => showToast({ text: message, tone: 'bad' as const }),
  };
  const acknowledge = useMutation(trpc.alerts.acknowledge.mutationOptions(options));
  const mute = useMutation(trpc.alerts.mute.mutationOptions(options));
  const { incidentId, merchantId, title, acknowledgedAt } = incident;
  if (!may('alert:acknowledge', merchantId)) return null;
  return (
    <>
      {acknowledgedAt === null && (
        <Button
          busy={acknowledge.isPending}
          aria-label={`Acknowledge: ${title}`}
          onClick={() => acknowledge.mutate({ merchantId, incidentId })}
        >
          Acknowledge
        </Button>
      )}
      <Button
        busy={mute.isPending}
        aria-label={`${isMuted ? 'Unmute' : `Mute ${MUTE_HOURS} h`}: ${title}`}
        onClick={() => mute.mutate({ merchantId, incidentId, hours: isMuted ? 0 : MUTE_HOURS })}
      >
        {isMuted ? 'Unmute' : `Mute ${MUTE_HOURS} h`}
      </Button>
    </>
  );
}
