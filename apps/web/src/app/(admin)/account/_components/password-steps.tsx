'use client';

import { type ReactNode, type SubmitEvent, useState } from 'react';
import { BackupCodes } from '#/auth/backup-codes.tsx';
import { postAuth } from '#/auth/post-auth.ts';
import { SecretField } from '#/auth/secret-field.tsx';
import { backupCodesIn } from '#/auth/set-up-two-factor.tsx';
import { Button } from '#/components/button/button.tsx';
import { DialogActions } from '#/components/dialog/dialog.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import classes from './account-page.module.css';

/** Requires the user's password before a change, and posts it. */
function WithPassword({
  path,
  lead,
  action,
  tone = 'accent',
  onAnswer,
  children,
}: {
  path: string;
  lead: string;
  action: string;
  tone?: 'accent' | 'danger';
  onAnswer: (body: unknown) => void;
  children?: ReactNode;
}) {
  const [password, setPassword] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy || password === '') return;
    setBusy(true);
    setRefusal(null);
    const answer = await postAuth(path, { password });
    setBusy(false);
    if (answer.ok) onAnswer(answer.body);
    else setRefusal(answer.message ?? 'This is not your password.');
  }
  return (
    <form className={classes.form} method="post" noValidate onSubmit={submit}>
      <p className={classes.lead}>{lead}</p>
      <Refusal message={refusal} />
      <SecretField
        label="Your password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <DialogActions>
        {children}
        <Button type="submit" variant={tone} loading={busy}>
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}

/** Makes new backup codes; the old ones stop working. */
export function NewBackupCodes({ onDone }: { onDone: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes !== null) return <BackupCodes codes={codes} onDone={onDone} />;
  return (
    <WithPassword
      path="/two-factor/generate-backup-codes"
      lead="The codes you have now stop working as soon as you see the new ones."
      action="Make new codes"
      onAnswer={(body) => setCodes(backupCodesIn(body))}
    />
  );
}

/** Turns two-factor sign-in off. */
export function DisableTwoFactor({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  return (
    <WithPassword
      path="/two-factor/disable"
      lead="You will sign in with a password only. Your backup codes stop working too."
      action="Turn off"
      tone="danger"
      onAnswer={onDone}
    >
      <Button onClick={onClose}>Cancel</Button>
    </WithPassword>
  );
}
