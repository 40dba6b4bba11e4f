'use client';

import {
  accountCode,
  accountName,
  BOOK_ACCOUNTS,
  POSTING_NAMES,
  taxRate,
  trackingCategory,
  trackingClass,
} from '@switchyard/api/entered-fields';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import * as z from 'zod/mini';
import type { SelectOption } from '#/components/select/list-parts.tsx';
import { zoneOptions } from '#/components/select/select.tsx';
import { type AccountingSetting, POSTING_MEANINGS } from '#/copy/accounting.ts';
import { FormDialog } from '#/forms/form-dialog.tsx';
import { done } from '#/forms/reply.ts';
import { useForm } from '#/forms/use-form.ts';
import type { Mode } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';

const account = z.object({ code: accountCode, name: accountName, trackingClass });
const schema = z.object({
  timeZone: z.string(),
  mapping: z.object({
    postings: z.object({
      sales: account,
      refunds: account,
      fees: account,
      stamp_duty: account,
      chargebacks: account,
      adjustments: account,
      bank: account,
      bank_clearing: account,
    }),
    trackingCategory,
    taxRate,
  }),
  /** The clearing account of each gateway account, in their order. */
  clearing: z.array(account),
});

const NONE = { code: '', name: '', trackingClass: '' };

/** The accounts of the books that money is posted to, as the merchant's software knows them. */
export function MappingDialog({
  books,
  setting,
  onClose,
}: {
  books: { readonly merchantId: string; readonly mode: Mode };
  setting: AccountingSetting;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { accounts, timeZone, mapping } = setting;
  const [zones, setZones] = useState<readonly SelectOption[]>([{ value: timeZone, label: timeZone }]);
  // In the browser alone: the server may know other zones.
  useEffect(() => setZones(zoneOptions()), []);
  const change = useMutation(
    trpc.journal.changeSetting.mutationOptions({ onSuccess: () => queries.invalidateQueries(trpc.journal.pathFilter()) }),
  );
  const { clearing: known, ...rest } = mapping;
  const form = useForm({
    schema,
    values: { timeZone, mapping: rest, clearing: accounts.map(({ accountId }) => known[accountId] ?? NONE) },
    async onSubmit({ clearing: entered, mapping: postings, ...others }) {
      const clearing = Object.fromEntries(accounts.map(({ accountId }, at) => [accountId, entered[at] ?? NONE]));
      await change.mutateAsync({ ...books, ...others, mapping: { ...postings, clearing } });
      return done('Account mapping saved.');
    },
    onDone: onClose,
  });
  return (
    <FormDialog title="Account mapping" form={form} action="Save mapping" onClose={onClose}>
      <p className="text-ink-quiet text-sm">
        QuickBooks Online finds an account by its whole name (<em>Expenses:Gateway fees</em>), Xero and Sage 50 by its code. A
        class is a class in QuickBooks, an option of a tracking category in Xero, a department number in Sage. Xero takes no
        journal on a bank account: its file posts payouts to the bank clearing account.
      </p>

      {BOOK_ACCOUNTS.map((posting) => (
        <Group key={posting} title={POSTING_NAMES[posting]} about={POSTING_MEANINGS[posting]}>
          <form.Text name={`mapping.postings.${posting}.code`} label="Code" />
          <form.Text name={`mapping.postings.${posting}.name`} label="Name" />
          <form.Text name={`mapping.postings.${posting}.trackingClass`} label="Class" />
        </Group>
      ))}
      {accounts.map(({ accountId, accountLabel, gatewayTitle }, at) => (
        <Group key={accountId} title={`Clearing of ${accountLabel}`} about={`What ${gatewayTitle} holds for the merchant.`}>
          <form.Text name={`clearing.${at}.code`} label="Code" />
          <form.Text name={`clearing.${at}.name`} label="Name" />
          <form.Text name={`clearing.${at}.trackingClass`} label="Class" />
        </Group>
      ))}
      <div className="grid gap-3 grid-cols-2 max-phone:grid-cols-1">
        <form.Text name="mapping.taxRate" label="Tax rate in Xero" description="Its whole name, such as Tax Exempt." />
        <form.Text
          name="mapping.trackingCategory"
          label="Tracking category in Xero"
          description="Of which the classes are options."
        />
      </div>
      <form.Select name="timeZone" label="Time zone" options={zones} description="Its days and months are meant." />
    </FormDialog>
  );
}

function Group({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0 m-0 p-0 border-0">
      <legend className="p-0 mb-1 text-sm font-medium">
        {title} <span className="text-ink-faint text-xs font-normal">{about}</span>
      </legend>
      <div className="grid gap-2 grid-cols-[96px_minmax(0,1fr)_128px] max-phone:grid-cols-2">{children}</div>
    </fieldset>
  );
}
