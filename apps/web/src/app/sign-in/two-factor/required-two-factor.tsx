'use client';

import { useEffect, useState } from 'react';
import { signOut } from '#/app-shell/sign-out.ts';
import { SetUpTwoFactor } from '#/auth/set-up-two-factor.tsx';
import { CodeForm } from '../_components/code-form.tsx';

/** A second step is required: nothing else can be done before it is set up. */
export function RequiredTwoFactor({ next, enabled }: { next: string; enabled: boolean }) {
  const [begun] = useState(!enabled);
  useEffect(() => {
    if (!begun) window.location.assign(next);
  }, [begun, next]);
  return (
    <div className="grid gap-4">
      <h1 className="text-2xl leading-[1.25] tracking-[-0.015em]">Set up two-factor sign-in</h1>
      <p className="text-ink-quiet text-sm">
        An owner requires it for your account. It takes a minute, and everything opens after it.
      </p>
      <SetUpTwoFactor onDone={() => window.location.assign(next)} />
      <div className="flex justify-between">
        <button
          type="button"
          className="py-1 text-accent-ink text-sm no-underline hover:underline"
          onClick={() => void signOut()}
        >
          Sign out
        </button>
      </div>
    </div>
  );
}

/** The second step after a provider's sign-in. */
export function ProviderSecondStep({ next }: { next: string }) {
  return <CodeForm onSignedIn={() => window.location.assign(next)} onStartAgain={() => void signOut()} />;
}
