'use client';

import { type ReactNode, useState } from 'react';
import { passwordSchema } from '#/auth/password-rule.ts';
import { postAuth } from '#/auth/post-auth.ts';
import { BackupCodes, backupCodesIn } from '#/auth/set-up-two-factor.tsx';
import { Button } from '#/components/button/button.tsx';
import { DialogActions } from '#/components/dialog/dialog.tsx';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';

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
  const form = useForm({
    schema: passwordSchema,
    values: { password: '' },
    async onSubmit(entered) {
      const answer = await postAuth(path, entered);
      if (!answer.ok) return answer.message ?? 'This is not your password.';
      onAnswer(answer.body);
      return null;
    },
  });
  return (
    <Form form={form} className="grid gap-3.5 max-w-[360px]" warns={false}>
      <p className="max-w-[560px] text-ink-quiet">{lead}</p>
      <FormRefusal />
      <form.Secret name="password" label="Your password" autoComplete="current-password" />
      <DialogActions>
        {children}
        <SubmitButton variant={tone}>{action}</SubmitButton>
      </DialogActions>
    </Form>
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
