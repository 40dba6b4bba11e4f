'use client';

import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { Form, FormActions } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { MerchantFields, merchantSchema, NEW_MERCHANT } from './merchant-fields.tsx';

/** Creates a merchant and opens its page. */
export function CreateDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const { mode } = useScope();
  const create = useMutation(trpc.merchants.create.mutationOptions());
  const form = useForm({
    schema: merchantSchema,
    values: NEW_MERCHANT,
    async onSubmit(settings) {
      const outcome = await create.mutateAsync(settings);
      switch (outcome.kind) {
        case 'created':
          onDone();
          showToast({ text: `${outcome.merchant.name} was added as ${outcome.merchant.merchantNumber}.` });
          router.push(hrefIn({ mode, merchantId: outcome.merchant.merchantId }, `/merchants/${outcome.merchant.merchantId}`));
          return null;
        case 'invalid':
          return outcome.problems;
        case 'number_taken':
          return [{ field: 'name', message: 'could not be given a number; try again' }];
        default:
          return outcome satisfies never;
      }
    },
  });
  return (
    <Dialog title="Add merchant" onClose={onClose}>
      <Form form={form} className="contents">
        <MerchantFields form={form} />
        <FormActions action="Add" onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
