'use client';

import { methodWord, type PaymentMethod } from '@switchyard/routing';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../../components/button.tsx';
import { Dialog, DialogActions } from '../../../../components/dialog/dialog.tsx';
import { AreaField } from '../../../../components/field/field.tsx';
import { RadioGroup } from '../../../../components/radio-group/radio-group.tsx';
import { Refusal } from '../../../../components/refusal.tsx';
import { showToast } from '../../../../components/toasts/toast-store.ts';
import { methodTitle } from '../../../../copy/gateways.ts';
import { OVERRIDE_LABELS, type OverrideAction } from '../../../../copy/health.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import classes from './override-dialog.module.css';
import type { AccountOverview } from './use-health.ts';

const ENDS = [
  { value: '30', label: 'In 30 minutes' },
  { value: '120', label: 'In 2 hours' },
  { value: '480', label: 'In 8 hours' },
  { value: '1440', label: 'In 24 hours' },
  { value: 'never', label: 'When a person ends it' },
] as const;
type End = (typeof ENDS)[number]['value'];

const ACTIONS = (['drain', 'disable', 'force'] as const).map((value) => ({
  value,
  label: OVERRIDE_LABELS[value].verb,
  hint: OVERRIDE_LABELS[value].means,
}));

/** Sets an override on an account, with reason and end, after showing its consequences. */
export function OverrideDialog({
  account,
  method: opened,
  onClose,
}: {
  account: AccountOverview;
  method: string | null;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const [action, setAction] = useState<OverrideAction>('drain');
  const [method, setMethod] = useState(account.health.find((health) => health.method === opened)?.method ?? null);
  const [ends, setEnds] = useState<End>('120');
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const { data: usage } = useQuery(trpc.gateways.usage.queryOptions({ accountId: account.accountId }));
  const set = useMutation(trpc.health.setOverride.mutationOptions());
  const undo = useMutation(trpc.health.endOverride.mutationOptions());
  const { merchantId, accountId, label } = account;
  const whose = `${label}, ${methodWord(method)}`;
  const replaced = account.overrides.find((override) => override.method === method);

  async function confirm() {
    if (reason.trim() === '') {
      setProblem('must not be empty');
      return;
    }
    const expiresAt = ends === 'never' ? null : new Date(Date.now() + Number(ends) * 60_000);
    const outcome = await set.mutateAsync({ merchantId, accountId, method, action, reason: reason.trim(), expiresAt });
    if (outcome.kind === 'invalid') {
      setProblem(outcome.problems.map(({ message }) => message).join('; '));
      return;
    }
    onClose();
    if (outcome.kind === 'not_found') {
      showToast({ text: `${label} is not there any more.`, tone: 'bad' });
      return;
    }
    showToast({
      text: `${OVERRIDE_LABELS[action].past}: ${whose}.`,
      action: { label: 'End it', run: () => undo.mutateAsync({ merchantId, overrideId: outcome.override.id }) },
    });
  }

  return (
    <Dialog title={`Override ${label}`} keep={reason !== ''} onClose={onClose}>
      <RadioGroup label="What to do" choices={ACTIONS} value={action} onChange={setAction} />
      <RadioGroup
        label="For"
        choices={account.health.map((health) => ({
          value: health.method ?? 'ALL',
          label: health.method === null ? 'All methods' : methodTitle(health.method),
        }))}
        value={method ?? 'ALL'}
        onChange={(value) => setMethod(account.health.find((health) => (health.method ?? 'ALL') === value)?.method ?? null)}
      />
      <AreaField
        label="Why"
        value={reason}
        maxLength={500}
        problem={problem}
        hint="The merchant reads it in the routing record of each payment it touches."
        placeholder="Settlement is late, gateway informed"
        onChange={(event) => {
          setReason(event.currentTarget.value);
          setProblem(null);
        }}
        onBlur={() => reason.trim() === '' && setProblem('must not be empty')}
      />
      <RadioGroup label="Ends" choices={ENDS} value={ends} onChange={setEnds} />
      <p className={classes.consequence}>
        {describeConsequence(action, usage, methodWord(method))}
        {replaced !== undefined &&
          ` It takes the place of the one that stands: ${OVERRIDE_LABELS[replaced.action].past.toLowerCase()}.`}
      </p>
      <Refusal message={set.error?.message ?? null} />
      <DialogActions>
        <Button tone="accent" onClick={() => void confirm().catch(() => undefined)} busy={set.isPending}>
          {OVERRIDE_LABELS[action].verb} {whose}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </DialogActions>
    </Dialog>
  );
}

/** What follows for payments, in figures. */
function describeConsequence(
  action: OverrideAction,
  usage: { readonly payments: number; readonly onlyFor: readonly PaymentMethod[] } | undefined,
  method: string,
): string {
  if (usage === undefined) return 'Working out what follows…';
  const figure = `${usage.payments.toLocaleString('en')} ${usage.payments === 1 ? 'payment' : 'payments'}`;
  if (action === 'force')
    return `New payments by ${method} try this account first, even while it is down. ${figure} went there in the last 24 hours.`;
  const moved = `${figure} went there in the last 24 hours; from now on such payments by ${method} go to the next account of their rule.`;
  if (usage.onlyFor.length === 0) return moved;
  const alone = usage.onlyFor.map((word) => methodWord(word)).join(', ');
  return `${moved} No other account takes ${alone}: those payments would fail.`;
}
