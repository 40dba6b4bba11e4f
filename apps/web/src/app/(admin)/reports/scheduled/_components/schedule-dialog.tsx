'use client';

import { scheduleFields } from '@switchyard/api/entered-fields';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import type { SelectOption } from '#/components/select/list-parts.tsx';
import { zoneOptions } from '#/components/select/select.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { FORMATS, FREQUENCIES, filterText, hourText, momentIn, type Schedule } from '#/copy/scheduled-reports.ts';
import { WORKSPACE_ZONE } from '#/format/zone.ts';
import { FormDialog } from '#/forms/form-dialog.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';

const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourText(hour) }));

/** Adds a schedule of a list with the filters it was opened with, or changes one. */
export function ScheduleDialog({
  known,
  from,
  lists,
  onClose,
}: {
  known: Schedule | null;
  /** The export that a new one takes over. */
  from: { readonly list: string | null; readonly filter: Readonly<Record<string, unknown>> };
  lists: readonly { readonly name: string; readonly title: string }[];
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { merchantId, mode } = useScope();
  const [opened] = useState(() =>
    draftOf(known, { list: from.list, title: lists.find(({ name }) => name === from.list)?.title ?? null }),
  );
  const create = useMutation(trpc.scheduledReports.create.mutationOptions());
  const update = useMutation(trpc.scheduledReports.update.mutationOptions());
  const form = useForm({
    schema: draftSchema,
    values: opened,
    aliases: { filter: 'list' },
    async onSubmit(draft) {
      const fields = fieldsFrom(draft);
      const outcome =
        known === null
          ? await create.mutateAsync({
              merchantId,
              mode,
              list: draft.list,
              filter: from.list === draft.list ? from.filter : {},
              fields,
            })
          : await update.mutateAsync({ scheduleId: known.scheduleId, fields });
      if (outcome.kind === 'invalid') return outcome.problems;
      if (outcome.kind === 'too_many')
        return [{ field: 'name', message: `cannot be added: there may be at most ${outcome.limit}` }];
      await queries.invalidateQueries({ queryKey: trpc.scheduledReports.pathKey() });
      showToast({ text: known === null ? `“${draft.name.trim()}” is scheduled.` : `“${draft.name.trim()}” was changed.` });
      return null;
    },
    onDone: onClose,
  });
  const filters = filterText(known?.filter ?? (form.entered.list === from.list ? from.filter : {}));
  return (
    <FormDialog
      title={known === null ? 'Schedule a report' : `Edit “${known.name}”`}
      form={form}
      action={known === null ? 'Schedule report' : 'Save report'}
      onClose={onClose}
    >
      {known === null && (
        <form.Select
          name="list"
          label="List"
          placeholder="Select a list"
          options={lists.map(({ name, title }) => ({ value: name, label: title }))}
        />
      )}
      <p className="text-ink-quiet text-sm wrap-anywhere">
        {filters === '' ? 'All rows of the period.' : `Rows of the period with ${filters}.`}{' '}
        {(known?.merchantId ?? merchantId) === null || known?.merchantName === null
          ? 'Of every merchant that you may export when it runs.'
          : 'Of this merchant.'}
      </p>
      <form.Text name="name" label="Name" maxLength={80} placeholder="Morning payments" />
      <div className="flex flex-wrap gap-x-6 gap-y-4">
        <div className="grid gap-1.5 justify-items-start">
          <span className="text-xs font-medium" aria-hidden="true">
            Format
          </span>
          <form.Segmented name="format" label="Format" choices={FORMATS} />
        </div>
        <div className="grid gap-1.5 justify-items-start">
          <span className="text-xs font-medium" aria-hidden="true">
            Made
          </span>
          <form.Segmented name="frequency" label="Frequency" choices={FREQUENCIES} />
        </div>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,2fr)] gap-3">
        <form.Select name="hour" label="From" options={HOURS} />
        <form.Select name="timeZone" label="Time zone" options={useZones(opened.timeZone)} />
      </div>
      <Preview frequency={form.entered.frequency} hour={Number(form.entered.hour)} timeZone={form.entered.timeZone} />
      <form.Text
        name="recipients"
        label="E-mail addresses"
        placeholder="books@example.com"
        description="Up to 10, divided by commas. The file is attached up to 5 MB, else the e-mail has a link. Empty: a link in the dashboard alone."
      />
    </FormDialog>
  );
}

/** Every zone, in the browser alone: the server may know others. */
function useZones(chosen: string): readonly SelectOption[] {
  const [zones, setZones] = useState<readonly SelectOption[]>([{ value: chosen, label: chosen }]);
  useEffect(() => setZones(zoneOptions()), []);
  return zones;
}

function Preview(timing: { readonly frequency: Schedule['frequency']; readonly hour: number; readonly timeZone: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.scheduledReports.preview.queryOptions(timing, { staleTime: 60_000, placeholderData: (last) => last }),
  );
  return (
    <div className="py-2.5 px-3 rounded-sm bg-ground-quiet text-sm min-h-[104px]">
      <p className="mb-1 text-ink-quiet text-xs">The next three, with the period of each</p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 tabular-nums">
        {data?.map(({ period, dueAt }) => (
          <div key={period} className="contents">
            <dt>{momentIn(dueAt, timing.timeZone)}</dt>
            <dd className="text-ink-quiet">{period}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** A schedule as its form holds it: an hour is a choice, addresses are one text. */
const draftSchema = z.object({
  ...scheduleFields,
  list: z.pipe(z.nullable(z.string()), z.string('must be selected')),
  hour: z.string(),
  recipients: z.string().check(
    z.refine((text) => addressesIn(text).every((address) => z.email().safeParse(address).success), 'must be e-mail addresses'),
    z.refine((text) => addressesIn(text).length <= 10, 'must be at most 10 addresses'),
  ),
});

/** The form of a schedule, or of a new one of a list. */
function draftOf(known: Schedule | null, { list, title }: { readonly list: string | null; readonly title: string | null }) {
  return {
    list: known?.list ?? list,
    name: known?.name ?? title ?? '',
    format: known?.format ?? ('xlsx' as const),
    frequency: known?.frequency ?? ('daily' as const),
    hour: String(known?.hour ?? 6),
    timeZone: known?.timeZone ?? WORKSPACE_ZONE,
    recipients: known?.recipients.join(', ') ?? '',
  };
}

/** Input that a form sends. */
function fieldsFrom({ list: _, hour, recipients, ...fields }: z.output<typeof draftSchema>) {
  return { ...fields, hour: Number(hour), recipients: addressesIn(recipients) };
}

function addressesIn(text: string): string[] {
  return text.split(/[\s,;]+/).filter((part) => part !== '');
}
