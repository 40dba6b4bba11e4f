'use client';

import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Badge } from '../../../../components/badge.tsx';
import { Moment } from '../../../../components/moment.tsx';
import { Refusal } from '../../../../components/refusal.tsx';
import { hrefIn } from '../../../../scope/scope.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import { useMay } from '../../../../trpc/use-may.ts';
import { DIFFERENCE_STATES, type Difference, KIND_WORDS } from '../../../../words/differences.ts';
import { sayDay } from './day-grid.tsx';
import classes from './difference-panel.module.css';
import { OwnerAndNote } from './owner-and-note.tsx';
import { SettleForm } from './settle-form.tsx';
import { TwoSides } from './two-sides.tsx';

/** One difference beside the list. Escape closes it while it has the focus and nothing is being typed. */
export function DifferencePanel({ differenceId, onClose }: { differenceId: string; onClose: () => void }) {
  const trpc = useTRPC();
  const panel = useRef<HTMLElement>(null);
  const { data, error } = useQuery(trpc.reconciliation.difference.queryOptions({ differenceId }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another difference is another thing to be read from its beginning.
  useEffect(() => {
    panel.current?.focus({ preventScroll: true });
    panel.current?.scrollTo({ top: 0 });
  }, [differenceId]);

  function close() {
    onClose();
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-difference="${CSS.escape(differenceId)}"]`)?.focus());
  }

  function press(event: KeyboardEvent) {
    const typing = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (event.key === 'Escape' && !typing && !event.defaultPrevented) close();
  }

  return (
    <aside className={classes.panel} ref={panel} tabIndex={-1} aria-label="Difference" onKeyDown={press}>
      <div className={classes.head}>
        <button type="button" className={classes.close} onClick={close} aria-label="Close (Esc)" title="Close (Esc)">
          <IconX size={18} stroke={1.7} aria-hidden="true" />
        </button>
      </div>
      <div className={classes.inside}>
        <Refusal message={error?.message ?? null} />
        {data === undefined && error === null && <div className={classes.skeleton} aria-hidden="true" />}
        {data !== undefined && <Whole key={data.differenceId} difference={data} />}
      </div>
    </aside>
  );
}

function Whole({ difference }: { difference: Difference }) {
  const may = useMay()('reconciliation:resolve', difference.merchantId);
  const { word, meaning } = KIND_WORDS[difference.kind];
  const state = DIFFERENCE_STATES[difference.state];
  const { settledAt, settledBy, settledByName, settledWhy, mode, merchantId, paymentId } = difference;
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
      {settledAt !== null && (
        <p className={classes.settled}>
          {state.word} by {settledByName ?? (settledBy?.startsWith('system:') ? 'a later comparison' : 'staff')}{' '}
          <Moment value={settledAt} />: {settledWhy}
        </p>
      )}
      {may && <SettleForm difference={difference} />}
      <p className={classes.found}>
        First found <Moment value={difference.createdAt} />
      </p>
    </>
  );
}
