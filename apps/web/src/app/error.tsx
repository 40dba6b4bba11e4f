'use client';

import { Button } from '@mantine/core';
import classes from './plain-page.module.css';

/** What is shown when a page could not be made. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <main className={classes.page}>
      <h1 className={classes.title}>This page could not be shown</h1>
      <p className={classes.lead}>
        Payments are not affected. Try again; if it stays, tell whoever runs this installation
        {error.digest ? ` the code ${error.digest}` : ''}.
      </p>
      <Button onClick={reset}>Try again</Button>
    </main>
  );
}
