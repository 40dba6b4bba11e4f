'use client';

import { toleranceText } from '@switchyard/api/entered-fields';
import * as z from 'zod/mini';
import { Button } from '#/components/button/button.tsx';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import type { SettlementAccount } from '#/copy/settlements.ts';
import { isDay } from '#/format/calendar.ts';
import { Form, FormActions } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useSettlementActions } from '../use-settlements.ts';
import { wholeNumber } from './whole-number.ts';

const DAYS_MAX = 30;
const MINUTES_MAX = 1_440;

const holidays = z.pipe(
  z.string().check(z.refine((text) => daysIn(text).every(isDay), 'must be days such as 2026-12-25, one on each line')),
  z.transform((text: string) => [...new Set(daysIn(text))].sort()),
);

const schema = z.object({
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
    schema,
    values: {
      workingDays: String(calendar.workingDays),
      graceDays: String(calendar.graceDays),
      holidays: calendar.holidays.join('\n'),
      tolerance: calendar.tolerance,
      toleranceMinutes: String(calendar.toleranceMinutes),
    },
    async onSubmit(entered) {
      await setCalendar.mutateAsync({ merchantId, accountId, calendar: entered });
      showToast({ text: `Calendar of ${accountLabel} saved.` });
      onClose();
      return null;
    },
  });
  async function reset() {
    await setCalendar.mutateAsync({ merchantId, accountId, calendar: null });
    showToast({ text: `${accountLabel} follows what ${gatewayTitle} publishes.` });
    onClose();
  }
  return (
    <Dialog title={`Calendar of ${accountLabel}`} onClose={onClose}>
      <p className="mb-4 text-ink-quiet text-sm">
        {gatewayTitle}, {account.merchantName}. Discrepancies follow when the account is next compared.
      </p>
      <Form form={form} className="grid gap-4">
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
        <FormActions action="Save calendar" onCancel={onClose} />
      </Form>
      {!calendar.isDefault && (
        <p className="mt-4 pt-4 border-t border-line">
          <Button loading={setCalendar.isPending} onClick={() => void reset().catch(() => undefined)}>
            Follow what {gatewayTitle} publishes
          </Button>
        </p>
      )}
    </Dialog>
  );
}
