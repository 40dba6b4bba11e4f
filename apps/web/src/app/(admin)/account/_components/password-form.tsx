'use client';

import { useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { newPasswordSchema, PASSWORD_MIN } from '#/auth/password-rule.ts';
import { postAuth } from '#/auth/post-auth.ts';
import { Button } from '#/components/button/button.tsx';
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
