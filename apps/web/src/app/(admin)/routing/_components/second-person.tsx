'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { showToast } from '../../../../components/toasts/toast-store.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import { useMay } from '../../../../trpc/use-may.ts';
import classes from './second-person.module.css';
import { usePeople, useRoutingScope } from './use-routing.ts';

/** Whether rules go live on one person's word, and the switch for whoever may turn it. */
export function SecondPerson() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { merchantId } = useRoutingScope();
  const { needsApproval } = usePeople();
  const may = useMay()('merchant:update');
  const change = useMutation(trpc.routing.versions.requireApproval.mutationOptions());

  async function turn(required: boolean): Promise<void> {
    await change.mutateAsync({ merchantId, required });
    await queries.invalidateQueries(trpc.routing.access.queryFilter({ merchantId }));
  }

  async function turnAndTell(): Promise<void> {
    const required = !needsApproval;
    try {
      await turn(required);
      const text = required
        ? 'From now on a second person has to approve rules.'
        : 'Rules are published without a second person.';
      showToast({ text, action: { label: 'Undo', run: () => turn(!required) } });
    } catch (error) {
      showToast({ tone: 'bad', text: error instanceof Error ? error.message : 'This did not work. Try again.' });
    }
  }

  return (
    <p className={classes.line}>
      {needsApproval
        ? 'A second person has to approve rules before they are published.'
        : 'Whoever may publish rules does so alone.'}{' '}
      {may && (
        <button type="button" className={classes.turn} disabled={change.isPending} onClick={() => void turnAndTell()}>
          {needsApproval ? 'Let one person publish' : 'Ask for a second person'}
        </button>
      )}
    </p>
  );
}
