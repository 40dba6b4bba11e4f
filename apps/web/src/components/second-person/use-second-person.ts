'use client';

import { useQuery } from '@tanstack/react-query';
import { formatTimestamp } from '#/format/moments.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { showToast } from '../toasts/toast-store.ts';

type Outcome = RouterOutputs['routing']['versions']['requireApproval'];

/** A rule that needs a second person, with those who can be one. */
export interface SecondPersonRule {
  readonly required: boolean;
  readonly people: readonly { readonly staffId: string; readonly name: string }[];
  readonly waiver: {
    readonly requestedBy: string;
    /** Null where the staff user was deleted. */
    readonly requesterName: string | null;
    readonly requestedAt: Date;
    readonly until: Date;
  } | null;
}

/** Texts about results: whole sentences. */
export interface SecondPersonReports {
  readonly isRequired: string;
  readonly isNotRequired: string;
  /** Sentence shown while a request to lift the rule waits: ends before `until Bola Ade agrees`. */
  readonly isStillRequired: string;
  /** Why the rule was not switched on. */
  readonly noSecondPerson: string;
}

/** The state of a rule that needs a second person, and the action on it; `rule` is undefined while it is not known yet. */
export function useSecondPerson({
  rule,
  change,
  isBusy,
  reports,
}: {
  readonly rule: SecondPersonRule | undefined;
  /** Switches it, and shows what depends on it anew. */
  readonly change: (required: boolean) => Promise<Outcome>;
  readonly isBusy: boolean;
  readonly reports: SecondPersonReports;
}) {
  const trpc = useTRPC();
  const { data: me } = useQuery(trpc.me.queryOptions(undefined, { staleTime: 60_000 }));
  const others = (rule?.people ?? []).filter(({ staffId }) => staffId !== me?.staffId).map((person) => person.name);

  /** Applies the setting and reports the result; throws the reason when it was refused. */
  async function setWithToast(required: boolean): Promise<null> {
    const outcome = await change(required);
    switch (outcome.kind) {
      case 'needs_second_person':
        showToast({
          text: `Request sent. ${reports.isStillRequired} until ${describePeople(others)} agrees, by ${formatTimestamp(outcome.until)}.`,
          action: { label: 'Withdraw the request', run: () => setWithToast(true) },
        });
        return null;
      case 'changed':
      case 'unchanged':
        showToast(
          outcome.required
            ? { text: reports.isRequired }
            : {
                text: reports.isNotRequired,
                ...(others.length > 0 && { action: { label: 'Undo', run: () => setWithToast(true) } }),
              },
        );
        return null;
      case 'no_second_person':
        throw new Error(reports.noSecondPerson);
      case 'not_a_person':
        throw new Error('Only people decide this.');
      case 'not_found':
        throw new Error('There is no such merchant any more.');
      default:
        return outcome satisfies never;
    }
  }

  const waiver = rule?.waiver ?? null;
  return {
    /** Undefined while it is not known yet. */
    required: rule?.required,
    others,
    waiver: waiver && {
      ...waiver,
      isMine: waiver.requestedBy === `staff:${me?.staffId}`,
      requesterName: waiver.requesterName ?? 'A colleague',
    },
    busy: isBusy,
    setWithToast,
  };
}

/** State and actions of such a rule. */
export type SecondPersonState = ReturnType<typeof useSecondPerson>;

const NAMED = 3;

/** `Bola Ade or Chi Obi`, `Bola Ade, Chi Obi or 4 others`: of whom one is enough. */
export function describePeople(names: readonly string[]): string {
  if (names.length === 0) return 'another person';
  const named = names.slice(0, names.length > NAMED ? NAMED - 1 : NAMED);
  const more = names.length - named.length;
  const all = more === 0 ? named : [...named, `${more} others`];
  return all.length === 1 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
}
