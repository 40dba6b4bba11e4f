'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { showRefundRequested, useShowChange } from '#/app/(admin)/refunds/_components/use-refunds.ts';
import { Button } from '#/components/button/button.tsx';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { TextField } from '#/components/field/field.tsx';
import { NumberField } from '#/components/number-field/number-field.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { RadioGroup } from '#/components/radio-group/radio-group.tsx';
import { gatewayTitle } from '#/copy/gateways.ts';
import { STATUS_LABELS } from '#/copy/payment-status.ts';
import { groupDecimal } from '#/format/amounts.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import classes from './refund-dialog.module.css';

type Refundable = RouterOutputs['refunds']['refundable'];

/** Refunds a payment, in full or in part, after showing the consequences. */
export function RefundDialog({ paymentId, onClose }: { paymentId: string; onClose: () => void }) {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.refunds.refundable.queryOptions({ paymentId }, { staleTime: 0 }));
  return (
    <Dialog title="Refund this payment" onClose={onClose}>
      {error !== null && <Refusal message={error.message} />}
      {data === undefined && error === null && <p className={classes.lead}>Loading the refundable amount…</p>}
      {data !== undefined && <RefundForm payment={data} onClose={onClose} />}
    </Dialog>
  );
}

function RefundForm({ payment, onClose }: { payment: Refundable; onClose: () => void }) {
  const { currency, refundable, amount: paid, refunded, underWay } = payment;
  const money = (amount: bigint) => `${currency} ${groupDecimal(amount)}`;
  const [of, setOf] = useState<'all' | 'part'>('all');
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [reason, setReason] = useState('');
  const { request, refundId } = useRequest(payment, {
    onDone: onClose,
    onTooMuch: (left) => {
      setOf('part');
      setProblem(`must be at most ${money(left)}, the amount that can still be refunded`);
    },
  });
  const part = readAmount(text, refundable);
  const chosen = of === 'all' ? refundable : part.amount;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (chosen === null) return setProblem(part.problem);
    setProblem(null);
    const { merchantId, paymentId } = payment;
    // "All" means the amount shown here; the server refuses when less is refundable by now.
    request.mutate({ merchantId, paymentId, refundId, amount: chosen, reason: reason.trim() === '' ? null : reason.trim() });
  }

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p className={classes.lead}>
        Order <strong>{payment.merchantOrderId}</strong>: {money(paid)} paid through {gatewayTitle(payment.gateway)}
        {refunded > 0n && `, ${money(refunded)} refunded`}
        {underWay > 0n && `, ${money(underWay)} being refunded`}. <strong>{money(refundable)}</strong> can be refunded.
      </p>
      {refundable === 0n ? (
        <p className={classes.consequence}>{describeNotRefundable(payment)}</p>
      ) : (
        <>
          <RadioGroup
            label="Full or partial"
            choices={[
              { value: 'all', label: `Full, ${money(refundable)}` },
              { value: 'part', label: 'Partial' },
            ]}
            value={of}
            onChange={(next) => {
              setOf(next);
              setProblem(null);
            }}
          />
          {of === 'part' && (
            <NumberField
              label="Amount"
              unit={currency}
              min={1}
              value={text}
              error={problem}
              description={`Whole ${currency}, up to ${groupDecimal(refundable)}.`}
              onChange={setText}
              onBlur={() => setProblem(text.trim() === '' ? null : part.problem)}
            />
          )}
          <TextField
            label="Reason (optional)"
            description={`Stored with the refund and sent to ${gatewayTitle(payment.gateway)}.`}
            maxLength={200}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
          <p className={classes.consequence}>{consequence(payment, chosen, money)}</p>
        </>
      )}
      <Refusal message={request.error?.message ?? null} />
      <DialogActions onCancel={onClose}>
        {refundable > 0n && (
          <Button type="submit" variant="danger" loading={request.isPending}>
            {chosen === null ? 'Refund' : `Refund ${money(chosen)}`}
          </Button>
        )}
      </DialogActions>
    </form>
  );
}

function useRequest(
  { currency, merchantOrderId }: Refundable,
  { onDone, onTooMuch }: { onDone: () => void; onTooMuch: (left: bigint) => void },
) {
  const trpc = useTRPC();
  const showChange = useShowChange();
  // The same click, sent again, makes one refund.
  const [refundId, setRefundId] = useState(() => crypto.randomUUID());
  const request = useMutation(
    trpc.refunds.request.mutationOptions({
      onSuccess: async (outcome) => {
        await showChange();
        if (outcome.kind === 'requested') {
          showRefundRequested(`${currency} ${groupDecimal(outcome.refund.amount)}`, merchantOrderId);
          onDone();
          return;
        }
        setRefundId(crypto.randomUUID());
        onTooMuch(outcome.kind === 'too_much' ? outcome.refundable : 0n);
      },
    }),
  );
  return { request, refundId };
}

function readAmount(text: string, max: bigint): { amount: bigint | null; problem: string | null } {
  const digits = text.replaceAll(/[\s,]/g, '');
  if (digits === '') return { amount: null, problem: 'must not be empty' };
  if (!/^\d{1,13}$/.test(digits) || BigInt(digits) === 0n) return { amount: null, problem: 'must be a whole number above 0' };
  const amount = BigInt(digits);
  return amount > max ? { amount: null, problem: `must be at most ${groupDecimal(max)}` } : { amount, problem: null };
}

function describeNotRefundable({ status, underWay }: Refundable): string {
  if (status === 'REFUNDED') return 'It is fully refunded.';
  if (status === 'SUCCESS' && underWay > 0n) return 'A refund of the rest is processing. If it fails, you can refund it again.';
  return `Only what was paid can be refunded; this payment is ${STATUS_LABELS[status].word.toLowerCase()}.`;
}

function consequence(
  { gateway, refundable, refunded, amount }: Refundable,
  chosen: bigint | null,
  money: (amount: bigint) => string,
) {
  if (chosen === null) return 'Enter an amount.';
  const end =
    refunded + chosen === amount
      ? 'The payment becomes Refunded once the gateway confirms it.'
      : chosen < refundable
        ? `The payment stays Succeeded, and ${money(refundable - chosen)} can still be refunded.`
        : 'The payment becomes Refunded once all of its refunds succeed.';
  return `${money(chosen)} is returned to the customer through ${gatewayTitle(gateway)}. This cannot be undone. ${end}`;
}
