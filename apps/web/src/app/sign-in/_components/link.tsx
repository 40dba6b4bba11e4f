'use client';

import Link from 'next/link';
import { useEffect, useState } from 'react';
import { PASSWORD_MIN } from '#/auth/password-rule.ts';
import { postAuth, textField } from '#/auth/post-auth.ts';
import type { FieldsOf } from '#/forms/bound-fields.tsx';

/** The state of a one-time link, as shown to its holder. */
export type LinkState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'invalid'; readonly message: string }
  | { readonly kind: 'open'; readonly token: string; readonly about: unknown };

/** Checks the link whose secret follows the `#` of this page's address. Checking does not consume it. */
export function useLink(expected: 'invitation' | 'password_reset'): LinkState {
  const [state, setState] = useState<LinkState>({ kind: 'loading' });
  useEffect(() => {
    const token = window.location.hash.slice(1);
    let left = false;
    postAuth('/link/look', { token }).then(
      (answer) => {
        if (left) return;
        if (answer.ok && textField(answer.body, 'kind') === expected) setState({ kind: 'open', token, about: answer.body });
        else {
          const message = answer.ok ? null : answer.message;
          setState({ kind: 'invalid', message: message ?? 'This link does not work. Ask an owner for a new one.' });
        }
      },
      () => undefined,
    );
    return () => {
      left = true;
    };
  }, [expected]);
  return state;
}

/** The one-time link is no longer valid. */
export function InvalidLink({ title, message }: { title: string; message: string }) {
  return (
    <div className="grid gap-4" role="status">
      <h1 className="text-2xl leading-[1.25] tracking-[-0.015em]">{title}</h1>
      <p className="text-ink-quiet text-sm">{message}</p>
      <div className="flex justify-between">
        <Link className="py-1 text-accent-ink text-sm no-underline hover:underline" href="/sign-in">
          Go to sign-in
        </Link>
      </div>
    </div>
  );
}

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
