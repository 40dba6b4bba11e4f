'use client';

import { useMemo } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import type { ListSort } from '#/components/list/list-parsers.ts';
import { Moment } from '#/components/time/moment.tsx';
import { useNow } from '#/components/time/now.tsx';
import { describeLength } from '#/format/moments.ts';
import { IncidentLink, SEVERITY_LABELS } from '#/incidents/incident-links.tsx';
import type { Finding } from '#/incidents/use-attention.ts';
import { useScope } from '#/scope/use-scope.ts';
import { IncidentActions } from './incident-actions.tsx';
import classes from './incidents-table.module.css';

/** Incidents, in the order of the list: why in one sentence, what to do, and acknowledging or muting those that are open. */
export function IncidentsTable({
  label,
  name,
  rows,
  sort,
  onSort,
  onNearEnd,
}: {
  /** The accessible name of the table. */
  label: string;
  /** Open alerts, or those that have ended: each has columns of its own. */
  name: 'alerts' | 'alert-history';
  rows: readonly Finding[];
  sort: ListSort | undefined;
  onSort: (sort: ListSort) => void;
  onNearEnd?: () => void;
}) {
  const isOne = useScope().merchantId !== null;
  const columns = useMemo(() => columnsOf(name, isOne), [name, isOne]);
  return (
    <DataTable
      label={label}
      name={name}
      columns={columns}
      rows={rows}
      rowKey={({ key }) => key}
      onNearEnd={onNearEnd}
      sort={sort}
      onSort={onSort}
    />
  );
}

const COLUMNS: readonly DataColumn<Finding>[] = [
  {
    id: 'alert',
    header: 'Alert',
    fixed: true,
    wraps: true,
    className: 'card:block card:col-span-full card:td:p-0',
    cell: (incident) => <Description incident={incident} />,
  },
  {
    id: 'severity',
    header: 'Severity',
    sortable: 'descending',
    className: '@max-[640px]/room:hidden card:block card:col-span-full card:p-0',
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
    className: 'td:text-ink-quiet @max-[900px]/room:hidden card:block card:col-span-full card:p-0',
    cell: ({ kindTitle }) => <span title={kindTitle}>{kindTitle}</span>,
  },
  {
    id: 'merchant',
    header: 'Merchant',
    className: 'td:text-ink-quiet @max-[900px]/room:hidden card:block card:col-span-full card:p-0',
    cell: ({ merchantName }) => <span title={merchantName ?? undefined}>{merchantName ?? 'Workspace'}</span>,
  },
  {
    id: 'began',
    header: 'Started',
    sortable: 'descending',
    className: classes.time,
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
    className: 'td:pt-2.5 td:pb-2.5 td:whitespace-normal td:text-ink-quiet card:block card:col-span-full card:td:p-0',
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
    className: classes.time,
    cell: ({ since, closedAt }) => (
      <>
        <span className="hidden card:inline">Lasted </span>
        {closedAt !== null && since !== null && describeLength(closedAt.getTime() - since.getTime())}
      </>
    ),
  },
  {
    id: 'acknowledged',
    header: 'Acknowledged',
    className: classes.acknowledged,
    cell: (incident) => <Acknowledged incident={incident} />,
  },
  {
    id: 'actions',
    header: 'Actions',
    fixed: true,
    unseen: true,
    className:
      'td:min-w-[390px] @max-[1120px]/data-table:td:min-w-[140px] card:block card:col-span-full card:p-0 card:td:min-w-0',
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

/** The incident in a title, a sentence and figures; the title leads to its page. */
function Description({ incident }: { incident: Finding }) {
  const { incidentId, why, figures } = incident;
  return (
    <div className="grid gap-1 wrap-anywhere" data-incident={incidentId ?? undefined}>
      <strong>
        <IncidentLink incident={incident} />
      </strong>
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
          Muted until <Moment value={mutedUntil} />
        </p>
      )}
    </>
  );
}
