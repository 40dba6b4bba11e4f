'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { PageHead } from '#/components/page/page-head.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { WithPanel } from '#/components/side-panel/with-panel.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { recipientsText, type Schedule, stateOf, timingText } from '#/copy/scheduled-reports.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';

const ScheduleDialog = dynamic(() => import('./schedule-dialog.tsx').then((module) => module.ScheduleDialog));
const SchedulePanel = dynamic(() => import('./schedule-panel.tsx').then((module) => module.SchedulePanel));

const doingParsers = {
  do: parseAsStringLiteral(['add', 'edit'] as const),
  schedule: parseAsString,
  list: parseAsString,
  filter: parseAsString,
};

const COLUMNS = [{ title: 'Report' }, { title: 'Last' }, { title: 'Next' }, { title: 'Schedule' }, { title: 'Sent to' }];

/** Reports that arrive by themselves: the schedules, each with its runs beside the list. The URL holds what is open. */
export function SchedulesPage() {
  const trpc = useTRPC();
  const scope = useScope();
  const { merchantId, mode } = scope;
  const [doing, setDoing] = useQueryStates(doingParsers, { history: 'push' });
  const { data, error } = useQuery(
    trpc.scheduledReports.list.queryOptions({ merchantId, mode }, { refetchInterval: 10_000, placeholderData: keepPreviousData }),
  );
  const { data: lists } = useQuery(
    trpc.scheduledReports.lists.queryOptions(undefined, { staleTime: 600_000, enabled: doing.do !== null }),
  );
  const close = () => void setDoing({ do: null, list: null, filter: null });
  const chosen = data?.find(({ scheduleId }) => scheduleId === doing.schedule);
  const add = (
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
      <PageHead title="Scheduled reports">
        <Link href={hrefIn(scope, '/reports')} className="py-1.5 px-0.5 text-sm">
          Reports
        </Link>
        {data !== undefined && data.length > 0 && add}
      </PageHead>
      <Refusal message={data === undefined && error !== null ? error.message : null} />
      {data === undefined && error === null && (
        <div className="h-[160px] rounded-sm bg-ground-quiet" role="status" aria-label="Loading scheduled reports" />
      )}
      {data?.length === 0 && (
        <EmptyState
          title="No scheduled report yet"
          action={add}
          example="Settlements of each day as XLSX, at 06:00 to books@example.com."
        >
          A list is exported as a file for each day, week or month that is over, and sent by e-mail or kept as a link. Start here,
          or under Export of a list to take its filters over.
        </EmptyState>
      )}
      {data !== undefined && data.length > 0 && (
        <PlainTable label="Schedules" columns={COLUMNS}>
          <tbody {...roles.group}>
            {data.map((schedule) => (
              <Row
                key={schedule.scheduleId}
                schedule={schedule}
                isOpen={schedule.scheduleId === doing.schedule}
                onOpen={() => void setDoing({ schedule: schedule.scheduleId })}
              />
            ))}
          </tbody>
        </PlainTable>
      )}
      {doing.do === 'add' && lists !== undefined && (
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

function Row({ schedule, isOpen, onOpen }: { schedule: Schedule; isOpen: boolean; onOpen: () => void }) {
  const { scheduleId, name, listTitle, format, merchantName, timeZone, recipients, pause, lastRun, nextPeriod, nextDueAt } =
    schedule;
  const last = lastRun === null ? null : stateOf(lastRun, recipients.length === 0);
  return (
    <tr {...roles.row} aria-current={isOpen ? 'true' : undefined}>
      <td {...textCell('Report')}>
        <div className="py-1.5">
          <button
            type="button"
            className="font-medium text-left underline-offset-2 hover:underline"
            data-schedule={scheduleId}
            onClick={onOpen}
          >
            {name}
          </button>
          <p className="text-ink-quiet text-xs">
            {listTitle}, {format.toUpperCase()} · {merchantName ?? 'All merchants'}
          </p>
        </div>
      </td>
      <td {...textCell('Last')}>
        {lastRun === null || last === null ? (
          <span className="text-ink-faint">None yet</span>
        ) : (
          <>
            <Badge tone={last.tone}>{last.word}</Badge>
            <p className="text-ink-quiet text-xs">{lastRun.period}</p>
          </>
        )}
      </td>
      <td {...textCell('Next')}>
        {pause === null ? (
          <>
            <Moment value={nextDueAt} />
            <p className="text-ink-quiet text-xs">{nextPeriod}</p>
          </>
        ) : (
          <Badge tone={pause === 'person' ? 'over' : 'bad'}>Paused</Badge>
        )}
      </td>
      <td {...textCell('Schedule')}>
        {timingText(schedule)}
        <p className="text-ink-quiet text-xs">{timeZone}</p>
      </td>
      <td {...textCell('Sent to')}>{recipientsText(recipients)}</td>
    </tr>
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
