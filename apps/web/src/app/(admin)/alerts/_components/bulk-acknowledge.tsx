'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import type { DataSelection } from '#/components/data-table/data-table.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { failureText } from '#/forms/failure-text.ts';
import type { Finding } from '#/incidents/use-attention.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';

/** Open alerts that are chosen to be acknowledged at once: those of an incident which no person has acknowledged yet. */
export function useChosenAlerts(rows: readonly Finding[]) {
  const can = useCan();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const isSelectable = ({ incidentId, acknowledgedAt, merchantId }: Finding) =>
    incidentId !== null && acknowledgedAt === null && can('alert:acknowledge', merchantId);
  const table: DataSelection<Finding> | undefined = rows.some(isSelectable)
    ? { selected: chosen, onChange: setChosen, nameOf: ({ title }) => title, isSelectable }
    : undefined;
  return { chosen: rows.filter((row) => chosen.has(row.key) && isSelectable(row)), clear: () => setChosen(new Set()), table };
}

/** Acknowledges the chosen alerts. */
export function BulkAcknowledge({ chosen, onDone }: { chosen: readonly Finding[]; onDone: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const acknowledge = useMutation(trpc.alerts.acknowledge.mutationOptions());
  const [isPending, setPending] = useState(false);
  if (chosen.length === 0) return null;
  async function acknowledgeAll() {
    setPending(true);
    const outcomes = await Promise.allSettled(
      chosen.flatMap(({ incidentId, merchantId }) =>
        incidentId === null ? [] : [acknowledge.mutateAsync({ merchantId, incidentId })],
      ),
    );
    await Promise.all(
      [trpc.alerts, trpc.attention, trpc.incidents].map((read) => queries.invalidateQueries({ queryKey: read.pathKey() })),
    );
    setPending(false);
    onDone();
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    const done = outcomes.filter((outcome) => outcome.status === 'fulfilled').length;
    if (done > 0) showToast({ text: done === 1 ? '1 alert is acknowledged.' : `${done} alerts are acknowledged.` });
    if (failed !== undefined) showToast({ text: failureText(failed.reason), tone: 'bad' });
  }
  return (
    <section className="flex flex-wrap items-center gap-2 min-h-10 mb-1 text-sm" aria-label="Bulk actions">
      <span className="mr-2 font-medium tabular-nums">{chosen.length} selected</span>
      <Button loading={isPending} onClick={() => void acknowledgeAll()}>
        Acknowledge {chosen.length === 1 ? '1 alert' : `${chosen.length} alerts`}
      </Button>
    </section>
  );
}
