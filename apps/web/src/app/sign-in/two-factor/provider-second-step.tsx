'use client';

import { signOut } from '#/app-shell/sign-out.ts';
import { CodeForm } from '../_components/code-form.tsx';

/** The second step after a provider's sign-in. */
export function ProviderSecondStep({ next }: { next: string }) {
  return <CodeForm onSignedIn={() => window.location.assign(next)} onStartAgain={() => void signOut()} />;
}
