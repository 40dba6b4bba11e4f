'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { Select } from '#/components/select/select.tsx';
import { SecretDialog } from '#/components/shown-once/secret-dialog.tsx';
import { FORMAT_LABELS, type Format } from '#/copy/webhooks.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { type EndpointDraft, EndpointFields, type Problems, problemsOf, refusedBy, settingsOf } from './endpoint-form.tsx';
import classes from './webhooks-page.module.css';

/** The format a link asks for. */
const formatParser = parseAsStringLiteral<Format>(['switchyard', 'paystack', 'flutterwave']).withDefault('switchyard');

/** Adds an endpoint, and shows its signing secret once. */
export function CreateDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const scope = useScope();
  const { data: merchants } = useQuery(trpc.merchants.list.queryOptions(undefined, { staleTime: 60_000 }));
  const [format] = useQueryState('format', formatParser);
  const [draft, setDraft] = useState<EndpointDraft>({ url: '', description: '', all: true, types: [], format, secret: '' });
  const [chosen, setChosen] = useState<string | null>(null);
  const [problems, setProblems] = useState<Problems>({});
  const [made, setMade] = useState<{ secret: string; endpointId: string } | null>(null);
  const create = useMutation(trpc.webhooks.create.mutationOptions());
  const only = merchants?.length === 1 ? (merchants[0]?.merchantId ?? null) : null;
  const merchantId = scope.merchantId ?? chosen ?? only;

  async function confirm() {
    const wrong = problemsOf(draft);
    if (merchantId === null || Object.keys(wrong).length > 0) {
      setProblems({ ...wrong, ...(merchantId === null && { merchant: 'must be chosen' }) });
      return;
    }
    const outcome = await create.mutateAsync({ merchantId, mode: scope.mode, ...settingsOf(draft), ...formatIn(draft) });
    switch (outcome.kind) {
      case 'created':
        setMade(outcome);
        onDone();
        return;
      case 'invalid':
        setProblems(refusedBy(outcome.problems));
        return;
      case 'too_many_endpoints':
        setProblems({ url: `cannot be one more: the merchant has ${outcome.most} ${scope.mode} endpoints` });
        return;
      default:
        return outcome satisfies never;
    }
  }

  if (made !== null) {
    const path = hrefIn({ ...scope, merchantId }, `/webhooks/endpoints/${made.endpointId}`);
    return (
      <SecretDialog
        title="The endpoint was added"
        secret={made.secret}
        label="the signing secret"
        advice={
          draft.format === 'switchyard'
            ? 'The receiver verifies with it that a message is ours. Events are sent from now on; a test event shows whether they arrive.'
            : `Messages are signed with it as ${FORMAT_LABELS[draft.format]} signs. Events are sent from now on; a test event shows whether they arrive.`
        }
        onClose={onClose}
        onStored={() => router.push(path)}
      />
    );
  }
  return (
    <Dialog title={`Add a ${scope.mode} endpoint`} dirty={draft.url !== ''} onClose={onClose}>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void confirm().catch(() => undefined);
        }}
      >
        {scope.merchantId === null && merchants !== undefined && merchants.length > 1 && (
          <Select
            label="Merchant"
            placeholder="Select a merchant"
            options={merchants.map(({ merchantId: value, name }) => ({ value, label: name }))}
            value={chosen}
            error={problems.merchant ?? null}
            onChange={setChosen}
          />
        )}
        <EndpointFields
          draft={draft}
          problems={problems}
          isNew
          onChange={(next) => {
            setDraft({ ...next, types: [...next.types] });
            setProblems({});
          }}
        />
        <Refusal message={create.error?.message ?? null} />
        <DialogActions onCancel={onClose}>
          <Button variant="accent" type="submit" loading={create.isPending}>
            Add endpoint
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** The format of a draft, and its secret where one was chosen. */
function formatIn({ format, secret }: EndpointDraft) {
  return { format, secret: format === 'switchyard' || secret === '' ? null : secret };
}
