'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { HealthFailed } from '#/app/(admin)/health/_components/health-skeleton.tsx';
import { useNames } from '#/app/(admin)/health/_components/use-health.ts';
import { Button } from '#/components/button/button.tsx';
import { ChooseMerchant } from '#/components/choose-merchant/choose-merchant.tsx';
import { BackLink, PageHead } from '#/components/page/page-head.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { describeActor } from '#/copy/health.ts';
import { describeLength } from '#/format/moments.ts';
import type { FieldsOf } from '#/forms/bound-fields.tsx';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { ConfirmDialog } from '#/forms/form-dialog.tsx';
import { type FormState, useForm } from '#/forms/use-form.ts';
import { hrefIn, type Mode } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useCan } from '#/trpc/use-can.ts';
import { type PreviewSum, PreviewTable, sumPreview } from './preview-table.tsx';
import {
  FIELDS,
  GROUPS,
  type ThresholdField,
  type ThresholdGroup,
  type Thresholds,
  type ThresholdTexts,
  thresholdsSchema,
  unitOf,
  writeAll,
  writeThreshold,
} from './threshold-fields.ts';

/** The active thresholds, their defaults and bounds, as the server returns them. */
export type KnownThresholds = RouterOutputs['health']['thresholds'];

/** The thresholds of a form, tried on the past. */
type ThresholdsPreview = Extract<RouterOutputs['health']['previewThresholds'], { kind: 'preview' }>;

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
    // The fields that were not edited follow the active thresholds.
    await queries.invalidateQueries({ queryKey: trpc.health.thresholds.queryKey({ merchantId, mode }) });
    if (outcome.kind === 'stale') {
      showToast({
        text: 'Another person has changed the thresholds. Yours are kept: try them again beside theirs.',
        tone: 'bad',
      });
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

/** The person who changed the thresholds last, and what the reader may do here. */
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

/** Confirmation before thresholds are applied, with the changes and their effect on past outcomes. */
function PublishDialog({
  merchantName,
  mode,
  changed,
  sum,
  onConfirm,
  onClose,
}: {
  merchantName: string;
  mode: Mode;
  changed: readonly { readonly label: string; readonly from: string; readonly to: string; readonly unit: string }[];
  sum: PreviewSum;
  onConfirm: () => Promise<null>;
  onClose: () => void;
}) {
  return (
    <ConfirmDialog
      title={`Publish thresholds of ${merchantName}?`}
      action="Publish thresholds"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <ul className="grid gap-1 text-sm tabular-nums">
        {changed.map(({ label, from, to, unit }) => (
          <li key={label}>
            {label}: {from} → <strong>{to}</strong> {unit}
          </li>
        ))}
      </ul>
      <p className="py-2.5 px-3 border-l-3 border-wait bg-wait-soft text-sm">
        All {mode} payments are routed by them within seconds. Last month, accounts would have been down{' '}
        <strong>{times(sum.proposed.down)}</strong> instead of {times(sum.inForce.down)} and degraded{' '}
        <strong>{times(sum.proposed.degraded)}</strong> instead of {times(sum.inForce.degraded)}, unhealthy for{' '}
        <strong>{length(sum.proposed.unhealthyMs)}</strong> instead of {length(sum.inForce.unhealthyMs)}.
      </p>
    </ConfirmDialog>
  );
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function length(ms: number): string {
  return ms === 0 ? 'no time' : describeLength(ms);
}

const YES_OR_NO = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
] as const;

interface GroupProps {
  readonly form: Pick<FormState<ThresholdTexts>, keyof FieldsOf<ThresholdTexts> | 'entered'>;
  readonly defaults: Thresholds;
}

/** The thresholds under one heading, each with its default. */
function ThresholdGroupFields({ group: { title, lead, fields }, ...props }: GroupProps & { group: ThresholdGroup }) {
  return (
    <fieldset className="grid gap-3 min-w-0 m-0 p-0 border-0">
      <legend className="p-0 text-base font-semibold">{title}</legend>
      <p className="max-w-[720px] text-ink-quiet text-sm">{lead}</p>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,280px),1fr))] gap-x-6 gap-y-4">
        {fields.map((field) => (
          <Field key={field.name} field={field} {...props} />
        ))}
      </div>
    </fieldset>
  );
}

function Field({ field: { name, kind, label }, form, defaults }: GroupProps & { field: ThresholdField }) {
  if (kind === 'switch') return <form.Radio name={name} label={label} choices={YES_OR_NO} />;
  const standard = writeThreshold(defaults[name], kind);
  return (
    <form.Number
      name={name}
      label={label}
      {...(unitOf(kind) !== '' && { unit: unitOf(kind) })}
      min={0}
      decimals={kind === 'count' ? 0 : 3}
      description={form.entered[name] === standard ? 'Default' : `Default: ${standard}`}
    />
  );
}

/** A merchant's health thresholds: shown, previewed on past outcomes, and changed. */
export function ThresholdsPage() {
  const scope = useScope();
  return (
    <div className="max-w-[1080px]">
      <BackLink href={hrefIn(scope, '/health')}>Health</BackLink>
      <PageHead title="Health thresholds" />
      {scope.merchantId === null ? (
        <ChooseMerchant
          path="/health/thresholds"
          why="Each merchant has its own thresholds, in test and in live mode."
          figure="health"
        />
      ) : (
        <OfMerchant key={`${scope.merchantId}|${scope.mode}`} merchantId={scope.merchantId} />
      )}
    </div>
  );
}

function OfMerchant({ merchantId }: { merchantId: string }) {
  const trpc = useTRPC();
  const { mode } = useScope();
  const { data, isError, error, refetch } = useQuery(
    trpc.health.thresholds.queryOptions({ merchantId, mode }, { staleTime: Number.POSITIVE_INFINITY }),
  );
  if (data !== undefined) return <ThresholdsForm merchantId={merchantId} mode={mode} known={data} />;
  if (isError) return <HealthFailed message={error.message} onRetry={() => void refetch()} />;
  return <div className="h-[420px] rounded-sm bg-ground-quiet" role="status" aria-label="Loading thresholds" />;
}
