'use client';

import { useState } from 'react';
import { postAuth } from '#/auth/post-auth.ts';
import { Button } from '#/components/button/button.tsx';

export interface SignInProvider {
  readonly providerId: string;
  readonly name: string;
}

/** Ways to sign in by a provider, and why the last try was refused. */
export function ProviderButtons({
  next,
  providers,
  refusal,
}: {
  next: string;
  providers: readonly SignInProvider[];
  refusal: string | null;
}) {
  const [failure, setFailure] = useState(refusal);
  const [begun, setBegun] = useState<string | null>(null);
  async function begin(providerId: string) {
    setFailure(null);
    setBegun(providerId);
    const answer = await postAuth('/sign-in/sso', { providerId, next });
    const url = answer.ok ? addressIn(answer.body) : null;
    if (url !== null) {
      window.location.assign(url);
      return;
    }
    setBegun(null);
    setFailure((answer.ok ? null : answer.message) ?? 'The provider cannot be reached. Try again.');
  }
  return (
    <div className="grid gap-3">
      {failure !== null && (
        <p role="alert" className="text-bad text-sm">
          {failure}
        </p>
      )}
      {providers.map(({ providerId, name }) => (
        <Button key={providerId} loading={begun === providerId} onClick={() => void begin(providerId)}>
          Sign in with {name}
        </Button>
      ))}
    </div>
  );
}

function addressIn(body: unknown): string | null {
  return typeof body === 'object' && body !== null && 'url' in body && typeof body.url === 'string' ? body.url : null;
}
