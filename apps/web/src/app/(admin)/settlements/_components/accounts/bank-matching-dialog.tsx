'use client';

import { toleranceText } from '@switchyard/api/entered-fields';
import * as z from 'zod/mini';
import { Button } from '#/components/button/button.tsx';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { groupDecimal } from '#/format/amounts.ts';
import { Form, FormActions } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useSettlementActions } from '../use-settlements.ts';
import { wholeNumber } from './whole-number.ts';

type Matching = RouterOutputs['settlements']['bank']['matching'];

/** How a merchant's payouts are matched with its bank. */
export type MerchantMatching = Matching['merchants'][number];

const DAYS_MAX = 30;
const WORKING_DAYS_MAX = 15;

const schema = z.object({
  tolerance: toleranceText,
  days: wholeNumber(DAYS_MAX),
  workingDays: wholeNumber(WORKING_DAYS_MAX),
});

/** How near the money at the bank has to be to a merchant's payouts. */
export function BankMatchingDialog({
  merchant,
  defaults,
  onClose,
}: {
  merchant: MerchantMatching;
  defaults: Matching['defaults'];
  onClose: () => void;
}) {
  const { merchantId, merchantName, isDefault } = merchant;
  const { setBankMatching } = useSettlementActions();
  const form = useForm({
    schema,
    values: {
      tolerance: merchant.tolerance,
      days: String(merchant.days),
      workingDays: String(merchant.workingDays),
    },
    async onSubmit(matching) {
      await setBankMatching.mutateAsync({ merchantId, matching });
      showToast({ text: `Bank matching of ${merchantName} saved.` });
      onClose();
      return null;
    },
  });
  async function reset() {
    await setBankMatching.mutateAsync({ merchantId, matching: null });
    showToast({ text: `${merchantName} follows the defaults.` });
    onClose();
  }
  return (
    <Dialog title={`Bank matching of ${merchantName}`} onClose={onClose}>
      <p className="mb-4 text-ink-quiet text-sm">
        Applies to what is not matched yet. The defaults are {groupDecimal(defaults.tolerance)}, {defaults.days} days and{' '}
        {defaults.workingDays} working days.
      </p>
      <Form form={form} className="grid gap-4">
        <form.Number
          name="tolerance"
          label="Tolerance"
          unit="main units"
          decimals={6}
          min={0}
          description="A credit that names the gateway and differs by no more than this is of the payout, such as after a bank's charge. It is then short."
        />
        <form.Number
          name="days"
          label="Match window"
          unit="days"
          min={0}
          description="After the day of the payout, where the bank does not name its reference."
        />
        <form.Number
          name="workingDays"
          label="Missing after"
          unit="working days"
          min={0}
          description="Until then a payout is on the way."
        />
        <FormActions action="Save matching" onCancel={onClose} />
      </Form>
      {!isDefault && (
        <p className="mt-4 pt-4 border-t border-line">
          <Button loading={setBankMatching.isPending} onClick={() => void reset().catch(() => undefined)}>
            Follow the defaults
          </Button>
        </p>
      )}
    </Dialog>
  );
}
