'use client';

import { IconArrowBackUp, IconArrowForwardUp, IconDots } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Popup } from '#/components/popup/popup.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { reportRefusal } from '#/forms/reply.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { draftName, Eligibility } from '../list/draft-strip.tsx';
import { useExport } from '../queries/use-create-draft.ts';
import { usePeople, useRoutingScope } from '../queries/use-routing.ts';
import { counted } from '../rules/copy.ts';
import type { EditedDraft } from './use-draft.ts';

const ConfirmDialog = dynamic(() => import('#/forms/form-dialog.tsx').then((module) => module.ConfirmDialog));

/** The draft's name, its save state, and its actions. */
export function DraftHead({ edited, mayWrite, may }: { edited: EditedDraft; mayWrite: boolean; may: boolean }) {
  const { draft, undo, redo, step } = edited;
  const { nameOf } = usePeople();
  const exporting = useExport();
  const [discarding, setDiscarding] = useState(false);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0.5 items-start">
      <div className="flex flex-wrap gap-x-3 gap-y-1 items-center">
        <Name edited={edited} mayWrite={mayWrite} />
        <Eligibility draft={draft} />
        <SaveLine edited={edited} may={may} />
      </div>
      <p className="col-1 text-ink-faint text-sm">
        {draft.baseVersion === 0 ? 'Based on no version' : `Based on version ${draft.baseVersion}`}
        {draft.restoredVersion !== null && `, a copy of version ${draft.restoredVersion}`}, created by {nameOf(draft.createdBy)}
        {draft.editors.filter((editor) => editor !== draft.createdBy).length > 0 &&
          `, with ${draft.editors
            .filter((editor) => editor !== draft.createdBy)
            .map(nameOf)
            .join(', ')}`}
      </p>
      <div className="flex row-1 col-2 gap-0.5">
        {may && (
          <>
            <Step label="Undo" what={undo} disabled={!mayWrite} onClick={() => step('undo')} icon={IconArrowBackUp} />
            <Step label="Redo" what={redo} disabled={!mayWrite} onClick={() => step('redo')} icon={IconArrowForwardUp} />
          </>
        )}
        <Popup
          label="More about this draft"
          align="end"
          button={{
            className: 'icon-button',
            'aria-label': 'More',
            title: 'More',
            children: <IconDots size={18} stroke={1.7} aria-hidden="true" />,
          }}
          content={(close) => (
            <div className="grid gap-2">
              <Button
                onClick={() => {
                  close();
                  void edited.flush().then(() => exporting.save({ kind: 'draft', draftId: draft.draftId }, draftName(draft)));
                }}
              >
                Export as a file
              </Button>
              {mayWrite && (
                <Button
                  variant="danger"
                  onClick={() => {
                    close();
                    setDiscarding(true);
                  }}
                >
                  Discard draft
                </Button>
              )}
            </div>
          )}
        />
      </div>
      {discarding && <Discard edited={edited} onClose={() => setDiscarding(false)} />}
    </div>
  );
}

function Step({
  label,
  what,
  disabled,
  onClick,
  icon: Glyph,
}: {
  label: string;
  what: { readonly did: string } | null;
  disabled: boolean;
  onClick: () => void;
  icon: typeof IconArrowBackUp;
}) {
  const name = what === null ? label : `${label}: ${what.did}`;
  return (
    <button
      type="button"
      className="icon-button"
      disabled={disabled || what === null}
      onClick={onClick}
      aria-label={name}
      title={name}
    >
      <Glyph size={18} stroke={1.7} aria-hidden="true" />
    </button>
  );
}

/** The name, edited in place and stored as it is left. */
function Name({ edited, mayWrite }: { edited: EditedDraft; mayWrite: boolean }) {
  const { draft, rename } = edited;
  // Typed text stays when another person saves the draft meanwhile.
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? draft.name ?? '';
  if (!mayWrite) return <h1 className="text-2xl font-semibold tracking-[-0.015em] leading-[1.25]">{draftName(draft)}</h1>;
  async function store(): Promise<null> {
    if (text.trim() !== (draft.name ?? '')) await rename(text);
    setTyped(null);
    return null;
  }
  return (
    <>
      <h1 className="sr-only">{draftName(draft)}</h1>
      <input
        className="max-w-full h-9 -ml-1.75 px-1.5 border border-transparent rounded-md bg-transparent text-ink text-2xl font-semibold tracking-[-0.015em] [field-sizing:content] hover:border-line-strong placeholder:text-ink placeholder:opacity-100"
        aria-label="Name of the draft"
        placeholder={draftName({ name: null, createdAt: draft.createdAt })}
        maxLength={120}
        size={Math.max(18, text.length + 1)}
        value={text}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => void reportRefusal(store())}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      />
    </>
  );
}

function SaveLine({ edited, may }: { edited: EditedDraft; may: boolean }) {
  const { saved, flush, draft } = edited;
  if (!may)
    return <span className="text-ink-faint text-sm data-[bad=true]:text-bad-ink">Read only: your role cannot change rules</span>;
  if (draft.state === 'SCHEDULED')
    return <span className="text-ink-faint text-sm data-[bad=true]:text-bad-ink">Cannot be changed while it is scheduled</span>;
  return (
    <span className="text-ink-faint text-sm data-[bad=true]:text-bad-ink" data-bad={saved.kind === 'failed'} role="status">
      {saved.kind === 'saved' && 'Saved'}
      {(saved.kind === 'waiting' || saved.kind === 'saving') && 'Saving'}
      {saved.kind === 'conflict' && 'Not saved: another person saved first'}
      {saved.kind === 'failed' && (
        <>
          Not saved: {saved.message}{' '}
          <button type="button" className="text-inherit underline" onClick={() => void flush()}>
            Try again
          </button>
        </>
      )}
    </span>
  );
}

function Discard({ edited, onClose }: { edited: EditedDraft; onClose: () => void }) {
  const { draft } = edited;
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const router = useRouter();
  const queries = useQueryClient();
  const discard = useMutation(trpc.routing.drafts.discard.mutationOptions());
  async function go(): Promise<string | null> {
    await edited.flush();
    const outcome = await discard.mutateAsync({
      merchantId: scope.merchantId,
      draftId: draft.draftId,
      revision: edited.storedRevision(),
    });
    if (outcome.kind === 'stale') return 'Another person has just saved this draft. Review the changes first.';
    if (outcome.kind === 'not_a_draft') return 'It is no longer a draft: it was scheduled, published or discarded.';
    await queries.invalidateQueries(trpc.routing.drafts.list.queryFilter(scope));
    router.push(hrefIn(scope, '/routing'));
    showToast({ text: `${draftName(draft)} was discarded. The active rules have not changed.` });
    return null;
  }
  return (
    <ConfirmDialog
      title={`Discard ${draftName(draft)}?`}
      action="Discard draft"
      variant="danger"
      onConfirm={go}
      onClose={onClose}
    >
      <p>Its {counted(edited.document.rules.length, 'rule')} will be discarded. The active rules do not change.</p>
    </ConfirmDialog>
  );
}
