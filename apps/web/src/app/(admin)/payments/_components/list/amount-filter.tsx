'use client';

import * as z from 'zod/mini';
import { Form, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';

const amount = z.pipe(
  z.string().check(z.regex(/^\d{0,12}$/, 'must be a whole number')),
  z.transform((text) => (text === '' ? null : Number(text))),
);
const amounts = z.object({ min: amount, max: amount }).check(
  z.refine(({ min, max }) => min === null || max === null || min <= max, {
    path: ['max'],
    error: 'must not be less than the other',
  }),
);

/** Minimum and maximum amount, both inclusive. */
export function AmountFilter({
  min,
  max,
  onChange,
}: {
  min: number | null;
  max: number | null;
  onChange: (change: { min: number | null; max: number | null }) => void;
}) {
  const form = useForm({
    schema: amounts,
    values: { min: min === null ? '' : String(min), max: max === null ? '' : String(max) },
    onSubmit(limits) {
      onChange(limits);
      return null;
    },
  });
  return (
    <Form form={form} className="grid gap-3 w-[240px]" warns={false}>
      <form.Number name="min" label="From" min={0} />
      <form.Number name="max" label="Up to" min={0} />
      <SubmitButton variant="plain">Apply</SubmitButton>
    </Form>
  );
}

const identifier = z.pipe(
  z.string().check(z.trim()),
  z.transform((text) => (text === '' ? null : text)),
);
const others = z.object({ customer: identifier, rule: identifier });

/** Less common filters: one customer, one rule. */
export function MoreFilters({
  customer,
  rule,
  onChange,
}: {
  customer: string;
  rule: string;
  onChange: (change: { customer: string | null; rule: string | null }) => void;
}) {
  const form = useForm({
    schema: others,
    values: { customer, rule },
    onSubmit(filters) {
      onChange(filters);
      return null;
    },
  });
  return (
    <Form form={form} className="grid gap-3 w-[240px]" warns={false}>
      <form.Text name="customer" label="Customer" description="E-mail address or the merchant's id" maxLength={320} />
      <form.Text name="rule" label="Rule" description="Its id, as in the rules; NONE for no rule" maxLength={200} />
      <SubmitButton variant="plain">Apply</SubmitButton>
    </Form>
  );
}
