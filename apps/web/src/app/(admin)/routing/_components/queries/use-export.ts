'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { saveFile } from '#/components/export-button/download.ts';
import { showToast } from '#/components/toasts/toast-store.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useMerchantName, useRoutingScope } from './use-routing.ts';

type Rules =
  | { readonly kind: 'published' }
  | { readonly kind: 'version'; readonly version: number }
  | { readonly kind: 'draft'; readonly draftId: string };

/** Exports a rule set as a file: accounts by label, the same text for the same rules. */
export function useExport() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const scope = useRoutingScope();
  const merchant = useMerchantName();
  const [busy, setBusy] = useState(false);

  async function save(rules: Rules, what: string): Promise<void> {
    setBusy(true);
    try {
      const outcome = await queries.fetchQuery(trpc.routing.versions.export.queryOptions({ ...scope, rules }, { staleTime: 0 }));
      if (outcome.kind === 'exported')
        saveFile(
          new Blob([outcome.text], { type: 'application/json' }),
          `${slug(`${merchant} rules ${scope.mode} ${what}`)}.json`,
        );
      else if (outcome.kind === 'not_found') showToast({ tone: 'bad', text: 'There is nothing published to export yet.' });
      else {
        const [first] = outcome.problems;
        showToast({ tone: 'bad', text: `These rules cannot be exported: ${first?.field ?? ''} ${first?.message ?? ''}.` });
      }
    } catch (error) {
      showToast({ tone: 'bad', text: error instanceof Error ? error.message : 'The file could not be made. Try again.' });
    } finally {
      setBusy(false);
    }
  }

  return { save, busy };
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
