'use client';

import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { TextField } from '#/components/field/field.tsx';
import type { useApprovalActions } from './use-approval-actions.ts';

const REASON_MAX = 500;

/** The second person's answer: approve or decline, with an optional note to the requester. */
export function AnswerApproval({ acts, to }: { acts: ReturnType<typeof useApprovalActions>; to: string }) {
  const [note, setNote] = useState('');
  const reason = note.trim() === '' ? null : note.trim();
  return (
    <div className="flex flex-wrap gap-2 items-end">
      <Button variant="accent" loading={acts.busy} onClick={() => void acts.approve()}>
        Approve
      </Button>
      <Button variant="danger" loading={acts.busy} onClick={() => void acts.decline(reason)}>
        Decline
      </Button>
      <div className="flex-[1_1_240px] max-w-[480px]">
        <TextField
          label={`Reason if you decline (optional, shown to ${to})`}
          maxLength={REASON_MAX}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      </div>
    </div>
  );
}
