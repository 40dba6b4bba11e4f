'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { saveFile } from '#/components/export-button/download.ts';
import { showToast } from '#/components/toasts/toast-store.ts';
import type { Month } from '#/copy/accounting.ts';
import { failureText } from '#/forms/failure-text.ts';
import { useTRPC } from '#/trpc/client.tsx';

const TYPES = { json: 'application/json', csv: 'text/csv;charset=utf-8' } as const;

/** Saves the frozen bytes of a month as a file, as they were hashed. */
export function useMonthFile({ merchantId, mode, month }: Month) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [isSaving, setIsSaving] = useState(false);
  async function save(format: keyof typeof TYPES) {
    setIsSaving(true);
    try {
      const file = await queries.fetchQuery(trpc.monthClose.file.queryOptions({ merchantId, mode, month, format }));
      saveFile(new Blob([file.content], { type: TYPES[format] }), file.name);
    } catch (error) {
      showToast({ text: failureText(error) });
    } finally {
      setIsSaving(false);
    }
  }
  return { save, isSaving };
}
