'use client';

import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import * as z from 'zod/mini';
import { newPasswordSchema, PASSWORD_MIN, passwordSchema } from '#/auth/password-rule.ts';
import { postAuth } from '#/auth/post-auth.ts';
import { BackupCodes, backupCodesIn } from '#/auth/set-up-two-factor.tsx';
import { Button } from '#/components/button/button.tsx';
import { DialogActions } from '#/components/dialog/dialog.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';

const schema = z.object({
  currentPassword: z.string().check(z.minLength(1, 'must not be empty')),
  newPassword: newPasswordSchema,
});

/** Asks for the current and the new password, and changes it. */
export function PasswordForm({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const form = useForm({
    schema,
    values: { currentPassword: '', newPassword: '' },
    async onSubmit(passwords) {
      const answer = await postAuth('/change-password', passwords);
      if (!answer.ok) return answer.message ?? 'The current password is wrong.';
      onClose();
      showToast({ text: 'Your password is changed, and you are signed out everywhere else.' });
      void queries.invalidateQueries({ queryKey: trpc.account.sessions.queryKey() });
      return null;
    },
  });
  return (
    <Form form={form} className="grid gap-3.5 max-w-[360px]">
      <FormRefusal />
      <form.Secret name="currentPassword" label="Current password" autoComplete="current-password" />
      <form.Secret
        name="newPassword"
        label="New password"
        autoComplete="new-password"
        description={`${PASSWORD_MIN} characters or more. It ends your sessions everywhere else.`}
      />
      <div className="flex flex-wrap gap-2">
        <SubmitButton>Change password</SubmitButton>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Form>
  );
}

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
