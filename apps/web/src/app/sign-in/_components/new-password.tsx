import { PASSWORD_MIN } from '#/auth/password-rule.ts';
import type { FieldsOf } from '#/forms/bound-fields.tsx';

/** A new password, with what is wrong with it once the field was left. */
export function NewPassword({ form }: { form: FieldsOf<{ password: string }> }) {
  return (
    <form.Secret
      name="password"
      label="New password"
      autoComplete="new-password"
      description={`${PASSWORD_MIN} characters or more. A few words in a row are easy to remember.`}
    />
  );
}
