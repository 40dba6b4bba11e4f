'use client';

import { resolutionReason, toleranceText } from '@switchyard/api/entered-fields';
import * as z from 'zod/mini';
import { useSettlementActions } from '#/app/(admin)/settlements/_components/use-settlements.ts';
import {
  LINE_KINDS,
  LINE_LABELS,
  SETTLEMENT_DISCREPANCY_KINDS,
  SETTLEMENT_DISCREPANCY_LABELS,
  type SettlementAccount,
} from '#/copy/settlements.ts';
import { FormDialog } from '#/forms/form-dialog.tsx';
import { done } from '#/forms/reply.ts';
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
      return done(`Rule for ${account.accountLabel} created. What it covers is closed within a minute.`);
    },
    onDone: onClose,
  });
  return (
    <FormDialog title="Create ignore rule" form={form} action="Create rule" onClose={onClose}>
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
      <form.Area name="reason" label="Reason" rows={2} description="Shown with each discrepancy that is closed under the rule." />
    </FormDialog>
  );
}
