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
import { FILE_FIELDS, type FileField } from '#/copy/settlements.ts';
import { Form } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';

/** The columns of a file, and how they may be read. */
export type FileColumns = Extract<RouterOutputs['settlements']['files']['inspect'], { kind: 'columns' }>;

type Mapping = FileColumns['mapping'];
type Kind = Mapping['kinds'][string];

/** How a file is read. */
export interface MappedFile {
  readonly mapping: Mapping;
  readonly entered: { readonly reference: string | null; readonly settledOn: string | null };
}

const KINDS = [
  { value: 'payment', label: 'Payment' },
  { value: 'refund', label: 'Refund' },
  { value: 'refund_returned', label: 'Refund given back' },
  { value: 'fee', label: 'Fee' },
  { value: 'fee_returned', label: 'Fee given back' },
  { value: 'chargeback', label: 'Chargeback' },
  { value: 'chargeback_returned', label: 'Chargeback given back' },
  { value: 'adjustment', label: 'Deduction' },
  { value: 'other', label: 'Other' },
  { value: 'skip', label: 'Skip the row' },
] as const satisfies readonly { readonly value: Kind; readonly label: string }[];

/** How refunds, fees and chargebacks are written. */
const SIGNS = [
  { value: 'as_written', label: 'With a minus' },
  { value: 'by_kind', label: 'Without a sign' },
] as const;

const schema = z.object({
  columns: z.object({
    amount: z.string().check(z.refine((title) => title !== NO_COLUMN, 'must be a column of the file')),
    direction: z.string(),
    fee: z.string(),
    net: z.string(),
    reference: z.string(),
    transactionId: z.string(),
    occurredAt: z.string(),
    settlement: z.string(),
    settledOn: z.string(),
    kind: z.string(),
    currency: z.string(),
    description: z.string(),
  }),
  reference: z.string(),
  settledOn: z.string(),
  currency: z.string().check(z.regex(/^[A-Z]{3}$/, 'must be a currency such as NGN')),
  signs: z.enum(['as_written', 'by_kind']),
  unit: z.enum(['main', 'minor']),
  decimalMark: z.enum(['.', ',']),
  dates: z.enum(['day_first', 'month_first']),
  zone: z.string().check(z.minLength(1, 'must not be empty')),
});

/** Names the columns of a file and how amounts and times are written in them. */
export function MappingForm({
  columns: { titles, samples, words, mapping, isProfile },
  onPreview,
}: {
  columns: FileColumns;
  onPreview: (mapped: MappedFile) => Promise<void>;
}) {
  const [kinds, setKinds] = useState<Mapping['kinds']>(mapping.kinds);
  const [directions, setDirections] = useState<Mapping['directions']>(mapping.directions);
  const { columns, kinds: _kinds, directions: _directions, sheet, titlesLine, ...format } = mapping;
  const form = useForm({
    schema,
    values: {
      columns: {
        amount: columns.amount,
        direction: columns.direction ?? NO_COLUMN,
        fee: columns.fee ?? NO_COLUMN,
        net: columns.net ?? NO_COLUMN,
        reference: columns.reference ?? NO_COLUMN,
        transactionId: columns.transactionId ?? NO_COLUMN,
        occurredAt: columns.occurredAt ?? NO_COLUMN,
        settlement: columns.settlement ?? NO_COLUMN,
        settledOn: columns.settledOn ?? NO_COLUMN,
        kind: columns.kind ?? NO_COLUMN,
        currency: columns.currency ?? NO_COLUMN,
        description: columns.description ?? NO_COLUMN,
      },
      reference: '',
      settledOn: '',
      ...format,
    },
    async onSubmit({ columns: titled, reference, settledOn, ...written }) {
      const of = (field: Exclude<FileField, 'amount'>) => (titled[field] === NO_COLUMN ? null : titled[field]);
      await onPreview({
        mapping: {
          columns: {
            settlement: of('settlement'),
            settledOn: of('settledOn'),
            reference: of('reference'),
            transactionId: of('transactionId'),
            kind: of('kind'),
            amount: titled.amount,
            direction: of('direction'),
            fee: of('fee'),
            net: of('net'),
            currency: of('currency'),
            occurredAt: of('occurredAt'),
            description: of('description'),
          },
          kinds,
          directions,
          sheet,
          titlesLine,
          ...written,
        },
        entered: { reference: reference.trim() || null, settledOn: settledOn || null },
      });
      return null;
    },
  });
  const { entered } = form;
  const options = columnOptions(titles, samples);
  const { kind: kindTitle, direction: directionTitle } = entered.columns;
  return (
    <Form form={form} label="Columns of the file" className="mt-4" warns={false}>
      <p className="mb-3 text-sm text-ink-quiet">
        {isProfile
          ? 'The columns are named as they were for the last file.'
          : 'Name the columns that this file has. They are kept for the account’s next file.'}
      </p>
      <div className="grid gap-4 grid-cols-[repeat(auto-fill,minmax(240px,1fr))]">
        {FILE_FIELDS.map(({ field, label, description }) => (
          <form.Select
            key={field}
            name={`columns.${field}`}
            label={label}
            description={description}
            options={field === 'amount' ? options : [NOT_IN_FILE, ...options]}
          />
        ))}
        {entered.columns.settlement === NO_COLUMN && (
          <form.Text
            name="reference"
            label="Reference of the payout"
            description={entered.columns.settledOn === NO_COLUMN ? undefined : 'Empty: one payout for each day.'}
          />
        )}
        {entered.columns.settledOn === NO_COLUMN && <form.Date name="settledOn" label="Paid out on" />}
        {entered.columns.currency === NO_COLUMN && <form.Text name="currency" label="Currency of all amounts" />}
      </div>
      <WordMeanings title={kindTitle} words={words[kindTitle] ?? []} meanings={kinds} options={KINDS} onChange={setKinds} />
      <WordMeanings
        title={directionTitle}
        words={words[directionTitle] ?? []}
        meanings={directions}
        options={DIRECTIONS}
        onChange={setDirections}
      />
      <div className="grid gap-4 mt-5 grid-cols-[repeat(auto-fill,minmax(240px,1fr))]">
        {kindTitle !== NO_COLUMN && directionTitle === NO_COLUMN && (
          <form.Select
            name="signs"
            label="Refunds, fees and chargebacks are written"
            description="Without a sign they are taken off."
            options={SIGNS}
          />
        )}
        <form.Select
          name="unit"
          label="Amounts are in"
          options={[
            { value: 'main', label: 'Main units' },
            { value: 'minor', label: 'Kobo or cents' },
          ]}
        />
        <form.Select name="decimalMark" label="Decimals follow" options={DECIMAL_MARKS} />
        <form.Select name="dates" label="Dates begin with" options={DATE_ORDERS} />
        <form.Text name="zone" label="Time zone" description="Of times and days, such as Africa/Lagos." />
      </div>
      <p className="mt-4">
        <Button type="submit" loading={form.isSubmitting}>
          Preview
        </Button>
      </p>
    </Form>
  );
}
