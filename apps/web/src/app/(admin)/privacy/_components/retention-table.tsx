'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { Button } from '#/components/button/button.tsx';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { groupDecimal } from '#/format/amounts.ts';
import { Form, FormActions } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useCan } from '#/trpc/use-can.ts';
import classes from './privacy-page.module.css';

/** Every kind of data with its setting, and what the last run removed. */
export function RetentionTable({ merchantId, kinds }: { merchantId: string | null; kinds: readonly RetentionRow[] }) {
  const mayChange = useCan()('retention:change', merchantId);
  const [changing, setChanging] = useState<RetentionRow | null>(null);
  return (
    <>
      <DataTable
        label="Retention settings"
        name="retention"
        columns={columnsOf(mayChange ? setChanging : null)}
        rows={kinds}
        rowKey={({ kind }) => kind}
      />
      {changing !== null && <ChangeDialog merchantId={merchantId} row={changing} onClose={() => setChanging(null)} />}
    </>
  );
}

const NUMBER = 'tabular-nums text-end card:text-start';

/** `onChange` is null for those who may not change how long data is kept. */
function columnsOf(onChange: ((row: RetentionRow) => void) | null): DataColumn<RetentionRow>[] {
  return [
    {
      id: 'data',
      header: 'Data',
      fixed: true,
      wraps: true,
      className: 'card:area-main',
      sortable: 'ascending',
      sortValue: ({ kind }) => RETENTION_NAMES[kind],
      cell: ({ kind }) => <span className="font-medium">{RETENTION_NAMES[kind]}</span>,
    },
    {
      id: 'kept',
      header: 'Kept',
      labelled: true,
      className: NUMBER,
      sortable: 'ascending',
      sortValue: ({ days }) => days,
      cell: ({ days }) => inDays(days),
    },
    { id: 'source', header: 'Set by', labelled: true, cell: describeSource },
    {
      id: 'change',
      header: 'Change',
      labelled: true,
      cell: (row) =>
        onChange !== null && row.minDays < row.maxDays ? (
          <Button aria-label={`Change ${RETENTION_NAMES[row.kind]}`} onClick={() => onChange(row)}>
            Change
          </Button>
        ) : null,
    },
    {
      id: 'run',
      header: 'Last run',
      labelled: true,
      cell: ({ lastRunAt }) => (lastRunAt === null ? 'Not yet' : <Moment value={lastRunAt} />),
    },
    {
      id: 'removed',
      header: 'Removed by last run',
      labelled: true,
      className: NUMBER,
      cell: ({ removedLastRun }) => groupDecimal(BigInt(removedLastRun)),
    },
    {
      id: 'total',
      header: 'Removed in total',
      labelled: true,
      className: NUMBER,
      sortable: 'descending',
      sortValue: ({ removedInAll }) => removedInAll,
      cell: ({ removedInAll }) => groupDecimal(BigInt(removedInAll)),
    },
  ];
}

/** The server knows how long each kind of data may be kept. */
const schema = z.object({
  days: z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => (text.trim() === '' ? Number.NaN : Number(text))),
    ),
    z.int('must be a whole number'),
  ),
});

/** Changes how long one kind of data is kept. A shorter time says what follows. */
export function ChangeDialog({
  merchantId,
  row,
  onClose,
}: {
  merchantId: string | null;
  row: RetentionRow;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const change = useMutation(
    trpc.privacy.changeRetention.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: trpc.privacy.pathKey() }),
    }),
  );
  const name = RETENTION_NAMES[row.kind];
  const form = useForm({
    schema,
    values: { days: String(row.days) },
    aliases: { [row.kind]: 'days' },
    onSubmit: ({ days: wanted }) => save(wanted),
  });
  const days = Number(form.entered.days);
  const isShorter = Number.isInteger(days) && days >= row.minDays && days < row.days;
  const isOwn = row.from === (merchantId === null ? 'workspace' : 'merchant');

  async function save(wanted: number | null) {
    const outcome = await change.mutateAsync({ merchantId, changes: { [row.kind]: wanted } });
    if (outcome.kind === 'invalid') return outcome.problems;
    onClose();
    showToast({ text: `${name}: kept for ${inDays(wanted ?? row.otherwiseDays)}.` });
    return null;
  }

  return (
    <Dialog title={name} onClose={onClose}>
      <Form form={form} className="grid gap-4">
        <form.Number
          name="days"
          label="Keep for"
          unit="days"
          description={`${inDays(row.minDays)} to ${inDays(row.maxDays)}. Otherwise ${inDays(row.otherwiseDays)}.`}
          autoFocus
        />
        {isShorter && (
          <p className={classes.consequence}>
            What is older than {inDays(days)} is removed within the hour. This cannot be undone.
          </p>
        )}
        <FormActions
          action={Number.isInteger(days) && days > 0 ? `Keep for ${inDays(days)}` : 'Save'}
          disabled={days === row.days}
          onCancel={onClose}
          others={
            isOwn && (
              <Button loading={change.isPending} onClick={() => void form.run(() => save(null))}>
                Back to {inDays(row.otherwiseDays)}
              </Button>
            )
          }
        />
      </Form>
    </Dialog>
  );
}

/** A kind of data with its setting. */
export type RetentionRow = RouterOutputs['privacy']['retention']['kinds'][number];

/** A kind of data in words. */
const RETENTION_NAMES: Readonly<Record<RetentionRow['kind'], string>> = {
  gateway_calls: 'Requests to gateways and their responses',
  gateway_webhooks: 'Gateway webhooks',
  refused_webhooks: 'Counts of refused gateway webhooks',
  webhook_deliveries: 'Events and webhook deliveries',
  health_counts: 'Health counts',
  health_events: 'Health changes',
  alerts: 'Alerts and their messages',
  shadow_drafts: 'Decisions of drafts in shadow',
  report_files: 'Files of scheduled reports',
  sign_in_records: 'Ended sessions and links',
  failed_jobs: 'Failed jobs',
  api_requests: 'Requests with API keys',
  idempotency_records: 'Idempotency records',
};

/** A number of days in words. */
export function inDays(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}

/** Where a setting comes from, as a fact: `Default`. */
export function describeSource({ from, kind }: Pick<RetentionRow, 'from' | 'kind'>): string {
  if (kind === 'idempotency_records') return 'Fixed';
  switch (from) {
    case 'default':
      return 'Default';
    case 'workspace':
      return 'Workspace';
    case 'merchant':
      return 'This merchant';
    default:
      return from satisfies never;
  }
}
