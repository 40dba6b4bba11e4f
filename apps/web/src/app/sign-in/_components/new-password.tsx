'use client';

import { PASSWORD_MIN, passwordProblem } from '#/auth/password-rule.ts';
import { SecretField } from '#/auth/secret-field.tsx';

/** A new password, with what is wrong with it once the field was left. */
export function NewPassword({
  value,
  left,
  onChange,
  onLeave,
}: {
  value: string;
  left: boolean;
  onChange: (value: string) => void;
  onLeave: () => void;
}) {
  return (
    <SecretField
      label="New password"
      name="password"
      autoComplete="new-password"
      description={`${PASSWORD_MIN} characters or more. A few words in a row are easy to remember.`}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={onLeave}
      error={left ? passwordProblem(value) : null}
    />
  );
}
