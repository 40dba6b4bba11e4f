'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNames } from '#/app/(admin)/health/_components/use-health.ts';
import { Button } from '#/components/button/button.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { describeActor } from '#/copy/health.ts';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import type { Mode } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useCan } from '#/trpc/use-can.ts';
import { PreviewTable, sumPreview } from './preview-table.tsx';
import { PublishDialog } from './publish-dialog.tsx';
import { FIELDS, GROUPS, thresholdsSchema, unitOf, writeAll } from './threshold-fields.ts';
import { ThresholdGroupFields } from './threshold-group.tsx';

/** The active thresholds, their defaults and bounds, as the server returns them. */
export type KnownThresholds = RouterOutputs['health']['thresholds'];

/** The thresholds of a form, tried on the past. */
export type ThresholdsPreview = Extract<RouterOutputs['health']['previewThresholds'], { kind: 'preview' }>;

interface ThresholdsFormProps {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly known: KnownThresholds;
}

const MONTH_DAYS = 31;

/** Every threshold with its default; changes are previewed on the last month before they can be applied. */
export function ThresholdsForm({ merchantId, mode, known }: ThresholdsFormProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { data: merchants } = useQuery(trpc.merchants.list.queryOptions(undefined, { staleTime: 60_000 }));
  const merchantName = merchants?.find((one) => one.merchantId === merchantId)?.name ?? 'this merchant';
  const mayAct = useCan()('routing:publish', merchantId);
  const put = useMutation(trpc.health.changeThresholds.mutationOptions());
  const [isAsking, setAsking] = useState(false);
  /** The latest trial, and the texts that were tried: once they are edited, nothing is known of them. */
  const [trial, setTrial] = useState<{ preview: ThresholdsPreview; texts: string } | null>(null);
  const written = writeAll(known.inForce);
  const schema = thresholdsSchema(known.bounds);
  const form = useForm({
    schema,
    values: written,
    async onSubmit(thresholds, { entered }) {
      const input = { merchantId, mode, days: MONTH_DAYS, thresholds };
      const outcome = await queries.fetchQuery(trpc.health.previewThresholds.queryOptions(input, { staleTime: 0 }));
      if (outcome.kind !== 'preview') return outcome.problems;
      setTrial({ preview: outcome, texts: JSON.stringify(entered) });
      return null;
    },
  });
  const preview = trial?.texts === JSON.stringify(form.entered) ? trial.preview : null;
  const changed = FIELDS.filter(({ name }) => form.entered[name] !== written[name]);

  async function publish() {
    const thresholds = schema.parse(form.entered);
    const outcome = await put.mutateAsync({ merchantId, mode, thresholds, revision: known.revision });
    if (outcome.kind === 'invalid') return outcome.problems;
    // The form follows the active thresholds; typing into it is blocked meanwhile.
    await queries.invalidateQueries({ queryKey: trpc.health.thresholds.queryKey({ merchantId, mode }) });
    if (outcome.kind === 'stale') {
      form.discard();
      showToast({ text: 'Another person has changed the thresholds. Review the new ones, then change them again.', tone: 'bad' });
    } else showToast({ text: `Thresholds of ${merchantName} are active.` });
    setTrial(null);
    return null;
  }

  return (
    <>
      <Form form={form} className="grid gap-7">
        <Lead known={known} merchantName={merchantName} mode={mode} mayAct={mayAct} />
        {GROUPS.map((group) => (
          <ThresholdGroupFields key={group.title} group={group} form={form} defaults={known.defaults} />
        ))}
        <FormRefusal />
        <div className="sticky bottom-0 flex flex-wrap gap-2 items-center py-3 border-t border-line bg-ground">
          <SubmitButton variant={preview === null ? 'accent' : 'plain'}>
            {form.isSubmitting ? 'Trying on last month' : 'Try on last month'}
          </SubmitButton>
          {mayAct && (
            <Button
              variant={preview !== null && form.isDirty ? 'accent' : 'plain'}
              disabled={preview === null || !form.isDirty}
              onClick={() => setAsking(true)}
              title={preview === null ? 'Try them on last month first' : undefined}
            >
              Publish
            </Button>
          )}
          {form.isDirty && <Button onClick={form.discard}>Undo changes</Button>}
          <Button onClick={() => form.enter(writeAll(known.defaults))}>Reset to defaults</Button>
          <span className="text-ink-faint text-xs">
            {form.isDirty ? `${changed.length} ${changed.length === 1 ? 'change' : 'changes'} not published` : 'No changes'}
          </span>
        </div>
        {preview !== null && <PreviewTable preview={preview} />}
      </Form>
      {isAsking && preview !== null && (
        <PublishDialog
          merchantName={merchantName}
          mode={mode}
          changed={changed.map(({ name, label, kind }) => ({
            label,
            from: written[name],
            to: form.entered[name],
            unit: unitOf(kind),
          }))}
          sum={sumPreview(preview)}
          onConfirm={async () => {
            // Refusals are shown at the fields behind.
            await form.run(publish);
            return null;
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
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
    <p className="max-w-[720px] text-ink-quiet text-sm">
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
