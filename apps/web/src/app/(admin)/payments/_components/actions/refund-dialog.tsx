'use client';

import { refundReason } from '@switchyard/api/entered-fields';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { showApprovalRequested, showRefundRequested, useShowChange } from '#/app/(admin)/refunds/_components/use-refunds.ts';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { gatewayTitle } from '#/copy/gateways.ts';
import { STATUS_LABELS } from '#/copy/payment-status.ts';
import { formatMoney, groupDecimal } from '#/format/amounts.ts';
import { Form } from '#/forms/form.tsx';
import { FormActions } from '#/forms/form-dialog.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';

type Refundable = RouterOutputs['refunds']['refundable'];

/** Refunds a payment, in full or in part, after showing the consequences. */
export function RefundDialog({ paymentId, onClose }: { paymentId: string; onClose: () => void }) {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.refunds.refundable.queryOptions({ paymentId }, { staleTime: 0 }));
  return (
    <Dialog title="Refund this payment" onClose={onClose}>
      {error !== null && <Refusal message={error.message} />}
      {data === undefined && error === null && <p className="lead">Loading the refundable amount…</p>}
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
  const money = (amount: bigint) => formatMoney(currency, amount);
  const { reasonCodes } = payment.control;
  const form = useForm({
    schema: refundSchema(refundable, reasonCodes.length > 0),
    values: useState<z.input<ReturnType<typeof refundSchema>>>({ of: 'all', amount: '', reasonCode: null, reason: '' })[0],
    async onSubmit({ amount, reasonCode, reason }) {
      // "All" means the amount shown here; the server refuses when less is refundable by now.
      const outcome = await request.mutateAsync({ merchantId, paymentId, refundId, amount, reason, reasonCode });
      await showChange();
      if (outcome.kind === 'requested') {
        showRefundRequested(money(outcome.refund.amount), payment.merchantOrderId);
        onClose();
        return null;
      }
      if (outcome.kind === 'needs_approval') {
        showApprovalRequested(money(outcome.approval.amount), payment.merchantOrderId);
        onClose();
        return null;
      }
      setRefundId(crypto.randomUUID());
      if (outcome.kind === 'needs_reason_code') {
        const message = outcome.codes.length === 0 ? 'is no longer kept; send the refund again' : 'must be one of these';
        return [{ field: 'reasonCode', message }];
      }
      form.enter({ of: 'part' });
      if (outcome.kind === 'over_daily_limit') return [{ field: 'amount', message: overLimit(outcome, money) }];
      const left = outcome.kind === 'too_much' ? outcome.refundable : 0n;
      return [{ field: 'amount', message: `must be at most ${money(left)}, the amount that can still be refunded` }];
    },
  });
  const { of, amount } = form.entered;
  const part = amountSchema(refundable).safeParse(amount);
  const chosen = of === 'all' ? refundable : part.success ? part.data : null;
  const { alone } = payment.control;
  const needsSecond = chosen !== null && alone !== null && chosen > alone;

  return (
    <Form form={form} className="grid gap-4">
      <p className="lead">
        Order <strong>{payment.merchantOrderId}</strong>: {money(paid)} paid through {gatewayTitle(payment.gateway)}
        {refunded > 0n && `, ${money(refunded)} refunded`}
        {underWay > 0n && `, ${money(underWay)} being refunded`}. <strong>{money(refundable)}</strong> can be refunded.
      </p>
      {refundable === 0n ? (
        <p className="consequence">{describeNotRefundable(payment)}</p>
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
          {reasonCodes.length > 0 && (
            <form.Select
              name="reasonCode"
              label="Reason code"
              placeholder="Choose a reason"
              options={reasonCodes.map(({ code, title }) => ({ value: code, label: title }))}
            />
          )}
          <form.Text
            name="reason"
            label="Reason (optional)"
            description={`Stored with the refund and sent to ${gatewayTitle(payment.gateway)}.`}
            maxLength={200}
          />
          <DailyLimit control={payment.control} money={money} />
          <p className="consequence">
            {needsSecond ? describeSecondPerson(payment.control, money) : consequence(payment, chosen, money)}
          </p>
        </>
      )}
      {refundable > 0n ? (
        <FormActions
          action={chosen === null ? 'Refund' : `${needsSecond ? 'Request approval to refund' : 'Refund'} ${money(chosen)}`}
          variant="danger"
          onCancel={onClose}
        />
      ) : (
        <DialogActions onCancel={onClose}>{null}</DialogActions>
      )}
    </Form>
  );
}

function describeSecondPerson({ secondPersonAbove, alone }: Refundable['control'], money: (amount: bigint) => string): string {
  const above = `Refunds above ${money(secondPersonAbove ?? 0n)} of a payment need a second person`;
  const before = alone !== null && secondPersonAbove !== null && alone < secondPersonAbove;
  const rest = before ? `, and one person can refund ${alone === 0n ? 'no more' : `only ${money(alone)} more`} of this one` : '';
  return `${above}${rest}. Nothing is returned until another person who may approve refunds has approved it under Refunds, Approvals, within 7 days.`;
}

/** The amount that the viewer may still request today, where that is limited. */
function DailyLimit({ control, money }: { control: Refundable['control']; money: (amount: bigint) => string }) {
  const { dailyLimit, leftToday } = control;
  if (dailyLimit === null || leftToday === null) return null;
  if (dailyLimit === 0n)
    return <p className="lead">Your role refunds within a daily limit, and the merchant has set none for it.</p>;
  return (
    <p className="lead">
      You may request {money(dailyLimit)} a day; {leftToday === 0n ? 'nothing' : money(leftToday)} is left today.
    </p>
  );
}

function overLimit(
  { limit, left }: { readonly limit: bigint; readonly left: bigint },
  money: (amount: bigint) => string,
): string {
  if (limit === 0n) return 'cannot be refunded: the merchant has set no daily limit for your role. Ask an owner';
  return left === 0n
    ? `is more than your daily limit of ${money(limit)} leaves: nothing until midnight in Lagos`
    : `must be at most ${money(left)}, what your daily limit of ${money(limit)} leaves today`;
}

/** All of the amount that can be refunded, or a part of it. */
function refundSchema(refundable: bigint, needsCode: boolean) {
  const reason = z.pipe(
    refundReason,
    z.transform((text) => (text === '' ? null : text)),
  );
  const reasonCode = z.nullable(z.string()).check(z.refine((code) => !needsCode || code !== null, 'must be chosen'));
  return z.pipe(
    z.object({ of: z.enum(['all', 'part']), amount: z.string(), reasonCode, reason }),
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
