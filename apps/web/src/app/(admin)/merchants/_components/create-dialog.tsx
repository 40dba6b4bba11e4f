'use client';

import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { showToast } from '#/components/toasts/toast-store.ts';
import { FormDialog } from '#/forms/form-dialog.tsx';
import { reply } from '#/forms/reply.ts';
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
      return reply(outcome, {
        created: ({ merchant }) => {
          onDone();
          showToast({ text: `${merchant.name} was added as ${merchant.merchantNumber}.` });
          router.push(hrefIn({ mode, merchantId: merchant.merchantId }, `/merchants/${merchant.merchantId}`));
          return null;
        },
        invalid: ({ problems }) => problems,
        number_taken: [{ field: 'name', message: 'could not be given a number; try again' }],
      });
    },
  });
  return (
    <FormDialog title="Add merchant" form={form} action="Add" onClose={onClose}>
      <MerchantFields form={form} />
    </FormDialog>
  );
}
