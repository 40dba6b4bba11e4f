'use client';

import { useQuery } from '@tanstack/react-query';
import { OUTAGE_DAYS } from '#/app/(admin)/health/span.ts';
import { PanelPart } from '#/components/side-panel/side-panel.tsx';
import { useNow } from '#/components/time/now.tsx';
import { HEALTH_LABELS } from '#/copy/health.ts';
import { addDays } from '#/format/calendar.ts';
import { dayOf, describeLength, startOfDay } from '#/format/moments.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { dayLabel, weekdayLetter } from '../clock.ts';
import classes from './days.module.css';
import { othersMs, unhealthyMs, worstWithin } from './strip-figures.ts';

/** The last two weeks by day: the worst state and its duration. */
export function Days({ accountId, method }: { accountId: string; method: string | null }) {
  const trpc = useTRPC();
  const scope = useScope();
  const now = useNow();
  const { data } = useQuery(trpc.health.states.queryOptions({ ...scope, minutes: OUTAGE_DAYS * 1_440 }));
  const own = data?.series.find((series) => series.accountId === accountId && series.method === method);
  const today = dayOf(now);
  const days = Array.from({ length: OUTAGE_DAYS }, (_, index) => addDays(today, index + 1 - OUTAGE_DAYS));
  return (
    <PanelPart title="Day by day">
      <ol className="grid grid-cols-14 gap-0.75 max-phone:grid-cols-7">
        {days.map((day) => {
          const from = startOfDay(day)?.getTime() ?? now;
          const to = Math.min(startOfDay(addDays(day, 1))?.getTime() ?? now, now);
          const state = worstWithin(own?.spans ?? [], from, to);
          const trouble = unhealthyMs(own?.spans ?? [], from, to);
          const alone = othersMs(own?.spans ?? [], from, to) === trouble ? ', for other merchants alone' : '';
          const words =
            trouble === 0
              ? 'healthy'
              : `${HEALTH_LABELS[state].word.toLowerCase()} at worst, not healthy for ${describeLength(trouble)}${alone}`;
          return (
            <li key={day} className={classes.day} data-state={state} title={`${dayLabel(new Date(from))}: ${words}`}>
              <span className="text-ink-faint text-xs text-center" aria-hidden="true">
                {weekdayLetter(new Date(from))}
              </span>
              <span className={classes.cell}>
                <span className="sr-only">
                  {dayLabel(new Date(from))}: {words}
                </span>
                <span aria-hidden="true">{trouble === 0 ? '' : describeLength(trouble)}</span>
              </span>
            </li>
          );
        })}
      </ol>
    </PanelPart>
  );
}
