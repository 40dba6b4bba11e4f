'use client';

import { Button } from '../button/button.tsx';

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
