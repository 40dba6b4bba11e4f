'use client';

import { Button } from '../button/button.tsx';
import classes from './plain-page.module.css';

/** Shown when a page failed to render. */
export function PageFailed({ code, onRetry }: { code: string | undefined; onRetry: () => void }) {
  return (
    <div className={classes.page}>
      <h1 className={classes.title}>This page could not be loaded</h1>
      <p className={classes.lead}>
        Payments are not affected. Try again. If the problem persists, contact your administrator
        {code ? ` with the code ${code}` : ''}.
      </p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}
