'use client';

import { type FormEvent, useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { AreaField } from '#/components/field/field.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { RadioGroup } from '#/components/radio-group/radio-group.tsx';
import type { Discrepancy } from '#/copy/discrepancies.ts';
import classes from './resolution-form.module.css';
import { useDiscrepancyActions } from './use-discrepancy-actions.ts';

/** How a discrepancy can be closed. */
export const RESOLUTIONS = [
  { value: 'RESOLVED', label: 'Resolved', description: 'It was corrected, here or at the gateway.' },
  { value: 'EXPLAINED', label: 'Explained', description: 'The reason is known, and nothing needs to be done.' },
] as const;

/** Resolves an open discrepancy with a reason, or reopens a resolved one. */
export function ResolutionForm({ discrepancy }: { discrepancy: Discrepancy }) {
  const { merchantId, discrepancyId, state } = discrepancy;
  const { resolve, reopen } = useDiscrepancyActions();
  const [as, setAs] = useState<(typeof RESOLUTIONS)[number]['value']>('RESOLVED');
  const [why, setWhy] = useState('');
  const [problem, setProblem] = useState<string | null>(null);

  function submit(event: FormEvent) {
    event.preventDefault();
    const missing = why.trim() === '';
    setProblem(missing ? 'must not be empty' : null);
    if (!missing) resolve.mutate({ merchantId, discrepancyId, as, why: why.trim() });
  }

  if (state !== 'OPEN') {
    return (
      <div className={classes.form}>
        <div className={classes.actions}>
          <Button loading={reopen.isPending} onClick={() => reopen.mutate({ merchantId, discrepancyId })}>
            Open again
          </Button>
        </div>
        <Refusal message={reopen.error?.message ?? null} />
      </div>
    );
  }
  return (
    <form className={classes.form} onSubmit={submit} aria-label="Close this discrepancy">
      <RadioGroup label="Close as" choices={RESOLUTIONS} value={as} onChange={setAs} />
      <AreaField
        label="Why"
        description="Kept with your name. Later comparisons leave it as it is unless the facts change."
        maxLength={2_000}
        value={why}
        error={problem}
        onChange={({ currentTarget }) => {
          setWhy(currentTarget.value);
          if (currentTarget.value.trim() !== '') setProblem(null);
        }}
      />
      <Refusal message={resolve.error?.message ?? null} />
      <div className={classes.actions}>
        <Button type="submit" variant="accent" loading={resolve.isPending}>
          Close as {as === 'RESOLVED' ? 'resolved' : 'explained'}
        </Button>
      </div>
    </form>
  );
}
