'use client';

import { resolutionReason, toleranceText } from '@switchyard/api/entered-fields';
import * as z from 'zod/mini';
import { useSettlementActions } from '#/app/(admin)/settlements/_components/use-settlements.ts';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import {
  LINE_KINDS,
  LINE_LABELS,
  SETTLEMENT_DISCREPANCY_KINDS,
  SETTLEMENT_DISCREPANCY_LABELS,
  type SettlementAccount,
} from '#/copy/settlements.ts';
import { Form, FormActions } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';

/** Every kind of line: the control has no empty value. */
const ANY = 'ANY';

const schema = z.object({
  accountId: z.pipe(z.nullable(z.string()), z.string('must be selected')),
  kind: z.enum(SETTLEMENT_DISCREPANCY_KINDS),
  lineKind: z.enum([ANY, ...LINE_KINDS]),
  amountMax: toleranceText,
  reason: resolutionReason,
});

/** Creates an ignore rule of one account. */
export function RuleDialog({ accounts, onClose }: { accounts: readonly SettlementAccount[]; onClose: () => void }) {
  const { createRule } = useSettlementActions();
  const form = useForm({
    schema,
    values: {
      accountId: accounts.length === 1 ? (accounts[0]?.accountId ?? null) : null,
      kind: 'UNMATCHED',
      lineKind: ANY,
      amountMax: '',
      reason: '',
    },
    async onSubmit({ accountId, kind, lineKind, amountMax, reason }) {
      const account = accounts.find((each) => each.accountId === accountId);
      if (account === undefined) return [{ field: 'accountId', message: 'must be selected' }];
      await createRule.mutateAsync({
        merchantId: account.merchantId,
        accountId,
        kind,
        lineKind: kind !== 'UNMATCHED' || lineKind === ANY ? null : lineKind,
        amountMax,
        reason,
      });
      showToast({ text: `Rule for ${account.accountLabel} created. What it covers is closed within a minute.` });
      onClose();
      return null;
    },
  });
  return (
    <Dialog title="Create ignore rule" onClose={onClose}>
      <Form form={form} className="grid gap-4">
        <form.Select
          name="accountId"
          label="Account"
          placeholder="Select an account"
          options={accounts.map(({ accountId, accountLabel, merchantName }) => ({
            value: accountId,
            label: accountLabel,
            note: merchantName,
          }))}
        />
        <form.Select
          name="kind"
          label="Discrepancy"
          options={SETTLEMENT_DISCREPANCY_KINDS.map((value) => ({ value, label: SETTLEMENT_DISCREPANCY_LABELS[value].word }))}
        />
        {form.entered.kind === 'UNMATCHED' && (
          <form.Select
            name="lineKind"
            label="Line type"
            options={[{ value: ANY, label: 'Any' }, ...LINE_KINDS.map((value) => ({ value, label: LINE_LABELS[value].word }))]}
          />
        )}
        <form.Number
          name="amountMax"
          label="Up to"
          unit="main units"
          decimals={6}
          min={0}
          description="Of the difference; without its sign."
        />
        <form.Area
          name="reason"
          label="Reason"
          rows={2}
          description="Shown with each discrepancy that is closed under the rule."
        />
        <FormActions action="Create rule" onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
