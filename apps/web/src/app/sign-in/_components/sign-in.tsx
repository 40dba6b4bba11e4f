'use client';

import { useState } from 'react';
import { CodeForm } from './code-form.tsx';
import { PasswordForm } from './password-form.tsx';

/** Signing in, in one step or two. */
export function SignIn({ next }: { next: string }) {
  const [step, setStep] = useState<'password' | 'code'>('password');
  // A full load: nothing of an earlier person's data stays in this window.
  const enter = () => window.location.assign(next);
  if (step === 'code') return <CodeForm onSignedIn={enter} onStartAgain={() => setStep('password')} />;
  return <PasswordForm onSignedIn={enter} onCodeNeeded={() => setStep('code')} />;
}
