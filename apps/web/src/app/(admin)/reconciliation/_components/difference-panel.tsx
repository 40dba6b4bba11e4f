'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { Badge } from '../../../../components/badge.tsx';
import { Moment } from '../../../../components/moment.tsx';
import { Refusal } from '../../../../components/refusal.tsx';
import { PanelWaiting, SidePanel } from '../../../../components/side-panel/side-panel.tsx';
import { DIFFERENCE_STATES, type Difference, KIND_WORDS } from '../../../../copy/differences.ts';
import { hrefIn } from '../../../../scope/scope.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import { useMay } from '../../../../trpc/use-may.ts';
import { sayDay } from './day-grid.tsx';
import classes from './difference-panel.module.css';
import { OwnerAndNote } from './owner-and-note.tsx';
import { SettleForm } from './settle-form.tsx';
import { TwoSides } from './two-sides.tsx';

/** One difference beside the list. */
export function DifferencePanel({
  differenceId,
  rows,
  onOpen,
  onClose,
}: {
  differenceId: string;
  rows: readonly { readonly differenceId: string }[];
  onOpen: (differenceId: string) => void;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.reconciliation.difference.queryOptions({ differenceId }));
  return (
    <SidePanel
      label="Difference"
      steps={{
        id: differenceId,
        ids: rows.map((row) => row.differenceId),
        words: ['Previous difference', 'Next difference'],
        onOpen,
      }}
      from={['data-difference', differenceId]}
      onClose={onClose}
    >
      <Refusal message={error?.message ?? null} />
      {data === undefined && error === null && <PanelWaiting label="Loading the difference" />}
      {data !== undefined && <Whole key={data.differenceId} difference={data} />}
    </SidePanel>
  );
}

function Whole({ difference }: { difference: Difference }) {
  const may = useMay()('reconciliation:resolve', difference.merchantId);
  const { word, meaning } = KIND_WORDS[difference.kind];
  const state = DIFFERENCE_STATES[difference.state];
  const { resolvedAt, resolvedBy, resolvedByName, resolution, mode, merchantId, paymentId } = difference;
  return (
    <>
      <div>
        <p className={classes.where}>
          {difference.merchantName} · {difference.accountLabel} · {sayDay(difference.day)}
        </p>
        <h2 className={classes.title}>
          {difference.about === 'refund' ? `Refund: ${word.toLowerCase()}` : word}
          <Badge tone={state.tone}>{state.word}</Badge>
        </h2>
        <p className={classes.meaning}>{meaning}</p>
      </div>
      <TwoSides difference={difference} />
      {paymentId !== null && (
        <Link href={hrefIn({ mode, merchantId }, `/payments/${paymentId}`)} prefetch={false}>
          Open the payment
        </Link>
      )}
      <OwnerAndNote difference={difference} may={may} />
      {resolvedAt !== null && (
        <p className={classes.settled}>
          {state.word} by {resolvedByName ?? (resolvedBy?.startsWith('system:') ? 'a later comparison' : 'staff')}{' '}
          <Moment value={resolvedAt} />: {resolution}
        </p>
      )}
      {may && <SettleForm difference={difference} />}
      <p className={classes.found}>
        First found <Moment value={difference.createdAt} />
      </p>
    </>
  );
}
