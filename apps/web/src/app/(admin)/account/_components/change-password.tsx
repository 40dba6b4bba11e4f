'use client';

import { useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { PASSWORD_MIN, passwordProblem } from '#/auth/password-rule.ts';
import { postAuth } from '#/auth/post-auth.ts';
import { SecretField } from '#/auth/secret-field.tsx';
import { Button } from '#/components/button/button.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { useTRPC } from '#/trpc/client.tsx';
import classes from './account-page.module.css';

/** Changes the viewer's password; every other session ends. */
export function ChangePassword() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [open, setOpen] = useState(false);
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [left, setLeft] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  function close() {
    setOpen(false);
    setCurrent('');
    setNext('');
    setLeft(false);
    setRefusal(null);
  }

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setLeft(true);
    if (busy || current === '' || passwordProblem(next) !== null) return;
    setBusy(true);
    setRefusal(null);
    const answer = await postAuth('/change-password', { currentPassword: current, newPassword: next });
    setBusy(false);
    if (!answer.ok) return setRefusal(answer.message ?? 'The present password is wrong.');
    close();
    showToast({ text: 'Your password is changed, and you are signed out everywhere else.' });
    void queries.invalidateQueries({ queryKey: trpc.account.sessions.queryKey() });
  }

  if (!open) {
    return (
      <div className={classes.actions}>
        <Button onClick={() => setOpen(true)}>Change your password</Button>
      </div>
    );
  }
  return (
    <form className={classes.form} method="post" noValidate onSubmit={submit}>
      <Refusal message={refusal} />
      <SecretField
        label="Present password"
        autoComplete="current-password"
        value={current}
        onChange={(event) => setCurrent(event.currentTarget.value)}
        error={left && current === '' ? 'must not be empty' : null}
      />
      <SecretField
        label="New password"
        autoComplete="new-password"
        description={`${PASSWORD_MIN} characters or more. It ends your sessions everywhere else.`}
        value={next}
        onChange={(event) => setNext(event.currentTarget.value)}
        onBlur={() => setLeft(next !== '')}
        error={left ? passwordProblem(next) : null}
      />
      <div className={classes.actions}>
        <Button type="submit" variant="accent" loading={busy}>
          Change the password
        </Button>
        <Button onClick={close}>Cancel</Button>
      </div>
    </form>
  );
}
