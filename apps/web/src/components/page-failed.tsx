'use client';

import { Button } from './button.tsx';
import classes from './plain-page.module.css';

/** Shown when a page failed to render. */
export function PageFailed({ code, onRetry }: { code: string | undefined; onRetry: () => void }) {
  return (
    <div className={classes.page}>
      <h1 className={classes.title}>This page could not be shown</h1>
      <p className={classes.lead}>
        Payments are not affected. Try again; if it stays, tell the administrator of this installation
        {code ? ` the code ${code}` : ''}.
      </p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}
