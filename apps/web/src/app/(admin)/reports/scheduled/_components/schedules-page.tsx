'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { NounTable } from '#/components/list/noun-table.tsx';
import { wholeList } from '#/components/list/use-noun-list.ts';
import { BackLink, PageHead } from '#/components/page/page-head.tsx';
import { WithPanel } from '#/components/side-panel/side-panel.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { recipientsText, type Schedule, stateOf, timingText } from '#/copy/scheduled-reports.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCanHere } from '#/trpc/use-can.ts';

const ScheduleDialog = dynamic(() => import('./schedule-dialog.tsx').then((module) => module.ScheduleDialog));
const SchedulePanel = dynamic(() => import('./schedule-panel.tsx').then((module) => module.SchedulePanel));

const doingParsers = {
  do: parseAsStringLiteral(['add', 'edit'] as const),
  schedule: parseAsString,
  list: parseAsString,
  filter: parseAsString,
};

/** Reports that arrive by themselves: the schedules, each with its runs beside the list. The URL holds what is open. */
export function SchedulesPage() {
  const trpc = useTRPC();
  const scope = useScope();
  const { merchantId, mode } = scope;
  const mayExport = useCanHere()('report:export');
  const [doing, setDoing] = useQueryStates(doingParsers, { history: 'push' });
  const query = useQuery(
    trpc.scheduledReports.list.queryOptions({ merchantId, mode }, { refetchInterval: 10_000, placeholderData: keepPreviousData }),
  );
  const { data } = query;
  const { data: lists } = useQuery(
    trpc.scheduledReports.lists.queryOptions(undefined, { staleTime: 600_000, enabled: doing.do !== null }),
  );
  const close = () => void setDoing({ do: null, list: null, filter: null });
  const columns = useMemo(() => columnsOf((schedule) => void setDoing({ schedule })), [setDoing]);
  const chosen = data?.find(({ scheduleId }) => scheduleId === doing.schedule);
  const add = mayExport && (
    <Button variant="accent" onClick={() => void setDoing({ do: 'add', list: null, filter: null })}>
      Schedule a report
    </Button>
  );
  return (
    <WithPanel
      label="Scheduled reports"
      panel={
        chosen !== undefined && (
          <SchedulePanel
            key={chosen.scheduleId}
            schedule={chosen}
            ids={data?.map(({ scheduleId }) => scheduleId) ?? []}
            onOpen={(scheduleId) => void setDoing({ schedule: scheduleId })}
            onEdit={() => void setDoing({ do: 'edit' })}
            onClose={() => void setDoing({ schedule: null })}
          />
        )
      }
    >
      <BackLink href={hrefIn(scope, '/reports')}>Reports</BackLink>
      <PageHead title="Scheduled reports">{data !== undefined && data.length > 0 && add}</PageHead>
      <NounTable
        label="Schedules"
        name="schedules"
        list={wholeList(query, data)}
        columns={columns}
        rowKey={({ scheduleId }) => scheduleId}
        openKey={doing.schedule}
        noun={['schedule', 'schedules']}
        empty={
          <EmptyState
            title="No scheduled report yet"
            action={add}
            example="Settlements of each day as XLSX, at 06:00 to books@example.com."
          >
            A list is exported as a file for each day, week or month that is over, and sent by e-mail or kept as a link. Start
            here, or under Export of a list to take its filters over.
          </EmptyState>
        }
      />
      {doing.do === 'add' && mayExport && lists !== undefined && (
        <ScheduleDialog
          known={null}
          from={{ list: doing.list, filter: readFilter(doing.filter) }}
          lists={lists}
          onClose={close}
        />
      )}
      {doing.do === 'edit' && chosen !== undefined && (
        <ScheduleDialog known={chosen} from={{ list: null, filter: {} }} lists={lists ?? []} onClose={close} />
      )}
    </WithPanel>
  );
}

function columnsOf(onOpen: (scheduleId: string) => void): DataColumn<Schedule>[] {
  return [
    {
      id: 'report',
      header: 'Report',
      fixed: true,
      sortable: 'ascending',
      sortValue: ({ name }) => name.toLowerCase(),
      card: 'main',
      className: 'card:whitespace-normal',
      cell: ({ scheduleId, name, listTitle, format, merchantName }) => (
        <div className="py-1.5">
          <button
            type="button"
            className="row-link font-medium text-left"
            data-schedule={scheduleId}
            onClick={() => onOpen(scheduleId)}
          >
            {name}
          </button>
          <p className="text-ink-quiet text-xs">
            {listTitle}, {format.toUpperCase()} · {merchantName ?? 'All merchants'}
          </p>
        </div>
      ),
    },
    { id: 'last', header: 'Last', labelled: true, cell: lastCell },
    {
      id: 'next',
      header: 'Next',
      labelled: true,
      sortable: 'ascending',
      sortValue: ({ nextDueAt }) => nextDueAt,
      cell: ({ pause, nextDueAt, nextPeriod }) =>
        pause === null ? (
          <>
            <Moment value={nextDueAt} tense="upcoming" />
            <p className="text-ink-quiet text-xs">{nextPeriod}</p>
          </>
        ) : (
          <Badge tone={pause === 'person' ? 'over' : 'bad'}>Paused</Badge>
        ),
    },
    {
      id: 'timing',
      header: 'Schedule',
      labelled: true,
      cell: (schedule) => (
        <>
          {timingText(schedule)}
          <p className="text-ink-quiet text-xs">{schedule.timeZone}</p>
        </>
      ),
    },
    { id: 'recipients', header: 'Sent to', labelled: true, wraps: true, cell: ({ recipients }) => recipientsText(recipients) },
  ];
}

function lastCell({ lastRun, recipients }: Schedule) {
  if (lastRun === null) return <span className="text-ink-faint">None yet</span>;
  const { tone, word } = stateOf(lastRun, recipients.length === 0);
  return (
    <>
      <Badge tone={tone}>{word}</Badge>
      <p className="text-ink-quiet text-xs">{lastRun.period}</p>
    </>
  );
}

/** The filter of an export's address; none where it cannot be read. */
function readFilter(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
