'use client';

import { toleranceText } from '@switchyard/api/entered-fields';
import * as z from 'zod/mini';
import { Button } from '#/components/button/button.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import type { SettlementAccount } from '#/copy/settlements.ts';
import { groupDecimal } from '#/format/amounts.ts';
import { isDay } from '#/format/calendar.ts';
import { FormDialog } from '#/forms/form-dialog.tsx';
import { done } from '#/forms/reply.ts';
import { useForm } from '#/forms/use-form.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useSettlementActions } from '../use-settlements.ts';

/** A whole number that was entered, up to a limit. */
function wholeNumber(max: number) {
  return z.pipe(
    z.string().check(
      z.regex(/^\d{1,4}$/, 'must be a whole number'),
      z.refine((text) => Number(text) <= max, `must be at most ${max}`),
    ),
    z.transform(Number),
  );
}

type Matching = RouterOutputs['settlements']['bank']['matching'];

/** How a merchant's payouts are matched with its bank. */
export type MerchantMatching = Matching['merchants'][number];

const DAYS_MAX = 30;
const WORKING_DAYS_MAX = 15;

const matchingSchema = z.object({
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
    schema: matchingSchema,
    values: {
      tolerance: merchant.tolerance,
      days: String(merchant.days),
      workingDays: String(merchant.workingDays),
    },
    async onSubmit(matching) {
      await setBankMatching.mutateAsync({ merchantId, matching });
      return done(`Bank matching of ${merchantName} saved.`);
    },
    onDone: onClose,
  });
  async function reset() {
    await setBankMatching.mutateAsync({ merchantId, matching: null });
    showToast({ text: `${merchantName} follows the defaults.` });
    onClose();
  }
  return (
    <FormDialog
      title={`Bank matching of ${merchantName}`}
      form={form}
      action="Save matching"
      after={
        !isDefault && (
          <p className="mt-4 pt-4 border-t border-line">
            <Button loading={setBankMatching.isPending} onClick={() => void reset().catch(() => undefined)}>
              Follow the defaults
            </Button>
          </p>
        )
      }
      onClose={onClose}
    >
      <p className="text-ink-quiet text-sm">
        Applies to what is not matched yet. The defaults are {groupDecimal(defaults.tolerance)}, {defaults.days} days and{' '}
        {defaults.workingDays} working days.
      </p>

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
    </FormDialog>
  );
}

const MINUTES_MAX = 1_440;

const holidays = z.pipe(
  z.string().check(z.refine((text) => daysIn(text).every(isDay), 'must be days such as 2026-12-25, one on each line')),
  z.transform((text: string) => [...new Set(daysIn(text))].sort()),
);

const calendarSchema = z.object({
  workingDays: wholeNumber(DAYS_MAX),
  graceDays: wholeNumber(DAYS_MAX),
  holidays,
  tolerance: toleranceText,
  toleranceMinutes: wholeNumber(MINUTES_MAX),
});

function daysIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((day) => day !== '');
}

/** When an account's money is expected, and how exactly. */
export function CalendarDialog({ account, onClose }: { account: SettlementAccount; onClose: () => void }) {
  const { merchantId, accountId, accountLabel, gatewayTitle, calendar } = account;
  const { setCalendar } = useSettlementActions();
  const form = useForm({
    schema: calendarSchema,
    values: {
      workingDays: String(calendar.workingDays),
      graceDays: String(calendar.graceDays),
      holidays: calendar.holidays.join('\n'),
      tolerance: calendar.tolerance,
      toleranceMinutes: String(calendar.toleranceMinutes),
    },
    async onSubmit(entered) {
      await setCalendar.mutateAsync({ merchantId, accountId, calendar: entered });
      return done(`Calendar of ${accountLabel} saved.`);
    },
    onDone: onClose,
  });
  async function reset() {
    await setCalendar.mutateAsync({ merchantId, accountId, calendar: null });
    showToast({ text: `${accountLabel} follows what ${gatewayTitle} publishes.` });
    onClose();
  }
  return (
    <FormDialog
      title={`Calendar of ${accountLabel}`}
      form={form}
      action="Save calendar"
      after={
        !calendar.isDefault && (
          <p className="mt-4 pt-4 border-t border-line">
            <Button loading={setCalendar.isPending} onClick={() => void reset().catch(() => undefined)}>
              Follow what {gatewayTitle} publishes
            </Button>
          </p>
        )
      }
      onClose={onClose}
    >
      <p className="text-ink-quiet text-sm">
        {gatewayTitle}, {account.merchantName}. Discrepancies follow when the account is next compared.
      </p>

      <form.Number
        name="workingDays"
        label="Paid out after"
        unit="working days"
        min={0}
        description="Monday to Friday, counted from the day of the payment in Lagos."
      />
      <form.Number
        name="graceDays"
        label="Missing after another"
        unit="working days"
        min={0}
        description="Until then a payment that was not settled is late."
      />
      <form.Area
        name="holidays"
        label="Holidays"
        rows={3}
        description="Days without payouts beside weekends, such as 2026-12-25, one on each line."
      />
      <form.Number
        name="tolerance"
        label="Tolerance"
        unit="main units"
        decimals={6}
        min={0}
        description="Amounts that differ by no more than this are settled."
      />
      <form.Number
        name="toleranceMinutes"
        label="Matched by amount within"
        unit="minutes"
        min={0}
        description="How far a line without a reference may be from the payment of its amount."
      />
    </FormDialog>
  );
}
