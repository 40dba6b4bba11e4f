'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Button } from '../../../../../components/button.tsx';
import { TextField } from '../../../../../components/field/field.tsx';
import { Moment } from '../../../../../components/moment.tsx';
import { RadioGroup } from '../../../../../components/radio-group/radio-group.tsx';
import { Refusal } from '../../../../../components/refusal.tsx';
import { showToast } from '../../../../../components/toasts/toast-store.ts';
import { describeActor } from '../../../../../copy/health.ts';
import type { Mode } from '../../../../../scope/scope.ts';
import { useTRPC } from '../../../../../trpc/client.tsx';
import type { RouterOutputs } from '../../../../../trpc/outputs.ts';
import { useMay } from '../../../../../trpc/use-may.ts';
import { useNames } from '../../_components/use-health.ts';
import { PreviewTable, sumPreview } from './preview-table.tsx';
import { PublishDialog } from './publish-dialog.tsx';
import { GROUPS, readThreshold, type ThresholdField, unitOf, writeAll, writeThreshold } from './threshold-fields.ts';
import classes from './thresholds-page.module.css';

type Known = RouterOutputs['health']['thresholds'];
type Preview = Extract<RouterOutputs['health']['previewThresholds'], { kind: 'preview' }>;

const MONTH_DAYS = 31;
const SWITCH = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
] as const;
const FIELDS: readonly ThresholdField[] = GROUPS.flatMap((group) => group.fields);

/** Every threshold with its default; changes are previewed on the last month before they can be applied. */
export function ThresholdsForm({ merchantId, mode, known }: { merchantId: string; mode: Mode; known: Known }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const mayAct = useMay()('routing:publish', merchantId);
  const names = useNames([known.updatedBy]);
  const { data: merchants } = useQuery(trpc.merchants.list.queryOptions(undefined, { staleTime: 60_000 }));
  const [texts, setTexts] = useState(() => writeAll(known.inForce));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map());
  const [preview, setPreview] = useState<Preview | null>(null);
  const [asking, setAsking] = useState(false);
  const put = useMutation(trpc.health.changeThresholds.mutationOptions());

  const read = FIELDS.map((field) => ({ field, result: readThreshold(texts[field.name], field, known.bounds) }));
  const changes = Object.fromEntries(
    read.flatMap(({ field, result }) => ('value' in result ? [[field.name, result.value]] : [])),
  );
  const tried = useMutation({
    mutationFn: (thresholds: typeof changes) =>
      queries.fetchQuery(
        trpc.health.previewThresholds.queryOptions({ merchantId, mode, days: MONTH_DAYS, thresholds }, { staleTime: 0 }),
      ),
  });
  const broken = read.some(({ result }) => 'problem' in result);
  const written = writeAll(known.inForce);
  const changed = FIELDS.filter(({ name }) => texts[name] !== written[name]);
  const isDirty = changed.length > 0;
  useWarning(isDirty);

  function write(next: Partial<typeof texts>) {
    setTexts({ ...texts, ...next });
    setPreview(null);
    setRefused(new Map());
  }

  async function look() {
    if (broken) {
      setLeft(new Set(FIELDS.map(({ name }) => name)));
      return;
    }
    const outcome = await tried.mutateAsync(changes);
    if (outcome.kind === 'preview') setPreview(outcome);
    else setRefused(new Map(outcome.problems.map(({ field, message }) => [field, message])));
  }

  async function putInForce() {
    const outcome = await put.mutateAsync({ merchantId, mode, thresholds: changes, revision: known.revision });
    if (outcome.kind === 'invalid') {
      setAsking(false);
      setRefused(new Map(outcome.problems.map(({ field, message }) => [field, message])));
      return;
    }
    // The form is remounted with the thresholds in force; typing into the old one is blocked meanwhile.
    await queries.invalidateQueries({ queryKey: trpc.health.thresholds.queryKey({ merchantId, mode }) });
    setAsking(false);
    showToast(
      outcome.kind === 'stale'
        ? { text: 'Another person has changed the thresholds. Read the new ones, then change them again.', tone: 'bad' }
        : { text: `Thresholds of ${merchantName} are in force.` },
    );
  }

  const merchantName = merchants?.find((one) => one.merchantId === merchantId)?.name ?? 'this merchant';
  const problemOf = (field: ThresholdField, result: ReturnType<typeof readThreshold>) =>
    refused.get(field.name) ?? (left.has(field.name) && 'problem' in result ? result.problem : null);

  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void look().catch(() => undefined);
      }}
    >
      <p className={classes.lead}>
        {known.updatedAt === null || known.updatedBy === null ? (
          `${merchantName} uses the defaults in ${mode}.`
        ) : (
          <>
            Last changed by {describeActor(known.updatedBy, names)}, <Moment value={known.updatedAt} />. They hold for{' '}
            {merchantName} in {mode}.
          </>
        )}
        {!mayAct && ' Changing them takes the role of an operator or an owner; any role may try them on past data.'}
      </p>
      {GROUPS.map((group) => (
        <fieldset key={group.title} className={classes.group}>
          <legend className={classes.title}>{group.title}</legend>
          <p className={classes.lead}>{group.lead}</p>
          <div className={classes.fields}>
            {group.fields.map((field) => {
              const result = readThreshold(texts[field.name], field, known.bounds);
              const standard = writeThreshold(known.defaults[field.name], field.kind);
              if (field.kind === 'switch') {
                return (
                  <RadioGroup
                    key={field.name}
                    label={field.label}
                    choices={SWITCH}
                    value={texts[field.name] === 'yes' ? 'yes' : 'no'}
                    onChange={(value) => write({ [field.name]: value })}
                  />
                );
              }
              return (
                <TextField
                  key={field.name}
                  label={field.label}
                  unit={unitOf(field.kind)}
                  inputMode="decimal"
                  value={texts[field.name]}
                  problem={problemOf(field, result)}
                  hint={texts[field.name] === standard ? 'The default' : `Default: ${standard}`}
                  onChange={(event) => write({ [field.name]: event.currentTarget.value })}
                  onBlur={() => setLeft(new Set(left).add(field.name))}
                />
              );
            })}
          </div>
        </fieldset>
      ))}
      <Refusal message={tried.error?.message ?? put.error?.message ?? null} />
      <div className={classes.actions}>
        <Button type="submit" busy={tried.isPending} tone={preview === null ? 'accent' : 'plain'}>
          {tried.isPending ? 'Trying on last month' : 'Try on last month'}
        </Button>
        {mayAct && (
          <Button
            tone={preview !== null && isDirty ? 'accent' : 'plain'}
            disabled={preview === null || !isDirty}
            onClick={() => setAsking(true)}
            title={preview === null ? 'Try them on last month first' : undefined}
          >
            Put in force
          </Button>
        )}
        {isDirty && <Button onClick={() => write(written)}>Undo changes</Button>}
        <Button onClick={() => write(writeAll(known.defaults))}>Fill in the defaults</Button>
        <span className={classes.count}>
          {isDirty
            ? `${changed.length} ${changed.length === 1 ? 'threshold differs' : 'thresholds differ'} from what is in force`
            : 'As in force'}
        </span>
      </div>
      {preview !== null && <PreviewTable preview={preview} />}
      {asking && preview !== null && (
        <PublishDialog
          merchantName={merchantName}
          mode={mode}
          changed={changed.map((field) => ({
            label: field.label,
            from: written[field.name],
            to: texts[field.name],
            unit: unitOf(field.kind),
          }))}
          sum={sumPreview(preview)}
          busy={put.isPending}
          onConfirm={() => void putInForce().catch(() => setAsking(false))}
          onClose={() => setAsking(false)}
        />
      )}
    </form>
  );
}

/** Asks for confirmation before unsaved input is lost with the page. */
function useWarning(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isDirty]);
}
