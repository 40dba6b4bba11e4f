'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { showToast } from '#/components/toasts/toast-store.ts';
import { useUnloadWarning } from '#/forms/use-unload-warning.ts';
import type { Mode } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { GROUPS, readThreshold, type ThresholdField, writeAll } from './threshold-fields.ts';

/** The thresholds in force, their defaults and bounds, as the server returns them. */
export type KnownThresholds = RouterOutputs['health']['thresholds'];

/** The thresholds of a form, tried on the past. */
export type ThresholdsPreview = Extract<RouterOutputs['health']['previewThresholds'], { kind: 'preview' }>;

type Texts = ReturnType<typeof writeAll>;

const MONTH_DAYS = 31;
const FIELDS: readonly ThresholdField[] = GROUPS.flatMap((group) => group.fields);

/** State of the form of thresholds: entered texts, their errors, and unsaved changes. */
export function useThresholdsDraft(known: KnownThresholds) {
  const [texts, setTexts] = useState(() => writeAll(known.inForce));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map());
  const read = FIELDS.map((field) => ({ field, result: readThreshold(texts[field.name], field, known.bounds) }));
  const written = writeAll(known.inForce);
  const changed = FIELDS.filter(({ name }) => texts[name] !== written[name]);
  useUnloadWarning(changed.length > 0);
  return {
    texts,
    /** The texts of what is in force. */
    written,
    /** The fields that differ from what is in force. */
    changed,
    /** All values that can be read. */
    values: Object.fromEntries(read.flatMap(({ field, result }) => ('value' in result ? [[field.name, result.value]] : []))),
    isBroken: read.some(({ result }) => 'problem' in result),
    change(next: Partial<Texts>) {
      setTexts({ ...texts, ...next });
      setRefused(new Map());
    },
    leave: (name: string) => setLeft(new Set(left).add(name)),
    leaveAll: () => setLeft(new Set(FIELDS.map(({ name }) => name))),
    /** Shows what the server found wrong, by field. */
    refuse: (problems: readonly { readonly field: string; readonly message: string }[]) =>
      setRefused(new Map(problems.map(({ field, message }) => [field, message]))),
    /** The error of a field, once it was left or the server refused it. */
    problemOf(field: ThresholdField): string | null {
      const result = read.find((one) => one.field === field)?.result;
      return (
        refused.get(field.name) ?? (left.has(field.name) && result !== undefined && 'problem' in result ? result.problem : null)
      );
    },
  };
}

/** State of the form; see {@link useThresholdsDraft}. */
export type ThresholdsDraft = ReturnType<typeof useThresholdsDraft>;

/** Tries a draft on the last month, and publishes it once it was tried. */
export function usePublication(
  { merchantId, mode, merchantName }: { merchantId: string; mode: Mode; merchantName: string },
  known: KnownThresholds,
  draft: ThresholdsDraft,
) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [preview, setPreview] = useState<ThresholdsPreview | null>(null);
  const [isAsking, setAsking] = useState(false);
  const put = useMutation(trpc.health.changeThresholds.mutationOptions());
  const tried = useMutation({
    mutationFn: (thresholds: ThresholdsDraft['values']) =>
      queries.fetchQuery(
        trpc.health.previewThresholds.queryOptions({ merchantId, mode, days: MONTH_DAYS, thresholds }, { staleTime: 0 }),
      ),
  });
  return {
    preview,
    isAsking,
    isTrying: tried.isPending,
    isPublishing: put.isPending,
    failure: tried.error?.message ?? put.error?.message ?? null,
    ask: () => setAsking(true),
    stopAsking: () => setAsking(false),
    forgetPreview: () => setPreview(null),
    async tryOut() {
      if (draft.isBroken) return draft.leaveAll();
      const outcome = await tried.mutateAsync(draft.values);
      if (outcome.kind === 'preview') setPreview(outcome);
      else draft.refuse(outcome.problems);
    },
    async publish() {
      const outcome = await put.mutateAsync({ merchantId, mode, thresholds: draft.values, revision: known.revision });
      if (outcome.kind === 'invalid') {
        setAsking(false);
        return draft.refuse(outcome.problems);
      }
      // The form is remounted with the thresholds in force; typing into the old one is blocked meanwhile.
      await queries.invalidateQueries({ queryKey: trpc.health.thresholds.queryKey({ merchantId, mode }) });
      setAsking(false);
      showToast(
        outcome.kind === 'stale'
          ? { text: 'Another person has changed the thresholds. Review the new ones, then change them again.', tone: 'bad' }
          : { text: `Thresholds of ${merchantName} are in force.` },
      );
    },
  };
}
