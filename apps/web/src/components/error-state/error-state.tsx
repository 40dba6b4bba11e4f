'use client';

import { failureCode } from '#/trpc/client.tsx';
import { Button } from '../button/button.tsx';
import { Refusal } from '../page/refusal.tsx';
import classes from './error-state.module.css';

/** Shown in place of data that could not be loaded. A missing permission is shown as such, without a retry. */
export function ErrorState({ error, onRetry }: { error: { readonly message: string }; onRetry: () => void }) {
  if (failureCode(error) === 'FORBIDDEN') return <p className={classes.forbidden}>{error.message}</p>;
  return (
    <div className={classes.failed}>
      <Refusal message={error.message} />
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}
