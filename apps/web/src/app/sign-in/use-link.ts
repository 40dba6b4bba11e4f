'use client';

import { useEffect, useState } from 'react';
import { postAuth, textField } from '#/auth/post-auth.ts';

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
