'use client';

import * as z from 'zod/mini';
import { Button } from '#/components/button/button.tsx';
import { Form } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';

const schema = z.object({ from: z.iso.date('must be a day'), to: z.iso.date('must be a day') });

/** The days that a CSV statement is of: its own words for them, or its first and last line, unless a person knows better. */
export function DaysForm({
  days,
  onDays,
}: {
  days: readonly { readonly from: string; readonly to: string }[];
  onDays: (days: { from: string; to: string }) => Promise<void>;
}) {
  const form = useForm({
    schema,
    values: { from: days[0]?.from ?? '', to: days.at(-1)?.to ?? '' },
    async onSubmit(entered) {
      if (entered.from > entered.to) return [{ field: 'to', message: 'must not be before the first day' }];
      await onDays(entered);
      return null;
    },
  });
  return (
    <Form form={form} label="Days of the statement" className="mt-4" warns={false}>
      <p className="max-w-[80ch] mb-2 text-sm text-ink-quiet">
        Payouts can be missing on the days covered alone. Where the statement is of more days than its lines, enter them.
      </p>
      <div className="flex flex-wrap gap-4 items-end">
        <form.Date name="from" label="First day" />
        <form.Date name="to" label="Last day" />
        <Button type="submit" loading={form.isSubmitting}>
          Use these days
        </Button>
      </div>
    </Form>
  );
}
