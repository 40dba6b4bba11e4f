'use client';

import { parseAsBoolean, useQueryStates } from 'nuqs';
import { useNow } from '#/components/time/now.tsx';

/** Fields that finance tokens and agent tokens have in common. */
export interface Token {
  readonly tokenId: string;
  readonly name: string;
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
}

/** Tokens by whether they still work, and which of them are shown: the URL holds that. */
export interface TokenView<Row extends Token> {
  readonly active: readonly Row[];
  readonly endedCount: number;
  readonly showsEnded: boolean;
  readonly setShowsEnded: (showsEnded: boolean) => void;
  /** The ones shown. */
  readonly rows: readonly Row[];
}

const viewParsers = { ended: parseAsBoolean.withDefault(false) };

/** The view of a list of tokens; undefined while they are not loaded. */
export function useTokens<Row extends Token>(tokens: readonly Row[] | undefined): TokenView<Row> {
  const now = useNow();
  const [{ ended }, setView] = useQueryStates(viewParsers);
  const all = tokens ?? [];
  const active = all.filter((token) => isActive(token, now));
  return {
    active,
    endedCount: all.length - active.length,
    showsEnded: ended,
    setShowsEnded: (showsEnded) => void setView({ ended: showsEnded }),
    rows: ended ? all.filter((token) => !isActive(token, now)) : active,
  };
}

/** True if requests with the token are accepted at this time, in ms since the epoch. */
export function isActive({ revokedAt, expiresAt }: Token, now: number): boolean {
  return revokedAt === null && expiresAt.getTime() > now;
}
