'use client';

import { disputedAmount, disputeFact } from '@switchyard/api/entered-fields';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import * as z from 'zod/mini';
import { FormDialog } from '#/forms/form-dialog.tsx';
import { reply } from '#/forms/reply.ts';
import { useForm } from '#/forms/use-form.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useDisputeActions } from './use-disputes.ts';

const optional = <Schema extends z.core.$ZodType>(schema: Schema) => z.union([z.literal(''), schema]);
const moment = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/, 'must be a day and a time'));
const schema = z.object({
  paymentId: z.string().check(z.trim(), z.regex(/^[0-9a-f-]{36}$/i, 'must be the id of a payment')),
  gatewayDisputeId: disputeFact,
  amount: optional(disputedAmount),
  category: z.string().check(z.maxLength(200)),
  fee: optional(disputedAmount),
  openedAt: moment,
  dueAt: optional(moment),
});

/** Records a dispute of a gateway that documents no list of them. */
export function OpenDialog({ onClose }: { onClose: () => void }) {
  const scope = useScope();
  const router = useRouter();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { open } = useDisputeActions();
  const form = useForm({
    schema,
    values: { paymentId: '', gatewayDisputeId: '', amount: '', category: 'chargeback', fee: '', openedAt: '', dueAt: '' },
    async onSubmit({ paymentId, gatewayDisputeId, amount, category, fee, openedAt, dueAt }) {
      const { merchantId } = await queries.fetchQuery(trpc.payments.byId.queryOptions({ paymentId }));
      const outcome = await open.mutateAsync({
        merchantId,
        paymentId,
        gatewayDisputeId,
        amount: amount || null,
        category: category.trim() || null,
        fee: fee || null,
        openedAt: new Date(openedAt),
        dueAt: dueAt === '' ? null : new Date(dueAt),
      });
      return reply(outcome, {
        opened: ({ disputeId }) => {
          router.push(hrefIn(scope, `/disputes/${disputeId}`));
          return null;
        },
        refused: ({ field, why }) => (field === null ? why : [{ field, message: why }]),
      });
    },
    onDone: onClose,
  });
  return (
    <FormDialog title="Record a dispute" form={form} action="Record dispute" onClose={onClose}>
      <p className="text-ink-quiet">
        For a payment at a gateway that documents no list of disputes. Copy what its dashboard or e-mail says.
      </p>
      <form.Text name="paymentId" label="Payment id" description="Copy it from the payment’s page." />
      <form.Text name="gatewayDisputeId" label="The gateway’s reference of the dispute" />
      <form.Number name="amount" label="Disputed amount" decimals={2} description="Empty for the whole payment." />
      <form.Text name="category" label="Type" />
      <form.DateTime name="openedAt" label="Opened" />
      <form.DateTime name="dueAt" label="Due" description="Empty for the date by the gateway’s published rule." />
      <form.Number
        name="fee"
        label="Dispute fee"
        decimals={2}
        description="What the gateway charges for the dispute, if it is known."
      />
    </FormDialog>
  );
}
