'use client';

import { useQuery } from '@tanstack/react-query';
import { useNames } from '#/app/(admin)/health/_components/use-health.ts';
import { Button } from '#/components/button/button.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { describeActor } from '#/copy/health.ts';
import type { Mode } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useMay } from '#/trpc/use-may.ts';
import { PreviewTable, sumPreview } from './preview-table.tsx';
import { PublishDialog } from './publish-dialog.tsx';
import { GROUPS, unitOf, writeAll } from './threshold-fields.ts';
import { ThresholdGroupFields } from './threshold-group.tsx';
import classes from './thresholds-page.module.css';
import { type KnownThresholds, type ThresholdsDraft, usePublication, useThresholdsDraft } from './use-thresholds-form.ts';

interface ThresholdsFormProps {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly known: KnownThresholds;
}

/** Every threshold with its default; changes are previewed on the last month before they can be applied. */
export function ThresholdsForm({ merchantId, mode, known }: ThresholdsFormProps) {
  const trpc = useTRPC();
  const { data: merchants } = useQuery(trpc.merchants.list.queryOptions(undefined, { staleTime: 60_000 }));
  const merchantName = merchants?.find((one) => one.merchantId === merchantId)?.name ?? 'this merchant';
  const mayAct = useMay()('routing:publish', merchantId);
  const draft = useThresholdsDraft(known);
  const publication = usePublication({ merchantId, mode, merchantName }, known, draft);
  const { preview } = publication;

  function change(next: Parameters<ThresholdsDraft['change']>[0]) {
    draft.change(next);
    publication.forgetPreview();
  }

  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void publication.tryOut().catch(() => undefined);
      }}
    >
      <Lead known={known} merchantName={merchantName} mode={mode} mayAct={mayAct} />
      {GROUPS.map((group) => (
        <ThresholdGroupFields key={group.title} group={group} draft={draft} defaults={known.defaults} onChange={change} />
      ))}
      <Refusal message={publication.failure} />
      <Actions
        draft={draft}
        publication={publication}
        mayAct={mayAct}
        onUndo={() => change(draft.written)}
        onDefaults={() => change(writeAll(known.defaults))}
      />
      {preview !== null && <PreviewTable preview={preview} />}
      {publication.isAsking && preview !== null && (
        <PublishDialog
          merchantName={merchantName}
          mode={mode}
          changed={draft.changed.map(({ name, label, kind }) => ({
            label,
            from: draft.written[name],
            to: draft.texts[name],
            unit: unitOf(kind),
          }))}
          sum={sumPreview(preview)}
          busy={publication.isPublishing}
          onConfirm={() => void publication.publish().catch(() => publication.stopAsking())}
          onClose={publication.stopAsking}
        />
      )}
    </form>
  );
}

/** Who changed the thresholds last, and what the person may do here. */
function Lead({
  known: { updatedAt, updatedBy },
  merchantName,
  mode,
  mayAct,
}: Pick<ThresholdsFormProps, 'known' | 'mode'> & { merchantName: string; mayAct: boolean }) {
  const names = useNames([updatedBy]);
  return (
    <p className={classes.lead}>
      {updatedAt === null || updatedBy === null ? (
        `${merchantName} uses the defaults in ${mode} mode.`
      ) : (
        <>
          Last changed by {describeActor(updatedBy, names)}, <Moment value={updatedAt} />, for {merchantName} in {mode} mode.
        </>
      )}
      {!mayAct && ' Only operators and owners can change them; any role can try them on past data.'}
    </p>
  );
}

function Actions({
  draft: { changed },
  publication: { preview, isTrying, ask },
  mayAct,
  onUndo,
  onDefaults,
}: {
  draft: ThresholdsDraft;
  publication: ReturnType<typeof usePublication>;
  mayAct: boolean;
  onUndo: () => void;
  onDefaults: () => void;
}) {
  const isDirty = changed.length > 0;
  return (
    <div className={classes.actions}>
      <Button type="submit" loading={isTrying} variant={preview === null ? 'accent' : 'plain'}>
        {isTrying ? 'Trying on last month' : 'Try on last month'}
      </Button>
      {mayAct && (
        <Button
          variant={preview !== null && isDirty ? 'accent' : 'plain'}
          disabled={preview === null || !isDirty}
          onClick={ask}
          title={preview === null ? 'Try them on last month first' : undefined}
        >
          Publish
        </Button>
      )}
      {isDirty && <Button onClick={onUndo}>Undo changes</Button>}
      <Button onClick={onDefaults}>Reset to defaults</Button>
      <span className={classes.count}>
        {isDirty ? `${changed.length} ${changed.length === 1 ? 'change' : 'changes'} not published` : 'No changes'}
      </span>
    </div>
  );
}
