'use client';

import { failureCode } from '#/trpc/failure-code.ts';
import { Button } from '../button/button.tsx';
import { Refusal } from './refusal.tsx';

/** Shown when a page failed to render. */
export function PageFailed({ code, onRetry }: { code: string | undefined; onRetry: () => void }) {
  return (
    <div className="grid gap-3.5 justify-items-start content-center max-w-[480px] min-h-[70vh] mx-auto p-6 text-sm">
      <h1 className="text-2xl leading-[1.25]">This page could not be loaded</h1>
      <p className="text-ink-quiet">
        Payments are not affected. Try again. If the problem persists, contact your administrator
        {code ? ` with the code ${code}` : ''}.
      </p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}

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
