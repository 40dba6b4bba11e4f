'use client';

import { useMemo } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import { NounTable, type NounTableProps } from '#/components/list/noun-table.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { useNow } from '#/components/time/now.tsx';
import { describeDayAndClock, describeDuration } from '#/format/moments.ts';
import { IncidentLink, SEVERITY_LABELS } from '#/incidents/incident-links.tsx';
import type { Finding } from '#/incidents/use-attention.ts';
import { useScope } from '#/scope/use-scope.ts';
import { IncidentActions } from './incident-actions.tsx';

/** Incidents, in the order of the list: why in one sentence, what to do, and acknowledging or muting those that are open. */
export function IncidentsTable({
  name,
  ...table
}: Pick<NounTableProps<Finding>, 'label' | 'list' | 'tools' | 'total' | 'empty' | 'selection'> & {
  /** Open alerts, or those that have ended: each has columns of its own. */
  name: 'alerts' | 'alert-history';
}) {
  const isOne = useScope().merchantId !== null;
  const columns = useMemo(() => columnsOf(name, isOne), [name, isOne]);
  return <NounTable name={name} columns={columns} rowKey={({ key }) => key} noun={['alert', 'alerts']} {...table} />;
}

const COLUMNS: readonly DataColumn<Finding>[] = [
  {
    id: 'alert',
    header: 'Alert',
    fixed: true,
    wraps: true,
    card: 'line',
    className: 'w-[99%] max-w-0 card:max-w-none card:td:p-0',
    cell: (incident) => <Description incident={incident} />,
  },
  {
    id: 'severity',
    header: 'Severity',
    sortable: 'descending',
    priority: 2,
    className: 'card:hidden',
    cell: ({ severity, closedAt }) => (
      <Badge tone={closedAt === null ? SEVERITY_LABELS[severity].tone : 'over'} warns={severity === 'warning'}>
        {SEVERITY_LABELS[severity].word}
      </Badge>
    ),
  },
  {
    id: 'kind',
    header: 'Type',
    optional: true,
    look: 'quiet',
    priority: 4,
    card: 'line',
    className: 'card:p-0',
    cell: ({ kindTitle }) => <span title={kindTitle}>{kindTitle}</span>,
  },
  {
    id: 'merchant',
    header: 'Merchant',
    look: 'quiet',
    priority: 4,
    card: 'line',
    className: 'td:max-w-[200px] card:p-0 card:td:max-w-none',
    cell: ({ merchantName }) => <span title={merchantName ?? undefined}>{merchantName ?? 'Workspace'}</span>,
  },
  {
    id: 'began',
    header: 'Started',
    sortable: 'descending',
    className: 'td:text-ink-quiet @max-[640px]/room:hidden card:td:block card:td:col-span-full card:td:p-0',
    cell: ({ since }) => (
      <>
        {/* Rows shown as cards have no header that names the column. */}
        <span className="hidden card:inline">Started </span>
        {since !== null && <Moment value={since} />}
      </>
    ),
  },
  {
    id: 'ended',
    header: 'Ended',
    sortable: 'descending',
    look: 'quiet',
    card: 'line',
    className: 'td:pt-2.5 td:pb-2.5 td:whitespace-normal card:td:p-0',
    cell: ({ closedAt, closedReason }) =>
      closedAt !== null && (
        <>
          {closedReason === 'absorbed' ? 'Merged into another alert ' : <span className="hidden card:inline">Ended </span>}
          <Moment value={closedAt} />
        </>
      ),
  },
  {
    id: 'lasted',
    header: 'Duration',
    sortable: 'descending',
    className: 'td:text-ink-quiet @max-[640px]/room:hidden card:td:block card:td:col-span-full card:td:p-0',
    cell: ({ since, closedAt }) => (
      <>
        <span className="hidden card:inline">Lasted </span>
        {closedAt !== null && since !== null && describeDuration(closedAt.getTime() - since.getTime())}
      </>
    ),
  },
  {
    id: 'acknowledged',
    header: 'Acknowledged',
    className:
      'td:py-2.5 td:text-ink-quiet td:whitespace-normal @max-[900px]/room:hidden card:td:block card:td:col-span-full card:td:p-0',
    cell: (incident) => <Acknowledged incident={incident} />,
  },
  {
    id: 'actions',
    header: 'Actions',
    fixed: true,
    unseen: true,
    card: 'line',
    className:
      'td:max-w-none td:py-2 @max-[1160px]/data-table:td:min-w-[272px] @max-[900px]/data-table:td:min-w-[140px] card:p-0 card:td:p-0 card:td:min-w-0',
    cell: (incident) => <IncidentActions incident={incident} />,
  },
];

/** Only what has ended has an end; the merchant is named by default where there may be several. */
function columnsOf(name: 'alerts' | 'alert-history', isOneMerchant: boolean): DataColumn<Finding>[] {
  const isOpen = name === 'alerts';
  return COLUMNS.flatMap((column) => {
    if (isOpen && (column.id === 'ended' || column.id === 'lasted')) return [];
    const isOptional = (column.id === 'merchant' && isOneMerchant) || (column.id === 'acknowledged' && !isOpen);
    const optional = column.optional === true || isOptional;
    return [{ ...column, optional }];
  });
}

/** The incident in a title and a sentence, a line each; the title leads to its page, which has its figures. */
function Description({ incident }: { incident: Finding }) {
  const { incidentId, why, severity, closedAt } = incident;
  const { word, tone } = SEVERITY_LABELS[severity];
  return (
    <div className="grid min-w-0" data-incident={incidentId ?? undefined}>
      <strong className="truncate card:overflow-visible card:whitespace-normal card:wrap-anywhere">
        <span className="hidden card:inline-block card:mr-2">
          <Badge tone={closedAt === null ? tone : 'over'} warns={severity === 'warning'}>
            {word}
          </Badge>
        </span>
        <IncidentLink incident={incident} />
      </strong>
      <p className="truncate text-ink-quiet card:whitespace-normal card:wrap-anywhere" title={why}>
        {why}
      </p>
    </div>
  );
}

function Acknowledged({
  incident: { incidentId, acknowledgedAt, acknowledgedByName, mutedUntil, closedAt },
}: {
  incident: Finding;
}) {
  const now = useNow();
  const isMuted = closedAt === null && mutedUntil !== null && mutedUntil.getTime() > now;
  return (
    <>
      {incidentId !== null && acknowledgedAt === null && !isMuted && <span className="card:hidden">No</span>}
      {acknowledgedAt !== null && (
        <p>
          <span className="hidden card:inline">Acknowledged </span>
          By {acknowledgedByName ?? 'a colleague'} <Moment value={acknowledgedAt} />
        </p>
      )}
      {isMuted && (
        <p>
          Muted until <Moment value={mutedUntil} describe={describeDayAndClock} />
        </p>
      )}
    </>
  );
}
