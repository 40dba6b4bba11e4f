'use client';

import { parseAsBoolean, useQueryState } from 'nuqs';
import { useNow } from '#/components/time/now.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';

/** A machine token, as the server lists it. */
export type Token = RouterOutputs['machineTokens']['list'][number];

/** Tokens by whether they still work, and which of them are shown: the URL holds that. */
export function useTokens(tokens: readonly Token[] = []) {
  const now = useNow();
  const [showsEnded, setShowsEnded] = useQueryState('ended', parseAsBoolean.withDefault(false));
  const active = tokens.filter((token) => isActive(token, now));
  const ended = tokens.filter((token) => !isActive(token, now));
  return { active, endedCount: ended.length, showsEnded, setShowsEnded, rows: showsEnded ? ended : active };
}

/** True if requests with the token are accepted at this time, in ms since the epoch. */
export function isActive({ revokedAt, expiresAt }: Pick<Token, 'revokedAt' | 'expiresAt'>, now: number): boolean {
  return revokedAt === null && expiresAt.getTime() > now;
}
