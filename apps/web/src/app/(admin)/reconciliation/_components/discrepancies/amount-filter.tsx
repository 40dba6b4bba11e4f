'use client';

import * as z from 'zod/mini';
import type { ReconciliationChange, ReconciliationFilters } from '#/app/(admin)/reconciliation/filters.ts';
import { Form, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';

const amount = z.pipe(
  z.string().check(z.regex(/^\d{0,12}$/, 'must be a whole amount')),
  z.transform((text) => (text === '' ? null : text)),
);
const schema = z.object({ least: amount, most: amount });

/** The least and the greatest amount of a discrepancy, both inclusive. */
export function AmountFilter({
  filters: { least, most },
  onChange,
}: {
  filters: Pick<ReconciliationFilters, 'least' | 'most'>;
  onChange: (change: ReconciliationChange) => void;
}) {
  const form = useForm({
    schema,
    values: { least, most },
    onSubmit(amounts) {
      onChange(amounts);
      return null;
    },
  });
  return (
    <Form form={form} className="grid gap-2 p-1" warns={false}>
      <form.Number name="least" label="At least" min={0} />
      <form.Number name="most" label="At most" min={0} />
      <SubmitButton variant="plain">Apply</SubmitButton>
    </Form>
  );
}
