'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { Button } from '#/components/button/button.tsx';
import { ChooseMerchant } from '#/components/choose-merchant/choose-merchant.tsx';
import { ListTools } from '#/components/list/list-tools.tsx';
import { useList } from '#/components/list/use-list.ts';
import { wholeList } from '#/components/list/use-noun-list.ts';
import { PageHead } from '#/components/page/page-head.tsx';
import { SegmentedControl } from '#/components/segmented-control/segmented-control.tsx';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import { countOthers, isUsable, KEY_LIST, KeysTable } from './keys-table.tsx';

const IssueDialog = dynamic(() => import('./key-dialogs.tsx').then((module) => module.IssueDialog));
const ChangeDialog = dynamic(() => import('./key-dialogs.tsx').then((module) => module.ChangeDialog));
const RotateDialog = dynamic(() => import('./key-dialogs.tsx').then((module) => module.RotateDialog));
const RevokeDialog = dynamic(() => import('./key-dialogs.tsx').then((module) => module.RevokeDialog));

const doingParsers = { do: parseAsStringLiteral(['issue', 'change', 'rotate', 'revoke'] as const), key: parseAsString };
const viewParsers = { ended: parseAsBoolean.withDefault(false) };

/** A merchant's API keys: created, rotated and revoked here. */
export function KeysPage() {
  const { merchantId, mode } = useScope();
  if (merchantId === null) {
    return (
      <>
        <PageHead title="API keys" />
        <ChooseMerchant path="/keys" why="A key belongs to one merchant and one mode." figure="keys" />
      </>
    );
  }
  return <KeysOf key={`${merchantId}|${mode}`} merchantId={merchantId} />;
}

function KeysOf({ merchantId }: { merchantId: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const can = useCan();
  const mayIssue = can('key:issue', merchantId);
  const mayRotate = can('key:rotate', merchantId);
  const mayRevoke = can('key:revoke', merchantId);
  const { mode } = useScope();
  const tools = useList(KEY_LIST);
  const [{ ended }, setView] = useQueryStates(viewParsers);
  const [doing, setDoing] = useQueryStates(doingParsers, { history: 'push' });
  const query = useQuery(
    trpc.keys.list.queryOptions({ merchantId, mode }, { refetchInterval: 15_000, placeholderData: keepPreviousData }),
  );
  const { data } = query;
  const { data: merchants } = useQuery(trpc.merchants.list.queryOptions(undefined, { staleTime: 60_000 }));
  const merchantName = merchants?.find((one) => one.merchantId === merchantId)?.name ?? 'this merchant';
  const close = () => void setDoing({ do: null, key: null });
  const changed = () => void queries.invalidateQueries({ queryKey: trpc.keys.list.queryKey({ merchantId, mode }) });
  const usable = data?.filter(isUsable) ?? [];
  const rows = ended ? (data ?? []).filter((key) => !isUsable(key)) : usable;
  const endedCount = (data?.length ?? 0) - usable.length;
  const chosen = data?.find(({ keyId }) => keyId === doing.key && doing.key !== null);

  return (
    <>
      <PageHead title="API keys">
        {endedCount > 0 && (
          <SegmentedControl
            label="Which keys"
            choices={[
              { value: 'usable', label: `Active (${usable.length})` },
              { value: 'ended', label: `Ended (${endedCount})` },
            ]}
            value={ended ? 'ended' : 'usable'}
            onChange={(value) => void setView({ ended: value === 'ended' })}
          />
        )}
        <ListTools list={tools} />
        {mayIssue && (
          <Button variant="accent" onClick={() => void setDoing({ do: 'issue' })}>
            Create a {mode} key
          </Button>
        )}
      </PageHead>
      <p className="max-w-[720px] mb-4 text-ink-quiet text-sm">
        {merchantName}’s servers send one of these with every call. A {mode} key reaches {mode} accounts and payments, and nothing
        else.
      </p>
      <KeysTable
        list={wholeList(query, data && rows)}
        tools={tools}
        empty={<NoKeys mayIssue={mayIssue} mode={mode} ended={ended} />}
        onChange={mayIssue ? (key) => void setDoing({ do: 'change', key: key.keyId }) : null}
        onRotate={mayRotate ? (key) => void setDoing({ do: 'rotate', key: key.keyId }) : null}
        onRevoke={mayRevoke ? (key) => void setDoing({ do: 'revoke', key: key.keyId }) : null}
      />
      {doing.do === 'issue' && mayIssue && (
        <IssueDialog merchantId={merchantId} merchantName={merchantName} onDone={changed} onClose={close} />
      )}
      {doing.do === 'change' && chosen !== undefined && mayIssue && (
        <ChangeDialog known={chosen} onDone={changed} onClose={close} />
      )}
      {doing.do === 'rotate' && chosen !== undefined && mayRotate && (
        <RotateDialog known={chosen} onDone={changed} onClose={close} />
      )}
      {doing.do === 'revoke' && chosen !== undefined && mayRevoke && (
        <RevokeDialog
          known={chosen}
          others={countOthers(data ?? [], chosen.keyId)}
          merchantName={merchantName}
          onDone={changed}
          onClose={close}
        />
      )}
    </>
  );
}

/** Shown without keys: what a key is for, with an example call. */
function NoKeys({ mayIssue, mode, ended }: { mayIssue: boolean; mode: string; ended: boolean }) {
  if (ended) return <p className="max-w-[720px] mb-4 text-ink-quiet text-sm">No ended keys.</p>;
  return (
    <div className="grid gap-2 py-6">
      <h2 className="text-lg font-semibold">No {mode} keys yet</h2>
      <p className="max-w-[720px] mb-4 text-ink-quiet text-sm">
        The merchant’s server proves who it is with a key, as in <code>Authorization: Bearer sk_{mode}_…</code> It is shown once,
        when it is created; we store only a keyed hash of it.
      </p>
      {!mayIssue && <p className="max-w-[720px] mb-4 text-ink-quiet text-sm">Only owners can create keys.</p>}
    </div>
  );
}
