'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { NumberField } from '#/components/number-field/number-field.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { inDays, RETENTION_NAMES, type RetentionRow } from '#/copy/retention.ts';
import { useTRPC } from '#/trpc/client.tsx';
import classes from './privacy-page.module.css';

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
  const [text, setText] = useState(String(row.days));
  const [problem, setProblem] = useState<string | null>(null);
  const name = RETENTION_NAMES[row.kind];
  const days = Number(text);
  const isShorter = Number.isInteger(days) && days >= row.minDays && days < row.days;
  const isOwn = row.from === (merchantId === null ? 'workspace' : 'merchant');

  async function save(wanted: number | null) {
    const outcome = await change.mutateAsync({ merchantId, changes: { [row.kind]: wanted } });
    if (outcome.kind === 'invalid') {
      setProblem(outcome.problems[0]?.message ?? null);
      return;
    }
    onClose();
    showToast({ text: `${name}: kept for ${inDays(wanted ?? row.otherwiseDays)}.` });
  }

  return (
    <Dialog title={name} dirty={text !== String(row.days)} onClose={onClose}>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save(text.trim() === '' ? Number.NaN : days).catch(() => undefined);
        }}
      >
        <NumberField
          label="Keep for"
          unit="days"
          value={text}
          error={problem}
          description={`${inDays(row.minDays)} to ${inDays(row.maxDays)}. Otherwise ${inDays(row.otherwiseDays)}.`}
          autoFocus
          onChange={(value) => {
            setText(value);
            setProblem(null);
          }}
        />
        {isShorter && (
          <p className={classes.consequence}>
            What is older than {inDays(days)} is removed within the hour. This cannot be undone.
          </p>
        )}
        <Refusal message={change.error?.message ?? null} />
        <DialogActions onCancel={onClose}>
          <Button variant="accent" type="submit" loading={change.isPending} disabled={days === row.days}>
            {Number.isInteger(days) && days > 0 ? `Keep for ${inDays(days)}` : 'Save'}
          </Button>
          {isOwn && (
            <Button loading={change.isPending} onClick={() => void save(null).catch(() => undefined)}>
              Back to {inDays(row.otherwiseDays)}
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  );
}
