'use client';

import type { ReactNode } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { PanelSkeleton, SidePanel } from '#/components/side-panel/side-panel.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { DISCREPANCY_STATES, type Discrepancy } from '#/copy/discrepancies.ts';
import type { DiscrepancyActions, DiscrepancyKey } from './discrepancy-actions.ts';
import { OwnerAndNote } from './owner-and-note.tsx';
import { ResolutionForm } from './resolution-form.tsx';

/** The panel of a discrepancy beside its list. `children` is null until the discrepancy is loaded. */
export function DiscrepancySidePanel({
  discrepancyId,
  rows,
  error,
  onOpen,
  onClose,
  children,
}: {
  discrepancyId: string;
  rows: readonly Pick<DiscrepancyKey, 'discrepancyId'>[];
  error: { readonly message: string } | null;
  onOpen: (discrepancyId: string) => void;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <SidePanel
      label="Discrepancy"
      steps={{
        id: discrepancyId,
        ids: rows.map((row) => row.discrepancyId),
        words: ['Previous discrepancy', 'Next discrepancy'],
        onOpen,
      }}
      from={['data-discrepancy', discrepancyId]}
      onClose={onClose}
    >
      <Refusal message={error?.message ?? null} />
      {children === null && error === null && <PanelSkeleton label="Loading the discrepancy" />}
      {children}
    </SidePanel>
  );
}

/** A discrepancy: what it is, its facts as `children`, what people do about it, and how it was closed. */
export function WholeDiscrepancy({
  discrepancy,
  place,
  title,
  meaning,
  closedBy,
  may,
  useActions,
  children,
}: {
  discrepancy: DiscrepancyKey &
    Pick<Discrepancy, 'state' | 'ownerId' | 'ownerName' | 'note' | 'resolvedAt' | 'resolution' | 'createdAt'>;
  /** The merchant, the account, and the day if it has one. */
  place: string;
  title: string;
  meaning: string;
  /** The person or the work that closed it. */
  closedBy: string;
  may: boolean;
  useActions: () => DiscrepancyActions;
  children: ReactNode;
}) {
  const { state, resolvedAt, resolution, createdAt } = discrepancy;
  const { word, tone } = DISCREPANCY_STATES[state];
  return (
    <>
      <div>
        <p className="text-ink-quiet">{place}</p>
        <h2 className="flex flex-wrap gap-x-3.5 gap-y-1.5 items-center mt-0.5 mb-1 text-[18px] font-semibold">
          {title}
          <Badge tone={tone}>{word}</Badge>
        </h2>
        <p className="text-ink-quiet">{meaning}</p>
      </div>
      {children}
      <OwnerAndNote discrepancy={discrepancy} may={may} useActions={useActions} />
      {resolvedAt !== null && (
        <p className="py-2.5 px-3 border-l-2 border-line-strong bg-ground-quiet wrap-anywhere">
          {word} by {closedBy} <Moment value={resolvedAt} />
          {resolution !== null && `: ${resolution}`}
        </p>
      )}
      {may && <ResolutionForm discrepancy={discrepancy} useActions={useActions} />}
      <p className="text-ink-quiet text-xs">
        First found <Moment value={createdAt} />
      </p>
    </>
  );
}
