'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { saveFile } from '#/components/export-button/download.ts';
import { showToast } from '#/components/toasts/toast-store.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useMerchantName, useRoutingScope } from './use-routing.ts';

/** The created draft, or the reason why none was created. */
export type CreateOutcome = RouterOutputs['routing']['drafts']['create'];
type From =
  | { readonly kind: 'published' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'version'; readonly version: number }
  | { readonly kind: 'file'; readonly file: unknown };

/** Begins a draft and goes there; `query` is added to its address. With `instead`, going back does not lead here again. */
export function useCreateDraft() {
  const trpc = useTRPC();
  const router = useRouter();
  const queries = useQueryClient();
  const scope = useRoutingScope();
  const create = useMutation(trpc.routing.drafts.create.mutationOptions());

  async function begin(
    from: From,
    query: Readonly<Record<string, string>> = {},
    { instead = false } = {},
  ): Promise<CreateOutcome | null> {
    try {
      const outcome = await create.mutateAsync({ ...scope, from });
      if (outcome.kind === 'created') {
        await queries.invalidateQueries(trpc.routing.drafts.list.queryFilter(scope));
        const href = hrefIn(scope, `/routing/drafts/${outcome.draft.draftId}`, query);
        if (instead) router.replace(href);
        else router.push(href);
      } else if (outcome.kind !== 'invalid') {
        showToast({ tone: 'bad', text: whyNot(outcome) });
      }
      return outcome;
    } catch (error) {
      showToast({ tone: 'bad', text: error instanceof Error ? error.message : 'The draft could not be created. Try again.' });
      return null;
    }
  }

  return {
    begin,
    busy: create.isPending,
    /** Problem of the file that a draft was last to begin from, until `reset`. */
    problems: create.data?.kind === 'invalid' ? create.data.problems : [],
    reset: create.reset,
  };
}

function whyNot(outcome: Exclude<CreateOutcome, { kind: 'created' | 'invalid' }>): string {
  switch (outcome.kind) {
    case 'too_many_drafts':
      return `There are already ${outcome.limit} drafts. Discard one first.`;
    case 'unknown_version':
      return 'This version no longer exists.';
    case 'not_found':
      return 'This merchant no longer exists.';
    default:
      return outcome satisfies never;
  }
}

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
