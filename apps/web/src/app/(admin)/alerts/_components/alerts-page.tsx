'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { Empty } from '../../../../components/empty/empty.tsx';
import { PageHead } from '../../../../components/page-head.tsx';
import { Refusal } from '../../../../components/refusal.tsx';
import { Segments } from '../../../../components/segments/segments.tsx';
import { viewerZone } from '../../../../format/zone.ts';
import { hrefIn } from '../../../../scope/scope.ts';
import { useScope } from '../../../../scope/use-scope.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import classes from './alerts-page.module.css';
import { IncidentItem } from './incident-item.tsx';
import { MessageLog } from './message-log.tsx';
import { MutedKinds } from './muted-kinds.tsx';

const VIEWS = ['open', 'history', 'messages'] as const;
const viewParsers = { view: parseAsStringLiteral(VIEWS).withDefault('open'), incident: parseAsString };
const REFRESH_MS = 10_000;

/** What is wrong now and was before, and the messages that were sent about it. */
export function AlertsPage() {
  const scope = useScope();
  const [{ view, incident }, setView] = useQueryStates(viewParsers, { history: 'push' });
  return (
    <>
      <PageHead title="Alerts">
        <Segments
          label="Which alerts"
          choices={[
            { value: 'open', label: 'Open' },
            { value: 'history', label: 'History' },
            { value: 'messages', label: 'Messages' },
          ]}
          value={view}
          onChange={(value) => void setView({ view: value, incident: null })}
        />
        <Link href={hrefIn(scope, '/alerts/channels')} className={classes.link}>
          Channels
        </Link>
      </PageHead>
      {view === 'open' && <OpenIncidents linked={incident} />}
      {view === 'history' && <ClosedIncidents />}
      {view === 'messages' && <MessageLog />}
    </>
  );
}

function OpenIncidents({ linked }: { linked: string | null }) {
  const trpc = useTRPC();
  const scope = { ...useScope(), zone: viewerZone() };
  const { data, error } = useQuery(
    trpc.alerts.open.queryOptions(scope, { refetchInterval: REFRESH_MS, placeholderData: keepPreviousData }),
  );
  const isListed = linked === null || data?.some(({ incidentId }) => incidentId === linked) === true;
  return (
    <>
      <Refusal message={data === undefined && error !== null ? error.message : null} />
      <MutedKinds />
      {!isListed && data !== undefined && <LinkedIncident incidentId={linked} />}
      {data === undefined && error === null && <div className={classes.waiting} role="status" aria-label="Loading alerts" />}
      {data?.length === 0 && (
        <Empty title="Nothing is wrong">
          When a gateway fails, a refund is stuck or a webhook endpoint is switched off, it is listed here and sent to the
          channels.
        </Empty>
      )}
      <ul className={classes.items}>
        {data?.map((incident) => (
          <IncidentItem key={incident.incidentId} incident={incident} isLinked={incident.incidentId === linked} />
        ))}
      </ul>
    </>
  );
}

/** The incident that a message linked to, where it has ended meanwhile. */
function LinkedIncident({ incidentId }: { incidentId: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.alerts.byId.queryOptions({ incidentId, zone: viewerZone() }, { retry: false }));
  if (data === undefined) return null;
  return (
    <ul className={classes.items}>
      <IncidentItem incident={data} isLinked />
    </ul>
  );
}

function ClosedIncidents() {
  const trpc = useTRPC();
  const scope = { ...useScope(), zone: viewerZone() };
  const { data, error } = useQuery(
    trpc.alerts.history.queryOptions({ ...scope, limit: 100 }, { refetchInterval: 30_000, placeholderData: keepPreviousData }),
  );
  return (
    <>
      <Refusal message={data === undefined && error !== null ? error.message : null} />
      {data === undefined && error === null && <div className={classes.waiting} role="status" aria-label="Loading alerts" />}
      {data?.items.length === 0 && (
        <Empty title="No alert has ended yet">Ended alerts are listed here, with how long they lasted.</Empty>
      )}
      <ul className={classes.items}>
        {data?.items.map((incident) => (
          <IncidentItem key={incident.incidentId} incident={incident} isLinked={false} />
        ))}
      </ul>
    </>
  );
}
