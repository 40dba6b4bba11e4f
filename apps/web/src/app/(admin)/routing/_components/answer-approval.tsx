'use client';

import { useState } from 'react';
import { Action } from './action.tsx';
import classes from './approval-requests.module.css';
import fields from './field.module.css';
import { Field } from './field.tsx';
import type { useApprovalActions } from './use-approval-actions.ts';

const REASON_MAX = 500;

/** The second person's answer: approve or decline, with an optional note to the requester. */
export function AnswerApproval({ acts, to }: { acts: ReturnType<typeof useApprovalActions>; to: string }) {
  const [note, setNote] = useState('');
  const reason = note.trim() === '' ? null : note.trim();
  return (
    <div className={classes.response}>
      <Action primary busy={acts.busy} onClick={() => void acts.approve()}>
        Approve
      </Action>
      <Action danger busy={acts.busy} onClick={() => void acts.decline(reason)}>
        Decline
      </Action>
      <div className={classes.note}>
        <Field label={`Reason if you decline (optional, shown to ${to})`} notes={[]}>
          {(described) => (
            <input
              className={fields.input}
              maxLength={REASON_MAX}
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
              {...described}
            />
          )}
        </Field>
      </div>
    </div>
  );
}
