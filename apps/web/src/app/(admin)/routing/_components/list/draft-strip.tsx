'use client';

import { IconCalendarClock, IconChevronRight, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { Moment } from '#/components/time/moment.tsx';
import { formatTimestamp } from '#/format/moments.ts';
import { zonedFormat } from '#/format/zone.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { usePeople, useRoutingScope } from '../queries/use-routing.ts';

type DraftInList = RouterOutputs['routing']['drafts']['list'][number];

const REFRESH_MS = 15_000;
const SHOWN = 4;

/** Open and scheduled drafts. */
export function DraftStrip() {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const { nameOf } = usePeople();
  const { data } = useQuery(trpc.routing.drafts.list.queryOptions(scope, { refetchInterval: REFRESH_MS }));
  if (data === undefined || data.length === 0) return null;
  const shown = data.slice(0, SHOWN);
  return (
    <section
      className="max-w-[1040px] mb-2 border border-line rounded-xl [&_li+li]:border-t [&_li+li]:border-line"
      aria-label="Drafts"
    >
      <ul>
        {shown.map((draft) => (
          <li key={draft.draftId}>
            <Link
              className="flex flex-wrap gap-x-3 gap-y-1 items-center min-h-10 py-1.5 px-3 text-ink text-sm no-underline hover:bg-ground-quiet"
              href={hrefIn(scope, `/routing/drafts/${draft.draftId}`)}
            >
              {draft.state === 'SCHEDULED' ? (
                <IconCalendarClock size={16} stroke={1.7} aria-hidden="true" />
              ) : (
                <IconPencil size={16} stroke={1.7} aria-hidden="true" />
              )}
              <span className="font-medium">{draftName(draft)}</span>
              <Eligibility draft={draft} />
              {draft.shadowEndsAt !== null && (
                <span className={STATE} data-tone="good" title={`Ends ${formatTimestamp(draft.shadowEndsAt)}`}>
                  Running in shadow
                </span>
              )}
              <span className="flex-1 text-ink-faint">
                saved <Moment value={draft.updatedAt} /> by {nameOf(draft.savedBy)}
              </span>
              <IconChevronRight size={16} stroke={1.7} className="text-ink-faint" aria-hidden="true" />
            </Link>
          </li>
        ))}
      </ul>
      {data.length > SHOWN && (
        <p className="py-1.5 px-3 border-t border-line text-ink-faint text-sm">and {data.length - SHOWN} older drafts</p>
      )}
    </section>
  );
}

const STATE = 'px-2 rounded-[10px] text-xs leading-5 whitespace-nowrap tone-ink tone-ground';

/** The state of a draft, in a few words. */
export function Eligibility({ draft }: { draft: Omit<DraftInList, 'shadowEndsAt'> }) {
  if (draft.state === 'SCHEDULED' && draft.publishAt !== null) {
    return (
      <span className={STATE} data-tone="wait" title={formatTimestamp(draft.publishAt)}>
        Publishes <Moment value={draft.publishAt} tense="upcoming" />
      </span>
    );
  }
  if (draft.scheduleRefusal !== null) {
    return (
      <span className={STATE} data-tone="bad" title={draft.scheduleRefusal.message}>
        Was not published at its time
      </span>
    );
  }
  switch (draft.approval.state) {
    case 'requested':
      return (
        <span className={STATE} data-tone="wait">
          Waiting for approval
        </span>
      );
    case 'approved':
      return (
        <span className={STATE} data-tone="good">
          Approved
        </span>
      );
    case 'rejected':
      return (
        <span className={STATE} data-tone="bad">
          Declined
        </span>
      );
    case 'none':
      return (
        <span className={STATE} data-tone="over">
          Draft
        </span>
      );
    default:
      return draft.approval satisfies never;
  }
}

const day = zonedFormat('en-GB', { day: 'numeric', month: 'short' });

/** The draft's name; without one, the day it was created. */
export function draftName({ name, createdAt }: { readonly name: string | null; readonly createdAt: Date }): string {
  return name ?? `Draft of ${day.format(createdAt)}`;
}
