'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { Button } from '#/components/button/button.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { FormDialog } from '#/forms/form-dialog.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { inDays, RETENTION_NAMES, type RetentionRow } from './retention-words.ts';

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
    <FormDialog
      title={name}
      form={form}
      action={Number.isInteger(days) && days > 0 ? `Keep for ${inDays(days)}` : 'Save'}
      disabled={days === row.days}
      others={
        isOwn && (
          <Button loading={change.isPending} onClick={() => void form.run(() => save(null))}>
            Back to {inDays(row.otherwiseDays)}
          </Button>
        )
      }
      onClose={onClose}
    >
      <form.Number
        name="days"
        label="Keep for"
        unit="days"
        description={`${inDays(row.minDays)} to ${inDays(row.maxDays)}. Otherwise ${inDays(row.otherwiseDays)}.`}
        autoFocus
      />
      {isShorter && (
        <p className="py-2.5 px-3 border-l-3 border-l-wait bg-wait-soft text-sm [&_ul]:mt-1 [&_ul]:mx-0 [&_ul]:mb-0 [&_ul]:pl-4.5">
          What is older than {inDays(days)} is removed within the hour. This cannot be undone.
        </p>
      )}
    </FormDialog>
  );
}
