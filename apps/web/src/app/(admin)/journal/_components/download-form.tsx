'use client';

import { SOFTWARE, SOFTWARE_NAMES } from '@switchyard/api/entered-fields';
import * as z from 'zod/mini';
import { saveFile } from '#/components/export-button/download.ts';
import { showToast } from '#/components/toasts/toast-store.ts';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';

const schema = z.object({ software: z.enum(SOFTWARE), currency: z.string() });

type Wanted = z.output<typeof schema>;
type Files = RouterOutputs['journal']['files'];

/** Downloads entries for one software; where an account is missing, the sentence that names it stays in sight. */
export function DownloadForm({
  currencies,
  onFetch,
}: {
  currencies: readonly string[];
  /** Has the files made. */
  onFetch: (wanted: Wanted) => Promise<Files>;
}) {
  const form = useForm({
    schema,
    values: { software: 'quickbooks' as (typeof SOFTWARE)[number], currency: currencies[0] ?? 'NGN' },
    async onSubmit(wanted) {
      const outcome = await onFetch(wanted);
      switch (outcome.kind) {
        case 'refused':
          return outcome.why;
        case 'empty':
          return `Nothing is posted in ${wanted.currency}.`;
        case 'files': {
          for (const { name, content } of outcome.files) saveFile(new Blob([content], { type: 'text/csv;charset=utf-8' }), name);
          const lines = outcome.files.reduce((sum, file) => sum + file.lines, 0);
          const files = outcome.files.length === 1 ? '1 file' : `${outcome.files.length} files`;
          showToast({ text: `${lines.toLocaleString('en')} lines for ${SOFTWARE_NAMES[wanted.software]} in ${files}.` });
          return null;
        }
        default:
          return outcome satisfies never;
      }
    },
  });
  const softwares = SOFTWARE.map((value) => ({ value, label: SOFTWARE_NAMES[value] }));
  return (
    <Form form={form} label="Download" warns={false} className="grid gap-3 max-w-[720px]">
      <h2 className="text-base font-semibold">Download</h2>
      <div className="flex flex-wrap gap-3 items-center">
        <form.Segmented name="software" label="Software" choices={softwares} />
        {currencies.length > 1 && (
          <form.Segmented name="currency" label="Currency" choices={currencies.map((value) => ({ value, label: value }))} />
        )}
        <SubmitButton>Download CSV</SubmitButton>
      </div>
      {form.entered.software === 'xero' && (
        <p className="text-ink-quiet text-sm">
          Xero takes no journal on a bank account: payouts are posted to the bank clearing account of the mapping. In Xero, book
          the line of the bank statement from that account.
        </p>
      )}
      <FormRefusal />
    </Form>
  );
}
