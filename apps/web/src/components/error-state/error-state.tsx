'use client';

import { failureCode } from '#/trpc/failure-code.ts';
import { Button } from '../button/button.tsx';
import { Refusal } from '../page/refusal.tsx';

/** Shown in place of data that could not be loaded. A missing permission is shown as such, without a retry. */
export function ErrorState({ error, onRetry }: { error: { readonly message: string }; onRetry: () => void }) {
  if (failureCode(error) === 'FORBIDDEN') return <p className="py-4 text-ink-quiet text-sm">{error.message}</p>;
  return (
    <div className="grid gap-3 justify-items-start max-w-[640px] py-4 text-sm">
      <Refusal message={error.message} />
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}
