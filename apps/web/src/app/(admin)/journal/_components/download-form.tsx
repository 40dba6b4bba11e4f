'use client';

import { SOFTWARE, SOFTWARE_NAMES } from '@switchyard/api/entered-fields';
import { useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { saveFile } from '#/components/export-button/download.ts';
import { showToast } from '#/components/toasts/toast-store.ts';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import type { Mode } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';

const schema = z.object({ software: z.enum(SOFTWARE), currency: z.string() });

/** Downloads the entries of the period for one software; where an account is missing, the sentence that names it stays in sight. */
export function DownloadForm({
  books,
  days,
  currencies,
}: {
  books: { readonly merchantId: string; readonly mode: Mode };
  days: { readonly from: string; readonly to: string };
  currencies: readonly string[];
}) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const form = useForm({
    schema,
    values: { software: 'quickbooks' as (typeof SOFTWARE)[number], currency: currencies[0] ?? 'NGN' },
    async onSubmit(wanted) {
      const outcome = await queries.fetchQuery(
        trpc.journal.files.queryOptions({ ...books, ...days, ...wanted }, { staleTime: 0 }),
      );
      switch (outcome.kind) {
        case 'refused':
          return outcome.why;
        case 'empty':
          return `Nothing is posted in ${wanted.currency} on these days.`;
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
      <FormRefusal />
    </Form>
  );
}
