'use client';

import { useState } from 'react';
import { CodeForm } from './code-form.tsx';
import { PasswordForm } from './password-form.tsx';

/** Signing in, in one step or two. */
export function SignIn({ next }: { next: string }) {
  const [step, setStep] = useState<'password' | 'code'>('password');
  // A full page load drops the data of the user who was signed in before.
  const enter = () => window.location.assign(next);
  if (step === 'code') return <CodeForm onSignedIn={enter} onStartAgain={() => setStep('password')} />;
  return <PasswordForm onSignedIn={enter} onCodeNeeded={() => setStep('code')} />;
}
