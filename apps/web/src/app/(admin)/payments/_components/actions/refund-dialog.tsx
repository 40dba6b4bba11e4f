'use client';

import { refundReason } from '@switchyard/api/entered-fields';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { showRefundRequested, useShowChange } from '#/app/(admin)/refunds/_components/use-refunds.ts';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { gatewayTitle } from '#/copy/gateways.ts';
import { STATUS_LABELS } from '#/copy/payment-status.ts';
import { groupDecimal } from '#/format/amounts.ts';
import { Form, FormActions } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
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
  const { currency, refundable, amount: paid, refunded, underWay, merchantId, paymentId } = payment;
  const trpc = useTRPC();
  const showChange = useShowChange();
  // The same click, sent again, makes one refund.
  const [refundId, setRefundId] = useState(() => crypto.randomUUID());
  const request = useMutation(trpc.refunds.request.mutationOptions());
  const money = (amount: bigint) => `${currency} ${groupDecimal(amount)}`;
  const form = useForm({
    schema: refundSchema(refundable),
    values: { of: 'all', amount: '', reason: '' },
    async onSubmit({ amount, reason }) {
      // "All" means the amount shown here; the server refuses when less is refundable by now.
      const outcome = await request.mutateAsync({ merchantId, paymentId, refundId, amount, reason });
      await showChange();
      if (outcome.kind === 'requested') {
        showRefundRequested(money(outcome.refund.amount), payment.merchantOrderId);
        onClose();
        return null;
      }
      setRefundId(crypto.randomUUID());
      form.enter({ of: 'part' });
      const left = outcome.kind === 'too_much' ? outcome.refundable : 0n;
      return [{ field: 'amount', message: `must be at most ${money(left)}, the amount that can still be refunded` }];
    },
  });
  const { of, amount } = form.entered;
  const part = amountSchema(refundable).safeParse(amount);
  const chosen = of === 'all' ? refundable : part.success ? part.data : null;

  return (
    <Form form={form} className="grid gap-4">
      <p className={classes.lead}>
        Order <strong>{payment.merchantOrderId}</strong>: {money(paid)} paid through {gatewayTitle(payment.gateway)}
        {refunded > 0n && `, ${money(refunded)} refunded`}
        {underWay > 0n && `, ${money(underWay)} being refunded`}. <strong>{money(refundable)}</strong> can be refunded.
      </p>
      {refundable === 0n ? (
        <p className={classes.consequence}>{describeNotRefundable(payment)}</p>
      ) : (
        <>
          <form.Radio
            name="of"
            label="Full or partial"
            choices={[
              { value: 'all', label: `Full, ${money(refundable)}` },
              { value: 'part', label: 'Partial' },
            ]}
          />
          {of === 'part' && (
            <form.Number
              name="amount"
              label="Amount"
              unit={currency}
              min={1}
              description={`Whole ${currency}, up to ${groupDecimal(refundable)}.`}
            />
          )}
          <form.Text
            name="reason"
            label="Reason (optional)"
            description={`Stored with the refund and sent to ${gatewayTitle(payment.gateway)}.`}
            maxLength={200}
          />
          <p className={classes.consequence}>{consequence(payment, chosen, money)}</p>
        </>
      )}
      {refundable > 0n ? (
        <FormActions action={chosen === null ? 'Refund' : `Refund ${money(chosen)}`} variant="danger" onCancel={onClose} />
      ) : (
        <DialogActions onCancel={onClose}>{null}</DialogActions>
      )}
    </Form>
  );
}

/** All of the amount that can be refunded, or a part of it. */
function refundSchema(refundable: bigint) {
  const reason = z.pipe(
    refundReason,
    z.transform((text) => (text === '' ? null : text)),
  );
  return z.pipe(
    z.object({ of: z.enum(['all', 'part']), amount: z.string(), reason }),
    z.transform(({ of, amount, ...entered }, context) => {
      if (of === 'all') return { ...entered, amount: refundable };
      const part = amountSchema(refundable).safeParse(amount);
      if (part.success) return { ...entered, amount: part.data };
      const message = part.error.issues[0]?.message ?? 'must be an amount';
      context.issues.push({ code: 'custom', path: ['amount'], message, input: amount });
      return z.NEVER;
    }),
  );
}

/** A whole amount of the main unit, exact whatever its size. */
function amountSchema(max: bigint) {
  return z.pipe(
    z.pipe(
      z.pipe(
        z.string(),
        z.transform((text) => text.replaceAll(/[\s,]/g, '')),
      ),
      z.string().check(z.minLength(1, 'must not be empty'), z.regex(/^(?:$|0*[1-9]\d{0,12}$)/, 'must be a whole number above 0')),
    ),
    z.pipe(
      z.transform((digits: string) => BigInt(digits)),
      z.bigint().check(z.maximum(max, `must be at most ${groupDecimal(max)}`)),
    ),
  );
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
