'use client';

import Link from 'next/link';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { describeEarned, type EarnedMonth } from './describe-earned.ts';

/** Earnings of routing in a month, with the way to the report. */
export function EarnedSentence({ month }: { month: EarnedMonth }) {
  const scope = useScope();
  return (
    <p className="mt-3 text-ink-quiet">
      {describeEarned(month)} <Link href={hrefIn(scope, '/routing/earned')}>What routing earned</Link>
    </p>
  );
}
