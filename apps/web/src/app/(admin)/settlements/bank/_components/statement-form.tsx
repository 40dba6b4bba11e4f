'use client';

import { useState } from 'react';
import * as z from 'zod/mini';
import {
  columnOptions,
  DATE_ORDERS,
  DECIMAL_MARKS,
  DIRECTIONS,
  NO_COLUMN,
  NOT_IN_FILE,
  WordMeanings,
} from '#/app/(admin)/settlements/_components/file-intake/mapping-parts.tsx';
import { Button } from '#/components/button/button.tsx';
import { Form } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';

/** The columns of a CSV statement, and how they may be read. */
export type StatementColumns = Extract<RouterOutputs['settlements']['bank']['inspect'], { kind: 'columns' }>;

/** A CSV statement's account, and how its columns are read. */
export interface StatementCsv {
  readonly bankAccount: string;
  readonly mapping: StatementColumns['mapping'];
}

const schema = z.object({
  bankAccount: z
    .string()
    .check(z.trim(), z.minLength(1, 'must not be empty'), z.maxLength(100, 'must be at most 100 characters long')),
  bookedOn: z.string(),
  text: z.string(),
  reference: z.string(),
  credit: z.string(),
  debit: z.string(),
  amount: z.string(),
  direction: z.string(),
  currency: z.string().check(z.regex(/^[A-Z]{3}$/, 'must be a currency such as NGN')),
  decimalMark: z.enum(['.', ',']),
  dates: z.enum(['day_first', 'month_first']),
  zone: z.string().check(z.minLength(1, 'must not be empty')),
  emptyDays: z.enum(['unreadable', 'row_above']),
});

/** Meanings that a row without a day can have. */
const EMPTY_DAYS = [
  { value: 'unreadable', label: 'Cannot be read' },
  { value: 'row_above', label: 'The day of the row above' },
] as const;

/** Names the columns of a bank's CSV and how amounts and days are written in them. */
export function StatementForm({
  columns: { titles, samples, words, mapping, bankAccount },
  onPreview,
}: {
  columns: StatementColumns;
  onPreview: (csv: StatementCsv) => Promise<void>;
}) {
  const [directions, setDirections] = useState(mapping.directions);
  const { columns, directions: _directions, sheet, titlesLine, ...format } = mapping;
  const form = useForm({
    schema,
    values: {
      bankAccount: bankAccount ?? '',
      bookedOn: columns.bookedOn,
      text: columns.text,
      reference: columns.reference ?? NO_COLUMN,
      credit: columns.credit ?? NO_COLUMN,
      debit: columns.debit ?? NO_COLUMN,
      amount: columns.amount ?? NO_COLUMN,
      direction: columns.direction ?? NO_COLUMN,
      ...format,
    },
    async onSubmit({ bankAccount: account, bookedOn, text, reference, credit, debit, amount, direction, ...written }) {
      const of = (title: string) => (title === NO_COLUMN ? null : title);
      const isSplit = of(credit) !== null;
      if (!isSplit && of(amount) === null) return [{ field: 'amount', message: 'must be a column, or the column of credits' }];
      const titled = { bookedOn, text, reference: of(reference), credit: of(credit), debit: isSplit ? of(debit) : null };
      await onPreview({
        bankAccount: account,
        mapping: {
          columns: { ...titled, amount: isSplit ? null : of(amount), direction: isSplit ? null : of(direction) },
          directions,
          sheet,
          titlesLine,
          ...written,
        },
      });
      return null;
    },
  });
  const options = columnOptions(titles, samples);
  const optional = [NOT_IN_FILE, ...options];
  const isSplit = form.entered.credit !== NO_COLUMN;
  return (
    <Form form={form} label="Columns of the statement" className="mt-4" warns={false}>
      <div className="grid gap-4 grid-cols-[repeat(auto-fill,minmax(240px,1fr))]">
        <form.Text
          name="bankAccount"
          label="Bank account"
          description="Such as GTBank 0123456789; the same for every statement of it."
        />
        <form.Select name="bookedOn" label="Day" options={options} />
        <form.Select name="text" label="Text" options={options} />
        <form.Select name="reference" label="Reference" options={optional} />
        <form.Select name="credit" label="Credits" options={optional} />
        {isSplit && <form.Select name="debit" label="Debits" options={optional} />}
        {!isSplit && <form.Select name="amount" label="Amount" description="Negative for debits." options={optional} />}
        {!isSplit && (
          <form.Select
            name="direction"
            label="Debit or credit"
            description="Says which way an amount without a sign went."
            options={optional}
          />
        )}
        <form.Text name="currency" label="Currency of all amounts" />
        <form.Select name="decimalMark" label="Decimals follow" options={DECIMAL_MARKS} />
        <form.Select name="dates" label="Dates begin with" options={DATE_ORDERS} />
        <form.Text name="zone" label="Time zone" description="Of days that are given with a time, such as Africa/Lagos." />
        <form.Select name="emptyDays" label="An amount without a day" options={EMPTY_DAYS} />
      </div>
      {!isSplit && (
        <WordMeanings
          title={form.entered.direction}
          words={words[form.entered.direction] ?? []}
          meanings={directions}
          options={DIRECTIONS}
          onChange={setDirections}
        />
      )}
      <p className="mt-4">
        <Button type="submit" loading={form.isSubmitting}>
          Preview
        </Button>
      </p>
    </Form>
  );
}
