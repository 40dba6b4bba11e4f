'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { CopyButton } from '#/components/copyable/copyable.tsx';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { PanelSkeleton, SidePanel } from '#/components/side-panel/side-panel.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import {
  filterText,
  momentIn,
  pauseText,
  type ReportRun,
  type Schedule,
  sizeText,
  stateOf,
  timingText,
} from '#/copy/scheduled-reports.ts';
import { describeDayAndClock } from '#/format/moments.ts';
import { ConfirmDialog } from '#/forms/form-dialog.tsx';
import { useTRPC } from '#/trpc/client.tsx';

/** One schedule beside the list: what it is, what is done about it, and its runs. */
export function SchedulePanel({
  schedule,
  ids,
  onOpen,
  onEdit,
  onClose,
}: {
  schedule: Schedule;
  ids: readonly string[];
  onOpen: (scheduleId: string) => void;
  onEdit: () => void;
  onClose: () => void;
}) {
  const { scheduleId, name, recipients, pause } = schedule;
  const trpc = useTRPC();
  const { data: runs, error } = useQuery(trpc.scheduledReports.runs.queryOptions({ scheduleId }, { refetchInterval: 5_000 }));
  const { sendNow, pauseIt, resume, remove } = useActions(schedule);
  const [isRemoving, setRemoving] = useState(false);
  const why = pauseText(pause);
  return (
    <SidePanel
      label="Scheduled report"
      title={name}
      steps={{ id: scheduleId, ids, words: ['Previous report', 'Next report'], onOpen }}
      from={['data-schedule', scheduleId]}
      onClose={onClose}
    >
      {why !== null && <p className="py-2.5 px-3 border-l-2 border-line-strong bg-ground-quiet">{why}</p>}
      <div className="flex flex-wrap gap-2">
        <Button loading={sendNow.isPending} onClick={() => sendNow.mutate({ scheduleId })}>
          {recipients.length === 0 ? 'Run now' : 'Send now'}
        </Button>
        <Button onClick={onEdit}>Edit</Button>
        {pause === null ? (
          <Button loading={pauseIt.isPending} onClick={() => pauseIt.mutate({ scheduleId })}>
            Pause
          </Button>
        ) : (
          <Button loading={resume.isPending} onClick={() => resume.mutate({ scheduleId })}>
            Resume
          </Button>
        )}
        <Button variant="danger" onClick={() => setRemoving(true)}>
          Remove
        </Button>
      </div>
      <Facts schedule={schedule} />
      <h3 className="-mb-2 font-semibold">Runs</h3>
      <Refusal message={error?.message ?? null} />
      {runs === undefined && error === null && <PanelSkeleton label="Loading runs" />}
      {runs?.length === 0 && (
        <p className="text-ink-quiet">None yet: the first runs {momentIn(schedule.nextDueAt, schedule.timeZone)}.</p>
      )}
      <ul aria-label="Runs">
        {runs?.map((run) => (
          <Run key={run.runId} run={run} schedule={schedule} />
        ))}
      </ul>
      {isRemoving && (
        <ConfirmDialog
          title={`Remove “${name}”?`}
          action="Remove report"
          variant="danger"
          onConfirm={async () => {
            await remove.mutateAsync({ scheduleId });
            onClose();
            return null;
          }}
          onClose={() => setRemoving(false)}
        >
          <p>
            No more reports are generated, and the links to its files stop working. E-mails that were sent stay where they are.
          </p>
        </ConfirmDialog>
      )}
    </SidePanel>
  );
}

function Facts({ schedule }: { schedule: Schedule }) {
  const { listTitle, format, filter, merchantName, timeZone, recipients, ownerName, pause, nextDueAt, nextPeriod } = schedule;
  return (
    <DescriptionList>
      <Description name="List">
        {listTitle}, {format.toUpperCase()}
      </Description>
      <Description name="Filters">{filterText(filter)}</Description>
      <Description name="Merchant">{merchantName ?? `All that ${ownerName ?? 'its owner'} may export`}</Description>
      <Description name="Schedule">
        {timingText(schedule)}, {timeZone}
      </Description>
      <Description name="Sent to">{recipients.length === 0 ? 'No address: a link here' : recipients.join(', ')}</Description>
      <Description name="Set up by">{ownerName ?? 'A person who was deleted'}</Description>
      <Description name="Next">{pause === null ? `${nextPeriod}, runs ${momentIn(nextDueAt, timeZone)}` : null}</Description>
    </DescriptionList>
  );
}

function Run({ run, schedule }: { run: ReportRun; schedule: Schedule }) {
  const { scheduleId, recipients } = schedule;
  const { retry, revoke } = useActions(schedule);
  const { runId, period, state, requesterName, error, nextAttemptAt, sentAt, madeAt, createdAt, link, downloads } = run;
  const { word, tone } = stateOf(run, recipients.length === 0);
  const size = sizeText(run);
  return (
    <li className="grid gap-1 py-2.5 border-b border-line">
      <p className="flex flex-wrap gap-x-2.5 gap-y-1 items-center">
        <strong className="font-medium">{period}</strong>
        <Badge tone={tone}>{word}</Badge>
        <span className="text-ink-quiet text-xs">
          <Moment value={sentAt ?? madeAt ?? createdAt} />
          {requesterName !== null && `, requested by ${requesterName}`}
        </span>
      </p>
      {size !== null && (
        <p className="text-ink-quiet text-sm">
          {size}
          {downloads > 0 && ` · downloaded ${downloads === 1 ? 'once' : `${downloads} times`}`}
        </p>
      )}
      {error !== null && (
        <p className="text-bad-ink text-sm">
          {error}
          {nextAttemptAt !== null && (
            <>
              {' '}
              Next try <Moment value={nextAttemptAt} tense="upcoming" />.
            </>
          )}
        </p>
      )}
      {link !== null && link.url !== null && (
        <p className="flex flex-wrap gap-x-3 gap-y-1 items-center text-sm">
          <a href={link.url} download rel="noreferrer">
            Download
          </a>
          <CopyButton text={link.url} label={`link to ${run.fileName}`} />
          <Button
            loading={revoke.isPending}
            onClick={() => revoke.mutate({ scheduleId, runId })}
            aria-label={`Revoke link to ${run.fileName}`}
          >
            Revoke link
          </Button>
          <span className="text-ink-faint text-xs">
            Works until <Moment value={link.expiresAt} describe={describeDayAndClock} />
          </span>
        </p>
      )}
      {link !== null && link.url === null && <p className="text-ink-faint text-xs">{LINKS[link.state]}</p>}
      {state === 'FAILED' && (
        <p>
          <Button
            loading={retry.isPending}
            onClick={() => retry.mutate({ scheduleId, runId })}
            aria-label={`Try ${period} again`}
          >
            Try again
          </Button>
        </p>
      )}
    </li>
  );
}

const LINKS: Readonly<Record<NonNullable<ReportRun['link']>['state'], string>> = {
  active: '',
  expired: 'The link has expired.',
  revoked: 'The link was revoked.',
  gone: 'The file was deleted.',
};

function useActions({ name }: Pick<Schedule, 'name'>) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const options = (text: string) => ({
    onSuccess: () => {
      showToast({ text });
      return queries.invalidateQueries({ queryKey: trpc.scheduledReports.pathKey() });
    },
    onError: ({ message }: { readonly message: string }) => showToast({ text: message, tone: 'bad' as const }),
  });
  const { scheduledReports } = trpc;
  return {
    sendNow: useMutation(scheduledReports.sendNow.mutationOptions(options(`“${name}” is being made.`))),
    pauseIt: useMutation(scheduledReports.pause.mutationOptions(options(`“${name}” is paused.`))),
    resume: useMutation(scheduledReports.resume.mutationOptions(options(`“${name}” is made again.`))),
    remove: useMutation(scheduledReports.remove.mutationOptions(options(`“${name}” was removed.`))),
    retry: useMutation(scheduledReports.retry.mutationOptions(options('It is tried again.'))),
    revoke: useMutation(scheduledReports.revokeLink.mutationOptions(options('The link was revoked.'))),
  };
}
