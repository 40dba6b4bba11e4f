'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../../../components/button.tsx';
import { showToast } from '../../../../../components/toasts/toast-store.ts';
import { describeExactly } from '../../../../../time/moments.ts';
import { useTRPC } from '../../../../../trpc/client.tsx';
import { useMay } from '../../../../../trpc/use-may.ts';
import classes from './merchant-page.module.css';
import type { Profile } from './merchant-page.tsx';

/** Whether rules need a second person before they are in force. Doing without one takes two people itself. */
export function RulesApproval({ profile: { merchantId, name, rulesNeedApproval } }: { profile: Profile }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const mayUpdate = useMay()('merchant:update', merchantId);
  const [asked, setAsked] = useState<Date | null>(null);
  const set = useMutation(trpc.routing.versions.requireApproval.mutationOptions());

  async function change() {
    const outcome = await set.mutateAsync({ merchantId, required: !rulesNeedApproval });
    if (outcome.kind === 'needs_second_person') setAsked(outcome.until);
    else if (outcome.kind === 'changed') {
      const now = outcome.required ? 'need a second person' : 'go in force without a second person';
      showToast({ text: `Rules of ${name} ${now}.` });
    }
    await queries.invalidateQueries({ queryKey: trpc.merchants.pathKey() });
  }

  return (
    <section className={classes.part} aria-label="Approval of rules">
      <h2 className={classes.heading}>Approval of rules</h2>
      <p className={classes.quiet}>
        {rulesNeedApproval
          ? 'Whoever wrote rules cannot put them in force alone: a second person has to approve them.'
          : 'Whoever may publish rules puts them in force alone.'}
      </p>
      {asked !== null && (
        <p role="status">To do without takes two: somebody else has to ask for the same before {describeExactly(asked)}.</p>
      )}
      {mayUpdate && (
        <Button
          busy={set.isPending}
          onClick={() => void change().catch((error: Error) => showToast({ text: error.message, tone: 'bad' }))}
        >
          {rulesNeedApproval ? 'Ask to do without approval' : 'Require approval'}
        </Button>
      )}
    </section>
  );
}
