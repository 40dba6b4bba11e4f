'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../components/button/button.tsx';
import { Dialog, DialogActions } from '../components/dialog/dialog.tsx';
import { TextField } from '../components/field/field.tsx';
import { Refusal } from '../components/page/refusal.tsx';
import { useTRPC } from '../trpc/client.tsx';
import { describeImpact } from './describe-impact.ts';
import { Impact } from './impact.tsx';
import { DRAINED_FOR_HOURS, type DrainedAccount, useDrain } from './use-drain.ts';

/** Asks before an account is drained, with the impact in figures. */
export function DrainDialog({
  account,
  reason: proposed,
  isRecovered = false,
  onClose,
}: {
  account: DrainedAccount;
  /** The reason it proposes. */
  reason: string;
  /** The outage that it was opened for is over. */
  isRecovered?: boolean;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const { accountId, label } = account;
  const { name, draining, failure, drain } = useDrain(account);
  const [reason, setReason] = useState(proposed);
  const [problem, setProblem] = useState<string | null>(null);
  const { data: use, error } = useQuery(trpc.gateways.usage.queryOptions({ accountId }));

  async function submit() {
    if (reason.trim() === '') return setProblem('must not be empty');
    const wrong = await drain(reason.trim());
    setProblem(wrong);
    if (wrong === null) onClose();
  }

  return (
    <Dialog title={`Drain ${name}?`} dirty={reason !== proposed} onClose={onClose}>
      {isRecovered && <p>{label} is not part of an outage any more.</p>}
      <Impact>
        {describeImpact('drain', use, 'any method', null)} It ends in {DRAINED_FOR_HOURS} hours, or as soon as you end it.
      </Impact>
      <TextField
        label="Reason"
        value={reason}
        maxLength={500}
        error={problem}
        description="Shown in the routing record of each payment it affects."
        onChange={(event) => {
          setReason(event.currentTarget.value);
          setProblem(null);
        }}
      />
      <Refusal message={failure ?? error?.message ?? null} />
      <DialogActions onCancel={onClose}>
        <Button variant="accent" onClick={() => void submit().catch(() => undefined)} loading={draining} autoFocus>
          Drain {label}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
