'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { TextField } from '#/components/field/field.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { groupDecimal } from '#/format/amounts.ts';
import type { Mode } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import classes from './privacy-page.module.css';

/** Data that erasing a customer would change. */
export type Preview = Extract<RouterOutputs['privacy']['previewErasure'], { kind: 'found' }>['preview'];

/** Says what would be erased, and erases once that is typed. */
export function EraseDialog({
  subject,
  preview,
  onDone,
  onClose,
}: {
  subject: { merchantId: string; mode: Mode; email: string; phone: string; customerId: string };
  preview: Preview;
  onDone: () => void;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const erase = useMutation(trpc.privacy.eraseCustomer.mutationOptions());
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [blockers, setBlockers] = useState(preview.blockers);

  async function confirm() {
    const outcome = await erase.mutateAsync({ ...subject, confirmation: typed });
    switch (outcome.kind) {
      case 'erased':
        onDone();
        showToast({ text: `The customer was erased from ${inPayments(outcome.counts.payments)}.` });
        return;
      case 'blocked':
        setBlockers(outcome.blockers);
        return;
      case 'not_confirmed':
        setProblem(`must be “${outcome.confirmation}”`);
        return;
      default:
        setProblem('is about a customer of whom nothing is held any more');
    }
  }

  const isBlocked = blockers.length > 0;
  return (
    <Dialog title="Erase this customer?" dirty={typed !== ''} onClose={onClose}>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void confirm().catch(() => undefined);
        }}
      >
        <DescriptionList>
          <Description name="Customer">{preview.identifiers.join(', ')}</Description>
          <Description name="Payments">{String(preview.payments)}</Description>
          <Description name="Requests to gateways">{String(preview.attempts)}</Description>
          <Description name="Gateway webhooks">{String(preview.gatewayWebhooks)}</Description>
          <Description name="Refunds">{String(preview.refunds)}</Description>
          <Description name="Notes">{String(preview.notes)}</Description>
          <Description name="Saved views">{String(preview.savedViews)}</Description>
          {preview.sums.map(({ currency, amount }) => (
            <Description key={currency} name={`${currency}, unchanged`}>
              {groupDecimal(BigInt(amount))}
            </Description>
          ))}
        </DescriptionList>
        {isBlocked ? (
          <div className={classes.consequence} role="status">
            <p>It cannot be done now:</p>
            <ul>
              {blockers.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          </div>
        ) : (
          <>
            <p className={classes.consequence}>
              The payments stay with amount, status and references. Who paid is removed. This cannot be undone.
            </p>
            <TextField
              label={`Type “${preview.confirmation}” to confirm`}
              value={typed}
              error={problem}
              onChange={(event) => {
                setTyped(event.currentTarget.value);
                setProblem(null);
              }}
            />
          </>
        )}
        <Refusal message={erase.error?.message ?? null} />
        <DialogActions onCancel={onClose}>
          {!isBlocked && (
            <Button variant="danger" type="submit" loading={erase.isPending} disabled={typed.trim() === ''}>
              Erase from {inPayments(preview.payments)}
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  );
}

function inPayments(count: number): string {
  return count === 1 ? '1 payment' : `${count} payments`;
}
